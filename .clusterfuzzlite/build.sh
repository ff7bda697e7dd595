#!/bin/bash
# Builds every fuzz target for ClusterFuzzLite or OSS-Fuzz.
#
#   OUT=DIR [SRC=DIR] [SANITIZER=address|none|coverage] .clusterfuzzlite/build.sh [TARGET...]
#
# $OUT gets, for each target (default: all): the program, TARGET.options (longest input, dictionary), TARGET.dict where there is one, and
# TARGET_seed_corpus.zip. The sources are in $SRC/texwire, or around this script. Needs nightly Rust, cargo-fuzz and zip.
# Overflow checks and debug assertions are on. Exit status: 0, 2 = the build failed or a target has no seeds.
set -euo pipefail

fail() {
    echo "error: $*" >&2
    exit 2
}

[[ -n ${OUT:-} ]] || fail "no folder at OUT: the environment must name where programs go"
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
if [[ -n ${SRC:-} && -d $SRC/texwire ]]; then cd "$SRC/texwire"; else cd "$(dirname "$0")/.."; fi
source fuzz/limits.sh

nightly=(cargo)
rustc --version | grep -q nightly || nightly=(cargo +nightly)
if (($#)); then targets=("$@"); else mapfile -t targets < <("${nightly[@]}" fuzz list); fi
((${#targets[@]})) || fail "no targets at fuzz/Cargo.toml: \`cargo fuzz list\` is empty"

sanitizer=()
[[ ${SANITIZER:-address} == none ]] && sanitizer=(-s none)
triple=$(rustc -vV | sed -n 's/^host: //p')
binaries=${CARGO_TARGET_DIR:-fuzz/target}/$triple/release
if (($#)); then
    for target in "${targets[@]}"; do
        "${nightly[@]}" fuzz build -O --debug-assertions "${sanitizer[@]}" "$target" || fail "build failed at $target: see above"
    done
    "${nightly[@]}" fuzz build -O --debug-assertions "${sanitizer[@]}" inputs || fail "build failed at fuzz/src/bin/inputs.rs: see above"
else
    "${nightly[@]}" fuzz build -O --debug-assertions "${sanitizer[@]}" || fail "build failed at fuzz: see above"
fi

# Built beside the targets (fuzz/src/bin): seeds and dictionaries need no other build of the harness.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$binaries/inputs" seeds "$work/corpus" "$work/dictionaries" "${targets[@]}" ||
    fail "no seeds: see above"

for target in "${targets[@]}"; do
    cp "$binaries/$target" "$OUT/$target"
    options=$'[libfuzzer]\n'"max_len = $(longest "$target")"
    if [[ -f $work/dictionaries/$target.dict ]]; then
        cp "$work/dictionaries/$target.dict" "$OUT/"
        options+=$'\n'"dict = $target.dict"
    fi
    printf '%s\n' "$options" >"$OUT/$target.options"
    rm -f "$OUT/${target}_seed_corpus.zip"
    (cd "$work/corpus/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .) || fail "no seed corpus at $target: zip failed"
    echo "$target: $(stat -c %s "$OUT/$target") bytes, $(find "$work/corpus/$target" -type f | wc -l) seeds"
done
