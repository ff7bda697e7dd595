#!/bin/bash
# Builds an example and runs it in QEMU; its defmt log goes to stdout as text.
#   firmware-example/run-qemu.sh [replay|decode|uart] [SERIAL_INPUT]
# Exit status: the program's (0 = every writeback equal).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
source ./env.sh

program=${1:-replay}
features=()
serial=(-serial null)
case $program in
replay) target=thumbv7em-none-eabihf machine=mps2-an386 binary=replay ;;
decode) target=thumbv6m-none-eabi machine=microbit binary=decode ;;
uart)
    target=thumbv7em-none-eabihf machine=mps2-an386 binary=replay features=(--features uart)
    input=$(realpath "${2:?a file with the bytes of the serial line}")
    serial=(-chardev "file,id=line,path=/dev/null,input-path=$input" -serial chardev:line)
    ;;
*)
    echo "error: unknown program at $program: expected replay, decode or uart" >&2
    exit 2
    ;;
esac
for tool in qemu-system-arm defmt-print; do
    command -v "$tool" >/dev/null || {
        echo "error: missing tool at PATH: $tool (qemu-system-arm is a system package, cargo install defmt-print --locked)" >&2
        exit 2
    }
done

texwire_toolchain "$target"
[[ $program == uart && -z ${CARGO_TARGET_DIR:-} ]] && export CARGO_TARGET_DIR=$here/target/uart
"${CARGO[@]}" build --release --bin "$binary" "${features[@]}" "${BUILD_STD[@]}" --target "$target" >&2
elf=${CARGO_TARGET_DIR:-target}/$target/release/$binary

# The log is binary and decoded afterwards, so that the program's exit status is kept.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
timeout 300 qemu-system-arm -machine "$machine" -display none -monitor none "${serial[@]}" \
    -semihosting-config enable=on,target=native -kernel "$elf" </dev/null >"$log" || status=$?
defmt-print -e "$elf" --log-format '{L} {s}' <"$log"
exit "$status"
