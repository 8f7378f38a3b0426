#!/usr/bin/env bash
# Records what a GPU answers: the open questions (kernels/questions), and for each instruction that it has vectors that
# tell models apart, and random ones. Writes a folder with what decides something, for tests/hardware.
#
#     kernels/record.sh OUT [COUNT]
#
# COUNT random vectors for each instruction (default 1000000). MMASMT is the program (default: target/release/mmasmt, built
# with --features cuda), DEVICE the number of the GPU (default 0), CAPABILITY its compute capability (default 9.0). With
# SOFTWARE=1 the models of the tables stand in for the GPU: a rehearsal, whose output is no recording.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?expected a folder to write to}
count=${2:-1000000}
mmasmt=${MMASMT:-$root/target/release/mmasmt}
capability=${CAPABILITY:-9.0}
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
: >"$out/questions.tsv"
for file in "$root"/kernels/questions/*.txt; do
    name=$(basename "$file" .txt)
    instruction=$(sed -n 's/^# instruction: //p' "$file")
    "$mmasmt" run --list --capability "$capability" | grep -qxF "$instruction" || continue
    ask "$instruction" "$file" >"$out/question-$name.txt" || { echo "$name: no answer" | tee -a "$out/failed.txt"; continue; }
    sed -n 's/^# reading: //p' "$file" | while read -r reading; do
        printf '%s\t%s\t%s\n' "$name" "$reading" "$(verdict "$reading" "$out/question-$name.txt")" | tee -a "$out/questions.tsv"
    done
done

echo "== every instruction"
printf 'instruction\tkind\tverdict\tsha256 of all results\n' >"$out/instructions.tsv"
"$mmasmt" run --list --capability "$capability" | grep -v '^#' | while read -r instruction; do
    for kind in discriminating feature random close cancel edge; do
        case $kind in random) lines=$count ;; *) lines=$((count / 10)) ;; esac
        in=$work/in.txt all=$work/all.txt
        "$mmasmt" gen "$instruction" --kind "$kind" --count "$lines" --seed 1 >"$in" 2>"$work/gen.log" || { head -n 1 "$work/gen.log"; continue; }
        ask "$instruction" "$in" >"$all" || { echo "$instruction $kind: no answer" | tee -a "$out/failed.txt"; continue; }
        sum=$(grep -v '^#' "$all" | sha256sum | cut -d ' ' -f 1)
        printf '%s\t%s\t%s\t%s\n' "$instruction" "$kind" "$(verdict "$instruction" "$all")" "$sum" | tee -a "$out/instructions.tsv"
        # What the model does not reproduce, at most 1000 lines, and the first 100 of each kind.
        file=$out/$(plain "$instruction")-$kind.txt
        grep '^#' "$all" >"$file"
        grep -v '^#' "$all" | head -n 100 >>"$file" || true
        "$mmasmt" check "$instruction" "$all" --show 1000 2>/dev/null | sed -n 's/^  line \([0-9]*\):$/\1p/p' >"$work/failed.sed" || true
        if [ -s "$work/failed.sed" ]; then
            sed -n -f "$work/failed.sed" "$all" >>"$file"
        fi
    done
done

# Small files as they are, so that a difference can be read; the rest compressed.
find "$out" -name '*.txt' -size +64k -exec gzip -9n {} +
du -sh "$out"
