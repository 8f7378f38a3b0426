"""What tests of products of JAX multiply, and for which machine."""

from __future__ import annotations

from typing import Any

import mmasmt.jax as mj
import numpy as np

H100 = {
    "float16": "hopper/wgmma.m64nNk16.f32.f16.f16",
    "bfloat16": "hopper/wgmma.m64nNk16.f32.bf16.bf16",
    "tf32": "hopper/wgmma.m64nNk8.f32.tf32.tf32",
    "float8_e4m3fn": "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
}


def drawn(seed: int, *shape: int, dtype: Any = np.float32) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32).astype(dtype)


def emulated(function: Any, machine: str = "H100", **options: Any) -> Any:
    return mj.emulate(function, machine, unknown="ignore", **options)
