"""Gradients: products of the machine in the formulas of autograd, held to exact fractions for small shapes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch import _operator
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

Exact = list[list[Fraction]]


def drawn(*shape: int, seed: int = 0, dtype: Any = torch.float16) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype).requires_grad_()


def exact(x: Any) -> Exact:
    return [[Fraction(value) for value in row] for row in x.detach().double().tolist()]


def times(x: Exact, y: Exact) -> Exact:
    return [[sum((one * other for one, other in zip(row, column)), Fraction(0)) for column in zip(*y)] for row in x]


def turned(x: Exact) -> Exact:
    return [list(row) for row in zip(*x)]


def close(found: Any, wanted: Exact, sums: Exact) -> bool:
    """Within what one rounding of the result, and of a sum of f32 that is cut to 24 bits at each step, can cost."""
    unit = Fraction(torch.finfo(found.dtype).eps) / 2
    rows = zip(found.double().tolist(), wanted, sums)
    return all(
        abs(Fraction(value) - right) <= unit * abs(right) + Fraction(size) / 2**18 + Fraction(1, 2**24)
        for row in rows
        for value, right, size in zip(*row)
    )


def magnitudes(x: Exact) -> Exact:
    return [[abs(value) for value in row] for row in x]


@pytest.mark.parametrize("machine", ["V100", "H100", "MI300X"])
@pytest.mark.parametrize("form", ["mode", "functions"])
def test_linear(machine: str, form: str) -> None:
    x, w, g = drawn(5, 12), drawn(3, 12, seed=1), drawn(5, 3, seed=2).detach()
    bias = drawn(3, seed=3)
    if form == "mode":
        with mt.emulate(machine, unknown="ignore"):
            functional.linear(x, w, bias).backward(g)
    else:
        mt.linear(x, w, bias, machine=machine).backward(g)
    for found, left, right in ((x.grad, exact(g), exact(w)), (w.grad, turned(exact(g)), exact(x))):
        assert close(found, times(left, right), times(magnitudes(left), magnitudes(right)))
    assert torch.equal(bias.grad, g.sum(0))


def test_the_mode_and_the_functions_agree() -> None:
    x, w, g = drawn(2, 5, 12), drawn(2, 12, 3, seed=1), drawn(2, 5, 3, seed=2).detach()
    with mt.emulate("A100", unknown="ignore"):
        y = x @ w
        wanted = torch.autograd.grad(y, [x, w], g)
    z = mt.matmul(x, w, machine="A100")
    found = torch.autograd.grad(z, [x, w], g)
    assert torch.equal(y, z) and all(map(torch.equal, wanted, found))


def test_double_backward() -> None:
    x, w = drawn(4, 6, dtype=torch.float32), drawn(6, 3, seed=1, dtype=torch.float32)

    def twice(product: Callable[[Any, Any], Any]) -> Any:
        (first,) = torch.autograd.grad(product(x, w).square().sum(), x, create_graph=True)
        return torch.autograd.grad(first.square().sum(), w)[0]

    wanted = twice(torch.mm)
    with mt.emulate("H100", unknown="ignore") as run:
        found = twice(torch.mm)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
    assert sum(call.backward for call in run.calls) >= 2
    torch.testing.assert_close(twice(lambda a, b: mt.matmul(a, b, machine="H100")), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("groups, stride, dilation", [(1, 1, 1), (2, 2, 1), (1, 2, 2)])
def test_convolution(groups: int, stride: int, dilation: int) -> None:
    """In f64 every product of the unit is a fused multiply-add: finite sums of few bits are exact."""
    x = torch.randint(-4, 5, (1, 4, 7, 6), generator=torch.Generator().manual_seed(0)).double().requires_grad_()
    w = torch.randint(-4, 5, (2, 4 // groups, 3, 2), generator=torch.Generator().manual_seed(1)).double().requires_grad_()
    options = {"stride": stride, "padding": 1, "dilation": dilation, "groups": groups}
    wanted = torch.autograd.grad(functional.conv2d(x, w, **options).square().sum(), [x, w])
    with mt.emulate("H100", unknown="ignore"):
        y = functional.conv2d(x, w, **options)
        found = torch.autograd.grad(y.square().sum(), [x, w])
    assert torch.equal(y, functional.conv2d(x, w, **options)) and all(map(torch.equal, wanted, found))


def test_attention_is_close_to_its_formula() -> None:
    q, k, v = (drawn(2, 3, 40, 16, seed=seed, dtype=torch.float32) for seed in range(3))
    g = torch.ones(2, 3, 40, 16)

    def formula(causal: bool) -> Any:
        scores = (q.double() @ k.double().transpose(-1, -2)) / 4
        if causal:
            scores = scores.masked_fill(torch.ones(40, 40).triu(1).bool(), -torch.inf)
        return scores.softmax(-1) @ v.double()

    for causal in (False, True):
        wanted = formula(causal)
        gradients = torch.autograd.grad((wanted * g).sum(), [q, k, v])
        for attention in ("flash2", "math"):
            with mt.emulate("A100", unknown="ignore", attention=attention) as run:
                found = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
                own = torch.autograd.grad((found * g).sum(), [q, k, v])
            torch.testing.assert_close(found.double(), wanted, rtol=1e-5, atol=1e-5)
            for x, y in zip(own, gradients):
                torch.testing.assert_close(x, y, rtol=1e-4, atol=1e-4)
            assert any("attention" in note for note in run.log.notes) == (attention == "flash2")
    with mt.emulate("A100", unknown="ignore", attention="error"), pytest.raises(mt.Refused, match="close and not exact"):
        functional.scaled_dot_product_attention(q, k, v)


def test_no_gradient_of_an_activation() -> None:
    from mmasmt.torch._operator import product

    x = drawn(1, 4, 4)
    plan = mt.Plan("hopper/wgmma.m64nNk16.f32.f16.f16", activation="relu", out="f16")
    with pytest.raises(mt.Refused, match="expected a plan without activation, scale or FP8 for a gradient"):
        product(x, x, *[None] * 5, plan.text(), "H100", 0).sum().backward()


def test_attention_in_f64() -> None:
    """Its statistics have a type that some versions of PyTorch do not expect."""
    q, k, v = (drawn(1, 2, 12, 8, seed=seed, dtype=torch.float64) for seed in range(3))
    wanted = torch.autograd.grad(functional.scaled_dot_product_attention(q, k, v).square().sum(), [q, k, v])
    with mt.emulate("H100", unknown="ignore"):
        found = torch.autograd.grad(functional.scaled_dot_product_attention(q, k, v).square().sum(), [q, k, v])
    for x, y in zip(found, wanted):
        torch.testing.assert_close(x, y)


def _watched(x: Any, w: Any, names: set[str]) -> Any:
    class Watching(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            names.add(func.name())
            return func(*args, **(kwargs or {}))

    with Watching():
        return mt.matmul(x, w, machine="H100")


def test_the_operator_is_there_for_whoever_looks_and_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = drawn(3, 40).detach(), drawn(40, 5, seed=1).detach()
    wanted = mt.matmul(x, w.requires_grad_(), machine="H100")
    assert torch.autograd.grad(wanted.sum(), w)[0].isfinite().all()
    w = w.detach()
    names: set[str] = set()
    mapped = torch.vmap(lambda row: mt.matmul(row[None], w, machine="H100")[0])(x)
    for found in (_watched(x, w, names), mapped, torch.compile(mt.matmul, backend="eager")(x, w, machine="H100")):
        assert torch.equal(found, wanted)
    assert "mmasmt::product" in names
    # Nobody looks.
    monkeypatch.setattr(_operator, "product", None)
    assert torch.equal(mt.matmul(x, w, machine="H100"), wanted)
