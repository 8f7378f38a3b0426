"""Forward-mode derivatives: tangents are products of the machine, by each way that PyTorch has for them, and of each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._rounding import bits
from torch import func
from torch.autograd import forward_ad

A, B = torch.randn(3, 40, generator=torch.Generator().manual_seed(0)), torch.randn(40, 2, generator=torch.Generator().manual_seed(1))
DA, DB = torch.randn(3, 40, generator=torch.Generator().manual_seed(2)), torch.randn(40, 2, generator=torch.Generator().manual_seed(3))


def product(a: Any, b: Any) -> Any:
    return mt.matmul(a, b, machine="V100", out_dtype=torch.float32)


def by_jvp(call: Callable[..., Any], a: Any, b: Any, da: Any, db: Any) -> Any:
    return func.jvp(call, (a, b), (da, db))[1]


def by_dual_tensors(call: Callable[..., Any], a: Any, b: Any, da: Any, db: Any) -> Any:
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(call(forward_ad.make_dual(a, da), forward_ad.make_dual(b, db))).tangent


def emulated(a: Any, b: Any) -> Any:
    with mt.emulate("V100", unknown="ignore"):
        return torch.mm(a, b)


WAYS = [by_jvp, by_dual_tensors]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("multiply", [product, emulated])
def test_tangents_are_products_of_the_machine(way: Callable[..., Any], multiply: Callable[..., Any]) -> None:
    a, b, da, db = (x.half() for x in (A, B, DA, DB))
    found = way(multiply, a, b, da, db)
    wanted = multiply(da, b) + multiply(a, db)
    assert torch.equal(bits(found), bits(wanted))
    if multiply is product:
        assert not torch.equal(found, da.float() @ b.float() + a.float() @ db.float())


@pytest.mark.parametrize("way", WAYS)
def test_a_context_counts_products_of_tangents(way: Callable[..., Any]) -> None:
    with mt.emulate("V100", unknown="ignore") as run:
        way(torch.mm, A, B, DA, DB)
    assert [call.count for call in run.calls] == [3] and not run.native


@pytest.mark.parametrize("way", WAYS)
def test_what_is_added_has_tangents(way: Callable[..., Any]) -> None:
    def alone(c: Any, bias: Any) -> Any:
        return mt.matmul(A.double(), B.double(), c, machine="H100", alpha=2.0, beta=3.0, bias=bias)

    c, bias = torch.ones(3, 2).double(), torch.ones(2).double()
    assert torch.equal(way(alone, c, bias, 2 * c, 5 * bias), 6 * c + 5 * bias)


def square(a: Any) -> Any:
    return (mt.matmul(a, B.double(), machine="H100") ** 2).sum()


def native_square(a: Any) -> Any:
    return ((a @ B.double()) ** 2).sum()


DERIVATIVES = {
    "jacfwd": func.jacfwd,
    "hessian": func.hessian,
    "forward of forward": lambda call: func.jacfwd(func.jacfwd(call)),
    "reverse of forward": lambda call: func.jacrev(func.jacfwd(call)),
    "reverse of reverse": lambda call: func.jacrev(func.jacrev(call)),
    "gradients of rows": lambda call: func.vmap(func.grad(lambda row: call(row[None]))),
    "double backward": lambda call: lambda a: torch.autograd.functional.jvp(call, a, DA.double())[1],
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives_of_derivatives(name: str) -> None:
    found, wanted = (DERIVATIVES[name](call)(A.double()) for call in (square, native_square))
    assert found.shape == wanted.shape and wanted.abs().max() > 1
    assert torch.allclose(found, wanted, rtol=1e-12, atol=1e-10)


def test_a_product_without_a_tangent_is_refused() -> None:
    a, b, bias = A.to(torch.float8_e4m3fn), B.to(torch.float8_e4m3fn), torch.ones(2)

    def fp8(bias: Any, _: Any) -> Any:
        return mt.matmul(a, b, machine="H100", bias=bias, out_dtype=torch.float32)

    for way in WAYS:
        with pytest.raises(mt.Refused, match="mmasmt::product: expected a plan without activation, scale or FP8 for a tangent"):
            way(fp8, bias, bias, bias, bias)


class Module(torch.nn.Module):
    def forward(self, a: Any, b: Any) -> Any:
        return product(a, b)


@pytest.mark.parametrize("way", WAYS)
def test_an_exported_product_drops_no_tangents(way: Callable[..., Any]) -> None:
    a, b, da, db = (x.half() for x in (A, B, DA, DB))
    exported = torch.export.export(Module(), (a, b)).module()
    assert torch.equal(exported(a, b), product(a, b))
    with pytest.raises(mt.Refused, match="mmasmt::product: expected no forward derivative of a graph"):
        way(exported, a, b, da, db)


def test_contexts_within_each_other_have_tangents_once() -> None:
    with mt.emulate("A100", unknown="ignore"):
        assert torch.equal(by_dual_tensors(product, A, B, DA, DB), by_jvp(product, A, B, DA, DB))
        assert torch.equal(by_dual_tensors(emulated, A, B, DA, DB), by_jvp(emulated, A, B, DA, DB))


def test_compiled_tangents() -> None:
    compiled = torch.compile(lambda *x: by_jvp(product, *x), backend="eager")
    a, b, da, db = (x.half() for x in (A, B, DA, DB))
    assert torch.equal(compiled(a, b, da, db), product(da, b) + product(a, db))
    torch._dynamo.reset()
