"""Kinds of layers: the same bits with and without gradients and `inference_mode`, close to this processor's, and nothing native."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
below = pytest.importorskip("below")

import mmasmt.torch as mt
from mmasmt.torch._rounding import bits
from torch import nn
from torch.nn import functional
from torch.utils._pytree import tree_flatten


def drawn(*shape: int, seed: int = 0) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


X, IMAGE, HEADS = drawn(3, 5, 32), drawn(2, 8, 9, 11), drawn(2, 4, 20, 16)
LAYERS: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "linear": (lambda: nn.Linear(32, 24), (X,)),
    "linear without bias": (lambda: nn.Linear(32, 24, bias=False), (X,)),
    "linear, turned input": (lambda: nn.Linear(5, 24), (X.transpose(1, 2),)),
    "bilinear": (lambda: nn.Bilinear(32, 32, 3), (X, X)),
    "mlp": (lambda: nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 8), nn.GELU(), nn.Linear(8, 8)), (X,)),
    "embedding": (lambda: nn.Sequential(nn.Embedding(10, 16), nn.Linear(16, 4)), (torch.arange(5),)),
    "weight norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(32, 4)), (X,)),
    "conv1d, groups, dilation": (lambda: nn.Conv1d(8, 16, 5, groups=2, dilation=2), (drawn(2, 8, 40),)),
    "conv2d": (lambda: nn.Conv2d(8, 16, 3, padding=1, stride=2), (IMAGE,)),
    "conv2d, one image": (lambda: nn.Conv2d(8, 16, (1, 3)), (IMAGE[0],)),
    "conv2d, depthwise": (lambda: nn.Conv2d(8, 8, 3, groups=8), (IMAGE,)),
    "conv2d, channels last": (
        lambda: nn.Conv2d(8, 16, 3).to(memory_format=torch.channels_last),
        (IMAGE.to(memory_format=torch.channels_last),),
    ),
    "conv2d, same": (lambda: nn.Conv2d(8, 16, 3, padding="same", padding_mode="reflect"), (IMAGE,)),
    "conv2d, batch norm": (lambda: nn.Sequential(nn.Conv2d(8, 4, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU()), (IMAGE,)),
    "conv3d": (lambda: nn.Conv3d(2, 3, 2), (drawn(1, 2, 4, 5, 4),)),
    "conv_transpose1d": (lambda: nn.ConvTranspose1d(8, 4, 3, stride=2, output_padding=1), (drawn(2, 8, 7),)),
    "conv_transpose2d, groups": (lambda: nn.ConvTranspose2d(8, 4, 3, stride=2, groups=2), (IMAGE,)),
    "unfold": (lambda: nn.Sequential(nn.Unfold(3), nn.Flatten(), nn.Linear(8 * 9 * 63, 2)), (IMAGE,)),
    "rnn": (lambda: nn.RNN(32, 16), (X,)),
    "lstm, both ways": (lambda: nn.LSTM(32, 16, bidirectional=True), (X,)),
    "lstm, projected": (lambda: nn.LSTM(32, 16, proj_size=8), (X,)),
    "gru, two layers": (lambda: nn.GRU(32, 16, num_layers=2), (X,)),
    "lstm cell": (lambda: nn.LSTMCell(32, 16), (X[0],)),
    "gru cell": (lambda: nn.GRUCell(32, 16), (X[0],)),
    "multi-head attention": (lambda: nn.MultiheadAttention(32, 4, batch_first=True), (X, X, X)),
    "transformer encoder": (lambda: nn.TransformerEncoderLayer(32, 4, 64, dropout=0, batch_first=True).eval(), (X,)),
    "transformer decoder": (lambda: nn.TransformerDecoderLayer(32, 4, 64, dropout=0, batch_first=True), (X, X)),
    "attention": (lambda: Attention(), (HEADS,)),
    "attention, causal": (lambda: Attention(is_causal=True), (HEADS,)),
    "attention, mask": (lambda: Attention(attn_mask=torch.ones(20, 20).tril(3).bool()), (HEADS,)),
    "adaptive softmax": (lambda: nn.AdaptiveLogSoftmaxWithLoss(16, 20, [5, 10]), (drawn(6, 16), torch.arange(6) * 3)),
    "cdist": (lambda: Distances(), (drawn(30, 8),)),
    "einsum": (lambda: Einsum(), (X,)),
}


class Attention(nn.Module):
    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.scale, self.options = nn.Parameter(torch.ones(())), options

    def forward(self, x: Any) -> Any:
        return functional.scaled_dot_product_attention(x * self.scale, x, x, **self.options)


class Distances(nn.Module):
    """Above 25 points distances are products of matrices."""

    def __init__(self) -> None:
        super().__init__()
        self.points = nn.Parameter(drawn(30, 8, seed=1))

    def forward(self, x: Any) -> Any:
        return torch.cdist(x, self.points)


class Einsum(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(drawn(4, 32, 2, seed=1))

    def forward(self, x: Any) -> Any:
        return torch.einsum("bik,hkd->bhid", x, self.w)


def outputs(model: Any, inputs: tuple[Any, ...]) -> list[Any]:
    return [x for x in tree_flatten(model(*inputs))[0] if isinstance(x, torch.Tensor) and x.is_floating_point()]


@pytest.mark.parametrize("name", LAYERS)
def test_layer(name: str) -> None:
    made, inputs = LAYERS[name]
    torch.manual_seed(0)
    model = made()
    wanted = outputs(model, inputs)
    gradients = torch.autograd.grad(sum(x.cos().sum() for x in wanted), list(model.parameters()), allow_unused=True)
    found = {}
    with warnings.catch_warnings(), below.watched() as seen:
        warnings.simplefilter("ignore")
        for context in (torch.no_grad, torch.inference_mode, torch.enable_grad):
            with context(), mt.emulate("H100", unknown="ignore", tf32=False) as run:
                found[context] = outputs(model, inputs)
                if context is torch.enable_grad:
                    total = sum(x.cos().sum() for x in found[context])
                    own = torch.autograd.grad(total, list(model.parameters()), allow_unused=True)
            assert run.calls and not run.native
        assert not below.take(seen)
    first = found[torch.no_grad]
    for others in found.values():
        assert all(torch.equal(bits(x.detach()), bits(y.detach())) for x, y in zip(first, others))
    for x, y in zip(wanted, first):
        torch.testing.assert_close(y, x, rtol=1e-4, atol=1e-4)
        assert y.stride() == x.stride()
    for x, y in zip(gradients, own):
        assert (x is None) == (y is None)
        if x is not None:
            torch.testing.assert_close(y, x, rtol=2e-3, atol=2e-3 * float(x.abs().max()))


@pytest.mark.parametrize("machine", ["V100", "A100", "RTX 4090", "B200", "RTX 5090", "MI300X"])
def test_half_on_each_machine(machine: str) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 8)).half()
    with mt.emulate(machine, unknown="ignore", compare="native") as run:
        y = model(X.half())
        y.float().sum().backward()
    torch.testing.assert_close(y, model(X.half()), rtol=2e-3, atol=2e-3)
    assert all(call.compared == call.count * call.shape.m * call.shape.n for call in run.calls)
    assert "results have other bits" in run.report()
