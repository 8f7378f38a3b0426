"""PyTorch's own database of operators: under an emulation no product of matrices is computed by this processor.

`MMASMT_OPERATORS=all` takes up to 40 samples of each operator in each of five types; by default one sample in f32 is taken. Names of
operators in its place, with commas between them, take these alone.
"""

from __future__ import annotations

import itertools
import os
import warnings
from collections import Counter, defaultdict
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
below = pytest.importorskip("below")
database = pytest.importorskip(
    "torch.testing._internal.common_methods_invocations", reason="PyTorch's database needs setuptools and expecttest"
)

import mmasmt.torch as mt
from torch.utils._pytree import tree_flatten

ASKED = os.environ.get("MMASMT_OPERATORS", "")
ALL = bool(ASKED)
TYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.complex64)
SAMPLES = 40 if ALL else 1


def key_of(operator: Any) -> str:
    return ".".join(filter(None, (operator.name, operator.variant_test_name)))


def results(operator: Any, sample: Any, gradients: bool) -> list[Any]:
    """Tensors that a call gives, and gradients of its operands."""
    torch.manual_seed(3)
    value = operator(sample.input, *sample.args, **sample.kwargs)
    found = [x for x in tree_flatten(value)[0] if isinstance(x, torch.Tensor)]
    if gradients:
        ends = [x for x in tree_flatten(sample.output_process_fn_grad(value))[0] if isinstance(x, torch.Tensor) and x.requires_grad]
        leaves = [
            x
            for x in tree_flatten((sample.input, sample.args, sample.kwargs))[0]
            if isinstance(x, torch.Tensor) and x.requires_grad
        ]
        if ends and leaves:
            total = sum(x.abs().sum() if x.is_complex() else x.sum() for x in ends)
            found += [x for x in torch.autograd.grad(total, leaves, allow_unused=True) if x is not None]
    return found


def agree(wanted: Any, found: Any, strides: bool) -> bool:
    """Alike in type, shape and strides, and in value as far as formats allow."""
    if (wanted.dtype, wanted.shape) != (found.dtype, found.shape) or (strides and wanted.stride() != found.stride()):
        return False
    tolerance = {torch.float16: 2e-2, torch.bfloat16: 1e-1}.get(wanted.dtype, 2e-3)
    # Sums that cancel are as far off as the largest of them is rounded.
    finite = wanted[wanted.isfinite()].double().abs()
    size = max(1.0, float(finite.max())) if finite.numel() else 1.0
    return torch.allclose(wanted.double(), found.double(), rtol=tolerance, atol=tolerance * size, equal_nan=True)


def natively(operator: Any, sample: Any, gradients: bool) -> list[Any] | None:
    try:
        return results(operator, sample, gradients)
    except Exception:
        return None


def one(operator: Any, sample: Any, gradients: bool, wanted: list[Any], seen: Counter[str]) -> tuple[str, str]:
    """What became of one call: its status, and what was wrong."""
    below.take(seen)
    try:
        with mt.emulate("H100", unknown="ignore", tf32=False) as run:
            found = results(operator, sample, gradients)
    except mt.Refused as error:
        native = below.take(seen)
        return "refused", f"natively {native}" if native else "" if "is not emulated" in str(error) else str(error)
    except Exception as error:
        return "fails", repr(error)
    if native := below.take(seen):
        return ("reported", "") if run.native else ("native", str(native))
    if not run.calls:
        return "without products", ""
    # Convolutions have the strides of cuDNN.
    strides = "conv" not in operator.name
    wrong = [i for i, (x, y) in enumerate(zip(wanted, found)) if x.is_floating_point() and not agree(x, y, strides)]
    return "emulated", f"results {wrong}: {wanted[wrong[0]]} and {found[wrong[0]]}" if wrong else ""


@pytest.fixture(scope="module")
def statuses() -> dict[str, Counter[str]]:
    """For each operator how many calls were emulated, refused, native, or without products."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for operator in database.op_db:
            if ASKED not in ("", "all") and operator.name not in ASKED.split(","):
                continue
            types = [kind for kind in TYPES if operator.supports_dtype(kind, "cpu")]
            for kind in types if ALL else types[:1]:
                gradients = operator.supports_autograd and kind in operator.supported_backward_dtypes("cpu")
                try:
                    samples = list(itertools.islice(operator.sample_inputs("cpu", kind, requires_grad=gradients), SAMPLES))
                except Exception:
                    continue
                before = [(sample, natively(operator, sample, gradients)) for sample in samples]
                with below.watched() as seen:
                    for sample, wanted in before:
                        if wanted is None:
                            continue
                        status, text = one(operator, sample, gradients, wanted, seen)
                        found[key_of(operator)][status] += 1
                        if text:
                            wrong.append(f"{key_of(operator)} in {kind}: {status}: {text}"[:400])
    torch.set_num_threads(threads)
    assert not wrong, "\n".join(wrong[:20])
    return found


def test_no_product_is_native(statuses: dict[str, Counter[str]], capsys: pytest.CaptureFixture[str]) -> None:
    of = {status: [name for name, calls in statuses.items() if calls[status]] for status in ("emulated", "refused", "native")}
    with capsys.disabled():
        counts = ", ".join(f"{len(names)} {status}" for status, names in of.items())
        print(f"\n{len(statuses)} operators, {sum(map(Counter.total, statuses.values()))} calls; with products inside: {counts}")
    assert not of["native"]
    # A sum of weighted rows, which the report counts.
    reported = {name for name, calls in statuses.items() if calls["reported"]}
    assert reported <= {"nn.functional.embedding_bag"}
    assert ASKED not in ("", "all") or len(of["emulated"]) >= 30


def test_factorisations_are_refused(statuses: dict[str, Counter[str]]) -> None:
    for name in {"linalg.qr", "linalg.solve", "svd", "cholesky_solve", "linalg.lstsq", "sparse.sampled_addmm"} & set(statuses):
        assert statuses[name]["refused"] and not statuses[name]["emulated"], name
