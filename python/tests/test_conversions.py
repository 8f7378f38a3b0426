"""Conversions against the casts of NumPy and ml_dtypes: all numbers of 16 bits, others at and beside every tie."""

import ml_dtypes
import numpy as np
import pytest

import mmasmt

_TYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e4m3ieee": ml_dtypes.float8_e4m3,
    "e3m4": ml_dtypes.float8_e3m4,
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
}
_OF_LIBRARY = {
    "bf16": "bfloat16",
    "e4m3": "float8_e4m3fn",
    "e4m3ieee": "float8_e4m3",
    "e3m4": "float8_e3m4",
    "e5m2": "float8_e5m2",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e2m1": "float4_e2m1fn",
    "e2m3": "float6_e2m3fn",
    "e3m2": "float6_e3m2fn",
}
_NAMES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def _numbers(source: str, result: str) -> np.ndarray:
    """Every number of 16 bits; of more bits those of the result, the middles between them, and their neighbours."""
    kind = np.dtype(_TYPES[source])
    if kind.itemsize == 2:
        return np.arange(1 << 16, dtype=np.uint16).view(kind)
    codes = 1 << {"e2m1": 4, "e2m3": 6, "e3m2": 6, "bf16": 16, "f16": 16}.get(result, 8)
    width = np.uint16 if codes > 256 else np.uint8
    every = np.arange(codes, dtype=width).view(_TYPES[result]).astype(np.float64)
    every = np.sort(every[np.isfinite(every)])
    middles = (every[1:] + every[:-1]) / 2
    beyond = every[-1] + (every[-1] - every[-2]) * np.array([0.5, 0.75, 1, 2])
    numbers = np.concatenate([every, middles, beyond, -beyond]).astype(kind)
    drawn = np.random.default_rng(0).integers(0, 1 << 63, 20_000, dtype=np.uint64).view(np.float64)
    with np.errstate(all="ignore"):
        further = np.concatenate([drawn.astype(kind), np.array([np.inf, -np.inf, np.nan, -np.nan], kind)])
    return np.concatenate([numbers, np.nextafter(numbers, np.array(np.inf, kind)), np.nextafter(numbers, np.array(-np.inf, kind)), further])


@pytest.mark.parametrize("result", _OF_LIBRARY)
def test_ml_dtypes(result: str) -> None:
    for source, name in _NAMES.items():
        if source == result:
            continue
        numbers = _numbers(source, result)
        with np.errstate(all="ignore"):
            expected = numbers.astype(_TYPES[result])
        found = mmasmt.convert(numbers, model=f"ml_dtypes/{_OF_LIBRARY[result]}.{name}")
        bits = np.uint16 if expected.dtype.itemsize == 2 else np.uint8
        wrong = np.flatnonzero(expected.view(bits) != found.view(bits))
        assert not len(wrong), f"{source} -> {result}: {numbers[wrong[0]]!r} is {expected[wrong[0]]!r}, not {found[wrong[0]]!r}"


def test_double_rounding_is_found() -> None:
    found = mmasmt.distinguish("f64 -> f32 -> bf16", "f64 -> bf16")
    assert found.witness is not None and found.witness.b is None
    twice, once = (mmasmt.convert(**found.witness.operands, model=model) for model in ("f64 -> f32 -> bf16", "f64 -> bf16"))
    assert float(twice[0] if twice.ndim else twice) != float(once[0] if once.ndim else once)


def test_a_cast_is_identified() -> None:
    def cast(a: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return a.astype(ml_dtypes.float8_e5m2)

    found = mmasmt.identify(cast, ["f32 -> e5m2 by rz nan signed", "f32 -> e5m2 nan signed", "f32 -> e5m2 overflow saturate nan signed"])
    assert found.matches == ("f32 -> e5m2 nan signed",)


def test_every_number_is_tried() -> None:
    found = mmasmt.distinguish("f16 -> f32 -> e4m3", "f16 -> e4m3")
    assert found.verdict == "equal" and "63488 inputs" in str(found.data)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mmasmt.convert([1.0], model="fda"), "expected a conversion"),
        (lambda: mmasmt.dot([1.0], [1.0], model="f32 -> bf16"), "`convert` takes it"),
        (lambda: mmasmt.convert([1.0], [1.0], model="f32 -> bf16"), "expected none"),
        (lambda: mmasmt.convert([1.0], model="f32 -> bf17"), "did you mean `bf16`"),
    ],
)
def test_wrong_models_are_refused(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
