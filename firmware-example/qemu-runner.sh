#!/bin/bash
# Runs an ELF file in QEMU and prints its defmt log: qemu-runner.sh MACHINE ELF [QEMU_OPTION...]
# TEXWIRE_TIMEOUT: seconds until it is stopped (default 300; 0 = never). Exit status: the program's; 124: stopped.
set -euo pipefail
machine=$1 elf=$2
shift 2
# shellcheck disable=SC2054 # the commas are QEMU's
case $machine in
# An instruction takes 64 ns, so that the program's clock counts instructions.
mps2-an386) qemu=qemu-system-arm options=(-icount shift=6 -semihosting-config enable=on,target=native) ;;
virt) qemu=qemu-system-riscv32 options=(-icount shift=0 -bios none -m 16M -serial stdio) ;;
*) qemu=qemu-system-arm options=(-semihosting-config enable=on,target=native) ;;
esac
for tool in "$qemu" defmt-print; do
    command -v "$tool" >/dev/null || {
        echo "error: missing tool at PATH: $tool (QEMU is a system package; cargo install defmt-print --locked)" >&2
        exit 2
    }
done
# The log is binary and decoded afterwards, so that the program's exit status is kept.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
seconds=${TEXWIRE_TIMEOUT:-300}
[[ $seconds =~ ^[0-9]+$ ]] || {
    echo "error: bad number at TEXWIRE_TIMEOUT: $seconds (expected whole seconds, 0 for no limit)" >&2
    exit 2
}
timeout "$seconds" "$qemu" -machine "$machine" -display none -monitor none "${options[@]}" "$@" \
    -kernel "$elf" </dev/null >"$log" || status=$?
defmt-print -e "$elf" --log-format '{L} {s}' <"$log"
# The program itself ends with 0, 1 or the machine's status; 124 is the limit's.
((status != 124)) || echo "error: stopped at $machine: no end after $seconds s (TEXWIRE_TIMEOUT=0 for no limit)" >&2
exit "$status"
