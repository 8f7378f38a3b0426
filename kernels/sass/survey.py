"""Asks the assembler what becomes of each matrix instruction of PTX, and writes table.tsv."""

import argparse
import difflib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import machine
from instructions import catalogue
from ptx import module
from toolkit import CU12, CU13, Rejected, Toolkit, Unavailable

HERE = Path(__file__).resolve().parent
TABLE = HERE / "table.tsv"
CACHE = HERE.parents[1] / "target" / "sass"

RELEASES = {
    "sm_70": CU12,
    "sm_75": CU13,
    "sm_80": CU13,
    "sm_86": CU13,
    "sm_89": CU13,
    "sm_90a": CU13,
    "sm_100a": CU13,
    "sm_103a": CU13,
    "sm_120a": CU13,
}

HEADER = """\
# What becomes of the matrix instructions of PTX on each target: what ptxas accepts, and the machine
# code that nvdisasm shows. Made by kernels/sass/survey.py; to make it again: just sass
# sm_70: {cu12}; the others: {cu13}
# verdict: native    one machine matrix instruction of the whole shape (STEPs of one HMMA.884 are one)
#          split     several of the same input types
#          emulated  with other input types, or without the matrix unit
#          rejected  ptxas does not take it; then `machine` is its first message
# machine: matrix instructions, conversions and floating-point arithmetic, with counts. Left out: loads,
#          stores, moves, shuffles, packing (PRMT), selects, integer and address arithmetic, constants,
#          control flow, descriptors, waits. Arithmetic of called functions is counted in.
"""


def survey(instruction, target, toolkit):
    """The verdict and the machine code. Different spellings of an instruction must agree."""
    accepted, complaints = {}, []
    for body in instruction.bodies:
        try:
            listing = toolkit.disassemble(module(body, target, toolkit.isa), target)
        except Rejected as error:
            complaints.append(str(error))
            continue
        counts = machine.arithmetic(listing)
        verdict = machine.verdict(counts, instruction.shape, instruction.inputs)
        accepted[machine.show(counts)] = verdict
    if not accepted:
        return "rejected", complaints[0]
    if len(accepted) > 1:
        raise ValueError(f"{instruction.name} on {target}: spellings differ: {list(accepted)}")
    code, verdict = accepted.popitem()
    return verdict, code


def table(cache):
    """The text of table.tsv."""
    toolkits = {release: Toolkit(release, cache) for release in set(RELEASES.values())}
    rows = [
        (instruction, target)
        for instruction in sorted(catalogue(), key=lambda instruction: instruction.name)
        for target in RELEASES
    ]
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda row: survey(*row, toolkits[RELEASES[row[1]]]), rows)
        lines = [
            "\t".join([instruction.name, target, *result])
            for (instruction, target), result in zip(rows, results)
        ]
    header = HEADER.format(cu12=" ".join(CU12.pins()), cu13=" ".join(CU13.pins()))
    return header + "\n".join(["instruction\ttarget\tverdict\tmachine", *lines]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=CACHE, help="folder for the CUDA packages")
    parser.add_argument("--check", action="store_true", help="compare with table.tsv instead of writing")
    arguments = parser.parse_args()
    try:
        made = table(arguments.cache)
    except (Unavailable, OSError) as error:
        print(f"survey.py: {error}", file=sys.stderr)
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
