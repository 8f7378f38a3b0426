"""Audits of logs: what was computed by hand, in exact fractions, or by an RTX 4060 is judged, and so are logs that somebody changed."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
pytest.importorskip("safetensors", reason="safetensors is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from logs import changed, drawn, log_of, model, recorded
from recordings import FACTORS, OUT, Product, Recordings

EVIDENCE = Path(__file__).parents[3] / "evidence" / "mmaemu-rtx4060"


def f32_of(exact: Fraction) -> Fraction:
    """The nearest number of binary32, ties to even, by whole numbers."""
    if not exact:
        return exact
    exponent = 0
    while abs(exact) * Fraction(2) ** exponent >= 1 << 24:
        exponent -= 1
    while abs(exact) * Fraction(2) ** exponent < 1 << 23:
        exponent += 1
    return round(exact * Fraction(2) ** exponent) / Fraction(2) ** exponent


def by_hand(a: Any, b: Any, parts: list[range]) -> Any:
    """A product of f32 with a fused multiply-add for each product, from +0 in each part, and parts added in order."""
    found = torch.empty(a.shape[0], b.shape[1])
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            sums = []
            for part in parts:
                total = Fraction(0)
                for k in part:
                    total = f32_of(total + Fraction(float(a[i, k])) * Fraction(float(b[k, j])))
                sums.append(total)
            total = sums[0]
            for one in sums[1:]:
                total = f32_of(total + one)
            found[i, j] = float(total)
    return found


def test_chain_of_fused_multiply_adds() -> None:
    a, b = drawn(3, 20), drawn(20, 2, seed=1)
    log = log_of(("mm", [a, b], {}, by_hand(a, b, [range(20)])))
    found = mt.audit(log, machine="A100")
    assert found.is_equal and found.findings[0].compared == 6
    one = float(log.get(log.entries[0].results[0])[1, 1])
    found = mt.audit(changed(log, (1, 1), float(np.nextafter(np.float32(one), np.float32(9)))), machine="A100")
    first = found.findings[0].first
    assert not found.is_equal and found.findings[0].different == 1
    assert first is not None and (first.index, first.ulps, float.fromhex(first.machine_value)) == ((1, 1), 1, one)
    assert not found.findings[0].matches and found.findings[0].tried > 1


@pytest.mark.parametrize("parts, name", [(2, "contiguous tiles of 64"), (3, "contiguous tiles of 32")])
def test_plan_that_made_a_log_is_named(parts: int, name: str) -> None:
    a, b = drawn(3, 96), drawn(96, 3, seed=1)
    cuts = {2: [range(64), range(64, 96)], 3: [range(32), range(32, 64), range(64, 96)]}
    result = by_hand(a, b, cuts[parts])
    assert not torch.equal(result, by_hand(a, b, [range(96)]))
    found = mt.audit(log_of(("mm", [a, b], {}, result)), machine="A100").findings[0]
    assert any(f"sfma:fmt=f32, {parts} parts of {name}, serial" in text for text in found.matches)


def test_one_chain_of_another_machine_is_named_where_the_claimed_one_cuts_k() -> None:
    a, b = drawn(64, 4096).bfloat16(), drawn(4096, 64, seed=1).bfloat16()
    with mt.emulate("A100", unknown="ignore"):
        log = mt.record(lambda x: x @ b, a, machine="H100")
    found = mt.audit(log).findings[0]
    assert "3 parts" in found.plan and found.different
    assert any(text.startswith("ampere, ada: ") and text.endswith(", one chain") for text in found.matches)


def test_exact_sums_are_equal_on_every_machine_and_signs_of_zeros_count() -> None:
    a = torch.arange(-12, 12).reshape(3, 8).half()
    b = torch.arange(-8, 8).reshape(8, 2).half()
    b[:, 1] = 0
    exact = torch.tensor([[float(sum(Fraction(float(x * y)) for x, y in zip(row, column))) for column in b.T] for row in a])
    for machine in ("V100", "A100", "H100", "MI300X"):
        assert mt.audit(log_of(("mm", [a, b], {}, exact.half())), machine=machine).is_equal
    found = mt.audit(changed(log_of(("mm", [a, b], {}, exact.half())), (2, 1), -0.0), machine="H100")
    first = found.findings[0].first
    assert first is not None and (first.recorded, first.machine, first.ulps) == ("0x8000", "0x0000", 0)
    assert "zeros of two signs" in found.report()
    assert "terms" in first.explanation and first.explanation.splitlines()[-1].startswith("d  0x00000000")


def test_code_of_a_nan_counts() -> None:
    a, b = torch.full((1, 8), torch.inf).half(), torch.zeros(8, 1).half()
    quiet, ones = (torch.tensor([[code]], dtype=torch.int16).view(torch.float16) for code in (0x7E00, 0x7FFF))
    assert mt.audit(log_of(("mm", [a, b], {}, ones)), machine="H100").is_equal
    assert mt.audit(log_of(("mm", [a, b], {}, ones)), machine="H100", elements=1).is_equal
    found = mt.audit(log_of(("mm", [a, b], {}, quiet)), machine="H100", elements=1)
    first = found.findings[0].first
    assert first is not None and (first.recorded, first.machine, first.ulps) == ("0x7e00", "0x7fff", None)


def calls_of_the_rtx_4060() -> list[tuple[Product, Any]]:
    """Recorded calls of `torch._scaled_mm`."""
    dtypes = {name: getattr(torch, dtype) for dtype, name in FACTORS.items()}
    outs = {name: getattr(torch, dtype) for dtype, name in OUT.items()}
    found = []
    for case in Recordings(EVIDENCE).cases():
        for output in case.outputs:
            what, expected = output.what, output.expected
            if not isinstance(what, Product) or expected is None or what.diagonal or not expected.size or not what.a.size:
                continue
            # Recordings have some columns of the result; PyTorch takes multiples of 16, so that they come several times.
            columns = np.arange(-(-len(what.b) // 16) * 16) % len(what.b)
            expected = expected[:, columns]
            a, b = (torch.from_numpy(x.copy()).view(dtypes[kind]) for x, kind in zip((what.a, what.b[columns]), what.factors))
            scales = [torch.tensor(np.array(x, np.uint32).view(np.float32)) for x in what.scales]
            out = outs[what.out]
            result = torch.from_numpy(expected.view(f"i{expected.itemsize}").copy()).view(out)
            kwargs: dict[str, Any] = {"out_dtype": out, "use_fast_accum": what.fast}
            args = [a, b.T, *scales]
            if what.scale_result is not None:
                args += [None, torch.tensor(np.array(what.scale_result, np.uint32).view(np.float32))]
            found.append((what, ("_scaled_mm", args, kwargs, result)))
    return found


def test_log_of_an_rtx_4060() -> None:
    """Real silicon: chains are equal, the plan of a split is named, and the machine is told from an H100."""
    calls = calls_of_the_rtx_4060()
    chains = [call for what, call in calls if what.parts == 1]
    found = mt.audit(log_of(*chains), machine="RTX 4060", search=False)
    assert found.is_equal and len(found.findings) > 100 and not found.unchecked
    spot = mt.audit(log_of(*chains[::5]), machine="RTX 4060", rows=2, columns=3, seed=0)
    assert spot.is_equal and all(one.compared <= 6 for one in spot.findings)
    split = {
        what.order: (what, call) for what, call in calls if what.parts > 3 and 256 < what.a.shape[1] < 512 and what.out == "f32"
    }
    assert set(split) == {"serial", "pairwise"}
    for order, (what, call) in split.items():
        finding = mt.audit(log_of(call), machine="RTX 4060").findings[0]
        assert f"ada: ada/mma.m16n8k32.f32.e4m3.e4m3.f32, {what.parts} parts of strided tiles of 64, {order}" in finding.matches
        # One element: half of all plans and more are ruled out, and not all others.
        assert 1 < len(finding.matches) < finding.tried / 2
    assert not mt.audit(log_of(*chains[:20]), machine="RTX 5090", search=False).is_equal


def test_log_of_another_machine() -> None:
    found = mt.audit(recorded("V100", rows=64), machine="H100")
    assert not found.is_equal and found.claimed == "V100"
    for finding in found.different:
        assert any(text.startswith("volta: ") for text in finding.matches)
    assert mt.audit(recorded("V100")).is_equal


def test_parts_in_16_bits_are_named() -> None:
    """Parts of k that are stored in bf16, added here one by one."""
    a, b = drawn(4, 512).bfloat16(), drawn(512, 4, seed=1).bfloat16()
    with mt.emulate("A100", unknown="ignore"):
        sums = [torch.mm(a[:, at], b[at]) for at in (slice(0, 192), slice(192, 384), slice(384, 512))]
    result = ((sums[0].float() + sums[1].float()) + sums[2].float()).bfloat16()
    found = mt.audit(log_of(("mm", [a, b], {}, result)), machine="A100").findings[0]
    assert any("3 parts of contiguous tiles of 64, serial, partial sums in bf16" in text for text in found.matches)


def test_one_changed_element_is_seen_by_whoever_looks_at_it() -> None:
    log = changed(recorded("H100"), (2, 3), 1.0, number=1)
    found = mt.audit(log, search=False)
    assert [one.status for one in found.findings] == ["equal", "different"] and found.different[0].different == 1
    seen = [not mt.audit(log, rows=3, columns=4, seed=seed, search=False).is_equal for seed in range(200)]
    # (3 / 6) (4 / 8) of all seeds.
    assert 30 < sum(seen) < 70
    again = [mt.audit(log, elements=12, seed=seed, search=False) for seed in (1, 1)]
    assert again[0] == again[1]


def test_spot_check_multiplies_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    import mmasmt

    sizes = []
    own = mmasmt.matmul

    def matmul(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
        sizes.append((tuple(a.shape), tuple(b.shape)))
        return own(a, b, *args, **kwargs)

    log = recorded("H100")
    monkeypatch.setattr(mmasmt, "matmul", matmul)
    assert mt.audit(log, rows=2, columns=3, seed=0).is_equal
    assert sizes == [((1, 2, 64), (1, 64, 3)), ((1, 2, 32), (1, 32, 3))]
    sizes.clear()
    assert mt.audit(log, elements=5, seed=0).is_equal
    assert sizes[0] == ((5, 1, 64), (5, 64, 1)) and ((5, 1, 32), (5, 32, 1)) in sizes
    # Other machines are asked for the same elements alone.
    assert all(a[1] == b[2] == 1 and a[0] * a[2] <= 5 * 64 for a, b in sizes)


@pytest.mark.parametrize(
    "layer, shape", [(torch.nn.Conv2d(4, 6, 3, padding=1), (2, 4, 5, 5)), (torch.nn.ConvTranspose1d(4, 6, 3, stride=2), (2, 4, 5))]
)
def test_layers_of_other_operators(layer: Any, shape: tuple[int, ...]) -> None:
    layer, x = layer.half(), drawn(*shape).half()
    with mt.emulate("A100", unknown="ignore"):
        log = mt.record(layer, x, machine="A100")
    assert mt.audit(log).is_equal
    spot = mt.audit(log, rows=2, columns=2, seed=0)
    assert spot.is_equal and all(0 < one.compared < one.elements for one in spot.findings)
    result = log.get(log.entries[0].results[0])
    assert not mt.audit(changed(log, (0,) * result.dim(), 7.0), search=False).is_equal


def test_scales_of_rows_and_blocks() -> None:
    a, b = drawn(4, 256, dtype=torch.float8_e4m3fn), drawn(16, 256, seed=1, dtype=torch.float8_e4m3fn).T
    rows, blocks = (torch.rand(4, 1), torch.rand(1, 16)), (torch.rand(4, 2), torch.rand(2, 16))
    # PyTorch has scales of blocks from 2.8 on.
    for scales in (rows, blocks) if torch.torch_version.TorchVersion(torch.__version__) >= (2, 8) else (rows,):
        result = mt.scaled_mm(a, b, *scales, machine="H100", out_dtype=torch.bfloat16)
        log = log_of(("_scaled_mm", [a, b, *scales], {"out_dtype": torch.bfloat16}, result))
        for some in ({}, {"rows": 2, "columns": 2}, {"elements": 3}):
            found = mt.audit(log, machine="H100", seed=None, **some)
            assert found.is_equal and found.findings[0].compared == {"rows": 4, "elements": 3}.get(next(iter(some), ""), 64)


@pytest.mark.parametrize("keep", ["operands", "results", "hashes"])
def test_replay_of_the_model(keep: Any) -> None:
    log, x = recorded("H100", keep=keep), drawn(6, 64).half()
    found = mt.audit(log, model=model(), inputs=x)
    assert found.is_equal and [one.operands for one in found.findings] == ["derived", "derived"]
    if keep != "operands":
        with pytest.raises(ValueError, match="hashes of operands alone; pass model and inputs"):
            mt.audit(log)
    if keep != "hashes":
        assert mt.audit(log, model=model(), inputs=x, elements=4).is_equal
        # A change of the first result: the first product differs, and the second one has other operands than the log's own.
        found = mt.audit(changed(log, (0, 0), 9.0), model=model(), inputs=x, search=False)
        states = ["different", "equal" if keep == "operands" else "unchecked"]
        assert [one.status for one in found.findings] == states and found.findings[1].operands == "other"
        assert not found.is_equal


def test_other_weights_inputs_and_models() -> None:
    log, x = recorded("H100"), drawn(6, 64).half()
    other = model()
    other[2].weight.data[0, 0] += 1
    found = mt.audit(log, model=other, inputs=x)
    assert "MISMATCH: the weights are not those of the log" in found.mismatches and not found.is_equal
    assert "MISMATCH: the inputs are not those of the log" in mt.audit(log, model=model(), inputs=x + 1).mismatches
    with pytest.raises(ValueError, match=r"call 1: expected addmm of float16\[9\], .* found addmm of float16\[8\]"):
        mt.audit(log, model=torch.nn.Sequential(*model()[:2], torch.nn.Linear(32, 9).half()), inputs=x)
    longer = torch.nn.Sequential(*model(), torch.nn.Linear(8, 8).half())
    with pytest.raises(ValueError, match="found the end of the log"):
        mt.audit(log, model=longer, inputs=x)


def test_native_run() -> None:
    """This processor is no H100: its sums of f32 are not a chain of fused multiply-adds."""
    x = drawn(16, 256)
    log = mt.record(lambda x: x @ x.T, x)
    found = mt.audit(log, machine="H100", search=False)
    assert found.findings[0].op == "mm" and log.entries[0].plan == ""
    assert torch.equal(log.get(log.entries[0].results[0]), x @ x.T)


def test_result_of_another_shape() -> None:
    a, b = drawn(4, 8).half(), drawn(8, 4, seed=1).half()
    with mt.emulate("H100", unknown="ignore"):
        result = a @ b
    found = mt.audit(log_of(("mm", [a, b], {}, result[:, :3])), machine="H100").findings[0]
    assert found.status == "different" and "the machine gives float16 of shape (4, 4)" in found.reason
    found = mt.audit(log_of(("mm", [a, b], {}, result.float())), machine="H100").findings[0]
    assert found.status == "different" and "the log has float32" in found.reason


@pytest.mark.parametrize(
    "given, text",
    [
        ({"rows": 2}, "rows, columns: expected both or none, found 2 and None"),
        ({"elements": 0}, "elements: expected an integer of 1 or more, found 0"),
        ({"elements": 2, "rows": 2, "columns": 2}, "elements: expected none beside rows and columns"),
        ({"inputs": 1}, "model: expected a model together with its inputs, found inputs alone"),
        ({"machine": "H99"}, "H99"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.audit(recorded("H100"), **given)
    with pytest.raises(ValueError, match="machine: expected one, the log does not claim any"):
        mt.audit(dataclasses.replace(recorded("H100"), header={}))
