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


def waves(generation):
    """Options for wavefronts of 32 and of 64 lanes."""
    options = [f"-DMMASMT_RDNA={generation}"]
    return {
        ".wave32": [*options, "-DMMASMT_WAVE=32"],
        ".wave64": [*options, "-DMMASMT_WAVE=64", "-mwavefrontsize64"],
    }


# For each architecture the source, a GPU of it that Debian's clang knows, and what is compiled: its name behind that of a kernel,
# and options.
GPUS = {
    "cdna1": ("cdna", "gfx908", {"": ["-DMMASMT_CDNA=1"]}),
    "cdna2": ("cdna", "gfx90a", {"": ["-DMMASMT_CDNA=2"]}),
    "cdna3": ("cdna", "gfx942", {"": ["-DMMASMT_CDNA=3"]}),
    "rdna3": ("rdna", "gfx1100", waves(3)),
    "rdna4": ("rdna", "gfx1200", waves(4)),
}

# As much of HIP as a kernel needs: no headers, no libraries.
HIP = ["-x", "hip", "-nogpulib", "-nogpuinc", "-Wall", "-Werror"]
KERNELS = [*HIP, "--cuda-device-only", "-O2", "-Wno-pragma-once-outside-header"]
# The program around them, by declarations of what it calls.
HOST = [*HIP, "--cuda-host-only", "-std=c++17", "-fsyntax-only", "-Wno-unused-command-line-argument", f"-I{HERE / 'declared'}"]

HEADER = """\
# The kernels of kernels/hip, compiled for each GPU: the matrix instruction in the code of each. Made by
# kernels/hip/check.py; to make it again: just hip
architecture\tgpu\tkernel\tmachine
"""

# A matrix instruction or a dot product, and behind its registers the modifiers.
MACHINE = re.compile(r"^\s+(v_(?:s?mfma|wmma|swmmac|dot)\w+)[^;\n]*?((?: neg_lo:\S+)?(?: clamp)?) *$", re.MULTILINE)


class Failed(Exception):
    """A compiler or program that did not end well."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise Failed(f"{Path(command[0]).name}: {lines[0]}")
    return done.stdout


def compiler():
    for name in ["clang++-19", "clang++-20", "clang++-21", "clang++"]:
        if found := shutil.which(name):
            return found
    raise Failed("no clang++, for which `apt-get install clang-19` is enough")


def kernels(clang, source, gpu, options):
    """Names of kernels and their matrix instructions."""
    text = run(clang, *KERNELS, *options, f"--offload-arch={gpu}", "-S", str(HERE / source / "kernels.h"), "-o", "-")
    for name, body in re.findall(r"^(\w+): +; @\1\n(.*?)s_endpgm", text, re.MULTILINE | re.DOTALL):
        # The compiler leaves out bits that are all zero, assembly in the source does not.
        found = MACHINE.findall(body.replace(" neg_lo:[0,0,0]", ""))
        yield name, "; ".join(machine + modifiers for machine, modifiers in found)


def table(clang):
    lines = []
    for architecture, (source, gpu, compiled) in GPUS.items():
        for behind, options in compiled.items():
            run(clang, *HOST, *options, f"--offload-arch={gpu}", str(HERE / "main.hip"))
            for name, machine in sorted(kernels(clang, source, gpu, options)):
                lines.append("\t".join([architecture, gpu, name + behind, machine]))
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
