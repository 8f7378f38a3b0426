"""Answers about tolerances and biases: what a test may allow, and what is outside of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from . import _schema as schema


@dataclass(frozen=True, eq=False)
class Kernel:
    """Which share of a kernel's results is outside of each tolerance, on random operands; None where there is no such tolerance.

    `yours` is the tolerance of a test of one's own, `largest_random` that of the largest error of the right kernel on these operands, `bits`
    that of the right kernel's bits.
    """

    name: str
    proved: float | None
    atol: float | None
    yours: float | None
    largest_random: float
    bits: float
    data: schema.KernelRow = field(repr=False)


@dataclass(frozen=True, eq=False)
class Tolerance:
    """The tolerance that a test of a product may have.

    The error is proved to be at most ``relative * S + absolute``, where S is the sum of the magnitudes of `c` and all products; within a
    range of operands at most `atol`. All are rounded up, and None where nothing is proved. `paste` has lines for a test; `wrong` has wrong
    kernels, `right` is the right one. `yours_is_proved` says whether it is proved that the right kernel never fails a test of one's own, and
    `failing` has operands for which it does; both are None without such a test.
    """

    model: str
    products: int
    relative: float | None
    absolute: float | None
    atol: float | None
    paste: tuple[str, ...]
    right: Kernel
    wrong: tuple[Kernel, ...]
    yours_is_proved: bool | None
    failing: str | None
    data: schema.Tolerance = field(repr=False)


@dataclass(frozen=True, eq=False)
class MatrixTolerance:
    """What is proved of the product of two matrices, and what is outside of it.

    `exact` has the exact elements, rounded to float64; `bound` the greatest error of each that is proved, rounded up, and infinity where
    nothing is; `right` the model's results. `covered` is the number of elements whose bound is within a tolerance of one's own, and
    `right_outside_yours` has the places (row, column) where the model's results are not; both are None without such a tolerance. Of a result
    of one's own, `outside` has the places where it is outside of `bound`, which no kernel with the steps of the model is, `outside_yours`
    those outside of one's own tolerance, and `other_bits` those with other bits than `right`: the first thousand of each.
    """

    model: str
    products: int
    exact: np.ndarray
    bound: np.ndarray
    right: np.ndarray
    covered: int | None
    right_outside_yours: list[tuple[int, int]] | None
    outside: list[tuple[int, int]] | None
    outside_yours: list[tuple[int, int]] | None
    other_bits: list[tuple[int, int]] | None
    data: schema.ToleranceMatrices = field(repr=False)


@dataclass(frozen=True, eq=False)
class Bias:
    """Signed errors of one scheme on one unit: their mean with the limits of 95 % confidence, and how many results are too low, exact and
    too high. `why_not` says why there is no row.
    """

    scheme: str
    unit: str
    products: int
    model: str | None
    mean: float | None
    interval: tuple[float, float] | None
    toward_zero: float | None
    too_low: int | None
    exact: int | None
    too_high: int | None
    why_not: str | None
    data: schema.BiasRow = field(repr=False)
