"""The description of a machine from its answers alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from . import _schema as schema
from ._answers import Learned, vector
from ._arrays import Kind, Registers, array, registers


def learn(
    machine: Callable[..., Any],
    operands: str,
    *,
    questions: int = 20_000,
    confirm: int = 100_000,
    finite: bool = False,
    seed: int = 0,
    timeout: float | None = None,
) -> Learned:
    """The description of a machine, found by questions, without candidates.

    Parameters
    ----------
    machine : callable
        Called with `a`, `b` and `c` of shapes (count, K), (count, K) and (count,); its result is `d` of shape (count,).
    operands : str
        The formats and the number of products, such as ``"16 products f16 x f16, c f32, result f32"``.
    questions : int
        The most inputs from which the description is learnt.
    confirm : int
        The number of further inputs of all kinds that must confirm it.
    finite : bool
        Ask no infinities and NaNs.
    timeout : float, optional
        Seconds; the best description so far is returned then.

    Examples
    --------
    >>> import mmasmt, numpy as np
    >>> def machine(a, b, c):
    ...     return c + a[:, 0].astype(np.float32) * b[:, 0].astype(np.float32)
    >>> found = mmasmt.learn(machine, "1 products f16 x f16, c f32, result f32", confirm=2000, finite=True)
    >>> found.verdict
    'confirmed'
    >>> float(mmasmt.dot([2], [3], 1, model=found.model))
    7.0
    """
    formats, products = _native.operand_formats(operands)
    a_kind, b_kind, c_kind, d_kind = (Kind(*one) for one in formats)

    def asked(a: Registers, b: Registers, c: Registers, count: int) -> npt.NDArray[np.uint64]:
        rows = array(a.reshape(count, products), a_kind), array(b.reshape(count, products), b_kind)
        d = registers("machine", machine(*rows, array(c, c_kind)), d_kind).reshape(-1)
        if len(d) != count:
            raise ValueError(f"machine: expected {count} results, found {len(d)}")
        return d.astype(np.uint64)

    data: schema.Learn = json.loads(_native.learn(asked, operands, questions, confirm, not finite, seed, timeout))
    shown = data["failing"] or data["two_answers"]
    found = vector(shown, a_kind, b_kind, c_kind, d_kind) if shown else None
    return Learned(data["verdict"], data["description"], data["order"], found, data)
