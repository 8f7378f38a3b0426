"""Compiles the kernels for each AMD GPU and writes table.tsv: the matrix instruction that each became."""

import argparse
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE / "table.tsv"

# What MMASMT_CDNA is, and a GPU of it that Debian's clang knows; gfx942 has the instructions of gfx940.
GPUS = {"cdna1": (1, "gfx908"), "cdna2": (2, "gfx90a"), "cdna3": (3, "gfx940")}

# As much of HIP as a kernel needs: no headers, no libraries.
KERNELS = ["-x", "hip", "-nogpulib", "-nogpuinc", "--cuda-device-only", "-O2", "-Wno-pragma-once-outside-header"]

HEADER = """\
# The kernels of kernels/hip, compiled for each GPU: the matrix instruction in the code of each. Made by
# kernels/hip/check.py; to make it again: just hip
architecture\tgpu\tkernel\tmachine
"""


class Failed(Exception):
    """A compiler or program that did not end well."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise Failed(f"{Path(command[0]).name}: {lines[0]}")
    return done.stdout


def compiler():
    for name in ["clang++-15", "clang++-16", "clang++-17", "clang++-18", "clang++"]:
        if found := shutil.which(name):
            return found
    raise Failed("no clang++, for which `apt-get install clang-15` is enough")


def kernels(clang, cdna, gpu):
    """Names of kernels and their matrix instructions."""
    source = HERE / "kernels.h"
    text = run(clang, *KERNELS, f"-DMMASMT_CDNA={cdna}", f"--offload-arch={gpu}", "-S", str(source), "-o", "-")
    for name, body in re.findall(r"^(\w+): +; @\1\n(.*?)s_endpgm", text, re.MULTILINE | re.DOTALL):
        yield name, "; ".join(re.findall(r"\bv_s?mfma\w+", body))


def table(clang):
    lines = []
    for architecture, (cdna, gpu) in GPUS.items():
        lines += ["\t".join([architecture, gpu, *kernel]) for kernel in sorted(kernels(clang, cdna, gpu))]
    return HEADER + "".join(line + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with table.tsv instead of writing")
    arguments = parser.parse_args()
    try:
        clang = compiler()
        with tempfile.TemporaryDirectory() as folder:
            test = Path(folder) / "test"
            run(clang, "-std=c++17", "-Wall", "-Werror", str(HERE / "test.cpp"), "-o", str(test))
            print(run(str(test)), end="")
        made = table(clang)
    except (Failed, OSError) as error:
        print(f"check.py: {error}", file=sys.stderr)
        return 2
    if not arguments.check:
        TABLE.write_text(made)
        return 0
    kept = TABLE.read_text() if TABLE.is_file() else ""
    diff = list(difflib.unified_diff(kept.splitlines(), made.splitlines(), "kept", "made", n=0, lineterm=""))
    print("\n".join(diff), end="\n" if diff else "")
    return 1 if diff else 0


if __name__ == "__main__":
    sys.exit(main())
