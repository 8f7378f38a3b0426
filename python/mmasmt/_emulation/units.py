"""Which instruction a library takes for each machine and format of operands, and since how much that is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import mmasmt

from .errors import Refused


@dataclass(frozen=True)
class Unit:
    """The instruction of a chain, with its source.

    `status` is ``recorded``, ``reported`` or ``assumed``: whether the library was seen to take this instruction. What the arithmetic
    of the instruction itself rests on is what ``mmasmt.model(unit)`` says.
    """

    model: str
    status: str
    source: str
    round_in: Literal["none", "tf32"] = "none"


_H100 = "H100 SXM, cuBLAS 13.1.0.3, PyTorch 2.11"
_A100 = "arXiv 2606.00279, A100 and L40S, cuBLAS"
_RTX = "RTX 4060, cuBLASLt 12.8.3.14, mmaemu 0.1.0"
_NO = "no library was recorded on this machine"
_FMA = "fused multiply-adds in the order of k, which no library is known to keep for every shape"

_SIMT32 = Unit("sfma:fmt=f32", "assumed", _FMA)
_SIMT64 = Unit("sfma:fmt=f64", "assumed", _FMA)


def _mma(arch: str, k: int, formats: str, suffix: str = ".f32", prefix: str = "mma.m16n8k") -> str:
    return f"{arch}/{prefix}{k}.f32.{formats}{suffix}"


def _nvidia(arch: str, source: str, status: str, f64: Unit) -> dict[str, Unit]:
    """Instructions of `mma.sync`, which have the same names from Ampere on."""
    return {
        "f16": Unit(_mma(arch, 16, "f16.f16"), status, source),
        "bf16": Unit(_mma(arch, 16, "bf16.bf16"), status, source),
        "tf32": Unit(_mma(arch, 8, "tf32.tf32"), "assumed", f"{_NO}; operands rounded to nearest even", "tf32"),
        "f32": _SIMT32,
        "f64": f64,
    }


def _blocks(template: str, fp4: str) -> dict[str, Unit]:
    """MXFP8 and NVFP4, whose scales are operands of the instruction."""
    pairs = [("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3")]
    found = {f"mxfp8.{a}.{b}": Unit(template.format(a=a, b=b), "assumed", _NO) for a, b in pairs}
    return {**found, "nvfp4": Unit(fp4, "assumed", _NO)}


def _fp8(template: str, kinds: list[str], status: str, source: str) -> dict[str, Unit]:
    """The pairs of FP8 formats that libraries multiply; two factors in e5m2 are not among them."""
    pairs = [(kinds[0], kinds[0]), (kinds[0], kinds[1]), (kinds[1], kinds[0])]
    return {f"{a}.{b}": Unit(template.format(a=a, b=b), status, source) for a, b in pairs}


_E = ["e4m3", "e5m2"]
_DMMA = "mma.m8n8k4.f64.f64.f64.f64"

_TABLE: dict[str, dict[str, Unit]] = {
    "volta": {
        "f16": Unit("volta/mma.m8n8k4.f32.f16.f16.f32", "assumed", _NO),
        "f32": _SIMT32,
        "f64": _SIMT64,
    },
    "turing": {
        "f16": Unit("turing/mma.m16n8k8.f32.f16.f16.f32", "assumed", _NO),
        "f32": _SIMT32,
        "f64": _SIMT64,
    },
    "ampere": _nvidia("ampere", _A100, "reported", Unit(f"ampere/{_DMMA}", "assumed", _NO)),
    "ada": {
        **_nvidia("ada", _A100, "reported", _SIMT64),
        **_fp8("ada/mma.m16n8k32.f32.{a}.{b}.f32", _E, "recorded", _RTX),
    },
    "hopper": {
        "f16": Unit("hopper/wgmma.m64nNk16.f32.f16.f16", "recorded", _H100),
        "bf16": Unit("hopper/wgmma.m64nNk16.f32.bf16.bf16", "recorded", _H100),
        "tf32": Unit("hopper/wgmma.m64nNk8.f32.tf32.tf32", "recorded", _H100, "tf32"),
        "f32": Unit("sfma:fmt=f32", "recorded", _H100),
        "f64": Unit("hopper/mma.m16n8k16.f64.f64.f64.f64", "recorded", _H100),
        **_fp8("hopper/wgmma.m64nNk32.f32.{a}.{b}", _E, "recorded", _H100),
    },
    "blackwell": {
        "f16": Unit("blackwell/tcgen05.mma.mMnNk16.f32.f16.f16", "assumed", _NO),
        "bf16": Unit("blackwell/tcgen05.mma.mMnNk16.f32.bf16.bf16", "assumed", _NO),
        "tf32": Unit("blackwell/tcgen05.mma.mMnNk8.f32.tf32.tf32", "assumed", f"{_NO}; operands rounded to nearest even", "tf32"),
        "f32": _SIMT32,
        "f64": Unit(f"blackwell/{_DMMA}", "assumed", _NO),
        **_fp8("blackwell/tcgen05.mma.mMnNk32.f32.{a}.{b}", _E, "assumed", _NO),
        **_blocks(
            "blackwell/tcgen05.mma.block_scale.mMnNk32.block32.f32.{a}.{b}.ue8m0",
            "blackwell/tcgen05.mma.block_scale.mMnNk64.block16.f32.e2m1.e2m1.ue4m3",
        ),
    },
    "rtx-blackwell": {
        **_nvidia("rtx-blackwell", _NO, "assumed", _SIMT64),
        **_fp8("rtx-blackwell/mma.m16n8k32.f32.{a}.{b}.f32", _E, "assumed", _NO),
        **_blocks(
            "rtx-blackwell/mma.block_scale.m16n8k32.block32.f32.{a}.{b}.f32.ue8m0",
            "rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
        ),
    },
    "cdna1": {
        "f16": Unit("cdna1/v_mfma_f32_32x32x8f16", "assumed", _NO),
        "bf16": Unit("cdna1/v_mfma_f32_32x32x4bf16", "assumed", _NO),
        "f32": Unit("cdna1/v_mfma_f32_32x32x2f32", "assumed", _NO),
        "f64": _SIMT64,
    },
    "cdna2": {
        "f16": Unit("cdna2/v_mfma_f32_32x32x8f16", "assumed", _NO),
        "bf16": Unit("cdna2/v_mfma_f32_32x32x8bf16_1k", "assumed", _NO),
        "f32": Unit("cdna2/v_mfma_f32_32x32x2f32", "assumed", _NO),
        "f64": Unit("cdna2/v_mfma_f64_16x16x4f64", "assumed", _NO),
    },
    "cdna3": {
        "f16": Unit("cdna3/v_mfma_f32_32x32x8_f16", "assumed", _NO),
        "bf16": Unit("cdna3/v_mfma_f32_32x32x8_bf16", "assumed", _NO),
        "tf32": Unit("cdna3/v_mfma_f32_32x32x4_xf32", "assumed", f"{_NO}; operands rounded to nearest even", "tf32"),
        "f32": Unit("cdna3/v_mfma_f32_32x32x2_f32", "assumed", _NO),
        "f64": Unit("cdna3/v_mfma_f64_16x16x4_f64", "assumed", _NO),
        **{
            f"{a}.{b}": Unit(f"cdna3/v_mfma_f32_32x32x16_{one}_{other}", "assumed", _NO)
            for a, one in (("e4m3fnuz", "fp8"), ("e5m2fnuz", "bf8"))
            for b, other in (("e4m3fnuz", "fp8"), ("e5m2fnuz", "bf8"))
            if "fp8" in (one, other)
        },
    },
    "rdna3": {
        "f16": Unit("rdna3/v_wmma_f32_16x16x16_f16", "assumed", _NO),
        "bf16": Unit("rdna3/v_wmma_f32_16x16x16_bf16", "assumed", _NO),
        "f32": _SIMT32,
        "f64": _SIMT64,
    },
    "rdna4": {
        "f16": Unit("rdna4/v_wmma_f32_16x16x16_f16.wave32", "assumed", _NO),
        "bf16": Unit("rdna4/v_wmma_f32_16x16x16_bf16.wave32", "assumed", _NO),
        "f32": _SIMT32,
        "f64": _SIMT64,
    },
}


# Machines without known instructions, by how their names begin, and the one that is nearest.
_NEAR = {"b300": "B200", "gb300": "B200", "mi350": "MI300X", "mi355": "MI300X"}


@lru_cache(maxsize=256)
def architecture_of(machine: str) -> str:
    """The architecture of a machine, by the name of a product or of the architecture itself.

    Raises
    ------
    ValueError
        If the tables of mmasmt have no such machine, or if no library for PyTorch takes its instructions.
    """
    rows = mmasmt.models(machine)
    names = {row.architecture for row in rows if row.architecture is not None}
    if not names:
        hint = next((near for start, near in _NEAR.items() if machine.casefold().startswith(start)), "")
        hint = f"; the nearest one is {hint}, whose bits may be others" if hint else f"; architectures here are {', '.join(machines())}"
        raise ValueError(f"machine: expected one whose instructions are known, found {machine!r}, of which no arithmetic is{hint}")
    if len(names) != 1:
        known = ", ".join(machines())
        raise ValueError(f"machine: expected one product or architecture, found {machine!r}; architectures here are {known}")
    (name,) = names
    if name not in _TABLE:
        raise ValueError(
            f"machine: expected one whose libraries and instructions are known, found {machine!r} ({name})"
        )
    return name


def machines() -> list[str]:
    """The architectures that have units here."""
    return list(_TABLE)


@lru_cache(maxsize=1)
def models() -> frozenset[str]:
    """The instructions of the table."""
    return frozenset(unit.model for units in _TABLE.values() for unit in units.values())


def unit_of(machine: str, kind: str) -> Unit:
    """The unit of a machine for a format, ``"f16"``, or a pair of formats, ``"e4m3.e5m2"``.

    Raises
    ------
    Refused
        If the machine has no such unit.
    """
    units = _TABLE[architecture_of(machine)]
    if kind not in units:
        raise Refused(f"{machine} has no unit for {kind}, it has {', '.join(units)}: convert the operands, or take another machine")
    return units[kind]


def has_unit(machine: str, kind: str) -> bool:
    """Whether the machine multiplies this format."""
    return kind in _TABLE[architecture_of(machine)]


# Without fast accumulation cuBLASLt adds the sum of every 128 k in f32.
PROMOTION = 128


def promotion_of(machine: str) -> int:
    """After how many products of FP8 a sum is added in f32 outside of the unit, without fast accumulation; 0 for never."""
    return PROMOTION if architecture_of(machine) in ("ada", "hopper") else 0


def nan_of(machine: str) -> Literal["ones", "quiet"]:
    """How conversions of the machine write a NaN: those of NVIDIA as all ones."""
    return "quiet" if architecture_of(machine).startswith(("cdna", "rdna")) else "ones"
