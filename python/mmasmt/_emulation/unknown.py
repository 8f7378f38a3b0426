"""What becomes of a product whose plan nobody recorded: an error, a warning for the first one, or nothing."""

from __future__ import annotations

import warnings
from typing import Literal

from .errors import Refused, Unknown
from .plan import Plan
from .plans import Shape

OnUnknown = Literal["warn", "error", "ignore"]
WAYS = ("warn", "error", "ignore")


class Assumptions:
    """Judges plans whose status is ``assumed``, for one run of an emulation.

    Raises
    ------
    ValueError
        If `on_unknown` is none of ``warn``, ``error`` and ``ignore``.
    """

    def __init__(self, machine: str, on_unknown: OnUnknown) -> None:
        if on_unknown not in WAYS:
            raise ValueError(f"unknown: expected one of {', '.join(WAYS)}, found {on_unknown!r}")
        self._machine, self._on_unknown, self._said = machine, on_unknown, False

    def check(self, plan: Plan, shape: Shape, place: str, stacklevel: int) -> None:
        """Warns or raises where the plan is assumed; `place` goes behind the shape, such as `` in encoder``.

        Raises
        ------
        Refused
            If a plan is assumed that may not be.
        """
        if plan.verified != "assumed" or self._on_unknown == "ignore" or self._said:
            return
        order = plan.order_text().replace("one chain", "one chain along k")
        text = f"{self._machine}: no plan is recorded for {shape}{place}, {order} is assumed"
        if self._on_unknown == "error":
            raise Refused(f"{text}: pass plans=, or unknown='warn'")
        self._said = True
        warnings.warn(f"{text}; the report has all others", Unknown, stacklevel=stacklevel + 1)
