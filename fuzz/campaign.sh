#!/bin/bash
# A fuzz campaign: builds every target, makes seeds, runs two targets at a time, minimises their corpora and
# writes a report in Markdown.
#
#   fuzz/campaign.sh [MINUTES | --runs N] [--asan] [--edges-only] [--jobs N] [--report FILE] [--no-lines]
#                    [--shard I/N] [--corpus DIR] [--merge DIR]... [TARGET...]
#
# For a batch scheduler: --shard I/N (I from 1 to N) takes every Nth target from the Ith on, or, with more shards than targets,
# the same targets again with other random numbers; --corpus DIR (default fuzz/corpus) is where this shard keeps its corpora.
# --merge DIR, which may be repeated, takes the corpora of other shards (DIR/TARGET/...) in before the run; with 0 MINUTES that is
# all that happens: the smallest set of inputs that reaches as much stays, and each input runs once.
# MINUTES for each target (default 5, fractions allowed), or as long as N executions take. --edges-only: edges alone guide the fuzzer, not
# the values that are compared nor how often an edge is taken; machine_program and machine_launch then run three times as fast. --asan: with AddressSanitizer, several times slower; the core has no
# unsafe code, so the default is without. --no-lines: do not measure which lines of the core the corpora reach (which needs one
# more build, and llvm-cov and llvm-profdata of rustc's LLVM or newer: from LLVM_COV and LLVM_PROFDATA, rustup's llvm-tools, or
# the system; without them the report says so). The corpora stay in fuzz/corpus, failing inputs in fuzz/artifacts. Exit
# status: 0, 1 = a property failed or a target executed nothing, 2 = bad usage or the build failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

fail() {
    echo "error: $*" >&2
    exit 2
}

minutes=5
runs=
build=()
counters=1
sanitizer=none
jobs=2
report=fuzz/report.md
lines=yes
shard=1/1
corpora=fuzz/corpus
merge=()
targets=()
while (($#)); do
    case $1 in
    --runs | --jobs | --report | --shard | --corpus | --merge) [[ -n ${2:-} ]] || fail "no value at arguments: $1" ;;&
    --asan) sanitizer=address ;;
    --edges-only)
        build+=(--no-trace-compares)
        counters=0
        ;;
    --runs) runs=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    --report) report=$2 && shift ;;
    --no-lines) lines=no ;;
    --shard) shard=$2 && shift ;;
    --corpus) corpora=$2 && shift ;;
    --merge) merge+=("$2") && shift ;;
    -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" && exit 0 ;;
    -*) fail "unknown option at arguments: $1" ;;
    [0-9]* | .[0-9]*) minutes=$1 ;;
    *) targets+=("$1") ;;
    esac
    shift
done
[[ -z $runs || $runs =~ ^[0-9]+$ ]] || fail "bad number at --runs: $runs"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || fail "bad number at --jobs: $jobs"
[[ $minutes =~ ^[0-9]*\.?[0-9]*$ ]] || fail "bad number at MINUTES: $minutes"
# Before the campaign, whose results would be lost.
[[ -d $(dirname "$report") && ! -d $report ]] || fail "no file can be made at --report: $report"
[[ $minutes =~ ^0+$ ]] && runs=0
seconds=$(awk -v m="$minutes" 'BEGIN { s = int(m * 60); print s < 1 ? 1 : s }')
[[ $shard =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] && ((BASH_REMATCH[1] <= BASH_REMATCH[2])) ||
    fail "bad shard at --shard: $shard (expected I/N with I from 1 to N)"
index=${BASH_REMATCH[1]} shards=${BASH_REMATCH[2]}
for folder in ${merge[@]+"${merge[@]}"}; do
    [[ -d $folder ]] || fail "no folder at --merge: $folder"
done

command -v cargo-fuzz >/dev/null || fail "no cargo-fuzz: cargo install --locked cargo-fuzz"
all=$(cargo +nightly fuzz list) || fail "cargo +nightly fuzz list: see above"
for target in ${targets[@]+"${targets[@]}"}; do
    grep -qx "$target" <<<"$all" || fail "unknown target at arguments: $target (expected one of $(tr '\n' ' ' <<<"$all"))"
done
((${#targets[@]})) || mapfile -t targets <<<"$all"
# With fewer targets than shards several shards have the same one, with other random numbers: the fuzzer seeds itself.
count=${#targets[@]}
own=()
for ((at = (index - 1) % count; at < count; at += shards)); do own+=("${targets[at]}"); done
targets=("${own[@]}")

# -- Build, once for all ---------------------------------------------------------------------------------
echo "building ${#targets[@]} targets, sanitizer $sanitizer"
if ((${#targets[@]} == 1)); then
    for target in "${targets[0]}" inputs; do
        cargo +nightly fuzz build -s "$sanitizer" ${build[@]+"${build[@]}"} "$target" || fail "the build failed"
    done
else
    cargo +nightly fuzz build -s "$sanitizer" ${build[@]+"${build[@]}"} || fail "the build failed"
fi
triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
binaries=${CARGO_TARGET_DIR:-fuzz/target}/$triple/release
# Built beside the targets (fuzz/src/bin).
inputs=$binaries/inputs

# -- Seeds and dictionaries -------------------------------------------------------------------------------------------------
"$inputs" seeds "$corpora" fuzz/dictionaries "${targets[@]}" || fail "no seeds: see above"
# Inputs are named by their contents: those of shards do not clash.
for target in "${targets[@]}"; do
    for folder in ${merge[@]+"${merge[@]}"}; do
        [[ -d $folder/$target ]] && cp -rn "$folder/$target/." "$corpora/$target/" 2>/dev/null
    done
done

# -- Run -----------------------------------------------------------------------------------------------------
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files() { find "$1" -type f 2>/dev/null | wc -l; }

source fuzz/limits.sh

run_target() {
    local target=$1 corpus=$corpora/$1 artifacts=fuzz/artifacts/$1 log=$work/$1.log
    mkdir -p "$artifacts"
    files "$corpus" >"$work/$target.before"
    touch "$work/$target.start"
    local limit=-max_total_time=$seconds
    [[ -n $runs ]] && limit=-runs=$runs
    local options=("$limit" -use_counters="$counters" -artifact_prefix="$artifacts/" -print_final_stats=1
        -rss_limit_mb=2048 -timeout=20 -len_control=20 -max_len="$(longest "$target")")
    [[ -f fuzz/dictionaries/$target.dict ]] && options+=(-dict="fuzz/dictionaries/$target.dict")
    local TIMEFORMAT='%0R %0U %0S'
    {
        time nice "$binaries/$target" "$corpus" "${options[@]}" >"$log" 2>&1
        echo $? >"$work/$target.status"
    } 2>"$work/$target.time"
    files "$corpus" >"$work/$target.found"
    # The smallest set of inputs that reaches as much.
    if [[ $(<"$work/$target.status") == 0 ]]; then
        mkdir "$work/$target.min"
        if nice "$binaries/$target" -merge=1 "$work/$target.min" "$corpus" >"$log.merge" 2>&1 &&
            (($(files "$work/$target.min") > 0)); then
            rm -rf "$corpus" && mkdir -p "$corpus" && cp -r "$work/$target.min/." "$corpus/"
        fi
    fi
    files "$corpus" >"$work/$target.after"
    echo "$target: $(grep -Eo 'number_of_executed_units: *[0-9]+' "$log" | grep -Eo '[0-9]+' || echo 0) executions, exit status $(<"$work/$target.status")"
}
export -f run_target files longest
export seconds runs counters work binaries corpora
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'run_target {}'

# -- Lines: the corpora once more, through a build that counts ------------------------------------------------
source fuzz/lines.sh
[[ $lines == no ]] && no_lines="not measured (--no-lines)" || measure_lines "$work" "${targets[@]}"

# -- Report --------------------------------------------------------------------------------------------------
stat_of() { grep -E "^stat::$2:" "$work/$1.log" | grep -Eo '[0-9]+$' || echo -; }
# The last line of the fuzzer that tells coverage: `cov: edges ft: features`.
last_of() { grep -Eo "\b$2: [0-9]+" "$work/$1.log" | tail -1 | grep -Eo '[0-9]+$' || echo -; }
failed=0
limit_text=${runs:+$runs executions}
: "${limit_text:=$seconds s}"
{
    echo "# Fuzz campaign"
    echo
    echo "| | |"
    echo "|---|---|"
    echo "| date | $(date -u '+%Y-%m-%d %H:%M UTC') |"
    echo "| revision | $(git rev-parse --short HEAD 2>/dev/null || echo unknown)$(git diff --quiet HEAD 2>/dev/null || echo ', changed') |"
    echo "| CPU | $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1), $(nproc) logical |"
    echo "| system | $(uname -sr) |"
    echo "| compiler | $(rustc +nightly --version) |"
    echo "| fuzzer | $(cargo fuzz --version | head -1), libFuzzer of libfuzzer-sys $(sed -n '/^name = "libfuzzer-sys"/{n;s/version = "\(.*\)"/\1/p}' fuzz/Cargo.lock 2>/dev/null) |"
    echo "| sanitizer | $sanitizer; overflow checks and debug assertions on |"
    ((shards == 1)) || echo "| shard | $index of $shards: ${#targets[@]} of $count targets |"
    echo "| time | $limit_text for each target, $jobs at a time |"
    echo
    echo "Edges and features are what the last status line counts (\`cov\`, \`ft\`), in the target with all it links; lines are lines"
    echo "of the core that its corpus reaches. Corpus: inputs before, new ones, what is left when minimised."
    echo
    echo "| target | executions | a second | wall s | CPU s | edges | features | lines | corpus | memory MB | result |"
    echo "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    for target in "${targets[@]}"; do
        result=well
        [[ $(stat_of "$target" number_of_executed_units) =~ ^0*[1-9] ]] || { result="**ran nothing**" && failed=1; }
        [[ $(<"$work/$target.status") == 0 ]] || { result="**failed**" && failed=1; }
        read -r wall user system < <(tail -1 "$work/$target.time")
        corpus="$(<"$work/$target.before"), $(($(<"$work/$target.found") - $(<"$work/$target.before"))), $(<"$work/$target.after")"
        echo "| $target | $(stat_of "$target" number_of_executed_units) | $(stat_of "$target" average_exec_per_sec) | $wall | $((user + system)) | $(last_of "$target" cov) | $(last_of "$target" ft) | $(lines_of "$work/lines/$target") | $corpus | $(stat_of "$target" peak_rss_mb) | $result |"
    done
    echo
    echo "## Lines of the core that the corpora reach"
    echo
    if [[ -n ${no_lines:-} ]]; then echo "$no_lines"; else lines_by_module "$work/lines/all"; fi
    echo
    echo "## Failures"
    echo
    ((failed)) || echo "None."
    for target in "${targets[@]}"; do
        [[ $(stat_of "$target" number_of_executed_units) =~ ^0*[1-9] ]] ||
            echo "$target executed no input: its build or its entry is broken."
    done
    for target in "${targets[@]}"; do
        [[ $(<"$work/$target.status") == 0 ]] && continue
        echo "### $target"
        echo
        echo '```text'
        grep -aE -A4 'panicked at|ERROR: |SUMMARY: ' "$work/$target.log" | cut -c1-400 | head -30
        echo '```'
        find "fuzz/artifacts/$target" -type f -newer "$work/$target.start" | while read -r input; do
            echo
            echo "\`$input\`, $(stat -c %s "$input") bytes. What the target makes of it (\`texwire fuzz-input $target FILE\`):"
            echo
            echo '```text'
            "$inputs" words "$target" "$input" 2>&1 | cut -c1-400 | head -60
            echo '```'
        done
    done
} >"$report"
echo "report: $report"
exit $failed
