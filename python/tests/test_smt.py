"""Models as functions of Z3: values of the solver are those of the simulator, and claims that no property of ours says."""

from __future__ import annotations

import math
import struct
from typing import Any

import mmasmt
import numpy as np
import pytest

z3 = pytest.importorskip("z3")
smt = pytest.importorskip("mmasmt.smt")

ALGORITHMS = [
    "fda:K=4",
    "fda:K=2,in=e4m3,scale=ue8m0,block=2",
    "hmma8:K=2",
    "sfma:K=2,fmt=f32",
    "gps:K=4",
    "gdfs:K=32,block=32",
    "fdrda:K=4",
    "gfdrda",
    "exact:K=4",
    "ieee:K=2",
    "cpu:K=2",
    "rdna",
    "gaudi:K=2",
    "int:K=4",
]


def drawn(rng: np.random.Generator, width: int) -> int:
    """Bits of any kind: every eighth register is one of infinities, NaNs, zeros and subnormal numbers."""
    specials = [0, 1 << (width - 1), (1 << width) - 1, (1 << (width - 1)) - 1, 1, 0x7C00, 0x7F800000, 0xFF800000, 0x7FC00000]
    if rng.integers(8) == 0:
        return int(rng.choice(specials)) % (1 << width)
    return int(rng.integers(1 << 63, dtype=np.uint64)) % (1 << width)


@pytest.mark.parametrize("model", ALGORITHMS)
def test_a_solver_evaluates_as_the_simulator(model: str) -> None:
    f = smt.function(model)
    rng = np.random.default_rng(1)
    free = z3.Solver()
    assert free.check() == z3.sat
    for index in range(150):
        a, b = ([z3.BitVecVal(drawn(rng, kind.width), kind.width) for _ in range(f.products)] for kind in (f.a, f.b))
        scales = {}
        if f.scale is not None and index % 2:
            blocks = len(f._formals) - 2 * f.products - 1
            for number, name in enumerate(("scale_a", "scale_b")):
                scales[name] = [z3.BitVecVal(drawn(rng, f.scale.width), f.scale.width) for _ in range(blocks // 2)]
        assert z3.is_bv(f(a, b, z3.BitVecVal(drawn(rng, f.c.width), f.c.width), **scales))
    # `check` compares each of them with the simulator.
    assert len(f.check(free.model())) == 150


def test_a_wrong_value_is_noticed() -> None:
    f = smt.function("fda:K=1")
    x = smt.register("x", f.a)
    d = f([x], [1.0], 0.0)
    solver = z3.Solver()
    solver.add(x == f.a(1.5))
    assert solver.check() == z3.sat
    (replay,) = f.check(solver.model())
    assert replay.a == [0x3E00] and replay.d == 0x3FC00000
    f._applied[0] = (f._applied[0][0], d + 1)
    with pytest.raises(AssertionError, match="the simulator"):
        f.check(solver.model())


@pytest.mark.parametrize("format, width", [("f16", 16), ("bf16", 16), ("e4m3", 8), ("e5m2", 8), ("e2m1", 4), ("f32", 32), ("s8", 8), ("u8", 8)])
def test_values_of_registers(format: str, width: int) -> None:
    """Every code (of f32, some) holds the number that NumPy and the definition of the format say."""
    of = smt.Register(format, width)
    codes = range(1 << width) if width <= 8 else [0, 1, 0x8000, 0x3C00, 0x3C01, 0x7BFF, 0xFBFF, 0x0400, 0x03FF, 0x7C00, 0xFC00, 0x7E00]
    if width == 32:
        codes = [0, 1 << 31, 0x3F800001, 0x7F7FFFFF, 0x00000001, 0x7F800000, 0x7FC00001]
    for code in codes:
        expected = number(format, code)
        bits = z3.BitVecVal(code, width)
        assert z3.is_true(z3.simplify(of.finite(bits))) == math.isfinite(expected), code
        if math.isfinite(expected):
            value = z3.simplify(z3.fpToIEEEBV(of.value(bits))).as_long()
            assert value == struct.unpack("<Q", struct.pack("<d", expected))[0], code
            real = z3.simplify(of.real(bits))
            assert real.as_fraction() == expected, code


def number(format: str, code: int) -> float:
    """The number of a code, by the definition of its format."""
    if format in ("s8", "u8"):
        return float(code - 256 if format == "s8" and code > 127 else code)
    exponent_bits, fraction_bits = {"f16": (5, 10), "bf16": (8, 7), "e4m3": (4, 3), "e5m2": (5, 2), "e2m1": (2, 1), "f32": (8, 23)}[format]
    sign = -1.0 if code >> (exponent_bits + fraction_bits) else 1.0
    field = code >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = code & ((1 << fraction_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    greatest = (1 << exponent_bits) - 1
    if format == "e4m3" and field == greatest and fraction == 7:
        return math.nan
    if format in ("f16", "bf16", "e5m2", "f32") and field == greatest:
        return sign * math.inf if fraction == 0 else math.nan
    if field == 0:
        return sign * fraction * 2.0 ** (1 - bias - fraction_bits)
    return sign * (1 + fraction / (1 << fraction_bits)) * 2.0 ** (field - bias)


def finite(of: Any, *registers: Any) -> list[Any]:
    return [of.finite(one) for one in registers]


def within(of: Any, least: float, greatest: float, *registers: Any) -> list[Any]:
    """Positive registers of two values and between; a format's positive codes are in the order of its numbers."""
    return [z3.And(z3.ULE(of(least), one), z3.ULE(one, of(greatest))) for one in registers]


def test_claims_that_no_property_says() -> None:
    v100 = smt.function("V100/HMMA.884.F32.F32", "v100")
    one_more = smt.function("V100/HMMA.884.F32.F32:F=24", "onemore")
    f16, f32 = v100.a, v100.c
    x, y, w = (smt.register(name, f16) for name in "xyw")
    c = smt.register("c", f32)
    one = f16(1.0)
    ordinary = within(f16, 0.5, 2.0, x, y, w) + within(f32, 0.5, 2.0, c)

    def verdict(*claims: Any, engine: str = "z3") -> str:
        found = smt.solve(*claims, engine=engine, timeout=120)
        if found.verdict == "sat":
            v100.check(found.model)
            one_more.check(found.model)
        return found.verdict

    # 1. Equal products in another factorisation give equal results: they do not.
    small = within(f16, 2.0**-14, 2.0**-10, x, y, w)
    left, right = ([factors[0], x, y, w] for factors in ((1.5,), (2.25,)))
    assert verdict(*small, v100(left, [1.5, 2.0**-13, 2.0**-13, 2.0**-13]) != v100(right, [1.0, 2.0**-13, 2.0**-13, 2.0**-13])) == "sat"
    # 2. A run of zeros leaves a finite c as it is.
    assert verdict(*finite(f32, c), z3.fpNEQ(f32.value(v100([], [], c)), f32.value(c))) == "unsat"
    # 3. Two runs of one product each are one run of both: they are not, where the first run raises the exponent.
    domain = within(f16, 0.5, 2.0, x) + within(f16, 2.0**-12, 2.0**-10, w) + within(f32, 0.5, 2.0, c)
    two = v100([w], [2.0**-13], v100([x], [one], c))
    assert verdict(*domain, two != v100([x, w], [one, 2.0**-13], c)) == "sat"
    # 4. A model with one more bit is never farther down: truncation of positive terms keeps more of them.
    left, right = v100([x, y], [one, one], c), one_more([x, y], [one, one], c)
    assert verdict(*ordinary, z3.fpGT(f32.value(left), f32.value(right))) == "unsat"
    # 5. There is an x that three runs double at most and four do not: a loop of a program.
    run = c
    for _ in range(3):
        run = v100([x], [one], run)
    third = within(f16, 0.25, 0.5, x)
    assert verdict(*third, c == f32(1.0), z3.fpLEQ(f32.value(run), 2.0), z3.fpGT(f32.value(v100([x], [one], run)), 2.0)) == "sat"
    # 6. Cancellation: x + c - x is c for ordinary operands, in this order: it is not.
    assert verdict(*ordinary, v100([-1.0], [x], v100([x], [one], c)) != c) == "sat"
    # 7. With operands of powers of two it is.
    powers = [z3.Extract(9, 0, x) == 0, z3.Extract(22, 0, c) == 0, *within(f16, 0.5, 2.0, x), *within(f32, 0.5, 2.0, c)]
    assert verdict(*powers, v100([-1.0], [x], v100([x], [one], c)) != c) == "unsat"
    # 8. The sum of the first fused sum never needs more than its bits: a claim about a stage.
    total = v100.stage("1.sum", [x, y], [one, one], c)
    assert verdict(*ordinary, z3.Extract(total.size() - 1, total.size() - 1, total) == 1) == "unsat"
    # 9. One product is commutative on all bits, NaNs and infinities too.
    assert verdict(v100([x], [y], c) != v100([y], [x], c)) == "unsat"


def test_property_5_in_its_own_words() -> None:
    """Property 5 of Valpey et al.: there are inputs for which Markidis' scheme is nearer to the product than Ootomo and Yokota's."""
    pytest.importorskip("bitwuzla")
    unit = "V100/HMMA.884.F32.F32"
    markidis, ootomo = smt.function(f"markidis({unit}):K=1", "markidis"), smt.function(f"ootomo-yokota({unit}):K=1", "ootomo")
    f32, mode = markidis.a, z3.RNE()
    x, y = smt.register("x", f32), smt.register("y", f32)
    actual = z3.fpMul(mode, f32.value(x), f32.value(y))  # a product of two significands of 24 bits is exact
    errors = [z3.fpAbs(z3.fpSub(mode, f32.value(f([x], [y], 0.0)), actual)) for f in (markidis, ootomo)]
    found = smt.solve(*within(f32, 1.0, 2.0, x, y), z3.fpLT(errors[0], errors[1]), engine="bitwuzla")
    assert found.verdict == "sat"
    (left,), (right,) = markidis.check(found.model), ootomo.check(found.model)
    product = number("f32", left.a[0]) * number("f32", left.b[0])
    assert left.a == right.a and abs(number("f32", left.d) - product) < abs(number("f32", right.d) - product)


@pytest.mark.parametrize("engine", ["cvc5", "bitwuzla"])
def test_other_solvers_answer_alike(engine: str) -> None:
    pytest.importorskip(engine)
    f, g = smt.function("fda:K=1,F=23", "f"), smt.function("fda:K=1,F=24", "g")
    x, c = smt.register("x", f.a), smt.register("c", f.c)
    domain = finite(f.a, x) + finite(f.c, c)
    found = smt.solve(*domain, f([x], [1.0], c) != g([x], [1.0], c), engine=engine)
    assert found.verdict == "sat"
    (left,), (right,) = f.check(found.model), g.check(found.model)
    assert left.a == right.a and left.d != right.d
    assert smt.solve(*domain, f([x], [1.0], 0.0) != g([x], [1.0], 0.0), engine=engine).verdict == "unsat"


def test_errors_say_what_was_expected() -> None:
    f = smt.function("fda:K=2")
    with pytest.raises(ValueError, match="at most 2 registers"):
        f([1.0, 1.0, 1.0], [1.0])
    with pytest.raises(ValueError, match="expected 16 bits, found 32"):
        f([z3.BitVec("x", 32)], [1.0])
    with pytest.raises(ValueError, match="no block scales"):
        f([1.0], [1.0], scale_a=[1.0])
    with pytest.raises(ValueError, match="expected one of 1.exponent"):
        f.stage("9.sum", [1.0], [1.0])
    with pytest.raises(ValueError, match="engine: expected z3"):
        smt.solve(z3.BoolVal(True), engine="minisat")
    with pytest.raises(ValueError, match="model"):
        smt.function("fdb")
    with pytest.raises(ValueError, match="name"):
        smt.function("fda", "bvadd")
    assert mmasmt.__version__
