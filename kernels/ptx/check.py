"""Assembles every kernel that `mmasmt run --emit-ptx` makes, and writes table.tsv: what machine code it became."""

import argparse
import difflib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "kernels" / "sass"))

import machine  # noqa: E402
from toolkit import CU12, CU13, Rejected, Toolkit, Unavailable  # noqa: E402

TABLE = HERE / "table.tsv"
SURVEY = ROOT / "kernels" / "sass" / "table.tsv"
CACHE = ROOT / "target" / "sass"

HEADER = """\
# The kernels of `mmasmt run`, assembled for the target that each is made for. Made by kernels/ptx/check.py; to make it
# again: just kernels
# machine: as in kernels/sass/table.tsv. What stands there for the same instruction and target must stand here.
instruction\ttarget\tvectors\tmachine
"""


def mmasmt(program, *arguments):
    """What the program prints, as JSON."""
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(f"{program} {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def release(target):
    """CUDA 13 has dropped the GPUs before sm_75."""
    return CU12 if target in ("sm_70", "sm_72") else CU13


def line(program, instruction, toolkits):
    """One line of the table."""
    kernel = mmasmt(program, "run", "--emit-ptx", "--instruction", instruction)
    target = kernel["target"]
    try:
        listing = toolkits[release(target)].disassemble(kernel["ptx"], target)
    except Rejected as error:
        return [instruction, target, str(kernel["vectors_per_block"]), f"rejected: {error}"]
    code = machine.show(machine.arithmetic(listing))
    return [instruction, target, str(kernel["vectors_per_block"]), code]


def table(program, cache):
    """The lines of the table, in the order of `mmasmt run --list`."""
    toolkits = {release: Toolkit(release, cache) for release in (CU12, CU13)}
    targets = mmasmt(program, "run", "--list")["targets"]
    names = [name for target in targets for name in target["instructions"]]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda name: line(program, name, toolkits), names))


def survey():
    """What `kernels/sass` found: machine code by instruction and target."""
    rows = [row.split("\t") for row in SURVEY.read_text().splitlines() if not row.startswith("#")]
    return {(instruction, target): (verdict, code) for instruction, target, verdict, code in rows}


def mistakes(lines):
    """Kernels whose machine code is not what the compiler makes of the instruction alone."""
    known = survey()
    for name, target, _, code in lines:
        short = name.split("/")[1].replace(".mMnN", ".m128nN")
        verdict, expected = known.get((short, target), ("missing", ""))
        if verdict in ("missing", "rejected"):
            yield f"{name} on {target}: kernels/sass/table.tsv says {verdict}"
        elif code != expected:
            yield f"{name} on {target}: expected {expected}, found {code}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "mmasmt", help="the mmasmt to ask")
    parser.add_argument("--cache", default=CACHE, help="folder for the CUDA packages")
    parser.add_argument("--check", action="store_true", help="compare with table.tsv instead of writing")
    arguments = parser.parse_args()
    try:
        lines = table(str(arguments.program), arguments.cache)
    except (Unavailable, OSError) as error:
        print(f"check.py: {error}", file=sys.stderr)
        return 2
    wrong = list(mistakes(lines))
    print(f"{len(lines)} kernels, {len(wrong)} with other machine code than their instruction")
    print("\n".join(wrong), end="\n" if wrong else "")
    made = HEADER + "".join("\t".join(line) + "\n" for line in lines)
    if not arguments.check:
        TABLE.write_text(made)
        return 1 if wrong else 0
    kept = TABLE.read_text() if TABLE.is_file() else ""
    diff = list(difflib.unified_diff(kept.splitlines(), made.splitlines(), "kept", "made", n=0, lineterm=""))
    print("\n".join(diff), end="\n" if diff else "")
    return 1 if wrong or diff else 0


if __name__ == "__main__":
    sys.exit(main())
