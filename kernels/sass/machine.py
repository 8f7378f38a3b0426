"""Reads machine code: which instructions do arithmetic, and what that says of a PTX instruction."""

import re
from collections import Counter

INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);")

# Besides matrix instructions: conversions and floating-point arithmetic.
ARITHMETIC = {"F2F", "F2FP", "HADD2", "HMUL2", "HFMA2", "FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA"}

# With these operands a fused multiply-add only loads a constant.
CONSTANT = "-RZ, RZ, "


def is_matrix(opcode):
    return opcode.split(".")[0].endswith("MMA")


def arithmetic(disassembly):
    """The opcodes with all modifiers that compute something, and how often each occurs."""
    return Counter(
        opcode
        for opcode, operands in INSTRUCTION.findall(disassembly)
        if is_matrix(opcode)
        or (opcode.split(".")[0] in ARITHMETIC and CONSTANT not in operands)
    )


def show(counts):
    """One line: matrix instructions first."""
    order = sorted(counts, key=lambda opcode: (not is_matrix(opcode), opcode))
    return "; ".join(f"{counts[opcode]} {opcode}" for opcode in order)


def machine_shape(opcode):
    """The digits of the shape (`16816`), or None where it is not in the opcode."""
    digits = re.search(r"\.(\d+(?:x\d+x\d+)?)(?:\.|$)", opcode)
    return digits and digits[1].replace("x", "")


def machine_inputs(opcode):
    """The types of A and B, or None where they are not in the opcode."""
    stem, *modifiers = opcode.split(".")
    if stem.startswith("UTC"):
        return None
    if stem == "DMMA":
        return ("f64", "f64")
    if stem in ("HMMA", "HGMMA"):
        kind = next((m.lower() for m in modifiers if m in ("BF16", "TF32")), "f16")
        return (kind, kind)
    if stem == "BMMA":
        return ("b1", "b1")
    a, b = [m.lower() for m in modifiers if re.fullmatch(r"E\dM\d|[US]\d", m)]
    return (a, b)


def verdict(counts, shape, inputs):
    """`native`, `split` or `emulated`, for the shape (digits) and the types of A and B asked for."""
    matrix = [opcode for opcode in counts if is_matrix(opcode)]
    if not matrix or any(machine_inputs(opcode) not in (None, inputs) for opcode in matrix):
        return "emulated"
    # The steps of one HMMA.884 compute parts of one result.
    whole = sum(counts[opcode] for opcode in matrix if not re.search(r"\.STEP[1-9]", opcode))
    fits = all(machine_shape(opcode) in (None, shape) for opcode in matrix)
    return "native" if whole == 1 and fits else "split"
