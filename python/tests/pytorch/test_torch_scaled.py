"""FP8 products with scales: the rows of cuBLAS that were recorded, bit for bit."""

from __future__ import annotations

from typing import Any

import mmasmt
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._rounding import bits

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2


def drawn(m: int, k: int, kind: torch.dtype, seed: int) -> torch.Tensor:
    return (torch.randn(m, k, generator=torch.Generator().manual_seed(seed)) * 4).to(kind)


@pytest.mark.parametrize("machine, arch", [("H100", "hopper"), ("RTX 4060", "ada")])
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("kinds", [(E4M3, E4M3), (E4M3, E5M2)])
@pytest.mark.parametrize("out", [torch.float32, torch.bfloat16, torch.float16])
def test_scales_of_whole_tensors(
    machine: str, arch: str, fast: bool, kinds: tuple[torch.dtype, torch.dtype], out: torch.dtype
) -> None:
    a, b = drawn(16, 288, kinds[0], 0), drawn(16, 288, kinds[1], 1).T
    scales = torch.tensor(0.703), torch.tensor(0.37)
    with mt.emulate(machine, unknown="ignore") as run:
        found = torch._scaled_mm(a, b, *scales, out_dtype=out, use_fast_accum=fast)
    names = ".".join({E4M3: "e4m3", E5M2: "e5m2"}[kind] for kind in kinds)
    row = f"cublas/fp8.{'fast' if fast else 'slow'}.{arch}.f32.{names}"
    alpha = float(scales[0] * scales[1]).hex()
    format_out = {torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16"}[out]
    wanted = mmasmt.matmul(a, b, model=f"{row}:out={format_out},alpha={alpha},K=288")
    assert torch.equal(bits(found), bits(wanted))
    assert (run.calls[0].plan.verified == "recorded") == (arch == "hopper")


def test_results_in_fp8_are_scaled_and_saturated() -> None:
    a, b = drawn(16, 64, E4M3, 0), drawn(16, 64, E4M3, 1).T
    one, scale = torch.tensor(1.0), torch.tensor(0.3)
    found = mt.scaled_mm(a, b, one, one, machine="H100", scale_result=scale, out_dtype=E4M3, use_fast_accum=True)
    row = f"cublas/fp8.fast.hopper.f32.e4m3.e4m3:out=e4m3,scale={float(scale).hex()},saturate=yes,K=64"
    assert torch.equal(bits(found), bits(mmasmt.matmul(a, b, model=row)))


def test_scales_by_rows_and_blocks() -> None:
    a, b = drawn(16, 256, E4M3, 0), drawn(32, 256, E4M3, 1).T
    rows, columns = torch.rand(16, 1) + 0.5, torch.rand(1, 32) + 0.5
    found = mt.scaled_mm(a, b, rows, columns, machine="H100", out_dtype=torch.float32, use_fast_accum=True)
    total = mmasmt.matmul(a, b, model="hopper/wgmma.m64nNk32.f32.e4m3.e4m3")
    assert torch.equal(found, rows * (columns * total))
    exact = a.double() @ b.double()
    left, right = torch.rand(16, 2) + 0.5, torch.rand(2, 32) + 0.5
    found = mt.scaled_mm(a, b, left, right, machine="H100", out_dtype=torch.float32)
    spread = (a.double() * left.double().repeat_interleave(128, 1)) @ (b.double() * right.double().repeat_interleave(128, 0))
    assert float((found - spread).abs().max()) < 0.01 * float(exact.abs().max())


@pytest.mark.skipif(not hasattr(torch, "_grouped_mm"), reason="this version of PyTorch has no grouped products")
def test_groups() -> None:
    a, b = torch.randn(16, 32).bfloat16(), torch.randn(2, 32, 16).bfloat16()
    ends = torch.tensor([6, 16], dtype=torch.int32)
    with mt.emulate("H100", unknown="ignore"):
        found = torch._grouped_mm(a, b, offs=ends)
        wanted = torch.cat([a[:6] @ b[0], a[6:] @ b[1]])
    assert torch.equal(found, wanted)


GROUPED = {
    # Sizes of each group, and how a, b, their scales and the results of the groups are put together.
    "rows": ([(16, 256, 32), (0, 256, 32), (32, 256, 32)], torch.cat, torch.stack, torch.cat),
    "columns": ([(16, 256, 32), (16, 256, 16)], torch.stack, torch.cat, lambda results: torch.cat(results, 1)),
    "k": ([(16, 128, 32), (16, 256, 32)], torch.cat, torch.cat, torch.stack),
    "stack": ([(16, 256, 32)] * 2, torch.stack, torch.stack, torch.stack),
}


@pytest.mark.skipif(not hasattr(torch, "_scaled_grouped_mm"), reason="this version of PyTorch has no scaled products of groups")
@pytest.mark.parametrize("form", GROUPED)
@pytest.mark.parametrize("fast", [True, False])
def test_scaled_groups(form: str, fast: bool) -> None:
    """Each group is a sum by the row of cuBLAS, with the scales of its own rows and columns."""
    sizes, of_a, of_b, of_results = GROUPED[form]
    x = [drawn(m, k, E4M3, seed) for seed, (m, k, n) in enumerate(sizes)]
    y = [drawn(n, k, E4M3, seed + 9) for seed, (m, k, n) in enumerate(sizes)]
    left, right = ([torch.rand(len(one)) + 0.5 for one in of] for of in (x, y))
    # Groups lie behind each other along k, or along rows.
    a, b = (torch.cat(one, 1) if form == "k" else of(one) for of, one in ((of_a, x), (of_b, y)))
    ends = torch.tensor([{"rows": m, "k": k}.get(form, n) for m, k, n in sizes]).cumsum(0).int()
    with mt.emulate("H100", unknown="ignore") as run:
        found = torch._scaled_grouped_mm(
            a, b.transpose(-1, -2), of_a(left), of_b(right), offs=None if form == "stack" else ends, use_fast_accum=fast
        )
    row = f"cublas/fp8.{'fast' if fast else 'slow'}.hopper.f32.e4m3.e4m3:out=f32"
    totals = [mmasmt.matmul(p, q.T, model=f"{row},K={p.shape[1]}") if len(p) else torch.zeros(0, len(q)) for p, q in zip(x, y)]
    wanted = of_results([(p[:, None] * (q * total)).bfloat16() for p, q, total in zip(left, right, totals)])
    assert torch.equal(bits(found), bits(wanted))
    assert {call.shape.op for call in run.calls} == {"_scaled_grouped_mm"} and not any(call.is_known for call in run.calls)


@pytest.mark.skipif(not hasattr(torch.ops.aten, "_scaled_grouped_mm_v2"), reason="this version of PyTorch has no such operator")
def test_what_is_refused_of_scaled_groups() -> None:
    a, b = drawn(32, 128, E4M3, 0), drawn(32, 128, E4M3, 1).reshape(1, 32, 128).transpose(1, 2)
    ends, scales = torch.tensor([32], dtype=torch.int32), (torch.ones(32), torch.ones(1, 32))
    with mt.emulate("H100", unknown="ignore"), pytest.raises(mt.Refused, match="_scaled_grouped_mm_v2 of .* expects one scale each, found 2"):
        torch.ops.aten._scaled_grouped_mm_v2(a, b, [scales[0]] * 2, [1], [0], [scales[1]], [1], [0], ends)


def swizzled(scale: Any) -> Any:
    """Tiles of 128 rows and 4 blocks, by the formula of the offset of one scale."""
    rows, blocks = scale.shape
    tall, wide = -(-rows // 128), -(-blocks // 4)
    found = torch.zeros(tall * wide * 512, dtype=torch.uint8)
    for row in range(rows):
        for block in range(blocks):
            tile = (row // 128) * wide + block // 4
            found[tile * 512 + (row % 32) * 16 + (row % 128) // 32 * 4 + block % 4] = scale[row, block]
    return found


@pytest.mark.skipif(not hasattr(torch, "float4_e2m1fn_x2"), reason="this version of PyTorch has no FP4")
@pytest.mark.parametrize("machine", ["B200", "RTX 5090"])
def test_block_scales(machine: str) -> None:
    """Values of MXFP8 and NVFP4 of few bits, whose sums are exact."""
    torch.manual_seed(0)
    exponents = torch.randint(125, 130, (130, 6), dtype=torch.uint8)
    scale = 2.0 ** (exponents.double() - 127)
    a = torch.randint(-2, 3, (130, 192)).double()
    wanted = (a * scale.repeat_interleave(32, 1)) @ (a[:16] * scale[:16].repeat_interleave(32, 1)).T
    left, right = (swizzled(x).view(torch.float8_e8m0fnu) for x in (exponents, exponents[:16]))
    with mt.emulate(machine, unknown="ignore") as run:
        found = torch._scaled_mm(a.to(E4M3), a[:16].to(E4M3).T, left, right, out_dtype=torch.float32)
    assert torch.equal(found.double(), wanted) and run.calls[0].shape.kind == "mxfp8.e4m3.e4m3"

    values = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=torch.float64)
    codes = torch.randint(0, 16, (32, 64), dtype=torch.uint8)
    small = torch.tensor([0.5, 1, 2])[torch.randint(0, 3, (32, 4))].to(E4M3)
    packed = (codes[:, ::2] | codes[:, 1::2] << 4).view(torch.float4_e2m1fn_x2)
    x = values[codes.long()] * small.double().repeat_interleave(16, 1)
    tiles = swizzled(small.view(torch.uint8)).view(E4M3)
    found = mt.scaled_mm(packed, packed.T, tiles, tiles, machine=machine, out_dtype=torch.float32)
    assert torch.equal(found.double(), x @ x.T)


def test_other_scales_are_refused() -> None:
    a, b, scale = drawn(16, 64, E4M3, 0), drawn(16, 64, E4M3, 1).T, torch.ones(16, 3).to(torch.float8_e8m0fnu)
    with pytest.raises(
        mt.Refused, match=r"_scaled_mm of \(16, 64\), \(64, 16\) expects a scale for every 32 k, in tiles of 128 rows"
    ):
        mt.scaled_mm(a, b, scale, scale, machine="B200")
    with pytest.raises(mt.Refused, match=r"H100 has no unit for mxfp8.e4m3.e4m3"):
        mt.scaled_mm(a, b, scale[:, :2].contiguous(), scale[:, :2].contiguous(), machine="H100")
