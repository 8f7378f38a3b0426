"""More than one machine: the shares of a command as tasks of Ray, or as processes of this machine.

>>> from mmasmt import cluster
>>> lines = cluster.run(["mutants", "fda:F=25,K=1,in=e2m1"], shares=3)
>>> lines[0]["command"], len(lines) - 1 == lines[0]["items"]
('mutants', True)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

__all__ = ["merge", "run", "share"]

# How long a task of Ray works before its lines come back, in seconds.
SLICE = 300.0


def share(arguments: Sequence[str], index: int, shares: int, file: str | os.PathLike[str]) -> None:
    """Does share `index` of `shares` in a process of its own, behind the lines that `file` has.

    Parameters
    ----------
    arguments : sequence of str
        A command that takes ``--shard``, with its arguments: ``["prove", "--all"]``.
    index, shares : int
        Which share, counted from 0, of how many.
    file : path
        Where its lines are written.

    Raises
    ------
    RuntimeError
        If the share ends before all its items are done; what is done is in the file.
    """
    command = _command(arguments, index, shares, file)
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        error = ended.stderr.strip() or f"the process ended with {ended.returncode}"
        raise RuntimeError(f"share {index}/{shares}: {error}")


def _command(arguments: Sequence[str], index: int, shares: int, file: str | os.PathLike[str]) -> list[str]:
    command = [sys.executable, "-m", "mmasmt", *arguments]
    return [*command, "--shard", f"{index}/{shares}", "--resume", os.fspath(file), "--quiet"]


def merge(files: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> None:
    """Puts shares together, as ``mmasmt merge`` does; an answer that is no, or not known, is none of its errors.

    Raises
    ------
    RuntimeError
        If they do not fit together, or items are missing.
    """
    command = [sys.executable, "-m", "mmasmt", "merge", *(os.fspath(file) for file in files), "--out", os.fspath(out)]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if ended.returncode not in (0, 1) and ended.stderr.strip():
        raise RuntimeError(ended.stderr.strip())


def run(
    arguments: Sequence[str],
    *,
    shares: int,
    folder: str | os.PathLike[str] | None = None,
    ray: Any = None,
    retries: int = 3,
) -> list[dict[str, Any]]:
    """Does all shares of a command and puts them together: the same lines whatever their number was.

    Parameters
    ----------
    arguments : sequence of str
        A command that takes ``--shard``, with its arguments: ``["atlas", "--formats", "f16"]``.
    shares : int
        How many shares: several for each processor, so that a share that is lost is little work.
    folder : path, optional
        Where the shares are kept, and ``all.jsonl``. A later run with the same folder goes on with what is there.
    ray : module, optional
        The module ``ray``, after ``ray.init``: each share is a task on whatever node has a processor free. Without it, shares are
        processes of this machine, as many at once as it has processors.
    retries : int
        How often a share is tried again whose node or process was lost, behind the lines that came back: on Ray all but those of its last five minutes.

    Returns
    -------
    list of dict
        The header, and then the answer to each item.

    Raises
    ------
    RuntimeError
        If a share fails more often, or an item has no answer.
    """
    if shares < 1:
        raise ValueError(f"shares: expected at least 1, found {shares}")
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary if folder is None else folder)
        place.mkdir(parents=True, exist_ok=True)
        files = [place / f"share-{index}-of-{shares}.jsonl" for index in range(shares)]
        if ray is None:
            _on_this_machine(arguments, files, retries)
        else:
            _on_ray(ray, arguments, files, retries)
        merge(files, place / "all.jsonl")
        with open(place / "all.jsonl", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


def _on_this_machine(arguments: Sequence[str], files: Sequence[Path], retries: int) -> None:
    def one(index: int) -> None:
        for left in reversed(range(retries + 1)):
            try:
                return share(arguments, index, len(files), files[index])
            except RuntimeError:
                if left == 0:
                    raise

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(one, range(len(files))))


def _on_ray(ray: Any, arguments: Sequence[str], files: Sequence[Path], retries: int) -> None:
    def task(index: int, there: bytes) -> tuple[bytes, str | None]:
        # Nodes need not have a folder in common: lines come and go with the task.
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "share.jsonl"
            file.write_bytes(there)
            wrong = _slice(arguments, index, len(files), file)
            return file.read_bytes(), wrong

    # A task that is lost takes the lines of one slice with it, and starts behind the slice before.
    remote = ray.remote(num_cpus=1, max_retries=0)(task)
    waiting: dict[Any, int] = {}

    def submit(index: int) -> None:
        there = files[index].read_bytes() if files[index].exists() else b""
        waiting[remote.remote(index, there)] = index

    for index in range(len(files)):
        submit(index)
    left = [retries] * len(files)
    failed = None
    while waiting:
        finished, _ = ray.wait(list(waiting), num_returns=1)
        index = waiting.pop(finished[0])
        try:
            lines, wrong = ray.get(finished[0])
            files[index].write_bytes(lines)
        except Exception as error:  # The node or its process was lost.
            wrong = str(error)
        if wrong is None:
            continue
        if wrong:
            if left[index] == 0:
                failed = wrong  # The lines of the other shares are kept.
                continue
            left[index] -= 1
        submit(index)
    if failed is not None:
        raise RuntimeError(failed)


def _slice(arguments: Sequence[str], index: int, shares: int, file: Path) -> str | None:
    """Goes on with a share for `SLICE` seconds, and until it has one line more: None if it is done, "" if items are open, an error."""
    with tempfile.TemporaryFile("w+") as said:
        running = subprocess.Popen(_command(arguments, index, shares, file), stdout=subprocess.DEVNULL, stderr=said)
        before, end, is_ended = file.stat().st_size, time.monotonic() + SLICE, False
        while running.poll() is None:
            time.sleep(0.05)
            if not is_ended and time.monotonic() > end and file.stat().st_size > before:
                # The program ends with whole lines.
                running.terminate()
                is_ended = True
        if running.returncode == 0:
            return None
        if is_ended and running.returncode == 3:
            return ""
        said.seek(0)
        return f"share {index}/{shares}: {said.read().strip() or f'the process ended with {running.returncode}'}"
