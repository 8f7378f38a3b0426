#!/bin/sh
# Records what this processor computes: vectors of every kind that `gen` draws, of an instruction of x86.
# usage: evidence/record.sh INSTRUCTION COUNT > FILE, xz -9e FILE
set -eu
mmasmt=${MMASMT:-target/release/mmasmt}
name=$(grep -m 1 '^model name' /proc/cpuinfo | cut -d : -f 2 | xargs)
printf '## x86/%s\t%s\n' "$1" "$name"
for kind in random finite close cancel edge feature; do
    "$mmasmt" gen --kind "$kind" --count "$2" --seed 1 "x86/$1" | grep -v '^#' | cut -d ' ' -f 1-3 |
        "$mmasmt" run "cpu:x86/$1" | grep -v '^#'
done
