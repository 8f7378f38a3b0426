#!/bin/bash
# A job array of Slurm: each task does one share, and goes on where it was if it is requeued.
#
#     sbatch --array=0-15 docs/slurm.sh prove --all
#     mmasmt merge share-*.jsonl --out all.jsonl
#
#SBATCH --job-name=mmasmt
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
share=$SLURM_ARRAY_TASK_ID
shares=$SLURM_ARRAY_TASK_COUNT
# Slurm sends SIGTERM before it ends a task: the program ends with whole lines, and says what is open.
exec mmasmt "$@" --shard "$share/$shares" --resume "share-$share.jsonl"
