#!/bin/bash
# Builds an example and runs it in QEMU; its defmt log goes to stdout as text.
#   firmware-example/run-qemu.sh [replay|decode|riscv|uart] [SERIAL_INPUT]
# TEXWIRE_TIMEOUT: seconds until the machine is stopped, with an error (default 300; uart: none).
# Exit status: the program's (0 = every writeback equal); 2 = bad usage.
set -euo pipefail
program=${1:-replay}
options=(-serial null)
case $program in
replay) target=thumbv7em-none-eabihf machine=mps2-an386 ;;
decode) target=thumbv6m-none-eabi machine=microbit ;;
riscv) target=riscv32imac-unknown-none-elf machine=virt binary=replay options=() ;;
uart)
    target=thumbv7em-none-eabihf machine=mps2-an386
    [[ -r ${2:-} && ! -d $2 ]] || {
        echo "error: no input at ${2:-SERIAL_INPUT}: uart needs a file with the bytes of the serial line" >&2
        exit 2
    }
    # Opened here: its name is relative to the caller's folder.
    exec 3<"$2"
    # The other end of the serial line: a named pipe.
    line=$(mktemp -d)
    sender=
    # A machine that never started has not opened its end either: who waits for it would wait for ever.
    trap '[[ -z $sender ]] || kill "$sender" 2>/dev/null || true; rm -rf "$line"' EXIT
    mkfifo "$line/port.in" "$line/port.out"
    options=(-serial "pipe:$line/port")
    # A serial line takes as long as its sender: no limit unless one is given.
    export TEXWIRE_TIMEOUT=${TEXWIRE_TIMEOUT:-0}
    ;;
*)
    echo "error: unknown program at $program: expected replay, decode, riscv or uart" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")"
source ./env.sh
texwire_toolchain "$target"
"${CARGO[@]}" build --release --bin "${binary:-$program}" "${BUILD_STD[@]}" --target "$target" >&2
elf=${CARGO_TARGET_DIR:-target}/$target/release/${binary:-$program}

if [[ $program == uart ]]; then
    # Waits until the machine opens its end.
    cat <&3 >"$line/port.in" &
    sender=$!
fi
status=0
./qemu-runner.sh "$machine" "$elf" "${options[@]}" || status=$?
exit "$status"
