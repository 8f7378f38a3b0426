"""The products that are compared: what mmasmt, MMA-Sim and mmaemu call each of them, and its operands."""

from dataclasses import dataclass

import torch
from mmasim import MMAOperation
from mmasim.nv_ptx import MMA, WGMMA

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
HOPPER = "hopper/wgmma.m64nNk32.f32.e4m3.e4m3"
ADA = "ada/mma.m16n8k32.f32.e4m3.e4m3.f32"
SCALES = torch.tensor(0.703), torch.tensor(0.37)
ONES = torch.tensor(1.0), torch.tensor(1.0)
ALPHA = float(SCALES[0] * SCALES[1]).hex()


@dataclass(frozen=True)
class ScaledMm:
    """A call of mmaemu in place of `torch._scaled_mm`. The caller splits k here: mmaemu's own table would do so by the shape."""

    profile: str
    fast: bool = True
    split: int | tuple[int, str] = 1
    scales: tuple[torch.Tensor, torch.Tensor] = ONES


@dataclass(frozen=True)
class Product:
    name: str
    # With `{k}` for the length of a sum.
    model: str
    mma_sim: MMAOperation | None
    mmaemu: ScaledMm | None = None
    factors: tuple[torch.dtype, torch.dtype] = (E4M3, E4M3)
    result: torch.dtype = torch.float32


F16, BF16 = (torch.float16, torch.float16), (torch.bfloat16, torch.bfloat16)
PRODUCTS = [
    Product("volta HMMA f16", "volta/HMMA.884.F32.F32", MMA("Volta", "m8n8k4.f32.f16.f16.f32"), factors=F16),
    Product("ampere HMMA f16", "ampere/HMMA.16816.F32", MMA("Ampere", "m16n8k16.f32.f16.f16.f32"), factors=F16),
    Product("hopper HMMA f16", "hopper/HMMA.16816.F32", MMA("Hopper", "m16n8k16.f32.f16.f16.f32"), factors=F16),
    Product(
        "hopper HMMA bf16", "hopper/HMMA.16816.F32.BF16", MMA("Hopper", "m16n8k16.f32.bf16.bf16.f32"), factors=BF16
    ),
    # With fast accumulation, scales of 1 and a result in f32, `_scaled_mm` is a chain of one instruction, which MMA-Sim has too.
    Product("H100 FP8 fast", HOPPER, WGMMA("Hopper", "m64n64k32.f32.e4m3.e4m3"), ScaledMm("hopper")),
    Product(
        "H100 FP8 fast, e4m3 by e5m2",
        "hopper/wgmma.m64nNk32.f32.e4m3.e5m2",
        WGMMA("Hopper", "m64n64k32.f32.e4m3.e5m2"),
        ScaledMm("hopper"),
        factors=(E4M3, E5M2),
    ),
    Product("RTX 4060 FP8 fast", ADA, MMA("Ada Lovelace", "m16n8k32.f32.e4m3.e4m3.f32"), ScaledMm("ada")),
    # MMA-Sim has instructions alone: no new sum for each 128 k, no scales and no parts of k.
    Product("H100 FP8 slow", "cublas/fp8.slow.hopper.f32.e4m3.e4m3", None, ScaledMm("hopper", fast=False)),
    Product("RTX 4060 FP8 slow", "cublas/fp8.slow.ada.f32.e4m3.e4m3", None, ScaledMm("ada", fast=False)),
    Product(
        "H100 FP8 fast, scales, bf16",
        f"cublas/fp8.fast.hopper.f32.e4m3.e4m3:out=bf16,alpha={ALPHA}",
        None,
        ScaledMm("hopper", scales=SCALES),
        result=torch.bfloat16,
    ),
    # `splitk` has a K of its own, or else the epilogue would repeat it as a chain.
    Product(
        "H100 FP8 slow, k in 2 parts",
        f"epilogue(splitk(promote({HOPPER}):every=4):S=2,tiles=contiguous,tile=128,K={{k}})",
        None,
        ScaledMm("hopper", fast=False, split=(2, "contiguous")),
    ),
    Product(
        "RTX 4060 FP8 fast, k in 3, scales, bf16",
        f"epilogue(splitk({ADA}):S=3,tiles=strided,tile=64,combine=pairwise,K={{k}}):out=bf16,alpha={ALPHA}",
        None,
        ScaledMm("ada", split=(3, "pairwise"), scales=SCALES),
        result=torch.bfloat16,
    ),
]


def rows(kind: str, shape: tuple[int, int], dtype: torch.dtype, generator: torch.Generator) -> torch.Tensor:
    """Rows of factors: `normal` numbers about 1, or `any`: exponents far apart, and registers at random in each eighth row.

    A sum of so many registers at random is a NaN almost always, so that all rows of them would compare nothing.
    """
    numbers = torch.randn(shape, generator=generator)
    if kind == "any":
        numbers *= torch.exp2(torch.randint(-12, 13, shape, generator=generator))
    most = torch.finfo(dtype).max
    factors = numbers.clamp(-most, most).to(dtype)
    if kind == "any":
        integers = {1: torch.int8, 2: torch.int16}[dtype.itemsize]
        range_ = torch.iinfo(integers)
        registers = factors.view(integers)[::8]
        registers.copy_(torch.randint(range_.min, range_.max + 1, registers.shape, generator=generator))
    return factors
