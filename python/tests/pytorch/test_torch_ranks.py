"""Tensor parallelism: parts of k on several devices, beside sums that are added here one by one in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._ranks import all_reduced, chunks
from mmasmt.torch._rounding import add_in


def results(count: int, size: int = 96, dtype: Any = None) -> list[Any]:
    generator = torch.Generator().manual_seed(count)
    return [(torch.randn(size, generator=generator) * 8).to(dtype or torch.float16) for _ in range(count)]


def ring_by_hand(parts: list[Any], owner: list[int]) -> Any:
    """Messages of a ring in NumPy: what rank q + 1 sends goes round, and each rank adds its own in f16."""
    found = np.zeros(len(owner), np.float16)
    for place, chunk in enumerate(owner):
        message = parts[(chunk + 1) % len(parts)].numpy()[place]
        for hop in range(2, len(parts) + 1):
            message = np.float16(message + parts[(chunk + hop) % len(parts)].numpy()[place])
        found[place] = message
    return torch.from_numpy(found)


@pytest.mark.parametrize("ranks", [2, 3, 4, 8])
def test_ring(ranks: int) -> None:
    parts = results(ranks)
    share = -(-(-(-96 // ranks)) // 8) * 8
    assert torch.equal(all_reduced(parts, "ring"), ring_by_hand(parts, [i // share for i in range(96)]))
    # Loops of 16 elements a rank, then what is left, shared in multiples of 16 bytes.
    loop = 16 * ranks
    left = 96 % loop
    last = max(8, -(-(-(-left // ranks)) // 8) * 8)
    whole = 96 - left
    owner = [i % loop // 16 if i < whole else (i - whole) // last for i in range(96)]
    assert chunks(96, ranks, 2, 16).tolist() == owner
    assert torch.equal(all_reduced(parts, "ring", 16), ring_by_hand(parts, owner))


def test_other_orders() -> None:
    parts = results(4)
    wide = [x.numpy().astype(np.float32) for x in parts]
    assert np.array_equal(all_reduced(parts, "f32").numpy(), (((wide[0] + wide[1]) + wide[2]) + wide[3]).astype(np.float16))
    half = [x.numpy() for x in parts]
    assert np.array_equal(all_reduced(parts, "tree").numpy(), (half[0] + half[1]) + (half[2] + half[3]))
    found = [all_reduced(parts, how) for how in ("ring", "tree", "f32")]
    assert not torch.equal(found[0], found[1]) and not torch.equal(found[1], found[2]) and not torch.equal(found[0], found[2])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_two_devices_have_one_order(dtype: Any) -> None:
    parts = results(2, dtype=dtype)
    found = [all_reduced(parts, how) for how in ("ring", "tree", "f32")]
    assert torch.equal(found[0], found[1]) and torch.equal(found[1], found[2])


def test_sum_by_way_of_f32_is_rounded_once() -> None:
    """All pairs of some numbers of f16, among them ties, beside their sum in f64, which is exact, rounded once."""
    codes = torch.arange(0, 0x7C00, 211, dtype=torch.int16)
    x = torch.cat([codes, codes | -32768]).view(torch.float16)
    first, second = x[:, None].expand(len(x), len(x)), x[None].expand(len(x), len(x))
    exact = (first.double() + second.double()).numpy().astype(np.float16)
    assert np.array_equal(add_in(first, second).numpy(), exact)


class Mlp(torch.nn.Module):
    def __init__(self, bias: bool = False) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.up_proj, self.down_proj = torch.nn.Linear(64, 256, bias=bias), torch.nn.Linear(256, 32, bias=bias)

    def forward(self, x: Any) -> Any:
        return self.down_proj(torch.relu(self.up_proj(x)))


def run(model: Any, x: Any, **options: Any) -> tuple[Any, Any]:
    with torch.no_grad(), mt.emulate("A100", unknown="ignore", **options) as emulation:
        return model(x), emulation


@pytest.mark.parametrize("how", ["ring", "tree", "f32"])
@pytest.mark.parametrize("tp", [2, 4])
def test_row_parallel_layer(how: Any, tp: int) -> None:
    """The layer of each device by itself, in a model of its own, then the all-reduce."""
    model, x = Mlp().bfloat16(), torch.randn(16, 64, generator=torch.Generator().manual_seed(1)).bfloat16()
    found, emulation = run(model, x, tp=tp, reduce=how, row_parallel=["down_proj"])
    whole, _ = run(model, x)
    hidden, _ = run(lambda x: torch.relu(model.up_proj(x)), x)
    own = 256 // tp
    parts = [
        run(lambda x, at=slice(i * own, (i + 1) * own): x[:, at] @ model.down_proj.weight[:, at].T, hidden)[0] for i in range(tp)
    ]
    assert torch.equal(found, all_reduced(parts, how)) and not torch.equal(found, whole)
    calls = {call.module: call.plan for call in emulation.calls}
    assert calls["Mlp.up_proj"].ranks == 1 and calls["Mlp.down_proj"].ranks == tp
    kept = "f32, rounded once" if how == "f32" else f"bf16, by a {how}"
    assert f"{tp} devices, all-reduce in {kept}; in each one chain" in emulation.report()
    assert "ASSUMED: the order in which an all-reduce adds the parts of 1 product" in emulation.report()


def test_it_is_a_split_where_a_plan_says_so() -> None:
    """Ranks whose results are added in f32 are `splitk` of mmasmt with parts in the format of the result."""
    model, x = Mlp().bfloat16(), torch.randn(8, 64, generator=torch.Generator().manual_seed(1)).bfloat16()
    found, _ = run(model, x, tp=4, reduce="f32", row_parallel=lambda path: path.endswith("down_proj"))
    split = mt.Rule(mt.Plan("", parts=4, tile=64, partial="out"), k=256)
    assert torch.equal(found, run(model, x, plans=[split])[0])
    # The plan of a device is looked up by its own K.
    inner = mt.Rule(mt.Plan("", parts=2, tile=32, partial="out", source="an example", verified="verified"), k=64)
    twice, emulation = run(model, x, tp=4, reduce="f32", row_parallel=["down_proj"], plans=[inner])
    assert emulation.calls[1].plan.order_text().endswith("in each 2 parts of contiguous tiles of 32, serial, partial sums in bf16")
    assert emulation.calls[1].plan.verified == "assumed" and not torch.equal(twice, found)


def test_bias() -> None:
    model, x = Mlp(bias=True).half(), torch.randn(8, 64, generator=torch.Generator().manual_seed(1)).half()
    options: dict[str, Any] = {"tp": 2, "reduce": "f32", "row_parallel": ["down_proj"]}
    with pytest.raises(mt.Refused, match="a row-parallel layer has a bias: say with row_bias="):
        run(model, x, **options)
    hidden, _ = run(lambda x: torch.relu(model.up_proj(x)), x)
    parts = [run(lambda x, at=at: x[:, at] @ model.down_proj.weight[:, at].T, hidden)[0] for at in (slice(128), slice(128, 256))]
    bias = model.down_proj.bias.detach()
    after = np.float16(np.float16(parts[0].numpy() + parts[1].numpy()) + bias.numpy())
    assert np.array_equal(run(model, x, row_bias="after", **options)[0].numpy(), after)
    first, _ = run(lambda x: torch.addmm(bias, x[:, :128], model.down_proj.weight[:, :128].T), hidden)
    found = run(model, x, row_bias="first", **options)[0]
    assert np.array_equal(found.numpy(), np.float16(first.numpy() + parts[1].numpy())) and not np.array_equal(found.numpy(), after)


def test_audit_of_several_devices() -> None:
    model, x = Mlp().bfloat16(), torch.randn(8, 64, generator=torch.Generator().manual_seed(1)).bfloat16()
    with mt.emulate("A100", unknown="ignore", tp=4, reduce="ring", row_parallel=["down_proj"]):
        log = mt.record(model, x, machine="A100")
    plan = mt.Rule(mt.Plan("", ranks=4, reduce="ring"), k=256)
    assert not mt.audit(log, search=False).is_equal
    assert mt.audit(log, plans=[plan]).is_equal
    spot = mt.audit(log, plans=[plan], rows=2, columns=2, seed=0)
    assert spot.is_equal and [one.compared for one in spot.findings] == [4, 4]


@pytest.mark.parametrize(
    "options, text",
    [
        ({"tp": 0}, "tp: expected an integer of 1 or more, found 0"),
        ({"tp": 2}, "reduce: expected ring, tree or f32 beside tp=2, found None"),
        ({"tp": 2, "reduce": "f32"}, "row_parallel: expected names of modules"),
        ({"tp": 2, "reduce": "f32", "row_parallel": "down_proj"}, "row_parallel: expected names of modules"),
        ({"tp": 2, "reduce": "f32", "row_parallel": ["x"], "row_bias": "all"}, "row_bias: expected first, after or nothing"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.emulate("H100", **options)


def test_what_is_not_said_is_refused() -> None:
    model, x = Mlp().half(), torch.ones(2, 64).half()
    with pytest.raises(mt.Refused, match="expected a K that 3 devices share alike, found 256"):
        run(model, x, tp=3, reduce="f32", row_parallel=["down_proj"])
    with mt.emulate("H100", unknown="ignore", tp=2, reduce="f32", row_parallel=["down_proj"]):
        total = model(x).float().sum()
        with pytest.raises(mt.Refused, match="tp= is for a forward pass"):
            total.backward()
    with pytest.raises(ValueError, match="tp: expected 1 for an installation"):
        mt.install("H100", tp=2, reduce="f32", row_parallel=["x"])


def test_reports_have_the_assumptions_of_each_device_and_of_both_machines() -> None:
    """No verdict without what it rests on: the all-reduce, the chain in each device, and the plans of what is compared with."""
    x, layer = torch.randn(2, 64).half(), torch.nn.Linear(64, 8, bias=False).half()
    with torch.no_grad(), mt.emulate("H100", unknown="ignore", tp=2, reduce="f32", row_parallel=["Linear"]) as run:
        layer(x)
    assert "ASSUMED: the order in which an all-reduce adds" in run.report()
    assert "ASSUMED: one chain along k for 1 product" in run.report()
    chain = mt.Rule(mt.Plan("", source="a test", verified="recorded"))
    with torch.no_grad(), mt.emulate("H100", plans=[chain], tp=2, reduce="f32", row_parallel=["Linear"], unknown="ignore") as run:
        layer(x)
    assert "one chain along k for" not in run.report()
    with torch.no_grad(), mt.emulate("H100", plans=[chain], compare="A100") as run:
        layer(x)
    assert not run.unknown
    assert "ASSUMED: the plans of 1 product of 1 shape of A100, with which results are compared" in run.report()
