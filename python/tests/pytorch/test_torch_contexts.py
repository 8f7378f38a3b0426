"""Contexts beside other things of PyTorch that work natively: threads, coroutines, compilers, lazy modules, jagged tensors, settings."""

from __future__ import annotations

import asyncio
import threading
import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from torch import nn
from torch.nn import functional
from watched import run_of

X = torch.randn(4, 4)


def test_the_newer_names_of_precision() -> None:
    settings = torch.backends.cuda.matmul
    if not hasattr(torch.backends.cudnn, "conv"):
        pytest.skip("this version of PyTorch has the older names alone")
    before = settings.fp32_precision
    try:
        for precision, kind in (("tf32", "tf32"), ("ieee", "f32")):
            settings.fp32_precision = precision
            run, _ = run_of(lambda: X @ X)
            assert run.calls[0].shape.kind == kind
    finally:
        settings.fp32_precision = before


def test_contexts_of_two_threads() -> None:
    before = torch.backends.mkldnn.enabled, torch.backends.mha.get_fastpath_enabled()
    barrier, warned, runs = threading.Barrier(2), [], []
    layer = nn.Linear(4, 4)

    def work() -> None:
        with mt.emulate("H100", unknown="ignore") as run:
            barrier.wait()
            layer(X)
            barrier.wait()
        runs.append(run)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        warned = [one for one in caught if issubclass(one.category, mt.Unknown)]
    assert before == (torch.backends.mkldnn.enabled, torch.backends.mha.get_fastpath_enabled())
    assert not warned and [run.calls[0].count for run in runs] == [1, 1] and not any(run.native for run in runs)


def test_lazy_modules_and_compilers() -> None:
    run, _ = run_of(lambda: nn.LazyLinear(4)(X))
    assert run.calls[0].shape.op == "addmm"
    run, _ = run_of(lambda: torch.export.export(nn.Linear(4, 4), (X,)).run_decompositions().module()(X))
    assert [call.shape.op for call in run.calls] == ["addmm"]


def test_functionalised_functions() -> None:
    from functorch.compile import aot_function, nop

    run, _ = run_of(lambda: aot_function(lambda x: x @ x, nop)(X))
    assert [call.shape.op for call in run.calls] == ["mm"]


@pytest.mark.skipif(not hasattr(torch, "_grouped_mm"), reason="this version of PyTorch has other jagged tensors")
def test_attention_of_jagged_tensors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [torch.randn(3, 2, 8), torch.randn(5, 2, 8)]
        nested = torch.nested.nested_tensor(parts, layout=torch.jagged).transpose(1, 2)
        found: list[Any] = []
        run, _ = run_of(lambda: found.append(functional.scaled_dot_product_attention(nested, nested, nested)))
    assert len(run.calls) == 4 and "products of nested tensors: one for each part" in run.report()
    for part, own in zip(parts, found[0].transpose(1, 2).unbind()):
        q = part.transpose(0, 1)
        wanted = functional.scaled_dot_product_attention(q, q, q).transpose(0, 1)
        torch.testing.assert_close(own, wanted, rtol=1e-4, atol=1e-4)


def test_a_refusal_keeps_its_text_inside_of_torchscript() -> None:
    class Inverse(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.inv(x)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = torch.jit.script(Inverse())
    with pytest.raises(mt.Refused, match=r"linalg_inv_ex of \(3, 3\)"), mt.emulate("H100", unknown="ignore") as run:
        model(torch.eye(3))
    assert len(run.refused) == 1


def test_numbers_in_the_place_of_tensors() -> None:
    """PyTorch passes a mode a number where a kernel made a tensor of one."""
    ends = torch.arange(3.0)
    for call in (lambda end: torch.linspace(end, 1.0, 3), lambda end: torch.logspace(end, 2, 3)):
        found: list[Any] = []
        run_of(lambda call=call, found=found: found.append(torch.vmap(call)(ends)))
        assert torch.equal(found[0], torch.vmap(call)(ends))


def test_shapes_that_a_sum_of_products_takes_on() -> None:
    a, b = torch.randn(2, 3, 4), torch.randn(2, 4, 4)
    for shape in ((1, 4), (4,), (3, 1)):
        into = torch.ones(shape)
        run_of(lambda into=into: into.addbmm_(a, b))
        torch.testing.assert_close(into, torch.ones(shape).addbmm_(a, b), rtol=1e-4, atol=1e-4)


def test_interleaved_contexts() -> None:
    def steps(machine: str) -> Any:
        with mt.emulate(machine, unknown="ignore"):
            yield
            yield

    first, second = steps("H100"), steps("A100")
    next(first), next(second)
    next(first), next(second)
    with pytest.raises(RuntimeError, match="expected the context of H100 to end before those that were entered after it"):
        next(first)
    assert next(second, None) is None and not torch.utils._python_dispatch._get_current_dispatch_mode_stack()

    async def one(machine: str) -> Any:
        with mt.emulate(machine, unknown="ignore") as run:
            await asyncio.sleep(0)
            X @ X
            await asyncio.sleep(0)
        return run

    async def both() -> Any:
        return await asyncio.gather(one("H100"), one("A100"), return_exceptions=True)

    found = asyncio.run(both())
    assert isinstance(found[0], RuntimeError) and "expected an operator of the coroutine that entered the context of A100" in str(found[0])
    assert found[1].calls[0].count == 1


@pytest.mark.parametrize(
    "machine, text",
    [
        ("CPU", "found 'CPU', of which no arithmetic is; architectures here are volta"),
        ("MI355X", "the nearest one is MI300X"),
        ("B300", "the nearest one is B200"),
    ],
)
def test_machines_without_arithmetic(machine: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.emulate(machine)
