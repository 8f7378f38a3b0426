"""Products under the mode are those of `mmasmt.matmul`, rounded once, in every form that PyTorch has for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mmasmt
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._rounding import bits

F16 = torch.float16
H100 = "hopper/wgmma.m64nNk16.f32.f16.f16"


def drawn(*shape: int, dtype: Any = F16, seed: int = 0) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def emulated(call: Callable[[], Any], machine: str = "H100", **options: Any) -> Any:
    with mt.emulate(machine, unknown="ignore", **options):
        return call()


def same(x: Any, y: Any) -> bool:
    return x.dtype == y.dtype and x.shape == y.shape and torch.equal(bits(x), bits(y))


A, B, C = drawn(5, 40), drawn(40, 7, seed=1), drawn(5, 7, seed=2)


@pytest.mark.parametrize(
    "machine, unit", [("H100", H100), ("V100", "volta/mma.m8n8k4.f32.f16.f16.f32"), ("MI300X", "cdna3/v_mfma_f32_32x32x8_f16")]
)
def test_mm_is_a_chain_rounded_once(machine: str, unit: str) -> None:
    wanted = mmasmt.matmul(A, B, model=unit).half()
    assert same(emulated(lambda: A @ B, machine), wanted)
    assert same(emulated(lambda: torch.einsum("mk,kn->mn", A, B), machine), wanted)
    assert same(emulated(lambda: torch.stack([A @ column for column in B.T], 1), machine), wanted)


def test_addmm_is_rounded_once() -> None:
    total = mmasmt.matmul(A, B, model=H100)
    wanted = ((total.double() * 0.5).float() + (C.float() * 2)).half()
    assert same(emulated(lambda: torch.addmm(C, A, B, alpha=0.5, beta=2)), wanted)
    assert same(emulated(lambda: torch.nn.functional.linear(A, B.T.contiguous(), C[0])), (total + C[0].float()).half())


def test_variants_that_write() -> None:
    wanted = emulated(lambda: torch.addmm(C, A, B))
    into = C.clone()
    emulated(lambda: into.addmm_(A, B))
    assert same(into, wanted)
    into = torch.empty(0, dtype=F16)
    assert emulated(lambda: torch.addmm(C, A, B, out=into)) is into
    assert same(into, wanted)


def test_strides_and_threads_do_not_count() -> None:
    wanted = emulated(lambda: A @ B)
    turned = A.T.contiguous().T
    assert same(emulated(lambda: turned @ B.T.contiguous().T), wanted)
    for threads in (1, 2):
        assert same(emulated(lambda: A @ B, threads=threads), wanted)


def test_what_the_report_says() -> None:
    layer = torch.nn.Sequential(torch.nn.Linear(16, 8), torch.nn.ReLU()).half()
    with mt.emulate("H100", unknown="ignore") as run:
        layer(drawn(3, 16)).float().sum().backward()
    assert [(call.shape.op, call.backward, call.module) for call in run.calls] == [
        ("addmm", False, "Sequential.0"),
        ("mm", True, ""),
    ]
    said = run.report()
    assert said.splitlines()[0].startswith("H100: 2 products of matrices")
    assert "ASSUMED: one chain along k for 2 products of 2 shapes" in said
    assert len(run.unknown) == 2 and not run.native
