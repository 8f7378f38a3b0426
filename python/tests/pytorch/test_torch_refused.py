"""What is refused has no result: one line each, with operator, shapes, module and what to do."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt

EYE = torch.eye(3)
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "complex": (
        lambda: EYE.cfloat() @ EYE.cfloat(),
        "mm of (3, 3), (3, 3) is not emulated for V100: expected real operands, found torch.complex64; split them",
    ),
    "sparse": (
        lambda: EYE.to_sparse() @ EYE,
        "mm of (3, 3), (3, 3) is not emulated for V100: expected dense tensors, found one of layout torch.sparse_coo; convert it",
    ),
    "rows": (lambda: EYE.to_sparse_csr() @ EYE, "expected dense tensors, found one of layout torch.sparse_csr; convert it"),
    "nested": (
        lambda: torch.nn.functional.linear(torch.nested.nested_tensor([EYE]), EYE),
        "linear of nested, (3, 3) is not emulated for V100",
    ),
    "bf16": (
        lambda: EYE.bfloat16() @ EYE.bfloat16(),
        "mm (3 x 3) (3 x 3) bf16 -> bf16 is not emulated: V100 has no unit for bf16, it has f16, f32, f64: convert the operands, or take another machine",
    ),
    "two types": (
        lambda: EYE.half() @ EYE,
        "mm of (3, 3), (3, 3) is not emulated for V100: expected operands of one type, found torch.float16 and torch.float32",
    ),
    "FP8": (
        lambda: EYE.to(torch.float8_e4m3fn) @ EYE.to(torch.float8_e4m3fn),
        "expected f16, bf16, f32 or f64, found torch.float8_e4m3fn and torch.float8_e4m3fn; FP8 is for",
    ),
    "solver": (
        lambda: torch.linalg.solve(EYE, EYE),
        "_linalg_solve_ex of (3, 3), (3, 3) is not emulated for V100: a factorisation or a solver",
    ),
    "kernel": (
        lambda: torch.ops.aten._slow_conv2d_forward(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3), [3, 3], None, [1, 1], [0, 0]),
        "the kernel of one backend; call torch.nn.functional",
    ),
    "packed": (
        lambda: torch.ops.aten._weight_int8pack_mm(EYE.bfloat16(), torch.ones(3, 3, dtype=torch.int8), torch.ones(3).bfloat16()),
        "a product with packed or quantised weights",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, text = REFUSED[name]
    with warnings.catch_warnings(), mt.emulate("V100", unknown="ignore") as run:
        warnings.simplefilter("ignore")
        with pytest.raises(mt.Refused) as caught:
            call()
    assert text in str(caught.value) and "\n" not in str(caught.value)
    assert not run.calls and not run.native


def test_the_module_is_named() -> None:
    class Inverse(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.linalg.inv(x)

    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Sequential(Inverse()))
    with (
        mt.emulate("H100", unknown="ignore"),
        pytest.raises(mt.Refused, match=r"linalg_inv_ex of \(3, 3\) in Sequential.1.0 is not emulated for H100"),
    ):
        model(EYE)


def test_only_leaves_the_rest_native() -> None:
    with mt.emulate("H100", unknown="ignore", only=lambda op, shape, module: op == "mm") as run:
        torch.linalg.inv(EYE)
        torch.addmm(EYE, EYE, EYE)
        EYE @ EYE
    assert run.native == {"linalg_inv_ex": 1, "addmm": 1} and [call.shape.op for call in run.calls] == ["mm"]
    assert "1 x addmm: computed by this processor, not emulated" in run.report()


def test_assumed_plans() -> None:
    half = EYE.half()
    with (
        pytest.warns(
            mt.Unknown, match=r"A100: no plan is recorded for mm \(3 x 3\) \(3 x 3\) f16 -> f16, one chain along k is assumed"
        ),
        mt.emulate("A100"),
    ):
        half @ half
    with mt.emulate("A100", unknown="error"), pytest.raises(mt.Refused, match=r"assumed: pass plans=, or unknown='warn'"):
        half @ half
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with mt.emulate("H100"):
            torch.ones(64, 64).half() @ torch.ones(64, 64).half()


def test_custom_operators_are_looked_into() -> None:
    @torch.library.custom_op("mmasmt_tests::square", mutates_args=())
    def square(x: torch.Tensor) -> torch.Tensor:
        return x @ x

    with pytest.warns(mt.Unknown, match="mmasmt_tests::square is no operator of PyTorch"), mt.emulate("V100") as run:
        found = square(EYE.half())
    assert torch.equal(found, EYE.half()) and run.native == {"mmasmt_tests::square": 1} and len(run.calls) == 1
    with mt.emulate("V100", unknown="error"), pytest.raises(mt.Refused, match="leave it out, or pass unknown='warn'"):
        square(EYE.half())


def test_other_threads_are_noticed() -> None:
    model, seen = torch.nn.Linear(3, 3), []

    def run_model() -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model(EYE)
        seen.extend(caught)

    with mt.emulate("H100", unknown="ignore") as run:
        thread = threading.Thread(target=run_model)
        thread.start()
        thread.join()
    assert not run.calls and "module Linear in another thread is computed natively" in str(seen[0].message)
    assert run.native["module Linear in another thread"] == 1


@pytest.mark.parametrize(
    "options, text",
    [
        ({"machine": "Z80"}, "unknown architecture `Z80`"),
        ({"machine": "Gaudi 2"}, "machine: expected one whose libraries"),
        ({"machine": "H100", "unknown": "maybe"}, "unknown: expected one of warn, error, ignore, found 'maybe'"),
        ({"machine": "H100", "attention": "flash9"}, "attention: expected one of flash2, math, error, found 'flash9'"),
        ({"machine": "H100", "compare": "Z80"}, "unknown architecture `Z80`"),
    ],
)
def test_wrong_arguments(options: dict[str, str], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.emulate(**options)


def test_settings_are_restored_after_an_error() -> None:
    before = torch.backends.mkldnn.enabled, torch.backends.mha.get_fastpath_enabled(), torch.backends.cuda.flash_sdp_enabled()
    with pytest.raises(mt.Refused), mt.emulate("H100", attention="math"):
        assert not torch.backends.mkldnn.enabled and not torch.backends.cuda.flash_sdp_enabled()
        torch.linalg.inv(EYE)
    assert before == (
        torch.backends.mkldnn.enabled,
        torch.backends.mha.get_fastpath_enabled(),
        torch.backends.cuda.flash_sdp_enabled(),
    )
