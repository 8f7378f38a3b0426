"""Asks cuBLAS by way of PyTorch: `torch.mm` and `torch._scaled_mm`, of results in f32 and in 16 bits.

    python3 kernels/libraries/ask_cublas.py FOLDER
"""

import torch
from products import FORMATS, folder, record


def main(folder):
    one = torch.tensor(1.0, device="cuda")

    def scaled(fast, dtype):
        return lambda a, b: torch._scaled_mm(a, b.t(), one, one, out_dtype=dtype, use_fast_accum=fast)

    for depth in (32, 64, 128, 256, 384, 1024, 4096):
        for rows, columns in ((64, 64), (512, 512), (128, 2048)):
            shape, count = (rows, columns, depth), max(256, min(4096, 2**20 // depth))
            for formats in (("e4m3", "e4m3"), ("e4m3", "e5m2"), ("e5m2", "e4m3")):
                for fast in (True, False):
                    for out in ("f32", "bf16"):
                        name = ".".join(("fp8", "fast" if fast else "slow", out, *formats))
                        record(folder, name, scaled(fast, FORMATS[out]), formats, shape, count)
            for of in ("f16", "bf16"):
                record(folder, f"mm.f32.{of}", lambda a, b: torch.mm(a, b.t(), out_dtype=torch.float32), (of, of), shape, count)
                record(folder, f"mm.{of}.{of}", lambda a, b: torch.mm(a, b.t()), (of, of), shape, count)
            torch.backends.cuda.matmul.allow_tf32 = True
            for of in ("tf32", "f32"):
                record(folder, f"mm-tf32.f32.{of}", lambda a, b: torch.mm(a, b.t()), (of, of), shape, count)
            torch.backends.cuda.matmul.allow_tf32 = False
            for of in ("f32", "f64"):
                record(folder, f"mm.{of}.{of}", lambda a, b: torch.mm(a, b.t()), (of, of), shape, count)


main(folder())
