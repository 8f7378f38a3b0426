"""Tolerances of tests, and signed errors, on random operands or on numbers of one's own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ._answers import Bias, Kernel, Tolerance
from ._ask import ask

Numbers = Any
"""Where operands come from: ``"normal"``, ``"1000*uniform"``, ``"positive"``, a file, or an array."""


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
) -> Tolerance:
    """The tolerance that a test of sums of `k` products may have, and which wrong kernels it lets pass.

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
    """
    words = ["tolerance", model]
    for other in wrong:
        words += ["--wrong", other]
    limits = range if range is None else ",".join(map(str, np.atleast_1d(range).tolist()))
    with tempfile.TemporaryDirectory() as folder:
        data = ask(
            *words, k=k, range=limits, atol=atol, rtol=rtol, draw=_factors(draw, folder), draw_c=_source(draw_c, folder, "c"), elements=elements, samples=samples,
            seed=seed, timeout=timeout, out=out,
        )  # fmt: skip
    proved = data["proved"] or {}
    told = {name: (proved.get(name) or {}).get("decimal") for name in ("relative", "absolute", "atol")}
    kernels = tuple(_kernel(one) for one in data["wrong"])
    yours = data["yours"] or {}
    return Tolerance(
        data["name"],
        data["k"],
        **told,
        paste=tuple(data["paste"]),
        right=_kernel(data["right"]),
        wrong=kernels,
        yours_is_proved=yours.get("proved"),
        failing=yours.get("failing"),
        data=data,
    )


def _kernel(found: dict[str, Any]) -> Kernel:
    share: dict[str, Any] = {name: of["share"] if of else None for name, of in found.items() if name != "kernel"}
    return Kernel(found["kernel"], **share, data=found)


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
            *words, lengths=",".join(map(str, lengths)), draw=_factors(draw, folder), draw_c=_source(draw_c, folder, "c"), measure=measure,
            samples=samples, seed=seed, timeout=timeout,
        )  # fmt: skip
    return [_bias(row) for row in data["rows"]]


def _bias(row: dict[str, Any]) -> Bias:
    found = row.get("bias")
    error = found["error"] if found else {}
    limits = error.get("interval")
    return Bias(
        scheme=row["scheme"],
        unit=row["on"],
        products=row["products"],
        model=row.get("model"),
        mean=error.get("mean"),
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
