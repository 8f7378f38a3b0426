"""The job array of docs/slurm.sh, with its variables set as Slurm sets them: the shares are the whole, and a task goes on where it was."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "slurm.sh"
MUTANTS = ["mutants", "fda:F=25,K=1,in=e2m1", "--pair-timeout", "10m"]

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


def run(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    given = {**os.environ, "PATH": programs, **variables}
    return subprocess.run(["bash", str(SCRIPT), *MUTANTS], cwd=folder, env=given, capture_output=True, text=True)


def test_it_is_bash_and_its_options_are_of_sbatch() -> None:
    subprocess.run(["bash", "-n", str(SCRIPT)], check=True)
    lines = SCRIPT.read_text().splitlines()
    assert lines[0] == "#!/bin/bash"
    options = [line for line in lines if line.startswith("#SBATCH")]
    assert options and all(option.startswith("#SBATCH --") for option in options)
    # Slurm reads no option behind the first command.
    first = next(number for number, line in enumerate(lines) if line and not line.startswith("#"))
    assert lines.index(options[-1]) < first


def test_tasks_are_the_shares_of_one_whole(tmp_path: Path) -> None:
    for task in range(3):
        done = run(tmp_path, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="3")
        assert done.returncode == 0, done.stderr
    whole = [sys.executable, "-m", "mmasmt", "merge", *sorted(map(str, tmp_path.glob("share-*.jsonl"))), "--out", "all.jsonl"]
    subprocess.run(whole, check=True, cwd=tmp_path, capture_output=True)
    alone = [sys.executable, "-m", "mmasmt", *MUTANTS, "--shard", "0/1", "--quiet"]
    expected = subprocess.run(alone, check=True, cwd=tmp_path, stdout=subprocess.PIPE).stdout
    assert (tmp_path / "all.jsonl").read_bytes() == expected


def test_a_task_that_is_requeued_goes_on(tmp_path: Path) -> None:
    variables = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2"}
    run(tmp_path, **variables)
    share = tmp_path / "share-1.jsonl"
    whole = share.read_bytes()
    share.write_bytes(whole[: len(whole) // 2])
    assert run(tmp_path, **variables).returncode == 0
    assert share.read_bytes() == whole


def test_outside_of_slurm_it_says_what_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode != 0 and "SLURM_ARRAY_TASK_ID" in done.stderr
