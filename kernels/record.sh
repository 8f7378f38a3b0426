#!/usr/bin/env bash
# Records what a GPU answers: the open questions (kernels/questions), and for each instruction that it has vectors that
# tell models apart, and random ones. Writes a folder with what decides something, for tests/hardware.
#
#     kernels/record.sh OUT [COUNT]
#
# COUNT random vectors for each instruction (default 1000000). MMASMT is the program (default: target/release/mmasmt, built
# with --features cuda), DEVICE the number of the GPU (default 0), CAPABILITY its compute capability (default: what nvidia-smi
# says, and 9.0 in a rehearsal), JOBS how many instructions are asked about at once (default 1). With SOFTWARE=1 the models of
# the tables stand in for the GPU: a rehearsal, whose output is no recording. ONLY is a part of the names of instructions to
# ask about, such as wgmma; then the open questions are left out. These alone: kernels/ask.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?expected a folder to write to}
count=${2:-1000000}
mmasmt=${MMASMT:-$root/target/release/mmasmt}
capability=${CAPABILITY:-}
if [ -z "$capability" ] && [ -n "${SOFTWARE:-}" ]; then
    capability=9.0
elif [ -z "$capability" ]; then
    capability=$(nvidia-smi --id="${DEVICE:-0}" --query-gpu=compute_cap --format=csv,noheader)
fi
architecture=$("$mmasmt" run --list --capability "$capability" | grep -v '^#' | sed -n '1s,/.*,,p')
kinds="discriminating feature random finite close cancel edge"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The results of an instruction for the vectors of a file.
ask() {
    if [ -n "${SOFTWARE:-}" ]; then
        "$mmasmt" run "model:$1" "$2"
    else
        "$mmasmt" run "gpu:${DEVICE:-0}:$1" "$2"
    fi
}

# A name for files.
plain() {
    echo "$1" | tr / _
}

if [ -z "${ONLY:-}" ]; then
    echo "== open questions"
    ARCHITECTURE=$architecture "$root/kernels/ask.sh" "$out/questions.txt" | tee "$out/questions.tsv"
fi

# Asks about one instruction, of all kinds at once, as a GPU takes longer to open than to answer: its lines of the table on
# standard output, files into the folder.
record() {
    local instruction=$1 kind lines models first=1 count_of verdict sum mine
    mine=$(mktemp -d "$work/XXXXXX")
    for kind in $kinds; do
        models=("$instruction")
        case $kind in
        random) lines=$count ;;
        # Where the readings of the row part.
        discriminating) lines=100 models+=("$instruction@mma-sim" "$instruction@paper") ;;
        *) lines=$((count / 10)) ;;
        esac
        # What is found in ten seconds will do.
        "$mmasmt" gen "${models[@]}" --kind "$kind" --count "$lines" --seed 1 --time 10 >"$mine/drawn" 2>"$mine/log" || true
        if ! grep -v '^#' "$mine/drawn" >"$mine/new"; then
            echo "$instruction, no $kind vectors: $(head -n 1 "$mine/log")" >&2
            continue
        fi
        # Some formats have fewer kinds: the same vectors are asked once.
        sum=$(sha256sum <"$mine/new")
        if ! grep -qsxF "$sum" "$mine/sums"; then
            echo "$sum" >>"$mine/sums"
            mv "$mine/new" "$mine/$kind"
            cat "$mine/$kind" >>"$mine/asked"
        fi
    done
    if ! ask "$instruction" "$mine/asked" >"$mine/answers" 2>"$mine/log"; then
        echo "$instruction: no answer: $(head -n 1 "$mine/log")" | tee -a "$out/failed.txt" >&2
        rm -r "$mine"
        return
    fi
    grep '^#' "$mine/answers" >"$mine/head"
    grep -v '^#' "$mine/answers" >"$mine/lines"
    for kind in $kinds; do
        [ -f "$mine/$kind" ] || continue
        count_of=$(wc -l <"$mine/$kind")
        { cat "$mine/head" && tail -n "+$first" "$mine/lines" | head -n "$count_of" || true; } >"$mine/all"
        first=$((first + count_of))
        "$mmasmt" check "$instruction" "$mine/all" --show 1000 >"$mine/checked" || [ $? -eq 1 ]
        verdict=$(tail -n 1 "$mine/checked")
        sum=$(grep -v '^#' "$mine/all" | sha256sum | cut -d ' ' -f 1)
        printf '%s\t%s\t%s\t%s\n' "$instruction" "$kind" "$verdict" "$sum"
        # The first 100 vectors, and those that the row does not reproduce, at most 1000.
        sed -n 's/^  line \([0-9]*\):$/\1/p' "$mine/checked" >"$mine/failed"
        awk -v list="$mine/failed" 'BEGIN { while ((getline line < list) > 0) failed[line] } /^#/ || ++count <= 100 || FNR in failed' \
            "$mine/all" >"$out/$(plain "$instruction")-$kind.txt"
    done
    rm -r "$mine"
}

echo "== every instruction"
"$mmasmt" run --list --capability "$capability" | grep -v '^#' | { grep -F "${ONLY:-/}" || true; } >"$work/list"
# Several at once: most of the time goes into drawing and comparing vectors.
export -f record ask plain
export mmasmt out work count kinds SOFTWARE=${SOFTWARE:-} DEVICE=${DEVICE:-0}
xargs -P "${JOBS:-1}" -I '{}' bash -c 'set -euo pipefail; record "$1" >"$work/$(plain "$1").tsv"; cat "$work/$(plain "$1").tsv"' record '{}' <"$work/list"
{
    printf 'instruction\tkind\tverdict\tsha256 of all results\n'
    while read -r instruction; do
        cat "$work/$(plain "$instruction").tsv"
    done <"$work/list"
} >"$out/instructions.tsv"

# Small files as they are, so that a difference can be read; the rest compressed.
find "$out" -name '*-*.txt' -size +64k -exec gzip -9n {} +
du -sh "$out"
