"""Questions to `torch.cuda` inside of a context: answered as on the machine for who asked for it, and as ever for all others."""

from __future__ import annotations

import threading
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch import _device

NAMES = ("is_available", "device_count", "current_device", "get_device_capability", "get_device_name", "get_device_properties")


def own() -> list[Any]:
    return [getattr(torch.cuda, name) for name in NAMES] + [torch.version.cuda]


@pytest.mark.parametrize(
    "machine, capability",
    [
        ("V100", (7, 0)), ("T4", (7, 5)), ("A100", (8, 0)), ("A100 SXM", (8, 0)), ("ampere", (8, 0)), ("A10", (8, 6)), ("RTX 3090", (8, 6)),
        ("RTX 4090", (8, 9)), ("L40S", (8, 9)), ("H100", (9, 0)), ("B200", (10, 0)), ("RTX 5090", (12, 0)),
    ],
)  # fmt: skip
def test_answers_of_the_machine(machine: str, capability: tuple[int, int]) -> None:
    before = own()
    with mt.emulate(machine, unknown="ignore", as_device=True):
        assert torch.cuda.is_available() and torch.cuda.device_count() >= 1
        assert torch.cuda.get_device_capability() == capability and torch.cuda.get_device_name() == f"NVIDIA {machine}"
        found = torch.cuda.get_device_properties(None)
        assert (found.name, found.major, found.minor) == (f"NVIDIA {machine}", *capability)
        with pytest.raises(AttributeError, match="get_device_properties: total_memory of NVIDIA .* is not known to an emulation"):
            _ = found.total_memory
        # What quantisation libraries ask.
        assert torch.version.cuda and (torch.cuda.get_device_capability() >= (8, 9)) == (capability >= (8, 9))
    assert own() == before


def test_nobody_else_is_answered_so() -> None:
    before = own()
    real = torch.cuda.is_available()
    with mt.emulate("H100", unknown="ignore"):
        assert own() == before
        with mt.emulate("A100", unknown="ignore", as_device=True):
            assert torch.cuda.get_device_capability() == (8, 0)
            with mt.emulate("RTX 4090", unknown="ignore", as_device=True):
                assert torch.cuda.get_device_capability() == (8, 9)
            assert torch.cuda.get_device_capability() == (8, 0)
            found: list[bool] = []
            thread = threading.Thread(target=lambda: found.append(torch.cuda.is_available()))
            thread.start()
            thread.join()
            assert found == [real]
        assert own() == before
    with pytest.raises(ZeroDivisionError), mt.emulate("A100", unknown="ignore", as_device=True):
        raise ZeroDivisionError
    assert own() == before


def test_a_device_that_is_there_answers_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device=None: (7, 0))
    with mt.emulate("H100", unknown="ignore", as_device=True):
        assert torch.cuda.device_count() == 3 and torch.cuda.get_device_capability() == (9, 0)
        assert torch.cuda.get_device_capability(1) == (7, 0) and torch.cuda.get_device_capability(device="cuda:1") == (7, 0)


def test_a_build_without_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", None)
    with mt.emulate("B200", unknown="ignore", as_device=True):
        assert torch.version.cuda == "12.8"
    assert torch.version.cuda is None


def test_a_log_has_no_device_that_is_not_there() -> None:
    real = torch.cuda.is_available()
    with mt.emulate("H100", unknown="ignore", as_device=True):
        log = mt.record(torch.nn.Linear(4, 4), torch.ones(1, 4))
    assert ("gpu" in log.header["versions"]) == real
    assert _device.really("is_available")() == real


def test_a_machine_without_a_capability() -> None:
    with pytest.raises(ValueError, match=r"as_device: expected a machine of NVIDIA, found MI300X \(cdna3\)"):
        mt.emulate("MI300X", as_device=True)


@pytest.mark.skipif(not hasattr(torch.library, "get_kernel"), reason="this version of PyTorch does not tell its kernels")
def test_an_installation_does_not_take_it() -> None:
    with pytest.raises(ValueError, match="as_device: expected False for an installation"):
        mt.install("H100", as_device=True)


class Elsewhere(torch.Tensor):
    """A tensor that says that it is on a GPU, and is copied to this processor as one of a GPU is."""

    @staticmethod
    def __new__(cls, own: Any) -> Any:
        return torch.Tensor._make_wrapper_subclass(cls, own.shape, strides=own.stride(), dtype=own.dtype, device="cuda")

    def __init__(self, own: Any) -> None:
        self.own = own

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.ops.aten.detach.default:
            return args[0]
        assert func is torch.ops.aten._to_copy.default and kwargs["device"].type == "cpu", func
        return args[0].own


def test_tensors_of_a_gpu_are_in_the_log_as_those_of_this_processor() -> None:
    """Their values, layout and hashes; no GPU is there, so that the copy alone is tried."""
    x = torch.randn(4, 6).half()
    for own in (x, x.T, x[:, ::2]):
        there = Elsewhere(own)
        assert there.device.type == "cuda"
        logs = [mt.Recording({}), mt.Recording({})]
        values = [log.put(tensor, "x") for log, tensor in zip(logs, (there, own))]
        assert values[0] == values[1]
        found = logs[0].get(values[0])
        assert found.device.type == "cpu" and torch.equal(found, own) and found.stride() == logs[1].get(values[1]).stride()


def test_torchao() -> None:
    """The assertion of its FP8 quantisation, which passes; the products are those of the machine."""
    torchao = pytest.importorskip("torchao.quantization", reason="torchao is not installed: pip install torchao")
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 32)).bfloat16()
    config = torchao.Float8DynamicActivationFloat8WeightConfig()
    with mt.emulate("H100", unknown="ignore", as_device=True) as run:
        torchao.quantize_(model, config)
        model(torch.randn(16, 64).bfloat16())
    assert [call.shape.op for call in run.calls] == ["_scaled_mm"] and "e4m3" in run.calls[0].shape.kind
    with mt.emulate("A100", unknown="ignore", as_device=True), pytest.raises(AssertionError):
        torchao.quantize_(torch.nn.Sequential(torch.nn.Linear(64, 32)).bfloat16(), config)
