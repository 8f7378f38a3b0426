"""Ways past an emulation: each is emulated, refused, or counted and warned about; none is silent."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from torch import nn
from torch.nn import functional
from watched import run_of

X = torch.randn(4, 4)
TELLS_KERNELS = hasattr(torch.library, "get_kernel")
tells_kernels = pytest.mark.skipif(not TELLS_KERNELS, reason="this version of PyTorch does not tell its kernels")


def refused(call: Callable[[], Any], text: str) -> None:
    with warnings.catch_warnings(), mt.emulate("H100", unknown="ignore") as run:
        warnings.simplefilter("ignore")
        with pytest.raises(mt.Refused, match=text):
            call()
    assert not run.calls and sum(run.refused.values()) == 1


def packed(count: int = 8) -> tuple[Any, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weight, column, scale, zero = torch.fbgemm_linear_quantize_weight(torch.randn(count, 8))
        return weight, torch.fbgemm_pack_quantized_matrix(weight), column, scale, zero


def cell(name: str, gates: int) -> Callable[[], Any]:
    (wi, pi, ci, si, zi), (wh, ph, ch, sh, zh) = packed(8 * gates), packed(8 * gates)
    h, bias = torch.zeros(2, 8), torch.zeros(8 * gates)
    state = [h, h] if "lstm" in name else h
    return lambda: getattr(torch, name)(torch.randn(2, 8), state, wi, wh, bias, bias, pi, ph, ci, ch, si, sh, zi, zh)


def test_a_kernel_that_calls_a_product_is_taken_apart() -> None:
    def grid() -> None:
        theta = torch.randn(1, 2, 3, requires_grad=True)
        functional.affine_grid(theta, [1, 3, 4, 4], align_corners=False).sum().backward()

    run, _ = run_of(grid)
    assert [str(call.shape) for call in run.calls] == ["bmm (16 x 3) (3 x 2) f32 -> f32", "bmm (3 x 16) (16 x 2) f32 -> f32"]


@tells_kernels
def test_a_product_beneath_the_mode_is_emulated() -> None:
    """Also where no table says that a kernel calls one."""
    library = torch.library.Library("mmasmt_beneath", "DEF")
    library.define("turned(Tensor x) -> Tensor")

    def turned(x: Any) -> Any:
        with torch.utils._python_dispatch._disable_current_modes():
            return x @ x.T

    library.impl("turned", turned, "CompositeExplicitAutograd")
    run, _ = run_of(lambda: torch.ops.mmasmt_beneath.turned(X))
    assert [call.shape.op for call in run.calls] == ["mm"]


@pytest.mark.parametrize("whole", [False, True])
def test_packed_weights_are_refused(whole: bool) -> None:
    weight, blocks, column, scale, zero = packed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        half = torch.fbgemm_pack_gemm_matrix_fp16(torch.randn(8, 8))
    calls = {
        "fbgemm_linear_fp16_weight": lambda: torch.fbgemm_linear_fp16_weight(torch.randn(4, 8), half, torch.zeros(8)),
        "fbgemm_linear_int8_weight": lambda: torch.fbgemm_linear_int8_weight(
            torch.randn(4, 8), weight, blocks, column, scale, zero, torch.zeros(8)
        ),
        "quantized_lstm_cell": cell("quantized_lstm_cell", 4),
        "quantized_gru_cell": cell("quantized_gru_cell", 3),
    }
    for name, call in calls.items():
        with torch.inference_mode(whole):
            refused(call, f"{name} of .* is not emulated for H100: a product with packed or quantised weights")


def test_graphs_of_torchscript() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fused = torch.jit.optimize_for_inference(torch.jit.script(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()).eval()))
        frozen = torch.jit.freeze(torch.jit.script(nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU()).eval()))
    x = torch.randn(1, 3, 8, 8)
    for model in (fused, nn.Sequential(fused)):
        refused(lambda model=model: model(x), "prim::mkldnn_convolution in its graph, which the interpreter of TorchScript computes")
    run, _ = run_of(lambda: frozen(x))
    assert [call.shape.op for call in run.calls] == ["convolution"]
    fused(x)


def test_packages_are_refused() -> None:
    from torch._inductor.package import package

    kind = package.AOTICompiledModel

    class Loader:
        def get_call_spec(self) -> Any:
            leaf = torch.utils._pytree.tree_flatten(((X,), {}))[1]
            one = torch.utils._pytree.tree_flatten(X)[1]
            return [torch.utils._pytree.treespec_dumps(leaf), torch.utils._pytree.treespec_dumps(one)]

        def boxed_run(self, inputs: list[Any]) -> list[Any]:
            return inputs

    model = kind(Loader())
    refused(lambda: model(X), "AOTICompiledModel is not emulated for H100: code that was compiled, whose products nothing sees")
    assert torch.equal(model(X), X)


@pytest.mark.parametrize("gradient", [False, True])
def test_weighted_sums_are_counted(gradient: bool) -> None:
    def bag() -> None:
        weights = torch.rand(2, 3, requires_grad=gradient)
        places = torch.arange(6).reshape(2, 3)
        found = functional.embedding_bag(places, torch.randn(10, 4), per_sample_weights=weights, mode="sum")
        if gradient:
            found.sum().backward()

    run, _ = run_of(bag)
    names = ["_embedding_bag", "_embedding_bag_per_sample_weights_backward"] if gradient else ["_embedding_bag_forward_only"]
    assert sorted(run.native) == names and not run.calls
    assert "not emulated (weighted sums in a kernel of its own, which no library makes by matrix units)" in run.report()
    plain, _ = run_of(lambda: functional.embedding_bag(torch.arange(6).reshape(2, 3), torch.randn(10, 4), mode="sum"))
    assert not plain.native
    powers, _ = run_of(lambda: torch.ops.aten._compute_linear_combination(torch.randn(3, 2, 2), torch.randn(2, 3)))
    assert powers.native == {"_compute_linear_combination": 1}


@tells_kernels
def test_other_threads_are_counted_and_warned_about_once() -> None:
    def pool() -> None:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda x: x @ X, [X, X, X]))

    def future() -> None:
        first: Any = torch.futures.Future()
        second = first.then(lambda value: value.value() @ X)
        thread = threading.Thread(target=lambda: first.set_result(X))
        thread.start()
        thread.join()
        second.wait()

    def backward() -> None:
        found = nn.Linear(4, 4)(X).sum()
        thread = threading.Thread(target=found.backward)
        thread.start()
        thread.join()

    for call, count in ((pool, 3), (future, 1)):
        run, warned = run_of(call)
        assert run.native == {"mm in another thread": count} and len(warned) == 1
        assert f"{count} x mm in another thread: computed by this processor, not emulated" in run.report()
    run, warned = run_of(backward)
    assert run.native == {"mm in another thread": 1} and len(warned) == 1
    # Kernels are PyTorch's own again, and integers are exact anywhere.
    whole = torch.ones(2, 2, dtype=torch.int32)
    run, warned = run_of(lambda: threading.Thread(target=lambda: whole @ whole).start())
    assert not run.native and not warned


def test_a_backward_pass_after_the_context() -> None:
    layer = nn.Linear(4, 4)
    with mt.emulate("H100", unknown="ignore") as run:
        loss = layer(X).sum()
    with pytest.warns(mt.Unknown, match=r"addmm backward after the context is computed natively: .* call backward\(\) inside"):
        loss.backward()
    assert run.native == {"addmm backward after the context": 1}
    assert "1 x addmm backward after the context: computed by this processor, not emulated" in run.report()
    with mt.emulate("H100", unknown="ignore") as run:
        layer(X).sum().backward()
    with mt.emulate("H100", unknown="ignore") as first:
        loss = layer(X).sum()
    with warnings.catch_warnings(), mt.emulate("H100", unknown="ignore") as second:
        warnings.simplefilter("error")
        loss.backward()
    assert not run.native and not first.native and second.calls[0].backward


def test_swallowed_refusals_are_counted() -> None:
    def forward() -> None:
        with pytest.raises(ValueError, match="orthogonal"):
            try:
                torch.linalg.inv(torch.eye(3))
            except RuntimeError:
                raise ValueError("orthogonal") from None

    run, _ = run_of(forward)
    (text,) = run.refused
    assert text.startswith("linalg_inv_ex of (3, 3) is not emulated") and f"REFUSED: 1 x {text}" in run.report()


def test_functions_that_pytorch_itself_makes_operators_of() -> None:
    """All inside of a loss in chunks is seen, so that it is not called native."""
    options = pytest.importorskip("torch.nn.modules.linear_cross_entropy_options", reason="this version of PyTorch has no such loss")
    x, weight = torch.randn(64, 8, requires_grad=True), torch.randn(10, 8, requires_grad=True)
    target = torch.zeros(64, dtype=torch.int64)
    chunks = options.LinearCrossEntropyOptions()
    run, warned = run_of(lambda: functional.linear_cross_entropy(x, weight, target, options=chunks).backward())
    assert "mm (16 x 8) (8 x 10) f32 -> f32" in {str(call.shape) for call in run.calls} and not run.native and not warned


def test_a_report_without_a_product_says_so() -> None:
    run, _ = run_of(lambda: X + X)
    assert "no product of matrices was seen: what other threads, compiled packages" in run.report()
    run, _ = run_of(lambda: X @ X)
    assert "no product" not in run.report()


@pytest.mark.skipif(not TELLS_KERNELS, reason="this version of PyTorch does not tell its kernels")
def test_an_installation_refuses_what_a_context_does() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        linear = torch.ops.quantized.linear_prepack(torch.quantize_per_tensor(torch.randn(4, 4), 0.1, 0, torch.qint8), None)
        rows = X.to_sparse_csr()
    weight, blocks, column, scale, zero = packed()
    calls = {
        "mm": lambda: X.to_sparse() @ X,
        "mm of": lambda: rows @ X,
        "quantized::linear_dynamic": lambda: torch.ops.quantized.linear_dynamic(X, linear),
        "mkldnn::_linear_pointwise": lambda: torch.ops.mkldnn._linear_pointwise(X, X, None, "none", [], ""),
        "fbgemm_linear_int8_weight": lambda: torch.fbgemm_linear_int8_weight(
            torch.randn(4, 8), weight, blocks, column, scale, zero, torch.zeros(8)
        ),
    }
    with mt.install("H100", unknown="ignore") as run:
        for name, call in calls.items():
            with pytest.raises(mt.Refused, match=f"{name}.* is not emulated for H100"):
                call()
        functional.affine_grid(torch.randn(1, 2, 3), [1, 3, 4, 4], align_corners=False)
        assert [call.shape.op for call in run.calls] == ["bmm"] and sum(run.refused.values()) == len(calls)
        # Nothing is compiled meanwhile: a compiler makes loops of its own of a product with one row.
        seen = []
        torch.compile(lambda x: x @ x, backend=lambda graph, _: seen.append(graph) or graph.forward)(X)
        assert not seen and run.calls[-1].shape.op == "mm"
    for call in calls.values():
        call()
