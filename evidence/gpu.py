"""Packs what kernels/record.sh and kernels/libraries wrote of a GPU into one file of this folder.

    python3 evidence/gpu.py CARD OUT.xz RECORDING [LIBRARY=FOLDER...]

RECORDING is the folder of record.sh: of each instruction its open questions, and the first vectors of each kind. A FOLDER of
kernels/libraries has files that name the model which reproduces them (name.py); others are left out, and very long products.
"""

import gzip
import sys
from pathlib import Path

from sections import write

# How many vectors of a kind are kept.
KEPT = 30
# Products of so many k: two elements of each file are kept of the short ones, and up to the long ones one of each with operands far
# apart. Longer ones would take much room.
SHORT, LONG = 32, 256


def opened(path):
    """The lines of a file, compressed or not."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()


def instructions(folder):
    """The vectors of each instruction, without repeats."""
    found = {}
    # Open questions first, all of them: what settles something.
    for path in sorted(folder.glob("*.txt*"), key=lambda path: (not path.name.startswith("questions"), path.name)):
        questions = path.name.startswith("questions")
        name, count = None, 0
        for line in opened(path):
            if line.startswith("# instruction: "):
                name = line.removeprefix("# instruction: ")
            elif not line.startswith("#") and (questions or count < KEPT):
                count += 1
                found.setdefault(name, {})[line] = None
    return found


def elements(folder):
    """Elements of matrix products, by the model that the first line of a file names."""
    found = {}
    for path in sorted(folder.glob("*.txt")):
        head, *lines = opened(path)
        if not head.startswith("# model: "):
            continue
        length = lines[0].count(",") // 2 + 1
        kept = 2 if length <= SHORT else int(length <= LONG and ".wide." in path.name)
        if kept:
            found.setdefault(head.removeprefix("# model: "), {}).update(dict.fromkeys(lines[:kept]))
    return found


def main():
    card, out, recording, *libraries = sys.argv[1:]
    sections = [(model, card, lines) for model, lines in instructions(Path(recording)).items()]
    for library in libraries:
        name, folder = library.split("=")
        sections += [(model, f"{card}, {name}", lines) for model, lines in elements(Path(folder)).items()]
    write(Path(out), sections)


main()
