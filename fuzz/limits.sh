# shellcheck shell=bash
# The longest input of a fuzz target in bytes: enough for all that it makes of one; longer ones are slower and find nothing
# more. To be sourced.
longest() {
    case $1 in
    asm_text) echo 256 ;;
    decode_gen | decode_txq | roundtrip_txq | parse_state) echo 512 ;;
    decode_visa | roundtrip_visa | execute_txq | decode_format) echo 1024 ;;
    *) echo 2048 ;;
    esac
}
