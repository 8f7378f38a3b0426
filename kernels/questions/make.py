"""Writes ARCHITECTURE/NAME.txt for each question of questions.toml: for every row that it fits the inputs that tell its
readings apart."""

import argparse
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from itertools import combinations
from pathlib import Path

from rows import ask, recorded, rows

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# A number of the row's model, changed: F-1, K/2.
CHANGED = re.compile(r"(F|K)([-+*/])(\d+)")
# For inputs on which two readings differ, or the proof that there are none.
PATIENCE = "20s"
EQUAL = "equal"


class Questions:
    """What the program says of readings; asked once for each model, however many rows have it."""

    def __init__(self, program):
        self.program, self.recorded = program, recorded()

    @cache
    def canonical(self, specification):
        """The model in full; nothing if there is none."""
        shown = ask(self.program, "models", "show", specification)
        return shown and shown["model"]

    @cache
    def products(self, specification):
        """How many products it sums."""
        return int(ask(self.program, "models", "show", specification)["shape"].split()[0])

    def specification(self, own, model, text):
        """The specification of a reading of `own`; nothing where a number cannot be changed so."""
        if text.startswith("@"):
            return own + text
        if ":" in text:
            return text
        changed = CHANGED.fullmatch(text)
        if not changed:
            return f"{own}:{text}"
        key, sign, by = changed[1], changed[2], int(changed[3])
        if key == "F":
            bits = number(model, "F") or 24
            return f"{own}:F={bits + by if sign == '+' else bits - by}"
        chain = number(model, "chain") or 1
        together = self.products(model) // chain
        if sign == "/" and together % by == 0:
            return f"{own}:K={together // by},chain={chain * by}"
        if sign == "*" and chain % by == 0:
            return f"{own}:K={together * by},chain={chain // by}"
        return None

    @cache
    def difference(self, left, right, specials):
        """The simplest inputs on which two models differ, as rows; `EQUAL` if there are none, proved; nothing if that is open."""
        command = ["distinguish", left, right, "--time", PATIENCE, *["--specials"] * specials]
        found = ask(self.program, *command)
        if found and found["witnesses"]:
            return found["witnesses"][0]
        return EQUAL if found and found["verdict"] == "equal" else None

    @cache
    def results(self, model, line):
        """What a model gives for a line."""
        done = subprocess.run([self.program, "eval", model, "--vectors", "-"], input=line, capture_output=True, text=True)
        return done.stdout.split()[-1]

    @cache
    def separated(self, models, specials, by_hand):
        """Inputs that tell the models apart as far as they can be, and the pairs that they leave together: proved equal, open."""
        inputs, equal, unsettled = {line: operands(line) for line in by_hand}, [], []
        for left, right in combinations(models, 2):
            if any(self.results(left, line) != self.results(right, line) for line in inputs):
                continue
            found = self.difference(left, right, specials)
            if found == EQUAL:
                equal.append((left, right))
            elif found is None:
                unsettled.append((left, right))
            else:
                inputs[found["line"]] = found
        return list(inputs.values()), equal, unsettled

    @cache
    def contradicted(self, instructions, reading):
        """Whether recorded results of one of the instructions speak against the reading."""
        lines = "\n".join(line for name in instructions for line in self.recorded.get(name, []))
        if not lines:
            return False
        done = subprocess.run([self.program, "check", reading, "-"], input=lines, capture_output=True, text=True)
        return done.returncode == 1

    def readings(self, question, row, instruction):
        """The readings of a row as whole specifications, its own first: no two of one model, none that is settled."""
        own = f"{row.architecture}/{instruction}"
        known = {self.canonical(own): own}
        names = tuple(f"{row.architecture}/{name}" for name in row.models if row.models[name] == row.models[instruction])
        for text in question["readings"]:
            reading = self.specification(own, row.models[instruction], text)
            model = reading and self.canonical(reading)
            if not model or model in known or self.products(model) != self.products(own):
                continue
            if not self.contradicted(names, model):
                known[model] = reading
        return known

    def section(self, question, row):
        """What a row is asked: its head and its lines; nothing if its readings are one."""
        best = None
        for instruction in row.candidates():
            if best is not None and not best[2][1] and not best[2][2]:
                break
            known = self.readings(question, row, instruction)
            if len(known) < 2:
                continue
            by_hand = question.get("by_hand", {}).items()
            by_hand = [line for text, some in by_hand if text in row.models[instruction] for line in some]
            found = self.separated(tuple(known), question.get("specials", False), tuple(by_hand))
            together = len(found[1]) + len(found[2])
            if best is None or together < len(best[2][1]) + len(best[2][2]):
                best = instruction, known, found
        if best is None or not best[2][0]:
            return None
        return "\n".join(head(row, *best) + list(dict.fromkeys(lines(question, row, *best))))


def operands(line):
    """The operands of a line by their names."""
    c, *others = line.split()
    return {"line": line, "c": c} | {name: row.split(",") for name, row in zip(["a", "b", "sa", "sb"], others)}


def number(model, key):
    """The value of a key, if the specification says it."""
    found = re.search(rf"\b{key}=(\d+)", model)
    return found and int(found[1])


def head(row, instruction, known, found):
    """The comments that a section begins with."""
    comments = [f"# instruction: {row.architecture}/{instruction}"]
    comments += [f"# reading: {name}" for name in known.values()]
    _, equal, unsettled = found
    comments += [f"# equal, proved: {known[left]} and {known[right]}" for left, right in equal]
    comments += [f"# neither told apart nor proved equal: {known[left]} and {known[right]}" for left, right in unsettled]
    return comments


def lines(question, row, instruction, known, found):
    """The inputs, without products of +0 at their end."""
    for one in found[0]:
        yield line([one["c"]], one["a"], one["b"], one.get("sa"), one.get("sb"))
    first = found[0][0]
    factor = re.search(r"\b(?:in|a)=(\w+)", row.models[instruction] + ",in=f16")
    for text in question.get("besides", {}).get(factor[1], []):
        c, a, b = text.split()
        are_registers = [len(a), len(b)] == [len(first["a"][0]), len(first["b"][0])]
        if are_registers and (c == "0" or len(c) == len(first["c"])):
            yield line([c.rjust(len(first["c"]), "0")], [a], [b], first.get("sa"), first.get("sb"))


def line(c, a, b, *scales):
    a, b = list(a), list(b)
    while len(a) > 1 and not a[-1].strip("0") and not b[-1].strip("0"):
        a.pop(), b.pop()
    return " ".join(",".join(part) for part in (c, a, b, *scales) if part)


def fits(question, row):
    """Whether a row is asked the question."""
    name, model = next(iter(row.models.items()))
    holds = [(text.strip("!") in model) != text.startswith("!") for text in question.get("with", [])]
    patterns = question.get("rows", ["*"])
    return (
        model.split(":")[0] in question.get("of", [model.split(":")[0]])
        and all(holds)
        and any(fnmatch(f"{row.architecture}/{name}", pattern) for pattern in patterns)
        and (row.compiled == "native" or question.get("compiled", False))
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "mmasmt", help="the mmasmt to ask")
    parser.add_argument("names", nargs="*", help="only these questions")
    arguments = parser.parse_args()
    questions, tables = Questions(str(arguments.program)), rows(str(arguments.program))
    for question in tomllib.loads((HERE / "questions.toml").read_text())["question"]:
        if arguments.names and question["name"] not in arguments.names:
            continue
        for old in HERE.glob(f"*/{question['name']}.txt"):
            old.unlink()
        by_architecture = {}
        for row in tables:
            if fits(question, row) and (section := questions.section(question, row)):
                by_architecture.setdefault(row.architecture, []).append(section)
        for architecture, sections in by_architecture.items():
            folder = HERE / architecture
            folder.mkdir(exist_ok=True)
            title = f"# question: {question['name']}: {question['asks']}?\n"
            (folder / f"{question['name']}.txt").write_text("\n".join([title, *(text + "\n" for text in sections)]))
        print(question["name"], *by_architecture, file=sys.stderr)


if __name__ == "__main__":
    main()
