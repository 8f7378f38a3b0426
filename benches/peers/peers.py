"""The same product of matrices by mmasmt and by MMA-Sim's package: the same bits, and the time of both.

pip install numpy torch ninja setuptools mmasim==2.1.1
cargo build --release
python3 benches/peers/peers.py target/release/mmasmt

Without a program it is mmasmt's own package that is measured, `pip install ./python`.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from mmasim.nv_ptx import sim as nvidia

# What mmasmt calls it, what MMA-Sim calls it, and the type of the factors.
INSTRUCTIONS = [
    ("volta/HMMA.884.F32.F32", nvidia.MMA("Volta", "m8n8k4.f32.f16.f16.f32"), torch.float16),
    ("ampere/HMMA.16816.F32", nvidia.MMA("Ampere", "m16n8k16.f32.f16.f16.f32"), torch.float16),
    ("hopper/HMMA.16816.F32", nvidia.MMA("Hopper", "m16n8k16.f32.f16.f16.f32"), torch.float16),
    ("hopper/HMMA.16816.F32.BF16", nvidia.MMA("Hopper", "m16n8k16.f32.bf16.bf16.f32"), torch.bfloat16),
    ("hopper/wgmma.m64nNk32.f32.e4m3.e4m3", nvidia.WGMMA("Hopper", "m64n64k32.f32.e4m3.e4m3"), torch.float8_e4m3fn),
]
SIZE = 256


def registers(kind, dtype, generator):
    """Registers of one kind: random bits, or normal numbers about 1."""
    if kind == "finite":
        return torch.randn((SIZE, SIZE), generator=generator).to(dtype)
    width = dtype.itemsize * 8
    bits = torch.randint(0, 1 << width, (SIZE, SIZE), generator=generator)
    unsigned = {8: torch.uint8, 16: torch.uint16}[width]
    return bits.to(unsigned).view(dtype)


def save(path, tensor):
    """As numbers where NumPy has the type, else as registers."""
    if tensor.dtype == torch.float16:
        np.save(path, tensor.numpy())
    else:
        unsigned = {1: torch.uint8, 2: torch.uint16}[tensor.dtype.itemsize]
        np.save(path, tensor.view(unsigned).numpy())


def by_program(mmasmt, name, a, b):
    """The registers of the product, and the seconds that the program takes with start and files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / file for file in ["a.npy", "b.npy", "d.npy"]]
        save(paths[0], a)
        save(paths[1], b)
        line = [mmasmt, "matmul", paths[0], paths[1], "--on", name, "-o", paths[2], "--threads", "1"]
        run = lambda: subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        _, ours = min((seconds(run) for _ in range(3)), key=lambda pair: pair[1])
        return np.load(paths[2]).view(np.uint32), ours


def by_package(name, a, b):
    """The registers of the product, and the seconds of a call: tensors in, a tensor out."""
    import mmasmt

    run = lambda: mmasmt.matmul(a, b, model=name, threads=1)
    found, ours = min((seconds(run) for _ in range(3)), key=lambda pair: pair[1])
    return found.numpy().view(np.uint32), ours


def seconds(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def main():
    mmasmt = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(1)
    print(f"{SIZE} x {SIZE} x {SIZE}, one thread; seconds of mmasmt {'with start, files and programs' if mmasmt else 'in Python'}\n")
    print(f"{'instruction':<38} {'operands':<8} {'mmasmt':>8} {'MMA-Sim':>8} {'ratio':>6}  elements that differ")
    for name, peer, dtype in INSTRUCTIONS:
        for kind in ["finite", "any"]:
            a, b = (registers(kind, dtype, generator) for _ in range(2))
            c = torch.zeros((SIZE, SIZE), dtype=torch.float32)
            found, ours = by_program(mmasmt, name, a, b) if mmasmt else by_package(name, a, b)
            expected, theirs = seconds(lambda: peer.dpa(
                a[:, None, :].expand(-1, SIZE, -1), b.T[None, :, :].expand(SIZE, -1, -1), c))
            expected = expected.numpy().view(np.uint32)
            # MMA-Sim leaves the code of a NaN to PyTorch.
            nans = np.isnan(found.view(np.float32)) & np.isnan(expected.view(np.float32))
            unlike = np.argwhere((found != expected) & ~nans)
            print(f"{name:<38} {kind:<8} {ours:8.3f} {theirs:8.3f} {theirs / ours:6.1f}  {len(unlike)}")
            for row, column in unlike[:3]:
                print(f"    [{row}, {column}]: {found[row, column]:08x}, MMA-Sim {expected[row, column]:08x}")


if __name__ == "__main__":
    main()
