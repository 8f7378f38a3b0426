"""Programs that are killed at random while they work: nothing is lost, and the bytes are those of a run that nobody disturbed.

MMASMT_KILLS says how many are killed, 3 if it is not set.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from mmasmt import cluster

KILLS = int(os.environ.get("MMASMT_KILLS", "3"))
# A time that no question takes: what is unknown for want of time would depend on what else the machine does.
MUTANTS = ["mutants", "fda:F=25,K=2,in=e4m3", "--pair-timeout", "10m"]

pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc")


def processes() -> dict[int, tuple[int, str]]:
    """The parent and the command line of every process."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = (parent, (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except (OSError, ValueError):
            pass  # It has ended.
    return found


def own(words: str) -> list[int]:
    """The processes with these words in their command line that this one, or one of its children, has started."""
    found = processes()

    def descends(number: int) -> bool:
        while number in found:
            number = found[number][0]
            if number == os.getpid():
                return True
        return False

    return [number for number, (_, command) in found.items() if words in command and descends(number)]


class Killer(threading.Thread):
    """Kills one of the processes with such a command line at a time, until it has killed enough or is told to end."""

    def __init__(self, words: str, kills: int) -> None:
        super().__init__(daemon=True)
        self.words, self.kills, self.killed, self.ended = words, kills, 0, threading.Event()

    def run(self) -> None:
        choose = random.Random(1)
        while self.killed < self.kills and not self.ended.wait(choose.uniform(0.2, 0.6)):
            there = own(self.words)
            if there:
                try:
                    os.kill(choose.choice(there), signal.SIGKILL)
                    self.killed += 1
                except ProcessLookupError:
                    pass


def alone(folder: Path) -> bytes:
    command = [sys.executable, "-m", "mmasmt", *MUTANTS, "--shard", "0/1", "--quiet"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=folder).stdout


def whole_in_spite_of(killer: Killer, folder: Path, ray: Any = None) -> None:
    """Does the work anew, in new folders, until enough were killed; each time the bytes have to be the same."""
    expected = alone(folder)
    killer.start()
    number = 0
    while number == 0 or killer.killed < killer.kills:
        place = folder / str(number)
        cluster.run(MUTANTS, shares=8, folder=place, retries=killer.kills, ray=ray)
        assert (place / "all.jsonl").read_bytes() == expected
        number += 1
    killer.ended.set()
    killer.join()
    print(f"{killer.killed} killed, {number} runs of 8 shares, nothing lost")


def test_programs_of_this_machine(tmp_path: Path) -> None:
    whole_in_spite_of(Killer("-m mmasmt mutants", KILLS), tmp_path)


def test_workers_of_ray(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        whole_in_spite_of(Killer("ray::task", KILLS), tmp_path, ray)
    finally:
        ray.shutdown()
