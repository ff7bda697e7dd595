#!/bin/bash
# Runs an ELF file in QEMU and prints its defmt log: qemu-runner.sh MACHINE ELF [QEMU_OPTION...]
# Exit status: the program's.
set -euo pipefail
machine=$1 elf=$2
shift 2
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
timeout 300 "$qemu" -machine "$machine" -display none -monitor none "${options[@]}" "$@" \
    -kernel "$elf" </dev/null >"$log" || status=$?
defmt-print -e "$elf" --log-format '{L} {s}' <"$log"
exit "$status"
