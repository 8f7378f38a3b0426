"""Whole models of others with random weights, in f16 and bf16: each product of the log again, by `mmasmt.matmul` and NumPy alone."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import mmasmt
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed: pip install ml_dtypes")

import mmasmt.torch as mt

UNITS = {"float16": "hopper/wgmma.m64nNk16.f32.f16.f16", "bfloat16": "hopper/wgmma.m64nNk16.f32.bf16.bf16"}
SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 100}


def of_transformers(model: str, config: str, **sizes: Any) -> Callable[[], Any]:
    def made() -> Any:
        library = pytest.importorskip("transformers", reason="transformers is not installed: pip install transformers")
        return getattr(library, model)(getattr(library, config)(**sizes))

    return made


def of_vision(package: str, name: str, **options: Any) -> Callable[[], Any]:
    def made() -> Any:
        library = pytest.importorskip(package, reason=f"{package} is not installed: pip install {package}")
        if package == "timm":
            return library.create_model(name, **options)
        return getattr(importlib.import_module("torchvision.models"), name)(weights=None, **options)

    return made


def tokens(rows: int = 2, length: int = 9) -> Any:
    return torch.randint(0, 100, (rows, length), generator=torch.Generator().manual_seed(0))


def image(size: int) -> Any:
    return torch.randn(1, 3, size, size, generator=torch.Generator().manual_seed(0))


HEADS = {"n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 100, "n_positions": 32}
SPEECH = {
    "d_model": 64, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 96, "decoder_ffn_dim": 96, "vocab_size": 100, "num_mel_bins": 16, "max_source_positions": 20,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1,
}  # fmt: skip
STATES = {"hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100, "state_size": 8, "expand": 2, "conv_kernel": 4, "time_step_rank": 8}
MODELS: dict[str, tuple[Callable[[], Any], Callable[[], dict[str, Any]]]] = {
    "bert": (of_transformers("BertModel", "BertConfig", **SMALL), lambda: {"input_ids": tokens()}),
    "llama": (of_transformers("LlamaForCausalLM", "LlamaConfig", **SMALL, num_key_value_heads=2), lambda: {"input_ids": tokens()}),
    "gpt2": (of_transformers("GPT2LMHeadModel", "GPT2Config", **HEADS), lambda: {"input_ids": tokens()}),
    "t5": (
        of_transformers("T5Model", "T5Config", d_model=64, d_kv=16, d_ff=96, num_layers=2, num_heads=4, vocab_size=100),
        lambda: {"input_ids": tokens(), "decoder_input_ids": tokens(2, 3)},
    ),
    "whisper": (
        of_transformers("WhisperModel", "WhisperConfig", **SPEECH),
        lambda: {"input_features": torch.randn(1, 16, 40, generator=torch.Generator().manual_seed(0)), "decoder_input_ids": tokens(1, 4)},
    ),
    "mamba": (of_transformers("MambaModel", "MambaConfig", **STATES), lambda: {"input_ids": tokens()}),
    "mixtral": (
        of_transformers("MixtralForCausalLM", "MixtralConfig", **SMALL, num_key_value_heads=2, num_local_experts=4),
        lambda: {"input_ids": tokens()},
    ),
    "resnet18": (of_vision("torchvision", "resnet18", num_classes=10), lambda: {"x": image(32)}),
    "efficientnet": (of_vision("torchvision", "efficientnet_b0", num_classes=10), lambda: {"x": image(32)}),
    "convnext": (of_vision("torchvision", "convnext_tiny", num_classes=10), lambda: {"x": image(32)}),
    "vit": (of_vision("timm", "vit_tiny_patch16_224", num_classes=10, img_size=64), lambda: {"x": image(64)}),
    "swin": (of_vision("timm", "swin_tiny_patch4_window7_224", num_classes=10, img_size=56), lambda: {"x": image(56)}),
    "mobilenet": (of_vision("timm", "mobilenetv3_small_100", num_classes=10), lambda: {"x": image(32)}),
}


def array(x: Any) -> np.ndarray[Any, Any]:
    """The numbers of a tensor, in NumPy's types."""
    if x.dtype == torch.bfloat16:
        return x.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return x.contiguous().numpy()


def sums(a: Any, b: Any) -> np.ndarray[Any, Any]:
    """One chain of the machine's instruction along k, in f32."""
    kind = UNITS.get(str(a.dtype), "sfma:fmt=f32")
    return mmasmt.matmul(np.ascontiguousarray(a), np.ascontiguousarray(b), model=kind).astype(np.float32)


def fused(factor: Any, total: Any, addend: Any) -> np.ndarray[Any, Any]:
    """``factor * total + addend`` rounded once to f32: f64 has room for the product, and alpha is a power of 2 or 1."""
    return (np.float64(factor) * total.astype(np.float64) + np.asarray(addend, np.float64)).astype(np.float32)


def product(op: str, args: list[Any], kwargs: dict[str, Any]) -> np.ndarray[Any, Any]:
    """A product of matrices with what is added to it."""
    *added, a, b = args[:3] if op in ("addmm", "baddbmm") else args[:2]
    total = sums(array(a), array(b))
    alpha, beta = (float(np.float32(kwargs.get(name, 1))) for name in ("alpha", "beta"))
    more = np.float32(beta) * array(added[0]).astype(np.float32) if added and beta else np.float32(0)
    assert alpha == 1 or not np.any(more) or np.log2(alpha) % 1 == 0, "two roundings in f64 and f32 may differ from one"
    return fused(alpha, total, more).astype(array(a).dtype)


def convolution(args: list[Any]) -> np.ndarray[Any, Any]:
    """Windows of the padded image, k over the window, then over channels; a window of one channel is fused multiply-adds of f32."""
    x, w, bias, stride, padding, dilation, transposed, _, groups = args
    assert not transposed
    dims = w.dim() - 2
    image, weights = array(x), array(w)
    stride, padding, dilation = ((list(size) * dims)[:dims] for size in (stride, padding, dilation))
    image = np.pad(image.astype(np.float32), [(0, 0), (0, 0), *((size, size) for size in padding)]).astype(image.dtype)
    sizes = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(image.shape[2:], weights.shape[2:], stride, dilation)]
    batch, channels, outputs, inputs = len(image), image.shape[1], len(weights), weights.shape[1]
    columns = []
    for offset in np.ndindex(*weights.shape[2:]):
        at = tuple(slice(o * d, o * d + (n - 1) * s + 1, s) for o, d, n, s in zip(offset, dilation, sizes, stride))
        columns.append(image[(slice(None), slice(None), *at)].reshape(batch, channels, -1))
    # The windows have the shape (batch, pixels, window, channels).
    windows = np.stack(columns, 1).transpose(0, 3, 1, 2)
    found = np.empty((batch, outputs, windows.shape[1]), np.float32)
    own = outputs // groups
    for group in range(groups):
        a = windows[..., group * inputs : (group + 1) * inputs].reshape(batch, windows.shape[1], -1)
        b = weights[group * own : (group + 1) * own].reshape(own, inputs, -1).transpose(2, 1, 0).reshape(-1, own)
        if inputs == 1 and groups == channels and groups > 1:
            a, b = a.astype(np.float32), b.astype(np.float32)
        for one in range(batch):
            found[one, group * own : (group + 1) * own] = fused(1, sums(a[one], b), 0.0).T
    result = found.astype(image.dtype).reshape(batch, outputs, *sizes)
    if bias is not None:
        result = (result.astype(np.float32) + array(bias).astype(np.float32).reshape(-1, *[1] * dims)).astype(image.dtype)
    return result


def grouped(args: list[Any]) -> np.ndarray[Any, Any]:
    """A product for the rows of each group."""
    a, b, ends = array(args[0]), array(args[1]), args[2].tolist()
    found = [fused(1, sums(a[first:end], b[group]), 0.0) for group, (first, end) in enumerate(zip([0, *ends], ends))]
    return np.concatenate(found).astype(a.dtype)


def recorded(name: str, machine: str, dtype: Any) -> tuple[mt.Recording, Any]:
    torch.manual_seed(0)
    made, inputs = MODELS[name]
    model = made().eval().to(dtype)
    given = {key: x.to(dtype) if x.is_floating_point() else x for key, x in inputs().items()}
    is_of_vision = "x" in given
    if not is_of_vision:
        given["use_cache" if name == "mamba" else "return_dict"] = False
    with warnings.catch_warnings(), mt.emulate(machine, unknown="ignore", attention="math") as run:
        warnings.simplefilter("ignore")
        log = mt.record(model, given["x"] if is_of_vision else given, machine=machine)
    return log, run


def compared(log: mt.Recording) -> tuple[int, int]:
    """Elements of all products, and those that have other bits than the same ones by NumPy."""
    elements = different = 0
    for entry in log.entries:
        args, kwargs = log.arguments(entry)
        if entry.op == "convolution":
            wanted = convolution(args)
        else:
            wanted = grouped(args) if entry.op == "_grouped_mm" else product(entry.op, args, kwargs)
        found = array(log.get(entry.results[0]))
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        kind = f"u{found.itemsize}"
        elements += found.size
        different += int((np.ascontiguousarray(found).view(kind) != np.ascontiguousarray(wanted).view(kind)).sum())
    return elements, different


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", MODELS)
def test_every_product_of_a_model(name: str, dtype: Any) -> None:
    log, run = recorded(name, "H100", dtype)
    assert not run.native and not run.refused and not log.header["unseen"]
    elements, different = compared(log)
    assert different == 0 and elements > 1000


@pytest.mark.parametrize("name", ["llama", "resnet18"])
def test_other_machines_have_other_bits(name: str) -> None:
    assert compared(recorded(name, "V100", torch.float16)[0])[1] > 0
