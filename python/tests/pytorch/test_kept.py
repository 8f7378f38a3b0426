"""What is kept of weights: the same bits on every call, whoever writes into them, within a number of bytes."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import mmasmt.torch as mt  # noqa: E402
from mmasmt._emulation import kept  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:.*no plan is recorded")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Any:
    kept.forget()
    yield
    kept.forget()


def _weight(dtype: Any = torch.bfloat16) -> Any:
    torch.manual_seed(3)
    return torch.randn(192, 128).to(dtype)


@pytest.fixture(autouse=True, scope="module")
def _programs() -> None:
    """The programs of the units, which are made once that pays: nothing is kept before."""
    for dtype in (torch.bfloat16, torch.float16):
        mt.linear(torch.ones(200, 128, dtype=dtype), torch.ones(200, 128, dtype=dtype), machine="H100")


def _expected(x: Any, weight: Any) -> Any:
    """The product of a copy, of which nothing is kept."""
    found = mt.linear(x, weight.clone(), machine="H100")
    kept.forget()
    return found


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("rows", [1, 3, 20])
def test_the_bits_are_the_same_on_every_call(dtype: Any, rows: int) -> None:
    weight, x = _weight(dtype), torch.randn(rows, 128).to(dtype)
    expected = _expected(x, weight)
    for _ in range(4):
        assert torch.equal(mt.linear(x, weight, machine="H100"), expected)
    assert kept.kept_bytes() > weight.numel() * 2


def test_infinities_and_nans_are_as_without() -> None:
    weight, x = _weight(), torch.randn(2, 128).to(torch.bfloat16)
    weight[5, 7], x[1, 3] = float("inf"), float("nan")
    expected = _expected(x, weight)
    for _ in range(4):
        assert torch.equal(mt.linear(x, weight, machine="H100").view(torch.int16), expected.view(torch.int16))


def _through_numpy(weight: Any) -> None:
    weight.view(torch.uint16).numpy()[3, 5] ^= 0x8000


def _by_an_optimizer(weight: Any) -> None:
    weight.requires_grad_()
    weight.grad = torch.ones_like(weight)
    torch.optim.SGD([weight], lr=0.5).step()


@pytest.mark.parametrize(
    "write",
    [
        lambda weight: weight.add_(1),
        lambda weight: weight[2:4].zero_(),
        lambda weight: weight.T[7].mul_(2),
        lambda weight: weight.data.copy_(weight.flip(0)),
        _through_numpy,
        _by_an_optimizer,
    ],
)
def test_a_write_is_seen(write: Any) -> None:
    weight, x = _weight(), torch.randn(1, 128).to(torch.bfloat16)
    for _ in range(3):
        before = mt.linear(x, weight, machine="H100")
    assert kept.kept_bytes() > 0
    write(weight)
    found = mt.linear(x, weight.detach(), machine="H100")
    assert not torch.equal(found, before)
    assert torch.equal(found, _expected(x, weight.detach()))


def test_nothing_is_kept_of_a_tensor_that_is_gone() -> None:
    weight, x = _weight(), torch.randn(1, 128).to(torch.bfloat16)
    for _ in range(3):
        mt.linear(x, weight, machine="H100")
    assert kept.kept_bytes() > 0
    del weight
    gc.collect()
    assert kept.kept_bytes() == 0


def test_the_budget_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_BUDGET", 150_000)
    weights = [_weight() + i for i in range(3)]
    x = torch.randn(1, 128).to(torch.bfloat16)
    expected = [_expected(x, weight) for weight in weights]
    for _ in range(4):
        for weight, right in zip(weights, expected, strict=True):
            assert torch.equal(mt.linear(x, weight, machine="H100"), right)
    assert 0 < kept.kept_bytes() <= 150_000


def test_a_fingerprint_changes_with_each_register() -> None:
    from mmasmt import _native

    for kind in (np.uint8, np.uint16, np.uint32, np.uint64):
        bits = np.arange(1000, dtype=np.uint64).astype(kind)
        first = _native.fingerprint(bits)
        assert first == _native.fingerprint(bits.copy())
        for at in (0, 1, 63, 64, 998, 999):
            other = bits.copy()
            other[at] ^= 1
            assert _native.fingerprint(other) != first
        assert _native.fingerprint(bits[:-1].copy()) != first


def test_nothing_that_is_kept_holds_the_weight() -> None:
    weight, x = _weight(), torch.ones(1, 128, dtype=torch.bfloat16)
    for _ in range(3):
        mt.linear(x, weight, machine="H100")
    (one,) = kept._ALL.values()
    assert one.operand is not None and not one.storage.expired()
    del weight
    assert one.storage.expired()
