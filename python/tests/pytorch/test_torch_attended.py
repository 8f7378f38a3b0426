"""Audits of attention: by tiles, beside softmax in f64 and PyTorch's own kernel, and logs of the kernels of a GPU."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from logs import changed, drawn, log_of

attention = torch.nn.functional.scaled_dot_product_attention
SHAPE = (2, 4, 37, 16)


def operands(dtype: Any = torch.float16, heads: int = 4) -> list[Any]:
    shapes = (SHAPE, (2, heads, 150, 16), (2, heads, 150, 16))
    return [drawn(*shape, seed=seed).to(dtype) for seed, shape in enumerate(shapes)]


def exact(q: Any, k: Any, v: Any, causal: bool = False, mask: Any = None) -> Any:
    """Softmax in f64, rounded once."""
    scores = q.double() @ k.double().transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask.double()
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -torch.inf)
    return (torch.softmax(scores, -1) @ v.double()).to(q.dtype)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"attn_mask": drawn(37, 150).half()}])
def test_elements_are_those_of_the_whole(dtype: Any, options: dict[str, Any]) -> None:
    given = {name: x.to(dtype) if isinstance(x, torch.Tensor) else x for name, x in options.items()}
    with mt.emulate("H100", unknown="ignore"):
        log = mt.record(lambda *x: attention(*x, **given), tuple(operands(dtype)), machine="H100")
    whole = mt.audit(log, attention="flash2")
    assert whole.is_equal and whole.findings[0].compared == 2 * 4 * 37 * 16
    some = mt.audit(log, attention="flash2", elements=20, seed=1)
    assert some.is_equal and some.findings[0].compared == 20
    grid = mt.audit(log, attention="flash2", rows=2, columns=3, seed=1)
    assert grid.is_equal and grid.findings[0].compared == 2 * 4 * 2 * 3
    with pytest.raises(ValueError, match="found none: attention is close and not exact: pass attention='flash2'"):
        mt.audit(log)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("causal", [False, True])
def test_other_kernels_are_close(dtype: Any, causal: bool) -> None:
    """A softmax in f64, and PyTorch's kernel for this processor: other bits, and no farther than the bound."""
    q, k, v = operands(dtype)
    log = log_of(("_scaled_dot_product_flash_attention", [q, k, v, 0.0, causal, False], {}, attention(q, k, v, is_causal=causal)))
    # Some versions of that kernel have the bits of the tiles on these operands.
    assert mt.audit(log, machine="H100", attention="flash2").findings[0].status in ("close", "equal")
    log = log_of(("_scaled_dot_product_flash_attention", [q, k, v, 0.0, causal, False], {}, exact(q, k, v, causal)), machine="H100")
    found = mt.audit(log, attention="flash2")
    assert found.findings[0].status == "close" and 0 < found.findings[0].different < found.findings[0].compared
    assert "no farther than other exponentials, tiles and orders explain" in found.findings[0].reason
    assert not found.is_equal and "CLOSE: call 0" in found.report()


@pytest.mark.parametrize("place", [(0, 0, 0, 0), (1, 3, 36, 15)])
def test_what_is_farther_is_different(place: tuple[int, ...]) -> None:
    """Two weights of a row changed places, or one element moved by some units in its last place."""
    q, k, v = operands()
    result = exact(q, k, v)
    log = log_of(("_scaled_dot_product_flash_attention", [q, k, v, 0.0, False, False], {}, result), machine="H100")
    finding = mt.audit(changed(log, place, float(result[place]) + 2.0**-8), attention="flash2").findings[0]
    assert finding.status == "different" and f"1 of them, {list(place)} first, farther" in finding.reason
    other = exact(q, k, torch.cat([v[:, :, 1:2], v[:, :, :1], v[:, :, 2:]], 2))
    log = log_of(("_scaled_dot_product_flash_attention", [q, k, v, 0.0, False, False], {}, other), machine="H100")
    assert mt.audit(log, attention="flash2").findings[0].status == "different"
    assert mt.audit(changed(log, place, torch.nan), attention="flash2", elements=10**6, seed=0).findings[0].status == "different"


def test_kernels_of_a_gpu() -> None:
    """Their arguments have other places; all of them are one attention."""
    q, k, v = operands(heads=2)
    mask = drawn(37, 150).half()
    with mt.emulate("H100", unknown="ignore"):
        all_keys, all_values = (x.repeat_interleave(2, 1) for x in (k, v))
        plain = attention(q, all_keys, all_values, scale=0.5)
        masked = attention(q, all_keys, all_values, attn_mask=mask)
    calls = [
        ("_scaled_dot_product_flash_attention", [q, k, v], {"scale": 0.5}, plain),
        ("_scaled_dot_product_efficient_attention", [q, k, v, mask, False], {}, masked),
        ("_scaled_dot_product_cudnn_attention", [q, k, v, mask, False, 0.0, False, False], {}, masked),
        ("_scaled_dot_product_fused_attention_overrideable", [q, k, v, mask], {}, masked),
    ]
    for call in calls:
        found = mt.audit(log_of(call, machine="H100"), attention="flash2")
        assert found.is_equal, found.report()
    wrong = mt.audit(log_of(("_scaled_dot_product_flash_attention", [q, k, v], {"scale": 0.25}, plain), machine="H100"), attention="flash2")
    assert not wrong.is_equal
    with_dropout = log_of(("_scaled_dot_product_flash_attention", [q, k, v, 0.1], {}, plain), machine="H100")
    with pytest.raises(ValueError, match="found none: attention with dropout 0.1, whose random bits nobody recorded"):
        mt.audit(with_dropout, attention="flash2")
    wide = log_of(("_scaled_dot_product_flash_attention", [x.float() for x in (q, k, v)], {}, plain.float()), machine="H100")
    with pytest.raises(ValueError, match="found none: attention in float32"):
        mt.audit(wide, attention="flash2")
    short = log_of(("_scaled_dot_product_flash_attention", [q, k, v], {}, plain[..., :8].contiguous()), machine="H100")
    assert "a result of shape (2, 4, 37, 16)" in mt.audit(short, attention="flash2").findings[0].reason
    with pytest.raises(ValueError, match="attention: expected flash2 or None, found 'math'"):
        mt.audit(short, attention="math")  # type: ignore[arg-type]


@pytest.mark.parametrize("op", ["_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_for_cpu"])
def test_a_model_beside_the_log_of_a_gpu(op: str) -> None:
    """The kernel of this processor is called where the log has that of a GPU; its result is the recorded one."""
    torch.manual_seed(0)
    layer = torch.nn.Linear(16, 8).half()

    def model(q: Any, k: Any, v: Any) -> Any:
        return layer(attention(q, k, v))

    given = tuple(operands())
    with mt.emulate("H100", unknown="ignore"):
        log = mt.record(model, given, machine="H100")
    result = exact(*given)
    with mt.emulate("H100", unknown="ignore"):
        after = mt.record(layer, result, machine="H100")
    first = log_of((op, list(given), {}, result), machine="H100")
    value = first.entries[0].results[0]
    header, tensors = {**log.header, "outputs": after.header["outputs"]}, {**first.tensors, **after.tensors}
    recording = mt.Recording(header, [*first.entries, *after.entries], tensors)
    assert recording.has(value)
    found = mt.audit(recording, model=model, inputs=given, attention="flash2")
    assert [one.status for one in found.findings] == ["close", "equal"] and not found.mismatches
    assert all(one.operands == "derived" for one in found.findings)
    with pytest.raises(ValueError, match="call 0: expected attention of .*, causal True, .* found attention of .* causal False"):
        mt.audit(recording, model=lambda q, k, v: layer(attention(q, k, v, is_causal=True)), inputs=given)
