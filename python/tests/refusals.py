"""What `torch._scaled_mm` of PyTorch 2.7.1 refuses with cuBLASLt 12.8 on an RTX 4060, and what mmaemu records no result of.

These are rules of a library about its arguments: no model of arithmetic has them. They say of which kind a refused call is.
"""

from __future__ import annotations

from typing import Any

FP8 = ("float8_e4m3fn", "float8_e5m2")
FNUZ = ("float8_e4m3fnuz", "float8_e5m2fnuz")
E5M2 = "float8_e5m2"
ROWWISE = "scales of rows: no result is recorded"
BIAS = "bias: no result is recorded"
GRADIENT = "gradient asked for: no result is recorded"


def refusal(call: dict[str, Any]) -> str | None:
    """Why a call has no recorded result; None if it has one."""
    found = _by_torch(call)
    if found is None and call["M"] and call["N"] and call["K"]:
        found = _by_cublas(call) or _not_recorded(call)
    return found


def _by_torch(call: dict[str, Any]) -> str | None:
    n, k = call["N"], call["K"]
    first, second = call["mat1"]["dtype"], call["mat2"]["dtype"]
    scales = [call["scale_a"], call["scale_b"]]
    asked, buffer, bias = call["out_dtype"], call["out"], call["bias"]
    out = asked or (buffer["dtype"] if buffer else first)
    if any(scale["dtype"] != "float32" for scale in scales):
        return "a scale that is not f32"
    if not _whole(call) and not _rows(call):
        return "scales neither of whole tensors nor of rows"
    if bias and bias["len"] != n:
        return "bias of another length"
    if k % 16 or n % 16:
        return "K or N not divisible by 16"
    if buffer and asked and asked != buffer["dtype"]:
        return "out of another format"
    if any(dtype not in FP8 + FNUZ for dtype in (first, second)):
        return "operands not FP8"
    if first == second == E5M2:
        return "e5m2 x e5m2"
    if bias and (out == "float32" or bias["dtype"] == "float32"):
        return "bias with or in f32"
    if bias and out in ("bfloat16", "float16") and bias["dtype"] != out:
        return "bias of another 16-bit format"
    return None


def _by_cublas(call: dict[str, Any]) -> str | None:
    first, second = call["mat1"], call["mat2"]
    out = call["out_dtype"] or (call["out"]["dtype"] if call["out"] else first["dtype"])
    if _rows(call) and not _whole(call) and out != "bfloat16":
        return "scales of rows, result not bf16"
    if first["layout"] != "std" or second["layout"] != "std":
        return "layout of an operand"
    if any(dtype in FNUZ for dtype in (first["dtype"], second["dtype"], out)):
        return "FP8 of other machines (fnuz)"
    if any(operand["offset"] % 16 for operand in (first, second)):
        return "operand not aligned to 16 bytes"
    if any(operand["ld_pad"] % 16 for operand in (first, second)):
        return "leading dimension not divisible by 16"
    if first["dtype"] == second["dtype"] == FP8[0] and out == E5M2:
        return "e4m3 x e4m3 -> e5m2"
    return None


def _not_recorded(call: dict[str, Any]) -> str | None:
    gradient = call["grad"]
    if call["bias"]:
        return BIAS
    if not _whole(call):
        return ROWWISE
    return GRADIENT if gradient and gradient["mode"] == "enabled" else None


def _count(shape: list[int]) -> int:
    found = 1
    for length in shape:
        found *= length
    return found


def _whole(call: dict[str, Any]) -> bool:
    return all(_count(call[name]["shape"]) == 1 for name in ("scale_a", "scale_b"))


def _rows(call: dict[str, Any]) -> bool:
    return bool(call["scale_a"]["shape"] == [call["M"], 1] and call["scale_b"]["shape"] == [1, call["N"]])
