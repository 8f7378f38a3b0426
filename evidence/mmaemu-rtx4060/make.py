"""Writes the subset in this folder from the folder `hw_mini` of mmaemu: python make.py FOLDER BYTES

Large results are cut to rows and columns with every class of result, then outputs are chosen: the cheapest for everything that
any output shows, then more combinations of parts, order and formats, as many as the limit leaves room for.
"""

import hashlib
import json
import lzma
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python" / "tests"))
from features import classes, combination, shown  # noqa: E402
from recordings import Recordings  # noqa: E402

CELLS, TILES, VECTORS = 12, 1, 24


def special(results, limit):
    """Positions with every class of the results, and some more, spread evenly."""
    found = {}
    for number, marks in enumerate(results):
        for at, mark in np.ndenumerate(marks):
            if mark:
                found.setdefault((number, int(mark)), at)
    every = list(np.ndindex(results[0].shape))
    even = every[:: max(1, len(every) // limit)]
    return list(dict.fromkeys([*found.values(), *even]))[:limit]


def cut(case, entry):
    """The case with fewer rows, columns or tiles, where it is large."""
    kept = [output for output in case.outputs if output.expected is not None]
    if entry["kind"] == "mma":
        what, expected = kept[0].what, kept[0].expected
        marks = classes(expected, "f32")
        cells = [at[0] for at in special([marks.reshape(len(marks), -1).max(1)], TILES if what.tiles else VECTORS)]
        rows = np.unique(cells)
        what = replace(what, a=what.a[rows], b=what.b[rows], c=what.c[rows])
        return replace(case, outputs=[replace(kept[0], what=what, expected=expected[rows])])
    if entry["kind"] != "gemm" or not kept:
        return case
    first = kept[0].what
    diagonal = any(output.what.diagonal for output in kept)
    size = (first.a.shape[0] + first.b.shape[0]) * first.a.shape[1]
    if size <= 1024 or kept[0].expected.size == 1:
        return case
    limit = 2 if size > 1 << 15 else 6 if size > 1 << 13 else CELLS
    cells = special([classes(output.expected, output.what.out) for output in kept], limit)
    rows = np.unique([at[0] for at in cells])
    columns = rows if diagonal else np.unique([at[1] for at in cells])

    def less(output):
        what = replace(output.what, a=output.what.a[rows], b=output.what.b[columns])
        return replace(output, what=what, expected=output.expected[rows] if diagonal else output.expected[np.ix_(rows, columns)])

    return replace(case, outputs=[less(output) if output.expected is not None else output for output in case.outputs])


def name(array):
    """The name of an array: type, shape, and hash of its bits."""
    shape = "x".join(map(str, array.shape))
    return f"{array.dtype.name}_{shape}_{hashlib.sha256(array.tobytes()).hexdigest()[:16]}"


def arrays(output):
    """The arrays of an output by name."""
    what = output.what
    found = [output.expected, *([what.a, what.b] if what else []), *([what.c] if hasattr(what, "c") else [])]
    return {name(array): np.ascontiguousarray(array) for array in found if array is not None}


def choose(candidates, limit):
    """Places of outputs: the cheapest for each feature that is left, then combinations, in order of their cost."""
    there, chosen, left, used = set(), set(), set().union(*(features for _, features, _ in candidates)), 0

    def cost(at):
        return 64 + sum(size for of, size in candidates[at][2].items() if of not in there)

    def take(at):
        nonlocal used
        used += cost(at)
        there.update(candidates[at][2])
        chosen.add(at)
        left.difference_update(candidates[at][1])

    holders = {}
    for at, (_, features, _) in enumerate(candidates):
        for feature in features:
            holders.setdefault(feature, []).append(at)
    # What few outputs show comes first: it has no choice.
    for feature in sorted(holders, key=lambda one: (len(holders[one]), str(one))):
        if feature in left:
            take(min(holders[feature], key=lambda at: cost(at) / len(candidates[at][1] & left)))
    print("every feature:", len(chosen), "outputs,", used, "bytes")
    wanted = {}
    for at, (output, _, _) in enumerate(candidates):
        if output.expected is not None and getattr(output.what, "parts", 1) > 1:
            wanted.setdefault(combination(output), []).append(at)
    done = {combination(candidates[at][0]) for at in chosen if getattr(candidates[at][0].what, "parts", 1) > 1}
    for key in sorted(wanted.keys() - done, key=lambda one: (min(map(cost, wanted[one])), str(one))):
        cheapest = min(wanted[key], key=cost)
        if used + cost(cheapest) <= limit:
            take(cheapest)
            done.add(key)
    print("combinations:", len(done), "of", len(wanted), "-", used, "bytes")
    return chosen


def entry_of(entry, outputs, positions, found):
    """The entry of a case in the index, with fewer outputs and cut arrays."""
    kept = {key: value for key, value in entry.items() if key not in ("src", "why")}
    real = [output for output in outputs if output.expected is not None]
    kept["inputs"] = {}
    if real:
        inputs = {"a": real[0].what.a, "b": real[0].what.b}
        if entry["kind"] == "mma":
            inputs["c"] = real[0].what.c
        kept["inputs"] = {key: ["arrays.xz", name(array)] for key, array in inputs.items()}
        for output in real:
            found.update(arrays(output))

    def expect(old, output):
        if output.expected is None:
            return old
        bits = np.ascontiguousarray(output.expected)
        new = {"bits": ["arrays.xz", name(bits)], "shape": list(bits.shape), "sha256": hashlib.sha256(bits.tobytes()).hexdigest()}
        return {**({"dtype": old["dtype"]} if "dtype" in old else {}), **new}

    if "outputs" not in entry:
        return {**kept, "expect": expect(entry["expect"], outputs[0])}
    old = [entry["outputs"][at] for at in positions]
    plain = [{key: value for key, value in one.items() if key not in ("why", "sel")} for one in old]
    return {**kept, "outputs": [{**one, "expect": expect(one["expect"], output)} for one, output in zip(plain, outputs)]}


def main():
    source = Recordings(Path(sys.argv[1]))
    entries, cases, candidates, places = source.index["cases"], [], [], []
    for number, (case, entry) in enumerate(zip(source.cases(), entries)):
        cases.append(cut(case, entry))
        for at, output in enumerate(cases[-1].outputs):
            call = source.call(entry, entry["outputs"][at]) if entry["kind"] == "gemm_call" else None
            sizes = {key: array.nbytes for key, array in arrays(output).items()}
            candidates.append((output, shown(output, entry, call), sizes))
            places.append((number, at))
    chosen, found, index = choose(candidates, int(sys.argv[2])), {}, []
    by_case = {}
    for at in sorted(chosen):
        by_case.setdefault(places[at][0], []).append(places[at][1])
    for number, positions in by_case.items():
        outputs = [cases[number].outputs[at] for at in positions]
        index.append(entry_of(entries[number], outputs, positions, found))
    names = sorted(found)
    data = lzma.compress(b"".join(found[one].tobytes() for one in names), preset=9 | lzma.PRESET_EXTREME)
    (HERE / "arrays.xz").write_bytes(data)
    shards = {"arrays.xz": {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}}
    whole = {"format": source.index["format"], "call_defaults": source.index["call_defaults"], "shards": shards}
    text = json.dumps({**whole, "packed": names, "cases": index}, separators=(",", ":"))
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    (HERE / "index.json.xz").write_bytes(packed)
    print(len(index), "cases,", len(chosen), "outputs,", len(names), "arrays,", len(data), "+", len(packed), "bytes")


main()
