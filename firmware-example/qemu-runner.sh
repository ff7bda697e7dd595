#!/bin/bash
# Runs an ELF file in QEMU and prints its defmt log: qemu-runner.sh MACHINE ELF [QEMU_OPTION...]
# Exit status: the program's.
set -euo pipefail
machine=$1 elf=$2
shift 2
for tool in qemu-system-arm defmt-print; do
    command -v "$tool" >/dev/null || {
        echo "error: missing tool at PATH: $tool (qemu-system-arm is a system package; cargo install defmt-print --locked)" >&2
        exit 2
    }
done
# The log is binary and decoded afterwards, so that the program's exit status is kept.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
timeout 300 qemu-system-arm -machine "$machine" -display none -monitor none "$@" \
    -semihosting-config enable=on,target=native -kernel "$elf" </dev/null >"$log" || status=$?
defmt-print -e "$elf" --log-format '{L} {s}' <"$log"
exit "$status"
