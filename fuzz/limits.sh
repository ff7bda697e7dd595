# shellcheck shell=bash
# The longest input of a fuzz target in bytes: enough for all that it makes of one; longer ones are slower and find nothing
# more. To be sourced.
longest() {
    case $1 in
    asm_text) echo 256 ;;
    decode_gen | decode_txq | decode_visa | display_total | parse_state | roundtrip_txq | roundtrip_visa) echo 512 ;;
    decode_format | execute_txq) echo 1024 ;;
    *) echo 2048 ;;
    esac
}
