"""Writes the recorded vectors of this folder from those beside the repository (../shared): one xz file for each source.

A section begins with `## MODEL`, tabs, and the card; its lines are vectors. README.md says where they come from.
"""

import csv
import pathlib

from sections import write

HERE = pathlib.Path(__file__).resolve().parent
SHARED = HERE.parent.parent / "shared"

# Names of architectures in the indices, and in the tables.
TABLES = {
    "Volta": "volta",
    "Ampere": "ampere",
    "Ada Lovelace": "ada",
    "Hopper": "hopper",
    "Blackwell": "blackwell",
    "x86": "x86",
    "RDNA3": "rdna3",
    "RDNA4": "rdna4",
}


def entries(index):
    """The lines of an index, and the folder that its files are in."""
    with open(index, newline="") as file:
        return [(index.parent / line["file"], line) for line in csv.DictReader(file, delimiter="\t")]


def model(line):
    """The specification of what computed a file."""
    unit, qualifier = line["unit"], line["qualifier"]
    name, _, repeats = qualifier.partition(":repeat=")
    spelled = name if unit in ("cpu", "dot2") or name.startswith("v_") else f"{unit}.{name}"
    row = f"{TABLES[line['arch']]}/{spelled}"
    return f"repeat({row}):K={line['K']}" if repeats else row


def vectors(path):
    """The lines of a file that are no comments."""
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


def gemm(path, kind):
    """Whole dot products of cuBLAS, by formats and length: c is 0."""
    sections = {}
    for line in vectors(path):
        a_format, b_format, length, a, b, d = line.split(" ")
        factors = (",".join(row[i : i + 2] for i in range(0, len(row), 2)) for row in (a, b))
        spec = f"cublas/fp8.{kind}.ada.f32.{a_format}.{b_format}:K={length}"
        sections.setdefault(spec, []).append(" ".join(("00000000", *factors, d)))
    return sections.items()


def main():
    tensor_cores = entries(SHARED / "hardware-vectors/index.tsv")
    write(HERE / "matlab-tensor-core.xz", [(model(line), line["gpu"], vectors(path)) for path, line in tensor_cores])
    silicon = [(path, line) for path, line in entries(SHARED / "more-vectors/index.tsv") if "silicon" in path.parts]
    sets = {"mmaemu.xz": "rtx4060", "zen4.xz": "zen4", "rdna.xz": "rdna"}
    for name, start in sets.items():
        chosen = [(path, line) for path, line in silicon if path.name.startswith(start)]
        sections = [(model(line), line["gpu"], vectors(path)) for path, line in chosen]
        if start == "rtx4060":
            for kind in ("fast", "slow"):
                path = SHARED / f"more-vectors/silicon/cublas-fp8/rtx4060__gemm_{kind}.txt"
                sections += [(spec, "RTX 4060", lines) for spec, lines in gemm(path, kind)]
        write(HERE / name, sections)


main()
