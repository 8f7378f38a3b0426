"""Poisoned products: an emulation whose products are NaN. A result without NaN of an operator that multiplies has gone past it.

Whether an operator multiplies is asked of this processor: with kernels that count in the place of its own, and without any emulation.
"""

from __future__ import annotations

import itertools
import warnings
from collections import Counter
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
below = pytest.importorskip("below")
database = pytest.importorskip(
    "torch.testing._internal.common_methods_invocations", reason="PyTorch's database needs setuptools and expecttest"
)

import mmasmt.torch as mt
from torch.utils._pytree import tree_flatten

TYPES = (torch.float32, torch.bfloat16, torch.float64)


class Poisoned(mt.emulate):
    """Every product is NaN; nothing else of the mode is used for it."""

    def product(self, op: str, a: Any, b: Any, *others: Any, out: Any = None, **options: Any) -> Any:
        return torch.full((a.shape[0], a.shape[1], b.shape[2]), torch.nan).to(a.dtype if out is None else out)


def results(operator: Any, sample: Any, gradients: bool) -> list[Any]:
    torch.manual_seed(3)
    value = operator(sample.input, *sample.args, **sample.kwargs)
    found = [x for x in tree_flatten(value)[0] if isinstance(x, torch.Tensor)]
    leaves = [x for x in tree_flatten((sample.input, sample.args, sample.kwargs))[0] if isinstance(x, torch.Tensor) and x.requires_grad]
    ends = [x for x in tree_flatten(sample.output_process_fn_grad(value))[0] if isinstance(x, torch.Tensor) and x.requires_grad]
    if gradients and ends and leaves:
        found += [x for x in torch.autograd.grad(sum(x.sum() for x in ends), leaves, allow_unused=True) if x is not None]
    return found


def near(x: Any, y: Any) -> bool:
    """Where a mode is in force, PyTorch takes other formulas for some gradients, and no kernels of oneDNN."""
    return x.shape == y.shape and torch.allclose(x, y, rtol=1e-2, atol=1e-2, equal_nan=True)


def outcome(operator: Any, sample: Any, gradients: bool) -> str:
    """What became of a call whose products are NaN."""
    try:
        native = results(operator, sample, gradients)
    except Exception:
        return "cannot run"
    with below.watched() as seen:
        try:
            results(operator, sample, gradients)
        except Exception:
            # It went on with the zeros that the counting kernels give.
            pass
        multiplies = bool(below.take(seen))
    try:
        with Poisoned("H100", unknown="ignore", attention="flash2") as run:
            found = results(operator, sample, gradients)
    except mt.Refused:
        return "refused"
    except Exception:
        # NaN where it wants numbers, such as in an index.
        return "poisoned" if multiplies else "fails"
    dense = [x.layout == torch.strided and (x.is_floating_point() or x.is_complex()) for x in native]
    pairs = [(x, y) for x, y, is_dense in zip(native, found, dense) if is_dense]
    if any(bool((y.isnan() & ~x.isnan()).any()) for x, y in pairs if x.shape == y.shape):
        return "poisoned"
    if run.native:
        return "reported"
    if multiplies:
        return "empty" if not any(x.numel() for x in native) else "silent"
    return "without products" if all(near(x, y) for x, y in pairs) else "changed"


def test_nothing_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    of: dict[str, set[str]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for operator in database.op_db:
            kind = next((kind for kind in TYPES if operator.supports_dtype(kind, "cpu")), None)
            if kind is None or "empty" in operator.name:
                continue
            gradients = operator.supports_autograd and kind in operator.supported_backward_dtypes("cpu")
            try:
                samples = list(itertools.islice(operator.sample_inputs("cpu", kind, requires_grad=gradients), 2))
            except Exception:
                continue
            for sample in samples:
                status = outcome(operator, sample, gradients)
                counts[status] += 1
                of.setdefault(status, set()).add(".".join(filter(None, (operator.name, operator.variant_test_name))))
    with capsys.disabled():
        print(f"\n{dict(counts)}")
    assert not of.get("silent") and not of.get("changed") and not of.get("fails"), of
    assert len(of["poisoned"]) >= 30 and len(of["refused"]) >= 30


def test_a_product_that_goes_past_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test itself: with the handler of `mm` gone and no kernels that stand in, `matmul` is silent."""
    from mmasmt.torch import _operators

    func = torch.ops.aten.mm.default
    harmless = _operators.Operator(_operators.Kind.HARMLESS, "mm", "mm")
    monkeypatch.setitem(_operators._TABLE, func, harmless)
    monkeypatch.setattr(Poisoned, "_watches", False)
    operator = next(one for one in database.op_db if one.name == "mm")
    sample = next(iter(operator.sample_inputs("cpu", torch.float32)))
    assert outcome(operator, sample, False) == "silent"
