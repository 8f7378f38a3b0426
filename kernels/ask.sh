#!/usr/bin/env bash
# Asks the GPU of this machine what is open of its rows (kernels/questions/ARCHITECTURE), and writes one file with its answers;
# prints how many of the inputs each reading reproduces.
#
#     kernels/ask.sh OUT.txt [QUESTION...]
#
# MMASMT is the program (default: target/release/mmasmt, for NVIDIA built with --features cuda), DEVICE the number of the GPU
# (default 0). ARCHITECTURE is the folder of questions; what is not said is found out by nvidia-smi or rocminfo. For AMD hipcc
# compiles kernels/hip. With RUNNER='PROGRAM {}' that program answers, as docs/src/runner.md says, with the instruction in
# place of {}. With SOFTWARE=1 the models of the tables stand in for the GPU: a rehearsal, whose output is no recording.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?expected a file to write to}
shift
mmasmt=${MMASMT:-$root/target/release/mmasmt}
device=${DEVICE:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The name of an AMD GPU.
chip() {
    rocminfo 2>/dev/null | sed -n 's/.*\(gfx[0-9a-f]*\).*/\1/p' | sed -n 1p
}

# The folder of questions for this machine's GPU.
architecture() {
    local found
    if [ -n "${SOFTWARE:-}" ]; then
        echo ampere
    elif found=$(nvidia-smi --id="$device" --query-gpu=compute_cap --format=csv,noheader 2>/dev/null); then
        "$mmasmt" run --list --capability "$found" | grep -v '^#' | sed -n '1s,/.*,,p'
    else
        case $(chip) in
        gfx908) echo cdna1 ;;
        gfx90a) echo cdna2 ;;
        gfx940 | gfx941 | gfx942) echo cdna3 ;;
        gfx11*) echo rdna3 ;;
        gfx12*) echo rdna4 ;;
        esac
    fi
}
architecture=${ARCHITECTURE:-$(architecture)}
folder=$root/kernels/questions/$architecture
# A GPU that answered, and of which no question is left.
if [ ! -d "$folder" ] && grep -qs "^# instruction: $architecture/" "$root"/tests/hardware/*/questions.txt; then
    : >"$out"
    echo "nothing is open of $architecture: tests/hardware has what such a GPU answered" >&2
    exit 0
fi
if [ -z "$architecture" ] || [ ! -d "$folder" ]; then
    echo "error: expected ARCHITECTURE, one of $(cd "$root/kernels/questions" && echo */ | tr -d /), found \`$architecture\`" >&2
    exit 2
fi

# The results of an instruction for the vectors of a file.
case $architecture in
cdna*)
    if [ -z "${SOFTWARE:-}${RUNNER:-}" ]; then
        hipcc -O2 -std=c++17 "-DMMASMT_CDNA=${architecture#cdna}" "--offload-arch=$(chip)" "$root/kernels/hip/main.hip" -o "$work/mfma"
    fi
    ;;
rdna*)
    # A program for wavefronts of 32 lanes and one for those of 64.
    if [ -z "${SOFTWARE:-}${RUNNER:-}" ]; then
        for wave in 32 64; do
            options=()
            [ $wave = 32 ] || options=(-mwavefrontsize64)
            hipcc -O2 -std=c++17 "-DMMASMT_RDNA=${architecture#rdna}" "-DMMASMT_WAVE=$wave" "${options[@]}" \
                "--offload-arch=$(chip)" "$root/kernels/hip/main.hip" -o "$work/wave$wave"
        done
    fi
    ;;
esac
ask() {
    if [ -n "${SOFTWARE:-}" ]; then
        "$mmasmt" run "model:$1" "$2"
    elif [ -n "${RUNNER:-}" ]; then
        "$mmasmt" run --instruction "$1" --runner "${RUNNER//\{\}/$1}" "$2"
    elif [ -x "$work/mfma" ]; then
        # The compiler's name of the kernel that became this instruction.
        awk -F '\t' -v of="$architecture" -v machine="${1#*/}" '$1 == of && $4 == machine { print $3 }' "$root/kernels/hip/table.tsv" |
            sed 's/^sparse_/v_smfmac_/; t; s/^/v_mfma_/' | { read -r kernel && "$work/mfma" "$kernel" <"$2"; }
    elif [ -x "$work/wave32" ]; then
        local instruction=${1#*/}
        case $instruction in
        *.wave64) "$work/wave64" "${instruction%.wave64}" <"$2" ;;
        *) "$work/wave32" "${instruction%.wave32}" <"$2" ;;
        esac
    else
        "$mmasmt" run "gpu:$device:$1" "$2"
    fi
}

# A section of a file of questions for each instruction, in files of their own.
files=("$folder"/*.txt)
if [ $# -gt 0 ]; then
    files=("${@/#/$folder/}")
    files=("${files[@]/%/.txt}")
fi
: >"$out"
printf 'question\treading\tverdict\n'
for file in "${files[@]}"; do
    name=$(basename "$file" .txt)
    if [ ! -f "$file" ]; then
        echo "error: expected a question of $architecture, one of $(cd "$folder" && echo *.txt | sed 's/\.txt//g'), found \`$name\`" >&2
        exit 2
    fi
    rm -f "$work"/section-*
    awk -v out="$work/section-" '/^# instruction: / { count++ } count { print > sprintf("%s%03d", out, count) }' "$file"
    for section in "$work"/section-*; do
        instruction=$(sed -n 's/^# instruction: //p' "$section")
        printf '# question: %s\n' "$name" >"$work/answers"
        # A section begins with the instruction as the tables have it, whoever answers.
        if ! ask "$instruction" "$section" 2>"$work/log" | sed "s,^# instruction: .*,# instruction: $instruction," >>"$work/answers"; then
            printf '%s\t%s\tno answer: %s\n' "$name" "$instruction" "$(head -n 1 "$work/log")"
            continue
        fi
        cat "$work/answers" >>"$out"
        sed -n 's/^# reading: //p' "$section" | while read -r reading; do
            verdict=$("$mmasmt" check "$reading" "$work/answers" | tail -n 1) || [ $? -eq 1 ]
            printf '%s\t%s\t%s\n' "$name" "$reading" "$verdict"
        done
    done
done
