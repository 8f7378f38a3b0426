"""Asks Triton: `tl.dot` in a loop, by every `input_precision` of f32, and of FP8 by how many products stay in the accumulator.

    python3 kernels/libraries/ask_triton.py FOLDER
"""

import torch
import triton
import triton.language as tl
from products import folder, record


@triton.jit
def dot(a, b, d, K: tl.constexpr, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr, PRECISION: tl.constexpr, MOST: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, BLOCK)
    sums = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, K, BLOCK):
        x = tl.load(a + m[:, None] * K + (start + k)[None, :])
        y = tl.load(b + n[None, :] * K + (start + k)[:, None])
        sums = tl.dot(x, y, sums, input_precision=PRECISION, max_num_imprecise_acc=MOST)
    tl.store(d + m[:, None] * N + n[None, :], sums)


def product(block, precision, most):
    """A product of matrices by one block of threads."""

    def run(a, b):
        d = torch.empty((len(a), len(b)), device="cuda", dtype=torch.float32)
        dot[(1,)](a, b, d, a.shape[1], len(a), len(b), block, precision, most)
        return d

    return run


def main(folder):
    for precision in ("tf32x3", "bf16x3", "bf16x6", "tf32", "ieee"):
        for rows, depth, block in ((64, 32, 32), (64, 64, 64), (64, 128, 32), (16, 32, 32), (16, 128, 32)):
            name, shape = f"{precision}.block{block}", (rows, 64, depth)
            record(folder, name, product(block, precision, None), ("f32", "f32"), shape, 64 * rows)
    for most in (None, 32, 64, 128):
        for rows, depth, block in ((64, 256, 128), (64, 128, 32), (16, 256, 128)):
            # No more than there are in one `tl.dot`; the precision is what it is by itself, and says nothing of FP8.
            if most is None or most <= block:
                name, shape = f"fp8.most{most}.block{block}", (rows, 64, depth)
                record(folder, name, product(block, "tf32", most), ("e4m3", "e4m3"), shape, 1024)


main(folder())
