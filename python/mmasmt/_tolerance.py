"""Tolerances of tests, and signed errors, on random operands or on numbers of one's own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _schema as schema
from ._ask import ask
from ._tolerance_answers import Bias, Kernel, MatrixTolerance, Tolerance

Numbers = Any
"""Where operands come from: ``"normal"``, ``"1000*uniform"``, ``"positive"``, a file, or an array."""


@overload
def tolerance(
    model: str,
    *,
    k: int,
    range: float | tuple[float, float] | None = None,
    atol: float | None = None,
    rtol: float | None = None,
    draw: Numbers | tuple[Numbers, Numbers] = "normal",
    draw_c: Numbers = "0",
    wrong: Iterable[str] = (),
    elements: int = 4096,
    samples: int = 1000,
    seed: int = 0,
    timeout: float | None = None,
    out: str | Path | None = None,
) -> Tolerance: ...


@overload
def tolerance(
    model: str,
    *,
    a: Any,
    b: Any,
    c: Any = None,
    d: Any = None,
    scale_a: Any = None,
    scale_b: Any = None,
    atol: float | None = None,
    rtol: float | None = None,
    timeout: float | None = None,
) -> MatrixTolerance: ...


def tolerance(model: str, **given: Any) -> Tolerance | MatrixTolerance:
    """The tolerance that a test of sums of `k` products may have, and which wrong kernels it lets pass; or, of matrices `a` and `b`, the
    bound of each element of their product, and which elements of a result `d` are outside of it.

    Parameters
    ----------
    model : str
        A unit, composition or scheme.
    k : int
        The number of products of a sum.
    range : float or pair of float, optional
        The greatest magnitude of factors, and of `c` where it is not 0: for `atol`.
    atol, rtol : float, optional
        The tolerance of a test of one's own, ``|d - exact| <= atol + rtol |exact|``: `yours` of each kernel is the share of its results that
        fail the test, ``yours_is_proved`` says whether the right kernel never does, and `failing` has operands for which it does.
    draw : str, array or pair of these
        Random factors, or those of `a` and those of `b`: ``"normal"``, ``"uniform"``, ``"positive"``, each also as ``"1000*normal"``, or any
        elements of an array or of a file FILE.npy.
    draw_c : str or array
        The same for `c`.
    wrong : iterable of str
        Models that count as wrong kernels.
    elements : int
        How many elements a test compares.
    out : path, optional
        A file FILE.npz for the random operands and the results of the model.
    a, b, c : array
        Matrices of one's own in place of `k`: M x K, K x N and M x N, of numbers that the formats of the model have, or of their registers. The
        bound is that of the exponents that these matrices have.
    d : array, optional
        The result of a kernel for them, M x N.
    scale_a, scale_b : array, optional
        Block scales, as for `matmul`.

    Examples
    --------
    >>> import mmasmt
    >>> found = mmasmt.tolerance("H100/HMMA.16816.F32", k=64, range=2, samples=100)
    >>> found.relative < 1e-5 and found.atol < 1e-3
    True
    >>> [kernel.name for kernel in found.wrong if not kernel.proved]
    ['F = 24', 'F = 23', 'F = 21']
    >>> found = mmasmt.tolerance("H100/HMMA.16816.F32", k=64, range=2, samples=100, atol=1e-2)
    >>> found.yours_is_proved, found.right.yours, [kernel.name for kernel in found.wrong if kernel.yours]
    (True, 0.0, ['sum stored in bf16 after each 16 products', 'last 16 products lost', 'last product lost'])
    >>> import numpy as np
    >>> a, b = np.full((2, 64), 0.1, np.float16), np.full((64, 3), 3, np.float16)
    >>> d = np.array(mmasmt.matmul(a, b, model="H100/HMMA.16816.F32"))
    >>> d[1, 2] += 0.25
    >>> found = mmasmt.tolerance("H100/HMMA.16816.F32", a=a, b=b, d=d)
    >>> found.bound.shape, bool(found.bound.max() < 1e-3), found.outside, found.other_bits
    ((2, 3), True, [(1, 2)], [(1, 2)])
    """
    return _of_matrices(model, **given) if "a" in given or "b" in given else _of_draws(model, **given)


def _of_matrices(
    model: str,
    *,
    a: Any,
    b: Any,
    c: Any = None,
    d: Any = None,
    scale_a: Any = None,
    scale_b: Any = None,
    atol: float | None = None,
    rtol: float | None = None,
    timeout: float | None = None,
) -> MatrixTolerance:
    with tempfile.TemporaryDirectory() as folder:
        given = {"a": a, "b": b, "c": c, "d": d, "scale_a": scale_a, "scale_b": scale_b}
        files = {name: _file(of, folder, name) for name, of in given.items() if of is not None}
        matrices = ",".join(files[name] for name in "abc" if name in files)
        out = Path(folder) / "elements.npz"
        data = ask(
            schema.ToleranceMatrices, "tolerance", model, matrices=matrices, result=files.get("d"), scale_a=files.get("scale_a"), scale_b=files.get("scale_b"),
            atol=atol, rtol=rtol, timeout=timeout, out=out,
        )  # fmt: skip
        with np.load(out) as arrays:
            exact, bound, right = (arrays[name] for name in ("exact", "bound", "d"))
    result, yours = data["result"], data["yours"]
    return MatrixTolerance(
        data["name"],
        data["k"],
        exact=exact,
        bound=bound,
        right=right,
        covered=yours["covered"] if yours else None,
        right_outside_yours=_places(yours["outside"]) if yours else None,
        outside=_places(result["proved"]) if result else None,
        outside_yours=_places(result["yours"]) if result and result["yours"] else None,
        other_bits=_places(result["bits"]) if result else None,
        data=data,
    )


def _places(of: schema.OutsidePlaces) -> list[tuple[int, int]]:
    return [(row, column) for row, column in of["places"]]


def _file(given: Any, folder: str, name: str) -> str:
    """A matrix as a file."""
    path = Path(folder) / f"{name}.npy"
    np.save(path, np.asarray(given))
    return str(path)


def _of_draws(
    model: str,
    *,
    k: int,
    range: float | tuple[float, float] | None = None,
    atol: float | None = None,
    rtol: float | None = None,
    draw: Numbers | tuple[Numbers, Numbers] = "normal",
    draw_c: Numbers = "0",
    wrong: Iterable[str] = (),
    elements: int = 4096,
    samples: int = 1000,
    seed: int = 0,
    timeout: float | None = None,
    out: str | Path | None = None,
) -> Tolerance:
    words = ["tolerance", model]
    for other in wrong:
        words += ["--wrong", other]
    limits = range if range is None else ",".join(map(str, np.atleast_1d(range).tolist()))
    with tempfile.TemporaryDirectory() as folder:
        data = ask(
            schema.Tolerance, *words, k=k, range=limits, atol=atol, rtol=rtol, draw=_factors(draw, folder), draw_c=_source(draw_c, folder, "c"), elements=elements, samples=samples,
            seed=seed, timeout=timeout, out=out,
        )  # fmt: skip
    proved, yours = data["proved"], data["yours"]
    return Tolerance(
        data["name"],
        data["k"],
        relative=proved["relative"]["decimal"] if proved else None,
        absolute=proved["absolute"]["decimal"] if proved else None,
        atol=proved["atol"]["decimal"] if proved and proved["atol"] else None,
        paste=tuple(data["paste"]),
        right=_kernel(data["right"]),
        wrong=tuple(_kernel(one) for one in data["wrong"]),
        yours_is_proved=yours["proved"] if yours else None,
        failing=yours["failing"] if yours else None,
        data=data,
    )


def _kernel(found: schema.KernelRow) -> Kernel:
    return Kernel(
        found["kernel"],
        proved=_share(found["proved"]),
        atol=_share(found["atol"]),
        yours=_share(found["yours"]),
        largest_random=found["largest_random"]["share"],
        bits=found["bits"]["share"],
        data=found,
    )


def _share(of: schema.OutsideShare | None) -> float | None:
    return of["share"] if of else None


def bias(
    schemes: Iterable[str],
    *,
    on: Iterable[str] = (),
    lengths: Iterable[int] = (16, 1024),
    draw: Numbers | tuple[Numbers, Numbers] = "normal",
    draw_c: Numbers = "0",
    measure: str | None = None,
    samples: int = 10_000,
    seed: int = 0,
    timeout: float | None = None,
) -> list[Bias]:
    """Signed errors of schemes on units: whether results are too low or too high on average.

    `draw` and `draw_c` are as for `tolerance`, the others as for `compare`.

    Examples
    --------
    >>> import mmasmt
    >>> cdna3 = "MI300X/v_mfma_f32_32x32x8_f16"
    >>> [row] = mmasmt.bias([cdna3], lengths=[8], draw="1000*normal", draw_c="normal", measure="abs", samples=2000)
    >>> row.interval[1] < 0 and row.too_low > row.too_high
    True
    """
    words = ["compare", *schemes, "--bias"]
    for unit in on:
        words += ["--on", unit]
    with tempfile.TemporaryDirectory() as folder:
        data = ask(
            schema.CompareBias, *words, lengths=",".join(map(str, lengths)), draw=_factors(draw, folder), draw_c=_source(draw_c, folder, "c"), measure=measure,
            samples=samples, seed=seed, timeout=timeout,
        )  # fmt: skip
    return [_bias(row) for row in data["rows"]]


def _bias(row: schema.BiasRow) -> Bias:
    found = row.get("bias")
    limits = found["error"]["interval"] if found else None
    return Bias(
        scheme=row["scheme"],
        unit=row["on"],
        products=row["products"],
        model=row.get("model"),
        mean=found["error"]["mean"] if found else None,
        interval=(limits[0], limits[1]) if limits else None,
        toward_zero=found["toward_zero"]["mean"] if found else None,
        too_low=found["too_low"] if found else None,
        exact=found["exact"] if found else None,
        too_high=found["too_high"] if found else None,
        why_not=row.get("why_not"),
        data=row,
    )


def _factors(given: Numbers | tuple[Numbers, Numbers], folder: str) -> str:
    """The value of ``--draw``."""
    if isinstance(given, tuple):
        return ",".join(_source(one, folder, name) for one, name in zip(given, "ab", strict=True))
    return _source(given, folder, "both")


def _source(given: Numbers, folder: str, name: str) -> str:
    """One of the sources of ``--draw``; an array becomes a file."""
    if isinstance(given, (str, Path)):
        return str(given)
    path = Path(folder) / f"{name}.npy"
    np.save(path, np.asarray(given, np.float64).reshape(1, -1))
    return str(path)
