# shellcheck shell=bash disable=SC2034 # who sources it uses the variables
# Which lines of the core inputs reach, by module. To be sourced at the root of the repository.
#
# measure_lines FOLDER TARGET...  replays the corpus of TARGET through a build that counts; FOLDER/lines/TARGET and
#                                 FOLDER/lines/all get the report of llvm-cov. What hinders it is in $no_lines.
# lines_of REPORT                 covered lines of a report; `-` when there is none
# lines_by_module REPORT          a table

# The tool of LLVM called $1: the environment's ($2), rustc's own, the system's of rustc's version or newer.
llvm_tool() {
    local root major tool
    root=$(rustc --print sysroot)
    major=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    for tool in "${!2:-}" "$root"/lib/rustlib/*/bin/"$1" "$1-$major" "/usr/lib/llvm-$major/bin/$1" "$1-$((major + 1))"; do
        [[ -n $tool ]] && command -v "$tool" && return
    done
}

measure_lines() {
    local cov profdata target binary out=$1/lines
    shift
    cov=$(llvm_tool llvm-cov LLVM_COV)
    profdata=$(llvm_tool llvm-profdata LLVM_PROFDATA)
    if [[ -z $cov || -z $profdata ]]; then
        no_lines="Not measured: no llvm-cov and llvm-profdata of rustc's LLVM ($(rustc -vV | sed -n 's/^LLVM version: //p')); set LLVM_COV and LLVM_PROFDATA, or \`rustup component add llvm-tools\`. Edges are in the table above."
        return
    fi
    mkdir -p "$out"
    echo "building what counts lines"
    RUSTFLAGS="-C instrument-coverage" LLVM_PROFILE_FILE=$out/build-%p.profraw \
        cargo build -q -p texwire-harness --target-dir target/lines || {
        no_lines="Not measured: the build failed."
        return
    }
    binary=target/lines/debug/texwire
    for target in "$@"; do
        LLVM_PROFILE_FILE=$out/$target.profraw nice "$binary" fuzz-replay "$target" "${corpora:-fuzz/corpus}/$target" >/dev/null 2>&1
        "$profdata" merge -sparse "$out/$target.profraw" -o "$out/$target.profdata" &&
            "$cov" report "$binary" -instr-profile="$out/$target.profdata" core/src >"$out/$target" 2>/dev/null
    done
    "$profdata" merge -sparse "$out"/*.profdata -o "$out/all.merged" &&
        "$cov" report "$binary" -instr-profile="$out/all.merged" core/src >"$out/all" 2>/dev/null
    rm -f "$out"/*.profraw
    [[ -s $out/all ]] || no_lines="Not measured: llvm-cov cannot read the counts."
}

# Columns of llvm-cov report: file, then (all, missed, cover) of regions, functions, lines, branches.
lines_of() {
    [[ -s $1 ]] && awk '$1 == "TOTAL" { print $8 - $9 }' "$1" || echo -
}

lines_by_module() {
    echo "| module | lines | reached | |"
    echo "|---|--:|--:|--:|"
    awk '
        $1 ~ /\.rs$/ {
            name = $1
            sub(/^.*core\/src\//, "", name)
            sub(/\.rs$/, "", name)
            sub(/\/[^\/]*$/, "", name)
            lines[name] += $8
            missed[name] += $9
        }
        $1 == "TOTAL" { lines["**all**"] = $8; missed["**all**"] = $9 }
        END {
            for (name in lines)
                if (lines[name] > 0)
                    printf "| %s | %d | %d | %.1f %% |\n", name, lines[name], lines[name] - missed[name],
                        100 * (lines[name] - missed[name]) / lines[name]
        }' "$1" | LC_ALL=C sort -k 2 | sed '/\*\*all/{H;d};${G;s/\n\n/\n/}'
}
