"""Records of products of matrices: the operands that everybody can make again, and the file that keeps what a library gave.

A record is a line of JSON. It says which product was asked of which library, what the heuristic of the library answered, and the bits of some
rows and columns of the result.

Operands are words of SplitMix64. Its state begins with the first 8 bytes of the SHA-256 of
`mmasmt-operands/1 SEED NAME KIND FORMAT ROWS COLUMNS`, NAME being a, b or bias. Element i, row by row, is made of word i (its first is 0):
the sign is bit 63; bits 52 to 62, times the number of exponents of the kind, divided by 2048, choose the exponent; the lowest bits are the
significand. Operand b has a row for each column of the product. Hashes are of the elements row by row, lowest byte first.

Of the kind `cancel`, the exact sum of every element is 0, so that the result is rounding errors alone, and tells plans apart even where it has
16 bits: with H = K div 2, place H + j has the element of place (j s + 1) mod H in a, and its negation in b, s being the least number from
0.618 H on that has no divisor in common with H. A last place of an odd K, and the bias, are +0.
"""

import hashlib
import json
import math

import numpy as np

FORMAT = "mmasmt-plan-record/1"
# Bits of the exponent and of the significand.
FORMATS = {"e4m3": (4, 3), "e5m2": (5, 2), "f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
# The least exponent of a factor, and how many there are, by kind and format.
EXPONENTS = {
    "near": {None: (-2, 4)},
    "cancel": {"e4m3": (-6, 8), None: (-10, 13)},
    "far": {"e4m3": (-6, 8), "e5m2": (-10, 13), "f16": (-10, 13), None: (-24, 27)},
}
KINDS = (*EXPONENTS, "ones")
OPERATIONS = ("mm", "addmm", "_scaled_mm")
# A layout names mat2, then mat1, as cuBLAS sees them: `tn` where neighbours in memory are neighbours along k in both, as in linear layers.
LAYOUTS = ("tn", "nn", "tt", "nt")
GAMMA = 0x9E3779B97F4A7C15
# Elements that are made at once: 32 MiB of words.
MOST = 1 << 22
CASE = {
    "op": "mm", "a": "bf16", "b": None, "out": None, "layout": "tn", "fast": True, "tf32": False, "bias": False, "kind": "near", "seed": 1,
    "alpha": 1.0,
}  # fmt: skip


def container(name):
    """The unsigned integer that holds an element of a format."""
    return np.dtype(f"u{(1 + sum(FORMATS[name])) // 8}")


def words(start, numbers):
    """Words with these numbers of SplitMix64 that begins at `start`."""
    z = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(GAMMA) + np.uint64(start)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def partners(depth):
    """For each place of the kind `cancel` the place whose element it has; -1 for a last one without a partner."""
    half = depth // 2
    step = max(1, math.ceil(half * 0.618))
    while math.gcd(step, half) > 1:
        step += 1
    places = np.arange(depth)
    return np.where(places < half, places, np.where(places < 2 * half, ((places - half) * step + 1) % max(1, half), -1))


class Operand:
    """A matrix that is made of its name, row by row."""

    def __init__(self, case, name, rows, columns):
        self.format = case["a"] if name == "a" else case["b"] if name == "b" else case["out"]
        self.name, self.kind, self.rows, self.columns = name, case["kind"], rows, columns
        text = f"mmasmt-operands/1 {case['seed']} {name} {self.kind} {self.format} {rows} {columns}"
        self.start = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def elements(self, first, count):
        exponent, significand = FORMATS[self.format]
        bias = (1 << (exponent - 1)) - 1
        if self.kind == "ones":
            return np.full(count, bias << significand, container(self.format))
        numbers, places = np.arange(first, first + count), None
        if self.kind == "cancel":
            if self.name == "bias":
                return np.zeros(count, container(self.format))
            places = numbers % self.columns
            sources = partners(self.columns)[places]
            numbers += sources - places
        by_format = EXPONENTS[self.kind]
        least, number = by_format.get(self.format, by_format[None])
        word = words(self.start, numbers)
        chosen = (((word >> np.uint64(52)) & np.uint64(0x7FF)) * np.uint64(number)) >> np.uint64(11)
        bits = (chosen + np.uint64(bias + least)) << np.uint64(significand)
        bits |= word & np.uint64((1 << significand) - 1)
        bits |= (word >> np.uint64(63)) << np.uint64(exponent + significand)
        if places is not None:
            if self.name == "b":
                bits ^= (places >= self.columns // 2).astype(np.uint64) << np.uint64(exponent + significand)
            bits[sources < 0] = 0
        return bits.astype(container(self.format))

    def row(self, number):
        return self.elements(number * self.columns, self.columns)

    def some(self, numbers):
        """Rows with these numbers."""
        return np.array([self.row(number) for number in numbers])

    def whole(self):
        bits = np.empty(self.rows * self.columns, container(self.format))
        for first in range(0, len(bits), MOST):
            bits[first : first + MOST] = self.elements(first, min(MOST, len(bits) - first))
        return bits.reshape(self.rows, self.columns)


def operands(case):
    """Operands of a product: a of M x K, b of N x K, and a bias of 1 x N where there is one."""
    shapes = {"a": (case["M"], case["K"]), "b": (case["N"], case["K"])}
    if case["bias"]:
        shapes["bias"] = (1, case["N"])
    return {name: Operand(case, name, *shape) for name, shape in shapes.items()}


def digest(bits):
    """The SHA-256 of a matrix."""
    return hashlib.sha256(np.ascontiguousarray(bits).astype(bits.dtype.newbyteorder("<"), copy=False).tobytes()).hexdigest()


def spread(count, most):
    """At most so many numbers below `count`: the first, the last, and some between."""
    if count <= most:
        return list(range(count))
    return sorted({number * (count - 1) // max(1, most - 1) for number in range(most)})


def text(bits):
    """Rows of bits as words of hexadecimal digits."""
    digits = 2 * bits.dtype.itemsize
    return [",".join(f"{int(one):0{digits}x}" for one in row) for row in bits]


def bits(rows, name):
    """What `text` has written."""
    return np.array([[int(one, 16) for one in row.split(",")] for row in rows], container(name))


def case_of(given):
    """A product with all that is to be known of it, from the keys of a line; a line in error is named by what is expected."""
    if isinstance(given, str):
        extents = given.lower().split("x")
        if len(extents) != 3 or not all(extent.isdigit() for extent in extents):
            raise ValueError(f"expected MxNxK, found {given}")
        given = dict(zip("MNK", map(int, extents), strict=True))
    unknown = [name for name in given if name not in {*CASE, *"MNK"}]
    if unknown:
        raise ValueError(f"expected M, N, K or one of {', '.join(CASE)}, found {unknown[0]}")
    case = {**CASE, **given}
    case["b"] = case["b"] or case["a"]
    case["out"] = case["out"] or (case["a"] if case["op"] != "_scaled_mm" else "bf16")
    choices = {"op": OPERATIONS, "layout": LAYOUTS, "kind": KINDS, "a": FORMATS, "b": FORMATS, "out": FORMATS}
    for name, allowed in choices.items():
        if case[name] not in allowed:
            raise ValueError(f"{name}: expected {', '.join(allowed)}, found {case[name]}")
    for name in "MNK":
        if type(case.get(name)) is not int or case[name] < 1:
            raise ValueError(f"{name}: expected a positive integer, found {case.get(name)}")
    is_fp8 = case["a"] in ("e4m3", "e5m2")
    if (case["op"] == "_scaled_mm") != is_fp8:
        raise ValueError(f"a: expected {'e4m3 or e5m2' if not is_fp8 else 'f16, bf16, f32 or f64'} for {case['op']}, found {case['a']}")
    if case["op"] == "addmm":
        case["bias"] = True
    return case


def kept(case, result, most):
    """What a record keeps of a product and its result, the bits of M x N elements."""
    made = operands(case)
    rows, columns = spread(case["M"], most), spread(case["N"], most)
    chosen = {"a": rows, "b": columns, "bias": [0]}
    return {
        "rows": rows,
        "columns": columns,
        "bits": text(result[np.ix_(rows, columns)]),
        "sha256": {**{name: digest(one.whole()) for name, one in made.items()}, "result": digest(result)},
        "sha256_kept": {name: digest(one.some(chosen[name])) for name, one in made.items()},
    }


def read(path):
    """The records of a file, and the number of the line of each."""
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    record = json.loads(line)
                    if record.get("format") != FORMAT:
                        raise ValueError(f'expected "format": "{FORMAT}", found {record.get("format")}')
                    record["case"] = case_of(record["case"])
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise ValueError(f"{path}: line {number}: {error}") from None
                yield number, record
