"""What a recorded output shows: the subset has an output for everything that any of them shows."""

import numpy as np

# Format of a result or a factor: mask of the exponent, mask of the fraction; e4m3 has one NaN and no infinity.
FIELDS = {
    "f32": (0x7F800000, 0x007FFFFF, 0x80000000),
    "bf16": (0x7F80, 0x007F, 0x8000),
    "f16": (0x7C00, 0x03FF, 0x8000),
    "e5m2": (0x7C, 0x03, 0x80),
    "e4m3": (0x78, 0x07, 0x80),
}
LARGEST = {"e4m3": 0x7E, "e5m2": 0x7B}


def classes(bits, of):
    """The class of each register by number: 0 ordinary, then NaN, infinities, zeros, subnormals, the largest."""
    exponent, fraction, sign = FIELDS[of]
    negative = (bits & sign) != 0
    magnitude = bits & (exponent | fraction)
    if of == "e4m3":
        nan, infinite = magnitude == 0x7F, np.zeros(bits.shape, bool)
    else:
        nan, infinite = magnitude > exponent, magnitude == exponent
    found = np.zeros(bits.shape, np.uint8)
    found[(magnitude & exponent) == 0] = 6
    found[magnitude == 0] = 4
    found[(magnitude == 0) & negative] = 5
    found[magnitude == LARGEST.get(of, -1)] = 7
    found[infinite] = 2
    found[infinite & negative] = 3
    found[nan] = 1
    return found


def scale(register):
    """Class and sign of an f32 register."""
    if register is None:
        return None
    found = int(classes(np.array([register], np.uint32), "f32")[0])
    return ("ordinary", register >> 31, register == 0x3F800000) if found == 0 else (found, register >> 31)


def shown(output, entry, call):
    """A set of features; what costs little is as good as what costs much."""
    found = {("recording", output.recording, output.expected is None)}
    if output.expected is None:
        dtypes = (call["mat1"]["dtype"], call["mat2"]["dtype"], call["out_dtype"]) if call else ()
        return found | {("refused", output.refused, *dtypes)}
    what = output.what
    if entry["kind"] == "mma":
        found |= {("mma", what.products, what.factors, what.tiles)}
        found |= {("mma result", one) for one in np.unique(classes(output.expected, "f32"))}
        found |= {("mma c", one) for one in np.unique(classes(what.c, "f32"))}
        return found | _operands("mma", what)
    split, k = what.order, what.a.shape[-1]
    found |= {
        ("parts", what.fast, what.parts, what.order),
        ("formats", what.fast, split, what.out, what.factors),
        ("parts, result", what.parts, what.out),
        ("residue", what.fast, split, k % 128),
        ("scales", what.out, *map(scale, what.scales)),
        ("scale of the result", what.out, scale(what.scale_result)),
        ("diagonal", what.diagonal),
        ("shape", what.a.shape[0] == 0, what.b.shape[0] == 0, k == 0, what.out),
    }
    found |= {("result", what.fast, split, what.out, one) for one in np.unique(classes(output.expected, what.out))}
    if what.factors != ("", ""):
        found |= _operands((what.fast, split), what)
    if call:
        usual = {"M", "N", "K", "out_dtype", "scale_a", "scale_b", "scale_result"}
        found |= {("argument", name, str(value)) for name, value in call.items() if name not in usual and value}
        found |= {("call", what.out, what.fast, call["mat1"]["dtype"], call["mat2"]["dtype"])}
    return found


def _operands(where, what):
    pairs = zip((what.a, what.b), what.factors, "ab")
    return {("operand", where, side, of, one) for bits, of, side in pairs for one in np.unique(classes(bits, of))}


def combination(output):
    """All that selects kernel and rounding, of a product that is split."""
    what = output.what
    return ("combination", what.fast, what.parts, what.order, what.out, what.factors)
