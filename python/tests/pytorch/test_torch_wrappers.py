"""The same bits by way of `vmap`, autocast, `compile`, TorchScript, `export` and checkpoints; with any threads; in flat memory."""

from __future__ import annotations

import gc
import resource
import warnings
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._rounding import bits
from torch import nn
from torch.nn import functional

torch.manual_seed(0)
MODEL = nn.Sequential(nn.Linear(48, 16), nn.GELU(), nn.Linear(16, 8)).half()
X = torch.randn(6, 48).half()


def emulated(call: Callable[[], Any], **options: Any) -> tuple[Any, Any]:
    with warnings.catch_warnings(), mt.emulate("H100", unknown="ignore", **options) as run:
        warnings.simplefilter("ignore")
        found = call()
    assert run.calls
    return found, run


def same(x: Any, y: Any) -> bool:
    return torch.equal(bits(x.detach()), bits(y.detach()))


WANTED, RUN = emulated(lambda: MODEL(X))


def test_compiled() -> None:
    inside = torch.compile(MODEL, backend="eager")
    before = torch.compile(MODEL, backend="eager")
    before(X)
    assert same(emulated(lambda: inside(X))[0], WANTED)
    assert same(emulated(lambda: before(X))[0], WANTED)
    torch._dynamo.reset()


def test_scripted_and_exported() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced, scripted = torch.jit.trace(MODEL, X), torch.jit.script(MODEL)
    exported = torch.export.export(MODEL, (X,)).module()
    for model in (traced, scripted, exported):
        assert same(emulated(lambda model=model: model(X))[0], WANTED)


def test_checkpoints() -> None:
    def gradient(call: Callable[[Any], Any]) -> Any:
        return torch.autograd.grad(call(X).float().sum(), list(MODEL.parameters()))

    plain, _ = emulated(lambda: gradient(MODEL))
    again, _ = emulated(lambda: gradient(lambda x: torch.utils.checkpoint.checkpoint(MODEL, x, use_reentrant=False)))
    assert all(map(same, plain, again))


def test_vmap_makes_the_same_sums() -> None:
    """A product, then a sum of its own: one rounding more than `addmm`, as PyTorch has it."""
    w, b = MODEL[0].weight.detach(), MODEL[0].bias.detach()
    found, run = emulated(lambda: torch.vmap(lambda x: functional.linear(x, w, b))(X))
    wanted, _ = emulated(lambda: X @ w.T + b)
    assert same(found, wanted) and run.calls[0].shape.op == "mm"
    rows = torch.vmap(lambda x: mt.matmul(x[None], w.T, machine="H100")[0])(X)
    assert same(rows, emulated(lambda: X @ w.T)[0])


def test_autocast() -> None:
    model, x = nn.Linear(48, 8), X.float()

    def cast() -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            return model(x)

    found, run = emulated(cast)
    half = nn.Linear(48, 8).bfloat16()
    half.load_state_dict(model.state_dict())
    assert same(found, emulated(lambda: half(x.bfloat16()))[0]) and run.calls[0].shape.kind == "bf16"


def test_functional_transformations() -> None:
    w = torch.randn(8, 48)
    for call in (
        lambda: torch.func.grad(lambda w: functional.linear(X.float(), w).square().sum())(w),
        lambda: torch.func.jacrev(lambda x: functional.linear(x, w))(X.float()),
        lambda: torch.func.jvp(lambda x: functional.linear(x, w), (X.float(),), (X.float(),))[1],
    ):
        torch.testing.assert_close(emulated(call)[0], call(), rtol=1e-4, atol=1e-4)


def test_layouts_and_threads() -> None:
    turned = nn.Sequential(
        *(nn.Linear(of.in_features, of.out_features).half() if isinstance(of, nn.Linear) else of for of in MODEL)
    )
    turned.load_state_dict(MODEL.state_dict())
    for layer in (turned[0], turned[2]):
        layer.weight.data = layer.weight.data.T.contiguous().T
    assert same(emulated(lambda: turned(X))[0], WANTED)
    assert same(emulated(lambda: turned(X.T.contiguous().T))[0], WANTED)
    for threads in (1, 2):
        assert same(emulated(lambda: MODEL(X), threads=threads)[0], WANTED)
    torch_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    assert same(emulated(lambda: MODEL(X))[0], WANTED)
    torch.set_num_threads(torch_threads)


def test_fake_and_meta_tensors() -> None:
    from torch._subclasses import FakeTensorMode

    with mt.emulate("H100", unknown="ignore") as run:
        assert torch.mm(torch.empty(3, 4, device="meta"), torch.empty(4, 5, device="meta")).shape == (3, 5)
        with FakeTensorMode():
            assert (torch.empty(3, 4) @ torch.empty(4, 5)).shape == (3, 5)
            assert mt.matmul(torch.empty(3, 4), torch.empty(4, 5), machine="H100").shape == (3, 5)
    assert not run.calls


@pytest.mark.skipif(
    not hasattr(torch, "_grouped_mm"), reason="this version of PyTorch lets no mode see operators that take functions"
)
def test_control_flow() -> None:
    x = torch.randn(3, 3).half()
    assert same(emulated(lambda: torch.cond(torch.tensor(True), lambda x: x @ x, lambda x: x, (x,)))[0], emulated(lambda: x @ x)[0])


def test_empty_products() -> None:
    x = torch.randn(3, 3).half()
    none, _ = emulated(lambda: torch.addmm(x, x[:, :0], x[:0], beta=2))
    assert same(none, x * 2)
    assert emulated(lambda: x[:0] @ x)[0].shape == (0, 3)
    ignored, _ = emulated(lambda: torch.addmm(x * torch.nan, x, x, beta=0))
    assert same(ignored, emulated(lambda: x @ x)[0])


def test_tf32_follows_the_settings() -> None:
    x = torch.randn(64, 64)
    assert emulated(lambda: x @ x)[1].calls[0].shape.kind == "f32"
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = True
    found, run = emulated(lambda: x @ x)
    torch.backends.cuda.matmul.allow_tf32 = before
    assert run.calls[0].shape.kind == "tf32" and run.calls[0].plan.parts == 2
    assert same(emulated(lambda: x @ x, tf32=True)[0], found)
    image = torch.randn(1, 3, 5, 5)
    assert emulated(lambda: functional.conv2d(image, torch.ones(2, 3, 3, 3)))[1].calls[0].shape.kind == "tf32"


def test_machines_without_tf32() -> None:
    image = torch.randn(1, 3, 5, 5)
    with mt.emulate("V100", unknown="ignore", tf32=True) as run:
        functional.conv2d(image, torch.ones(2, 3, 3, 3))
    assert run.calls[0].shape.kind == "f32"


def test_sums_in_f16_are_refused() -> None:
    torch.backends.cuda.matmul.allow_fp16_accumulation = True
    with (
        mt.emulate("H100", unknown="ignore"),
        pytest.raises(mt.Refused, match="in Sequential.0 is not emulated for H100: sums in f16 are not known"),
    ):
        MODEL(X)
    torch.backends.cuda.matmul.allow_fp16_accumulation = False


def test_depthwise_convolutions_are_sums_of_f32() -> None:
    x, w = torch.randn(1, 4, 6, 6).half(), torch.randn(4, 1, 3, 3).half()
    found, run = emulated(lambda: functional.conv2d(x, w, groups=4))
    wanted, _ = emulated(lambda: functional.conv2d(x.float(), w.float(), groups=4))
    assert same(found, wanted.half()) and run.calls[0].shape.kind == "f32"


def test_nested_contexts_and_use_again() -> None:
    run = mt.emulate("H100", unknown="ignore")
    for _ in range(2):
        with run:
            assert same(MODEL(X), WANTED)
    assert run.calls[0].count == 2
    with mt.emulate("V100", unknown="ignore") as outer, mt.emulate("H100", unknown="ignore") as inner:
        assert same(MODEL(X), WANTED)
    assert inner.calls and not outer.calls


def test_memory_is_flat() -> None:
    x, model = torch.randn(2, 8).half(), nn.Linear(8, 4).half()

    def forwards(count: int) -> int:
        with torch.no_grad(), mt.emulate("H100", unknown="ignore", threads=1) as run:
            for _ in range(count):
                model(x)
        assert len(run.calls) == 1 and run.calls[0].count == count
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = forwards(200)
    assert forwards(800) - before < 4096  # KiB


def test_explain() -> None:
    found = mt.explain("aten.addmm", [(8,), (4, 32), (32, 8)], torch.float16, machine="A100")
    assert [str(call.shape) for call in found.calls] == ["addmm (4 x 32) (32 x 8) f16 -> f16"] and "ASSUMED" in str(found)
    assert len(mt.explain("conv2d", [(1, 2, 5, 5), (3, 2, 3, 3)], torch.float16, machine="H100").calls) == 1
    with pytest.raises(ValueError, match="op: expected an operator of aten such as 'aten.addmm', found 'aten.nothing'"):
        mt.explain("aten.nothing", [], torch.float16, machine="H100")


# PyTorch's GELU gives an element other bits at another place of a tensor (with AVX-512), its ReLU never does.
EVEN = nn.Sequential(nn.Linear(48, 16), nn.ReLU(), nn.Linear(16, 8))
CHAIN = mt.Rule(mt.Plan("", source="a test", verified="recorded"))


def test_sweep() -> None:
    split = mt.Rule(mt.Plan("", parts=3, tile=16, source="an example", verified="assumed"), m=(1, 2), k=48)
    half = nn.Sequential(nn.Linear(48, 16), nn.ReLU(), nn.Linear(16, 8)).half()
    still = mt.sweep(half, X, batches=[1, 2, 6], machine="H100", unknown="ignore")
    assert still.keeps_bits and still.is_invariant is None and not any(batch.products for batch in still.batches)
    assert still.assumed == still.products == 6 and "ASSUMED: the plans of 6 of 6 products" in still.report()
    known = mt.sweep(half, X, batches=[1, 2, 6], machine="H100", plans=[CHAIN])
    assert known.is_invariant and "ASSUMED" not in known.report()
    moved = mt.sweep(EVEN, X.float(), batches=[1, 2, 6], machine="H100", unknown="ignore", plans=[split])
    assert moved.is_invariant is None and not moved.keeps_bits and not moved.batches[1].different
    recorded = [mt.Rule(mt.Plan("", parts=3, tile=16, source="a test", verified="recorded"), m=(1, 2), k=48), CHAIN]
    found = mt.sweep(EVEN, X.float(), batches=[1, 2, 6], machine="H100", plans=recorded)
    assert found.is_invariant is False and not found.batches[2].is_by_processor and "NATIVE" not in found.report()
    assert [one.operands_differ for one in found.batches[2].products] == [False, True]
    assert moved.batches[2].products[0].order_before.startswith("3 parts")
    assert "Sequential.0" in moved.report()


class Uneven(nn.Module):
    """An elementwise operator that gives a row other bits in another batch."""

    def forward(self, x: Any) -> Any:
        return x * (1 + (x.shape[0] > 2) * 2**-20)


def test_a_sweep_tells_operators_of_this_processor_from_products() -> None:
    between = nn.Sequential(EVEN[0], Uneven(), EVEN[2])
    found = mt.sweep(between, X.float(), batches=[1, 2, 6], machine="H100", plans=[CHAIN])
    assert found.is_invariant is None and not found.keeps_bits
    assert [batch.is_by_processor for batch in found.batches] == [False, False, True]
    assert "elements differ, as operands do\nNATIVE" in found.report() and "in batches of 6" in found.report()
    behind = mt.sweep(nn.Sequential(EVEN[0], Uneven()), X.float(), batches=[1, 6], machine="H100", plans=[CHAIN])
    assert behind.is_invariant is None and behind.batches[1].is_by_processor and not behind.batches[1].products


@pytest.mark.skipif(not hasattr(torch.library, "get_kernel"), reason="this version of PyTorch does not tell its kernels")
def test_installed_in_all_threads() -> None:
    import threading

    found: list[Any] = []

    def forward() -> None:
        with torch.inference_mode():
            found.append(MODEL(X))

    whole = torch.ones(2, 2, dtype=torch.int32)
    with mt.install("H100", unknown="ignore", only=lambda op, shape, module: shape.m != 5) as run:
        threads = [threading.Thread(target=forward) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        MODEL(X).float().sum().backward()
        assert torch.equal(whole @ whole, 2 * whole)
        MODEL(X[:5])
        with pytest.raises(mt.Refused, match=r"linalg_inv_ex of \(3, 3\) is not emulated for H100"):
            torch.linalg.inv(torch.eye(3))
        with pytest.raises(RuntimeError, match="install: expected no other installation, found one of H100"):
            mt.install("A100")
    assert len(found) == 3 and all(same(x, WANTED) for x in found)
    assert run.calls[0].count == 4 and run.native == {"addmm": 2}
    assert torch.backends.mkldnn.enabled
    torch.linalg.inv(torch.eye(3))
    assert run.calls[0].count == 4
