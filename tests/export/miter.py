"""Asks Bitwuzla whether two BTOR2 files with the same inputs and one output each can give different results.

usage: miter.py LEFT RIGHT; prints that the bad property is satisfiable (they can) or unsatisfiable (they are equal)
"""

import sys
import tempfile

import bitwuzla


def lines(path):
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split(";")[0].split()
            if words:
                yield words


def joined(left, right):
    """One file of both, with the inputs of the first, and `bad` where the outputs differ."""
    text, inputs, outputs, last = [], {}, [], 0
    for side, path in enumerate((left, right)):
        places = {}
        for words in lines(path):
            number, name, rest = int(words[0]), words[1], words[2:]
            if name == "output":
                outputs.append(places[int(rest[0])])
                continue
            # One without a name is a bit that the result does not depend on.
            if name == "input" and side == 1 and len(rest) > 1:
                places[number] = inputs[rest[1]]
                continue
            # Numbers of lines are moved; those of bits are not.
            moved = {"sort": 0, "const": 1, "constd": 1, "consth": 1, "slice": 2, "uext": 2, "sext": 2, "input": 1}
            count = moved.get(name, len(rest))
            # A symbol may stand at the end.
            rest = [
                str(places[int(word)]) if index < count and word.lstrip("-").isdigit() else word
                for index, word in enumerate(rest)
            ]
            if count == len(rest) and rest and not rest[-1].lstrip("-").isdigit():
                rest = rest[:-1]
            last += 1
            places[number] = last
            places[-number] = -last
            text.append(f"{last} {name} {' '.join(rest)}")
            if name == "input" and side == 0:
                inputs[rest[1]] = last
    text += [
        f"{last + 1} sort bitvec 1",
        f"{last + 2} neq {last + 1} {outputs[0]} {outputs[1]}",
        f"{last + 3} bad {last + 2}",
    ]
    return "\n".join(text) + "\n"


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".btor2") as file:
        file.write(joined(*sys.argv[1:3]))
        file.flush()
        manager = bitwuzla.TermManager()
        parser = bitwuzla.Parser(manager, bitwuzla.Options(), "btor2")
        # It decides what is bad as it reads it.
        parser.parse(file.name)


if __name__ == "__main__":
    main()
