"""Plans: the same sums as the compositions of mmasmt, each step rounded once."""

from __future__ import annotations

import random
from fractions import Fraction

import mmasmt
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt._emulation.units import _TABLE
from mmasmt.torch._product import dtype_of, product
from mmasmt.torch._rounding import bits, fma_f32, to_tf32

UNITS = [
    "hopper/wgmma.m64nNk16.f32.f16.f16",
    "ampere/mma.m16n8k16.f32.bf16.bf16.f32",
    "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
    "sfma:fmt=f32",
]


def f32(x: float) -> float:
    return float(torch.tensor(x))


@pytest.mark.parametrize("seed", range(24))
def test_a_plan_is_a_composition(seed: int) -> None:
    draw = random.Random(seed)
    torch.manual_seed(seed)
    unit, k, every = draw.choice(UNITS), draw.choice([16, 32, 64, 96, 130, 256]), draw.choice([0, 0, 2, 4])
    kinds = mmasmt.signature(unit)
    kind = dtype_of(kinds.a.format)
    parts, tile = draw.choice([1, 1, 2, 3, 5, 8]), draw.choice([8, 16, 32, 64])
    order, combine = draw.choice(["contiguous", "strided"]), draw.choice(["serial", "pairwise", "tree"])
    out, saturate = draw.choice(["f32", "bf16", "f16", "e4m3", "e5m2"]), draw.choice([False, True])
    alpha, beta, scale = (f32(draw.choice(of)) for of in ([1.0, 0.37, 2.5], [0.0, 1.0, 0.7], [1.0, 0.3]))
    a = (torch.randn(1, 3, k) * 2.0 ** draw.randint(-4, 4)).to(kind)
    b, c = torch.randn(1, k, 2).to(kind), torch.randn(1, 3, 2)
    plan = mt.Plan(
        unit,
        parts,
        tile,
        order,
        every * kinds.products,
        combine=combine,
        out=out,
        alpha=alpha,
        beta=beta,
        saturate=saturate,
        scale=scale,
    )
    model = unit
    if every:
        inside = f",K={max(kinds.products * every, -(-(-(-k // tile)) // parts) * tile)}" if parts > 1 else ""
        model = f"promote({model}):every={every}{inside}"
    if parts > 1:
        model = f"splitk({model}):S={parts},tile={tile},tiles={order},combine={combine},K={k}"
    keys = f"out={out},alpha={alpha.hex()},beta={beta.hex()},saturate={'yes' if saturate else 'no'},scale={scale.hex()},K={k}"
    wanted = mmasmt.matmul(a, b, c if beta else None, model=f"epilogue({model}):{keys}")
    found = product(a, b, plan, c if beta else None)
    assert torch.equal(bits(found), bits(wanted)), plan


def test_partial_and_running_sums_in_the_format_of_the_result() -> None:
    a, b = torch.randn(1, 4, 256).bfloat16(), torch.randn(1, 256, 4).bfloat16()
    unit = "ampere/mma.m16n8k16.f32.bf16.bf16.f32"
    halves = [mmasmt.matmul(a[..., at], b[:, at], model=unit) for at in (slice(0, 128), slice(128, 256))]
    stored = product(a, b, mt.Plan(unit, parts=2, partial="out", out="bf16"))
    assert torch.equal(stored, (halves[0].bfloat16().float() + halves[1].bfloat16().float()).bfloat16())
    running = product(a, b, mt.Plan(unit, parts=2, running="out", out="bf16"))
    assert torch.equal(running, (halves[0].bfloat16().float() + halves[1]).bfloat16())


def test_fma_is_rounded_once() -> None:
    """Against exact fractions, with sums whose f64 lies on a tie of f32 although they do not."""
    torch.manual_seed(0)
    x = torch.cat([torch.randn(300) * 2.0 ** torch.randint(-30, 30, (300,)), torch.full((4,), 1 + 2.0**-12)])
    y = torch.cat(
        [torch.randn(300) * 2.0 ** torch.randint(-60, 60, (300,)), torch.tensor([2.0**24, -(2.0**24), 2.0**-80, 2.0**55])]
    )
    alpha = f32(1 + 2.0**-12)
    found = fma_f32(alpha, x, y)
    for one, other, result in zip(x.tolist(), y.tolist(), found.tolist()):
        exact = Fraction(alpha) * Fraction(one) + Fraction(other)
        near = torch.tensor(result)
        gaps = [abs(Fraction(float(torch.nextafter(near, torch.tensor(to)))) - exact) for to in (-torch.inf, torch.inf)]
        assert abs(Fraction(result) - exact) <= min(gaps)


def test_tf32_is_to_nearest_even() -> None:
    one = torch.tensor([1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-11 + 2.0**-23, float("inf"), -1 - 2.0**-12])
    assert to_tf32(one).tolist() == [1, 1 + 2.0**-9, 1 + 2.0**-10, float("inf"), -1]
    assert bool(to_tf32(torch.tensor(float("nan"))).isnan())


def test_every_unit_is_in_the_tables() -> None:
    for units in _TABLE.values():
        for kind, unit in units.items():
            kinds = mmasmt.signature(unit.model)
            formats = ["e2m1"] if kind == "nvfp4" else kind.removeprefix("mxfp8.").split(".")
            assert [kinds.a.format, kinds.b.format] == (formats * 2)[:2]
            assert unit.status in ("recorded", "reported", "assumed") and unit.source


def test_order_of_look_up() -> None:
    shape = mt.Shape("mm", 1, 64, 64, 4096, "bf16", "bf16")
    from mmasmt._emulation.plans import plan_of

    recorded, _ = plan_of("H100", shape)
    assert (recorded.parts, recorded.tile, recorded.verified) == (3, 64, "recorded")
    assert plan_of("A100", shape)[0].verified == "assumed"
    mine = mt.Rule(mt.Plan("", parts=5, source="mine", verified="verified"), "mm", k=(4000, 5000))
    assert plan_of("H100", shape, [mine])[0].parts == 5
    assert plan_of("H100", mt.Shape("mm", 1, 64, 64, 64, "bf16", "bf16"), [mine, lambda shape: None])[0].parts == 1


def test_plans_reach_products() -> None:
    torch.manual_seed(0)
    a, b = torch.randn(8, 2048).bfloat16(), torch.randn(2048, 8).bfloat16()
    rule = mt.Rule(mt.Plan("", parts=4, partial="out", source="an example", verified="verified"))
    with mt.emulate("A100", unknown="error", plans=[rule]) as run:
        split = a @ b
    assert run.calls[0].plan.order_text() == "4 parts of contiguous tiles of 64, serial, partial sums in bf16"
    with mt.emulate("A100", unknown="ignore"):
        chain = a @ b
    assert 0 < int((bits(split) != bits(chain)).sum()) < split.numel()


@pytest.mark.parametrize(
    "keys, text",
    [
        ({"parts": 0}, "parts: expected an integer of 1 or more in a plan, found 0"),
        ({"out": "f17"}, "out: expected one of f64, f32"),
    ],
)
def test_wrong_plans(keys: dict[str, int], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.Plan("", **keys)
