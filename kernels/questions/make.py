"""Writes NAME.txt for each question of questions.toml: vectors on which its readings differ, two and two."""

import argparse
import json
import subprocess
import sys
import tomllib
from itertools import combinations
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# Exit status of `distinguish` when there are no such inputs.
EQUAL = 1


def reading(instruction, text):
    """The specification of a reading: keys that it changes, or a whole specification."""
    if not text:
        return instruction
    return text if "=" not in text.split(":")[0] else f"{instruction}:{text}"


def witnesses(program, left, right, question):
    """Inputs on which the two differ, as lines."""
    count = str(question.get("count", 3))
    command = [program, "distinguish", left, right, "--count", count, "--timeout", "60", "--json"]
    done = subprocess.run(command + ["--specials"] * question.get("specials", False), capture_output=True, text=True)
    if done.returncode == EQUAL:
        yield f"# equal, proved: {left} and {right}"
        return
    if done.returncode != 0:
        raise SystemExit(f"{question['name']}: {left} and {right}: {done.stderr.strip() or done.stdout.strip()}")
    for witness in json.loads(done.stdout)["witnesses"]:
        yield f"{witness['c']} {','.join(witness['a'])} {','.join(witness['b'])}"


def text(program, question):
    """The file of a question."""
    readings = [reading(question["instruction"], one) for one in question["readings"]]
    lines = dict.fromkeys(question.get("besides", []) + question.get("by_hand", []))
    for left, right in combinations(readings, 2):
        if "by_hand" in question:
            break
        lines.update(dict.fromkeys(witnesses(program, left, right, question)))
    head = [f"# {question['asks']}?", f"# instruction: {question['instruction']}"]
    head += [f"# reading: {one}" for one in readings]
    return "\n".join([*head, *lines]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "mmasmt", help="the mmasmt to ask")
    parser.add_argument("names", nargs="*", help="only these questions")
    arguments = parser.parse_args()
    for question in tomllib.loads((HERE / "questions.toml").read_text())["question"]:
        if not arguments.names or question["name"] in arguments.names:
            (HERE / f"{question['name']}.txt").write_text(text(str(arguments.program), question))
            print(question["name"], file=sys.stderr)


if __name__ == "__main__":
    main()
