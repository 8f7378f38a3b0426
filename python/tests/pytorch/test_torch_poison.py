"""Poisoned products: an emulation whose products are NaN. A result without NaN of an operator that multiplies has gone past it.

Whether an operator multiplies is asked of this processor: with kernels that count in the place of its own, and without any emulation.
`MMASMT_OPERATORS=all` calls each operator in eight ways, and all modules of PyTorch's database.
"""

from __future__ import annotations

import itertools
import os
import warnings
from collections import Counter
from collections.abc import Callable
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


def tensors(tree: Any) -> list[Any]:
    return [x for x in tree_flatten(tree)[0] if isinstance(x, torch.Tensor)]


def gradients(operator: Any, sample: Any, again: bool = False) -> list[Any]:
    """Results with the gradients of operands, and of these gradients as well."""
    value = operator(sample.input, *sample.args, **sample.kwargs)
    leaves = [x for x in tensors((sample.input, sample.args, sample.kwargs)) if x.requires_grad]
    ends = [x for x in tensors(sample.output_process_fn_grad(value)) if x.requires_grad]
    if not (leaves and ends):
        return tensors(value)
    found = torch.autograd.grad(sum(x.sum() for x in ends), leaves, allow_unused=True, create_graph=again)
    first = [x for x in found if x is not None]
    if again and (inner := [x for x in first if x.requires_grad]):
        second = torch.autograd.grad(sum(x.square().sum() for x in inner), leaves, allow_unused=True)
        first += [x for x in second if x is not None]
    return [*tensors(value), *first]


def without(operator: Any, sample: Any, context: Any) -> list[Any]:
    with context:
        return tensors(operator(sample.input, *sample.args, **sample.kwargs))


def forward_derivatives(operator: Any, sample: Any) -> list[Any]:
    function = lambda x: operator(x, *sample.args, **sample.kwargs)  # noqa: E731
    return tensors(torch.func.jvp(function, (sample.input.detach(),), (torch.ones_like(sample.input),)))


def batches(operator: Any, sample: Any) -> list[Any]:
    with torch.no_grad():
        return tensors(torch.func.vmap(lambda x: operator(x, *sample.args, **sample.kwargs))(torch.stack([sample.input] * 2)))


def into(operator: Any, sample: Any) -> list[Any]:
    with torch.no_grad():
        own = operator(sample.input, *sample.args, **sample.kwargs)
        out = torch.zeros_like(own) if isinstance(own, torch.Tensor) else tuple(map(torch.zeros_like, own))
        return tensors(operator(sample.input, *sample.args, **sample.kwargs, out=out))


def in_place(operator: Any, sample: Any) -> list[Any]:
    with torch.no_grad():
        return tensors(operator.inplace_variant(sample.input.clone(), *sample.args, **sample.kwargs))


# Ways to call an operator, and whether it has them.
MODES: dict[str, tuple[Callable[[Any, Any], list[Any]], Callable[[Any], bool]]] = {
    "backward": (gradients, lambda operator: True),
    "forward": (lambda operator, sample: without(operator, sample, torch.no_grad()), lambda operator: True),
    "inference": (lambda operator, sample: without(operator, sample, torch.inference_mode()), lambda operator: True),
    "double backward": (lambda operator, sample: gradients(operator, sample, True), lambda operator: operator.supports_gradgrad),
    "jvp": (forward_derivatives, lambda operator: operator.supports_forward_ad),
    "vmap": (batches, lambda operator: True),
    "out": (into, lambda operator: operator.supports_out),
    "in place": (in_place, lambda operator: operator.inplace_variant is not None),
}
# Under a mode that does nothing PyTorch ends the process in these, and gives other numbers in the last.
LEFT_OUT = {("jvp", name) for name in ("addr", "addcmul", "addcdiv", "ldexp", "index_add")} | {("inference", "fft.hfftn")}
ALL = bool(os.environ.get("MMASMT_OPERATORS"))


def near(x: Any, y: Any) -> bool:
    """Where a mode is in force, PyTorch takes other formulas for some gradients, and no kernels of oneDNN."""
    return x.shape == y.shape and torch.allclose(x, y, rtol=1e-2, atol=1e-2, equal_nan=True)


def outcome(call: Callable[[], list[Any]]) -> str:
    """What became of a call whose products are NaN."""

    def results() -> list[Any]:
        torch.manual_seed(3)
        return call()

    # Without whole layers of oneDNN, as under an emulation.
    with torch.backends.mkldnn.flags(enabled=False):
        try:
            native = results()
        except Exception:
            return "cannot run"
    with torch.backends.mkldnn.flags(enabled=False), below.watched() as seen:
        try:
            results()
        except Exception:
            # It went on with the zeros that the counting kernels give.
            pass
        multiplies = bool(below.take(seen))
    try:
        with Poisoned("H100", unknown="ignore", attention="flash2") as run:
            found = results()
    except mt.Refused:
        return "refused"
    except Exception:
        # NaN where it wants numbers, such as in an index.
        return "poisoned" if multiplies or run.refused else "fails"
    dense = [x.layout == torch.strided and (x.is_floating_point() or x.is_complex()) for x in native]
    pairs = [(x, y) for x, y, is_dense in zip(native, found, dense) if is_dense]
    if any(bool((y.isnan() & ~x.isnan()).any()) for x, y in pairs if x.shape == y.shape):
        return "poisoned"
    if run.native:
        return "reported"
    if multiplies:
        return "empty" if not any(x.numel() for x in native) else "silent"
    return "without products" if all(near(x, y) for x, y in pairs) else "changed"


@pytest.mark.parametrize("mode", MODES if ALL else list(MODES)[:1])
def test_nothing_is_silent(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    of: dict[str, set[str]] = {}
    call, has = MODES[mode]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for operator in database.op_db:
            kind = next((kind for kind in TYPES if operator.supports_dtype(kind, "cpu")), None)
            if kind is None or "empty" in operator.name or not has(operator) or (mode, operator.name) in LEFT_OUT:
                continue
            derives = operator.supports_autograd and kind in operator.supported_backward_dtypes("cpu")
            try:
                samples = list(itertools.islice(operator.sample_inputs("cpu", kind, requires_grad=derives), 4 if ALL else 2))
            except Exception:
                continue
            for sample in samples:
                status = outcome(lambda operator=operator, sample=sample: call(operator, sample))
                counts[status] += 1
                of.setdefault(status, set()).add(".".join(filter(None, (operator.name, operator.variant_test_name))))
    with capsys.disabled():
        print(f"\n{mode}: {dict(counts)}")
    bad = {status: of.get(status, set()) for status in ("silent", "changed", "fails")}
    assert not any(bad.values()), bad
    assert mode != "backward" or (len(of["poisoned"]) >= 30 and len(of["refused"]) >= 30)


@pytest.mark.skipif(not ALL, reason="all modules are gone through with MMASMT_OPERATORS=all")
@pytest.mark.parametrize("training", [False, True])
def test_no_module_is_silent(training: bool, capsys: pytest.CaptureFixture[str]) -> None:
    modules = pytest.importorskip("torch.testing._internal.common_modules")
    counts: Counter[str] = Counter()
    of: dict[str, set[str]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for info in modules.module_db:
            try:
                inputs = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=True, training=training)
            except Exception:
                continue
            for one in inputs[:4]:
                status = outcome(lambda info=info, one=one: _of_module(info, one, training))
                counts[status] += 1
                of.setdefault(status, set()).add(info.name)
    with capsys.disabled():
        print(f"\n{'training' if training else 'evaluation'}: {dict(counts)}")
    bad = {status: of.get(status, set()) for status in ("silent", "changed", "fails")}
    assert not any(bad.values()), bad
    assert len(of["poisoned"]) >= 15


def _of_module(info: Any, one: Any, training: bool) -> list[Any]:
    module = info.module_cls(*one.constructor_input.args, **one.constructor_input.kwargs).train(training)
    value = module(*one.forward_input.args, **one.forward_input.kwargs)
    ends = [x for x in tensors(value) if x.requires_grad]
    leaves = [x for x in module.parameters() if x.requires_grad]
    if not (ends and leaves):
        return tensors(value)
    found = torch.autograd.grad(sum(x.sum() for x in ends), leaves, allow_unused=True)
    return [*tensors(value), *(x for x in found if x is not None)]


def test_a_product_that_goes_past_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test itself: with the handler of `mm` gone and no kernels that stand in, `matmul` is silent."""
    from mmasmt.torch import _operators

    func = torch.ops.aten.mm.default
    harmless = _operators.Operator(_operators.Kind.HARMLESS, "mm", "mm")
    monkeypatch.setitem(_operators._TABLE, func, harmless)
    monkeypatch.setattr(Poisoned, "_watches", False)
    operator = next(one for one in database.op_db if one.name == "mm")
    sample = next(iter(operator.sample_inputs("cpu", torch.float32)))
    assert outcome(lambda: gradients(operator, sample)) == "silent"
