#!/bin/bash
# Builds and runs the examples of the C interface with the system's compilers, under AddressSanitizer and
# UndefinedBehaviorSanitizer, the C one also on a Cortex-M4F in QEMU; all print what the Rust one prints.
# With cmake and pkg-config they are also built as a project elsewhere builds them.
#   harness/capi/examples/run.sh [--workspace] [--firmware]
# --workspace: with the features of all packages, whose tests may have compiled all of it already.
# Needs: cargo, g++, gcc; with --firmware also Debian's cargo-web and rust-web-src, arm-none-eabi-gcc, qemu-system-arm.
# Exit status: 0, 1 = an example failed or a result is another one, 2 = bad usage.
set -euo pipefail
packages=(-p texwire-capi -p texwire) firmware=
for argument; do
    case $argument in
    --workspace) packages=(--workspace) ;;
    --firmware) firmware=yes ;;
    *)
        echo "error: unknown argument at arguments: $argument (expected --workspace or --firmware)" >&2
        exit 2
        ;;
    esac
done
cd "$(dirname "$0")/.."
top=$(cd ../.. && pwd) out=$(mktemp -d) here=$PWD
trap 'rm -rf "$out"' EXIT
target=${CARGO_TARGET_DIR:-$top/target}
# shellcheck disable=SC2054 # a comma of the compiler's option
warnings=(-Wall -Wextra -Werror) sanitizers=(-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all)

cargo build -q "${packages[@]}" --lib --example simulator
"$target/debug/examples/simulator" >"$out/rust.txt"
library=$target/debug/libtexwire_capi
gcc -std=c11 "${warnings[@]}" "${sanitizers[@]}" -Iinclude examples/simulator.c "$library.a" -lpthread -ldl -lm -o "$out/c"
g++ -std=c++17 "${warnings[@]}" "${sanitizers[@]}" -Iinclude examples/simulator.cpp "$library.a" -lpthread -ldl -lm -o "$out/cpp"
same() { # NAME FILE
    diff -u "$out/rust.txt" "$2" || { echo "error: results of the $1 example at $2: not those of the Rust one" >&2; exit 1; }
    echo "$1: the same as Rust"
}
run() { # NAME PROGRAM
    local status=0
    "$2" >"$2.txt" || status=$?
    ((status == 0)) || { cat "$2.txt"; echo "error: exit status $status of the $1 example at $2: see above" >&2; exit 1; }
    same "$1" "$2.txt"
}
run C "$out/c"
run C++ "$out/cpp"

# As projects elsewhere do it: a folder of their own, nothing but the CMake file or the pkg-config file of this one.
if command -v cmake >/dev/null; then
    mkdir "$out/project"
    cp examples/simulator.cpp examples/simulator.c examples/print.h "$out/project"
    cat >"$out/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(simulator C CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_C_STANDARD 11)
include("$here/texwire.cmake")
foreach(language c cpp)
    add_executable(simulator_\${language} simulator.\${language})
    target_link_libraries(simulator_\${language} PRIVATE texwire)
endforeach()
END
    cmake -S "$out/project" -B "$out/project/build" -DTEXWIRE_LIBRARY="$library.a" >"$out/cmake.txt" &&
        cmake --build "$out/project/build" >>"$out/cmake.txt" || { cat "$out/cmake.txt"; exit 1; }
    for language in c cpp; do
        run "CMake $language" "$out/project/build/simulator_$language"
    done
else
    echo "CMake: skipped, not installed"
fi
if command -v pkg-config >/dev/null; then
    sed "s|@TEXWIRE@|$top|; s|@VERSION@|0.1.0|" texwire.pc.in >"$out/texwire.pc"
    read -ra flags < <(PKG_CONFIG_PATH=$out pkg-config --define-variable=libdir="$target/debug" --cflags --libs 'texwire >= 0.1')
    g++ -std=c++17 examples/simulator.cpp "${flags[@]}" -o "$out/pkg"
    run pkg-config "$out/pkg"
else
    echo "pkg-config: skipped, not installed"
fi

if python3 -c 'import cffi' 2>/dev/null; then
    [[ $(python3 examples/simulator.py "$library.so" include/texwire.h) == "0.0 0.125 0.25 0.375 0.5 0.625 0.75 0.875" ]] ||
        { echo "error: result of the Python example: not the expected ramp" >&2; exit 1; }
    echo "Python: the expected ramp"
else
    echo "Python: skipped, no module cffi"
fi

[[ -n $firmware ]] || exit 0
# Not incremental, whatever the caller's environment says: other units of code take other amounts of stack.
(cd "$top" && PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$top/target/bare" /usr/bin/cargo rustc -q --release \
    -p texwire-capi --no-default-features --features bc,small --crate-type staticlib -Zbuild-std=core \
    --config 'profile.release.panic="abort"' --target thumbv7em-none-eabihf)
arm-none-eabi-gcc -std=c11 "${warnings[@]}" -Os -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffreestanding \
    -nostdlib -Wl,-z,noexecstack -DBARE_METAL -Iinclude -T examples/firmware/link.ld -Wl,--gc-sections examples/firmware/start.c \
    examples/simulator.c "$top/target/bare/thumbv7em-none-eabihf/release/libtexwire_capi.a" -lgcc -o "$out/firmware.elf"
arm-none-eabi-size "$out/firmware.elf" | tee "$out/size.txt"
status=0
timeout 60 qemu-system-arm -machine mps2-an386 -nographic -semihosting-config enable=on,target=native \
    -kernel "$out/firmware.elf" >"$out/firmware.log" 2>&1 || status=$?
((status == 0)) || {
    cat "$out/firmware.log"
    echo "error: exit status $status of the C firmware in QEMU: see above (124: no end after 60 s)" >&2
    exit 1
}
grep -v '^#' "$out/firmware.log" >"$out/firmware.txt"
same "C firmware" "$out/firmware.txt"
grep '^#' "$out/firmware.log"

# The numbers of core/EMBEDDING.md: sizes of objects exactly; flash and stack, which differ with the compiler, within 1 %.
logged() { sed -n "s/^# bytes of $1: //p" "$out/firmware.log"; }
names=("a device" "a prepared message" flash stack) percent=(0 0 1 1)
measured=("$(logged "a device")" "$(logged "a prepared message")" "$(awk 'NR == 2 { print $1 + $2 }' "$out/size.txt")"
    "$(logged "stack, all calls")")
said='s/.*library takes ([0-9]+) bytes a prepared message ([0-9]+)\..* takes ([0-9]+) bytes of flash and ([0-9]+) of stack.*/\1 \2 \3 \4/p'
read -ra documented < <(tr '\n' ' ' <"$top/core/EMBEDDING.md" | tr -d , | sed -nE "$said"; echo)
for index in "${!names[@]}"; do
    difference=$((measured[index] - ${documented[index]:-0}))
    ((100 * ${difference#-} <= percent[index] * ${documented[index]:-0})) || {
        echo "error: bytes of ${names[index]} at core/EMBEDDING.md: it says ${documented[index]:-nothing}, measured ${measured[index]}" >&2
        exit 1
    }
done
