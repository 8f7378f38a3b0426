"""The assembler and disassembler of a CUDA toolkit, from PyPI packages in a virtual environment."""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


class Unavailable(Exception):
    """A toolkit that cannot be had."""


class Rejected(Exception):
    """What the assembler says first of a module that it does not take."""


@dataclass(frozen=True)
class Release:
    """Which packages, where in them the tools lie, and the newest PTX ISA that the assembler reads."""

    name: str
    ptxas: str
    nvdisasm: str
    isa: str

    def requirements(self):
        return HERE / f"requirements-{self.name}.txt"

    def pins(self):
        """The pinned packages."""
        lines = self.requirements().read_text().splitlines()
        return [line for line in lines if not line.startswith("#")]


CU13 = Release("cu13", "nvidia/cu13/bin/ptxas", "nvidia/cu13/bin/nvdisasm", "9.5")
CU12 = Release(
    "cu12", "nvidia/cuda_nvcc/bin/ptxas", "triton/backends/nvidia/bin/nvdisasm", "8.8"
)


class Toolkit:
    """An installed release."""

    def __init__(self, release, cache):
        self.isa = release.isa
        home = Path(cache) / release.name
        stamp = home / "installed.txt"
        wanted = release.requirements().read_text()
        if not stamp.is_file() or stamp.read_text() != wanted:
            install(release, home)
            stamp.write_text(wanted)
        self.ptxas = find(home, release.ptxas)
        self.nvdisasm = find(home, release.nvdisasm)

    def disassemble(self, text, target):
        """Assembles a PTX module for `target`; its machine code as text."""
        with tempfile.TemporaryDirectory() as folder:
            source, cubin = Path(folder) / "k.ptx", Path(folder) / "k.cubin"
            source.write_text(text)
            assembled = run([self.ptxas, f"-arch={target}", source, "-o", cubin])
            if assembled.returncode != 0:
                raise Rejected(complaint(assembled.stderr))
            listing = run([self.nvdisasm, "-c", cubin])
            if listing.returncode != 0:
                raise Unavailable(f"nvdisasm for {target}: {complaint(listing.stderr)}")
            return listing.stdout


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def install(release, home):
    """A fresh virtual environment with just the pinned packages."""
    commands = [
        [sys.executable, "-m", "venv", "--clear", home],
        [home / "bin/pip", "install", "-q", "--no-deps", "-r", release.requirements()],
    ]
    for command in commands:
        done = run(command)
        if done.returncode != 0:
            lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
            raise Unavailable(f"{release.requirements().name} cannot be installed: {lines[-1]}")


def find(home, path):
    """A tool inside the virtual environment."""
    found = list(home.glob(f"lib/python*/site-packages/{path}"))
    if not found:
        raise Unavailable(f"no {path} in the installed packages")
    return found[0]


def complaint(stderr):
    """The first message, without severity and place."""
    lines = stderr.strip().splitlines() or ["no message"]
    return lines[0].split(" : ", 1)[-1].strip()
