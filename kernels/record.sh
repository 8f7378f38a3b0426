#!/usr/bin/env bash
# Records what a GPU answers: the open questions (kernels/questions), and for each instruction that it has vectors that
# tell models apart, and random ones. Writes a folder with what decides something, for tests/hardware.
#
#     kernels/record.sh OUT [COUNT]
#
# COUNT random vectors for each instruction (default 1000000). MMASMT is the program (default: target/release/mmasmt, built
# with --features cuda), DEVICE the number of the GPU (default 0), CAPABILITY its compute capability (default: what nvidia-smi
# says, and 9.0 in a rehearsal). With SOFTWARE=1 the models of the tables stand in for the GPU: a rehearsal, whose output is no
# recording. ONLY is a part of the names of instructions to ask about, such as wgmma. The open questions alone: kernels/ask.sh.
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
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The results of an instruction for the vectors of a file.
ask() {
    if [ -n "${SOFTWARE:-}" ]; then
        "$mmasmt" run --software "$1" "$2"
    else
        "$mmasmt" run --device "${DEVICE:-0}" --instruction "$1" "$2"
    fi
}

# Passed and failed lines of a file, by a model.
verdict() {
    "$mmasmt" check "$1" "$2" | tail -n 1 || [ $? -eq 1 ]
}

# A name for files.
plain() {
    echo "$1" | tr / _
}

echo "== open questions"
ARCHITECTURE=$architecture "$root/kernels/ask.sh" "$out/questions.txt" | tee "$out/questions.tsv"

echo "== every instruction"
printf 'instruction\tkind\tverdict\tsha256 of all results\n' >"$out/instructions.tsv"
"$mmasmt" run --list --capability "$capability" | grep -v '^#' | { grep -F "${ONLY:-/}" || true; } | while read -r instruction; do
    for kind in discriminating feature random close cancel edge; do
        models=("$instruction")
        case $kind in
        random) lines=$count ;;
        # Where the readings of the row part.
        discriminating) lines=100 models+=("$instruction@mma-sim" "$instruction@paper") ;;
        *) lines=$((count / 10)) ;;
        esac
        in=$work/in.txt all=$work/all.txt
        # What is found in ten seconds will do.
        "$mmasmt" gen "${models[@]}" --kind "$kind" --count "$lines" --seed 1 --timeout 10 >"$in" 2>"$work/log" || true
        if ! grep -qv '^#' "$in"; then
            echo "$instruction, no $kind vectors: $(head -n 1 "$work/log")"
            continue
        fi
        ask "$instruction" "$in" >"$all" || { echo "$instruction $kind: no answer" | tee -a "$out/failed.txt"; continue; }
        sum=$(grep -v '^#' "$all" | sha256sum | cut -d ' ' -f 1)
        printf '%s\t%s\t%s\t%s\n' "$instruction" "$kind" "$(verdict "$instruction" "$all")" "$sum" | tee -a "$out/instructions.tsv"
        # The first 100 vectors, and those that the row does not reproduce, at most 1000.
        "$mmasmt" check "$instruction" "$all" --show 1000 | sed -n 's/^  line \([0-9]*\):$/\1/p' >"$work/failed" || true
        awk -v list="$work/failed" 'BEGIN { while ((getline line < list) > 0) failed[line] } /^#/ || ++count <= 100 || FNR in failed' "$all" >"$out/$(plain "$instruction")-$kind.txt"
    done
done

# Small files as they are, so that a difference can be read; the rest compressed.
find "$out" -name '*.txt' -size +64k -exec gzip -9n {} +
du -sh "$out"
