"""Calls with wrong shapes, types, names and values: an exception of Python or a result, never the end of the process; memory is flat.

MMASMT_CALLS says how many calls, 5000 if it is not set.
"""

from __future__ import annotations

import collections
import os
from collections.abc import Callable
from typing import Any

import mmasmt
import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")

CALLS = int(os.environ.get("MMASMT_CALLS", "5000"))
SCALED = "B200/tcgen05.mma.block_scale.mMnNk64.block16.f32.e2m1.e2m1.ue4m3"
MODELS = [
    "fda:F=24", "H100/HMMA.16816.F32", "gdfs:F=35", "int:K=4", "exact:K=1,in=e4m3", "ieee:K=2,in=f32", "sfma:K=4", "fda:K=4,in=bf16",
    SCALED, "promote(fda:K=4):every=2,K=8", "splitk(fda:K=4):S=2,K=8", "nonsense", "", "fda:K=0", "fda:K=", "fda:F=-1", "fda:K=99999999999",
    "H100/none", "promote(", "fda:F=24\0", "\N{SNOWMAN}", "a" * 10_000, None, 7, b"fda", ["fda"],
]  # fmt: skip
TYPES = [
    np.float16, np.float32, np.float64, np.longdouble, np.uint8, np.int8, np.uint16, np.uint32, np.int64, np.uint64, np.complex64, np.bool_,
    object, "U3", "M8[s]", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float4_e2m1fn, ml_dtypes.int4,
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 4, 10**6, -(10**6), 2**40, 2**70, 0.5, float("nan"), float("inf"), 1 << 10_000, None, "", "4", b"4", [], {}, object()]


class Draw:
    """Arguments, most of them wrong in one way."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def one_of(self, choices: list[Any]) -> Any:
        return choices[int(self.rng.integers(0, len(choices)))]

    def shape(self) -> tuple[int, ...]:
        some = tuple(int(n) for n in self.rng.integers(0, 5, self.rng.integers(0, 5)))
        return self.one_of([(4, 4), (4, 4), (4,), (1, 1), (2, 16), (16, 2), (0, 4), (4, 0), (2, 64), (64, 2), (2, 4), some])

    def array(self) -> Any:
        choice = int(self.rng.integers(0, 40))
        if choice < 8:
            return [None, "text", 1.5, object(), {}, {"a": 1}, [[1, 2], [3]], float("nan")][choice]
        values = self.rng.integers(-3, 300, self.shape())
        if choice < 12:
            return values.tolist()
        try:
            found = values.astype(self.one_of(TYPES))
        except (TypeError, ValueError):
            return values
        # Not in the order of memory, repeated, read-only, of the other byte order.
        if choice == 12:
            return found.T
        if choice == 13:
            return np.broadcast_to(found, (2, *found.shape))
        if choice == 14 and found.ndim:
            return found[..., ::-1]
        if choice == 15 and found.dtype.isbuiltin == 1:
            return found.astype(found.dtype.newbyteorder())
        return found

    def model(self) -> Any:
        return self.one_of(MODELS[:11]) if self.rng.integers(0, 3) else self.one_of(MODELS)

    def product(self) -> Callable[[], object]:
        call = self.one_of([mmasmt.mma, mmasmt.matmul, mmasmt.gemm, mmasmt.dot, mmasmt.exact])
        given: dict[str, Any] = {"model": self.model()}
        if self.rng.integers(0, 2):
            given["c"] = self.array()
        if not self.rng.integers(0, 4):
            given |= {"scale_a": self.array(), "scale_b": self.array()}
        if not self.rng.integers(0, 8):
            given[self.one_of(["threads", "nothing", "scale_a", "promote", "split_k", "scheme"])] = self.one_of(NUMBERS)
        a, b = self.array(), self.array()
        if self.rng.integers(0, 2):
            # Shapes that fit, so that the calls get further.
            k = self.one_of([1, 2, 4, 8, 16, 64])
            flat = call in (mmasmt.dot, mmasmt.exact)
            a, b = (self.rng.integers(0, 2, shape).astype(np.float32) for shape in ((3, k), (3, k) if flat else (k, 3)))
        return lambda: call(a, b, **given)

    def question(self) -> Callable[[], object]:
        # What would begin a search that ends is left out here: the questions are wrong.
        name, other, number, array = self.model(), self.one_of(MODELS[11:]), self.one_of(NUMBERS), self.array()
        return self.one_of([
            lambda: mmasmt.signature(name),
            lambda: mmasmt.distinguish(name, other),
            lambda: mmasmt.distinguish(other, name, timeout=number),
            lambda: mmasmt.prove(other, name),
            lambda: mmasmt.prove("faithful", other, assume=number),
            lambda: mmasmt.least("F", other, name),
            lambda: mmasmt.least(other, "faithful", "fda:F=24"),
            lambda: mmasmt.worst(other),
            lambda: mmasmt.compare([other], on=[name], samples=2),
            lambda: mmasmt.bias([other], on=[name], draw=array, samples=2),
            lambda: mmasmt.tolerance(other, k=number, samples=2),
            lambda: mmasmt.vectors(other, count=3),
            lambda: mmasmt.vectors("fda:F=24", count=3, kind=other),
            lambda: mmasmt.vectors("fda:F=24", count=number if number not in (10**6, 2**40) else 1),
            lambda: mmasmt.explain(array, array, model=name),
            lambda: mmasmt.identify(lambda **_: array, ["fda:F=24"], count=4),
            lambda: mmasmt.composition("fda", 8, promote=number),
            lambda: mmasmt.model(other),
        ])  # fmt: skip


def test_random_calls_end_with_an_exception_or_a_result() -> None:
    draw = Draw(4)
    ended: collections.Counter[str] = collections.Counter()
    with np.errstate(all="ignore"):
        for number in range(CALLS):
            call = draw.product() if number % 20 else draw.question()
            try:
                call()
                ended["a result"] += 1
            # Whatever else there is would be a mistake of the package: a panic is no Exception at all.
            except (ValueError, TypeError, OverflowError) as error:
                ended[type(error).__name__] += 1
                assert str(error).strip(), "an error without a text"
    print(dict(ended))
    assert ended["a result"] > CALLS // 100
    assert ended["ValueError"] > CALLS // 100 and ended["TypeError"] > CALLS // 100


def test_memory_is_flat() -> None:
    resource = pytest.importorskip("resource")
    a, b = np.ones((8, 16), np.float16), np.ones((16, 8), np.float16)

    def most(count: int) -> int:
        for _ in range(count):
            mmasmt.matmul(a, b, model="H100/HMMA.16816.F32", threads=1)
            mmasmt.dot(a, a, model="H100/HMMA.16816.F32")
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = most(200)
    after = most(max(CALLS // 10, 1000))
    print(f"{before} KiB, then {after} KiB")
    assert after < before + 20_000
