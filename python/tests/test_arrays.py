"""Arrays of every type, and what is said of those that are none."""

import importlib.util
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mmasmt
import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")

EIGHT_BITS = {
    "e4m3": "float8_e4m3fn",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2": "float8_e5m2",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e4m3ieee": "float8_e4m3",
    "e3m4": "float8_e3m4",
}


@pytest.mark.parametrize("format", EIGHT_BITS)
def test_all_codes_of_eight_bits_have_the_values_of_ml_dtypes(format: str) -> None:
    codes = np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, EIGHT_BITS[format]))
    values = codes.astype(np.float32)
    ones = np.ones_like(codes)
    products = mmasmt.dot(codes[:, None], ones[:, None], model=f"exact:K=1,in={format},out=f32")
    assert np.array_equal(products, values, equal_nan=True)
    # From numbers, and from bits.
    finite = np.isfinite(values)
    again = mmasmt.dot(values[finite][:, None], ones[finite][:, None], model=f"exact:K=1,in={format},out=f32")
    assert np.array_equal(again, values[finite])
    bits = mmasmt.dot(codes.view(np.uint8)[:, None], ones[:, None], model=f"exact:K=1,in={format},out=f32")
    assert np.array_equal(bits, values, equal_nan=True)


def test_conversions_of_a_million_numbers_are_those_of_numpy_and_ml_dtypes() -> None:
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 1 << 32, 1_000_000, dtype=np.uint32).view(np.float32)
    one = np.ones((len(numbers), 1), np.float32)
    with np.errstate(all="ignore"):
        for name, to in [("f16", np.dtype(np.float16)), ("bf16", np.dtype(ml_dtypes.bfloat16))]:
            ours = mmasmt.dot(numbers[:, None], one, -np.zeros(len(numbers), to), model=f"exact:K=1,in=f32,c={name},out={name}")
            theirs = numbers.astype(to)
            nan = np.isnan(theirs.astype(np.float32))
            assert np.array_equal(ours.view(np.uint16)[~nan], theirs.view(np.uint16)[~nan])
            assert np.array_equal(np.isnan(ours.astype(np.float32)), nan)


def test_shapes_are_those_of_numpy() -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(-4, 5, (3, 1, 5, 32)).astype(np.float16)
    b = rng.integers(-4, 5, (2, 32, 7)).astype(np.float16)
    c = rng.integers(-4, 5, (5, 7)).astype(np.float32)
    d = mmasmt.matmul(a, b, c, model="H100/HMMA.16816.F32")
    assert d.dtype == np.float32
    assert np.array_equal(d, a.astype(np.float32) @ b.astype(np.float32) + c)
    assert np.array_equal(mmasmt.gemm(a, b, c, model="H100/HMMA.16816.F32", threads=1), d)
    strided = np.swapaxes(np.ascontiguousarray(np.swapaxes(a, -1, -2)), -1, -2)
    assert np.array_equal(mmasmt.matmul(strided, b, c, model="H100/HMMA.16816.F32"), d)


def test_matmul_is_a_chain_of_dots() -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 1 << 16, (4, 20), dtype=np.uint16)
    b = rng.integers(0, 1 << 16, (20, 5), dtype=np.uint16)
    model = "V100/HMMA.884.F32.F32"
    d = mmasmt.matmul(a, b, model=model)
    for row in range(4):
        for column in range(5):
            c = np.float32(0)
            for k in range(0, 20, 4):
                c = mmasmt.dot(a[row, k : k + 4], b[k : k + 4, column], c, model=model)
            assert c.view(np.uint32) == d[row, column].view(np.uint32)


def test_block_scales() -> None:
    model = "B200/tcgen05.mma.block_scale.mMnNk64.block16.f32.e2m1.e2m1.ue4m3"
    a = np.full((2, 64), 1.0).astype(ml_dtypes.float4_e2m1fn)
    scale = np.full((2, 4), 0x40, np.uint8)  # 2 in ue4m3
    one = np.full((4, 2), 0x38, np.uint8)
    d = mmasmt.mma(a, a.T, model=model, scale_a=scale, scale_b=one)
    assert np.array_equal(d, np.full((2, 2), 128, np.float32))
    with pytest.raises(ValueError, match="scale_b: expected block scales"):
        mmasmt.mma(a, a.T, model=model, scale_a=scale)


def test_integers_are_values() -> None:
    rows = [row for row in mmasmt.models() if row.instruction.startswith("mma.m16n8k32.s32.s8.s8")]
    model = rows[0].name
    a = np.arange(-64, 64, dtype=np.int8).reshape(4, 32)
    d = mmasmt.matmul(a, a.T, model=model)
    assert np.array_equal(d, a.astype(np.int32) @ a.T.astype(np.int32))


def test_exact_sums_are_fractions() -> None:
    a = [0.1, 2.0**-24, 0, 0]
    a = np.array(a, np.float16)
    sums = mmasmt.exact(np.stack([a, a]), np.stack([a, a]), [1, np.inf], model="fda:F=24")
    assert sums[0] == sum(Fraction(float(x)) ** 2 for x in a) + 1
    assert sums[1] is None


def test_exact_sums_are_those_of_what_is_computed() -> None:
    assert mmasmt.exact([1, 1], [1, 1], 1, model="epilogue(fda:K=2,F=24):alpha=0.5,beta=3") == 4
    assert mmasmt.exact([-1, 0], [1, 1], model="epilogue(fda:K=2,F=24):activation=relu") == 0
    with pytest.raises(ValueError, match="multiplies nothing"):
        mmasmt.exact([1], [1], model="wormhole/elwadd.bf16.bf16")



@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"a": np.zeros((2, 3), np.float16)}, ValueError, "a: expected K = 4"),
        ({"a": np.zeros((2, 4), np.complex64)}, TypeError, "a: expected an array of float16 (f16) or its bits as uint16"),
        ({"a": np.full((2, 4), 0.1)}, ValueError, "a: expected values that float16 (f16) has, found 0.1 at (0, 0)"),
        ({"b": np.zeros((5, 2), np.float16)}, ValueError, "expected"),
        ({"c": np.zeros((3, 3), np.float32)}, ValueError, "C"),
        ({"model": "fdb"}, ValueError, "model: unknown algorithm `fdb`"),
        ({"threads": -1}, ValueError, "threads: expected 0 to 4096"),
        ({"threads": "2"}, TypeError, "threads: expected an integer, found str"),
        ({"scale_a": np.zeros((2, 1))}, ValueError, "scale_a: expected none"),
        ({"a": "text"}, ValueError, "a: expected K = 4"),
        ({"a": None}, (TypeError, ValueError), "a: expected"),
    ],
)
def test_errors_name_the_argument(arguments: dict, error: type, text: str) -> None:
    given = {"a": np.zeros((2, 4), np.float16), "b": np.zeros((4, 2), np.float16), "model": "fda:F=24", **arguments}
    with pytest.raises(error) as found:
        mmasmt.mma(**given)
    assert text in str(found.value)


@pytest.mark.parametrize(
    "question",
    [
        "mmasmt.compare(['_'], on=['H100/HMMA.16816.F32'], lengths=[4096], exponents='-4..4', samples=10**8)",
        "mmasmt.prove('sign-symmetric', 'fdrda:K=8', assume='finite, c = 0')",
    ],
)
def test_ctrl_c_ends_a_question(question: str) -> None:
    # Background jobs of a shell script start with SIGINT ignored.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += f"import mmasmt, sys; print('ready', flush=True)\ntry:\n    {question}\nexcept KeyboardInterrupt:\n    sys.exit(7)\n"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None and program.stdout.readline() == "ready\n"
        threading.Timer(1.0, program.send_signal, [signal.SIGINT]).start()
        try:
            assert program.wait(timeout=60) == 7
        finally:
            program.kill()


def test_an_array_that_only_has_dlpack() -> None:
    class Other:
        """An array of a library that NumPy does not know."""

        def __init__(self, own: np.ndarray) -> None:
            self.own = own

        def __dlpack__(self, **options: object) -> object:
            return self.own.__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.own.__dlpack_device__()

    a = np.eye(16, dtype=np.float16) * 3
    d = mmasmt.matmul(Other(a), Other(a), model="H100/HMMA.16816.F32")
    assert isinstance(d, np.ndarray) and np.array_equal(d, np.eye(16) * 9)


def test_gemm_is_what_its_composition_is() -> None:
    rng = np.random.default_rng(5)
    unit = "fda:K=8,F=13,frac=13"
    a, b = rng.standard_normal((3, 72)).astype(np.float16), rng.standard_normal((72, 2)).astype(np.float16)
    c = rng.standard_normal((3, 2)).astype(np.float32)
    plain = mmasmt.matmul(a, b, c, model=unit)
    assert np.array_equal(mmasmt.gemm(a, b, c, model=unit), plain)
    for promote in (1, 2, 3, 4):  # 4 does not divide the 9 instructions.
        found = mmasmt.gemm(a, b, c, model=unit, promote=promote)
        assert np.array_equal(found, mmasmt.matmul(a, b, c, model=f"promote({unit}):every={promote},K=72"))
        assert not np.array_equal(found, plain)
    # By hand: each instruction alone, added outside in f32.
    by_hand = c
    for k in range(0, 72, 8):
        by_hand = by_hand + mmasmt.matmul(a[:, k : k + 8], b[k : k + 8], model=unit)
    assert np.array_equal(mmasmt.gemm(a, b, c, model=unit, promote=1), by_hand)
    halves = [mmasmt.matmul(a[:, k : k + 36], b[k : k + 36], model=unit) for k in (0, 36)]
    assert np.array_equal(mmasmt.gemm(a, b, c, model=unit, split_k=2), halves[0] + halves[1] + c)
    wide = rng.standard_normal((3, 16)).astype(np.float32)
    scheme = mmasmt.gemm(wide, wide.T, model="A100/HMMA.1688.F32.TF32", scheme="3xtf32")
    assert np.allclose(scheme, wide.astype(float) @ wide.T, rtol=1e-5, atol=1e-6)


def test_threads_change_no_bit() -> None:
    bits = np.random.default_rng(6).integers(0, 1 << 16, (2, 70_000, 4), dtype=np.uint16)
    found = [mmasmt.dot(bits[0], bits[1], model="fda:F=24", threads=threads).view(np.uint32) for threads in (0, 1, 3)]
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_other_threads_run_meanwhile() -> None:
    bits = np.random.default_rng(7).integers(0, 1 << 16, (2, 200_000, 16), dtype=np.uint16)
    steps = 0

    def work() -> None:
        mmasmt.dot(bits[0], bits[1], model="H100/HMMA.16816.F32", threads=1)
        mmasmt.worst("fda:K=8", timeout=1)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(work)
        while not done.done():
            time.sleep(0.001)
            steps += 1
        done.result()
    assert steps > 10


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_a_tensor_gives_a_tensor() -> None:
    import torch

    for dtype, model in [(torch.float16, "H100/HMMA.16816.F32"), (torch.bfloat16, "H100/HMMA.16816.F32.BF16")]:
        a = torch.eye(16, dtype=dtype) * 3
        d = mmasmt.mma(a, a, model=model)
        assert isinstance(d, torch.Tensor) and d.dtype == torch.float32
        assert torch.equal(d, torch.eye(16) * 9)


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed")
def test_an_array_of_jax() -> None:
    import jax.numpy as jnp

    a = jnp.eye(16, dtype=jnp.bfloat16)
    assert np.array_equal(mmasmt.mma(a, a, model="H100/HMMA.16816.F32.BF16"), np.eye(16, dtype=np.float32))
