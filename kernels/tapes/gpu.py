#!/usr/bin/env python3
"""Measures products of matrices on the GPU of this machine: bits against the processor, and speed (kernels/gpu.md)."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "target/gpu"
PACKAGES = ["numpy", "nvidia-cuda-nvrtc-cu12==12.9.86"]
# Rows, each with the format of A and B, the products of a dot-add, and the products of a block scale.
ROWS = [
    *[(f"{arch}/HMMA.16816.F32", "f16", 16, 0) for arch in ("ampere", "ada", "hopper", "blackwell", "rtx-blackwell")],
    *[(f"{arch}/HMMA.16816.F32.BF16", "bf16", 16, 0) for arch in ("ampere", "ada", "hopper", "blackwell", "rtx-blackwell")],
    ("volta/HMMA.884.F32.F32", "f16", 4, 0),
    ("turing/HMMA.1688.F32", "f16", 8, 0),
    *[(f"fda:F={bits},K=32,in=e4m3", "e4m3", 32, 0) for bits in (13, 21, 25)],
    *[(f"fda:F={bits},K=32,in=e5m2", "e5m2", 32, 0) for bits in (13, 25)],
    *[(f"fda:F={bits},K=8,in=tf32", "tf32", 8, 0) for bits in (23, 25)],
    ("fda:F=25,K=32,in=e2m1,scale=ue8m0,block=32", "e2m1", 32, 32),
    ("fda:F=25,K=32,in=e2m1,scale=ue4m3,block=16", "e2m1", 32, 16),
    *[(f"fdrda:K={products}", "f16", products, 0) for products in (4, 8)],
    *[(f"gfdrda:K={products}", "f16", products, 0) for products in (8, 16)],
    ("gps:K=16", "f16", 16, 0),
    ("hmma8:K=16", "e4m3", 32, 0),
    ("ieee:K=4", "f16", 4, 0),
    ("sfma:K=4,fmt=f32", "f32", 4, 0),
    ("int:K=16", "s8", 16, 0),
]
# Bits of a register, of its exponent, and of its fraction.
FORMATS = {"f16": (16, 5, 10), "bf16": (16, 8, 7), "e4m3": (8, 4, 3), "e5m2": (8, 5, 2), "e2m1": (4, 2, 1), "tf32": (32, 8, 10), "f32": (32, 8, 23), "s8": (8, 0, 0)}
SPEED = [
    ("hopper/HMMA.16816.F32", "f16", 0),
    ("hopper/HMMA.16816.F32.BF16", "bf16", 0),
    ("fda:F=13,K=32,in=e4m3", "e4m3", 0),
    ("fda:F=25,K=32,in=e2m1,scale=ue8m0,block=32", "e2m1", 32),
]


def run(command, **options):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, **options)
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise RuntimeError(lines[-1])
    return done.stdout


def registers(np, draw, format_name, shape, kind):
    """Registers of any bits, or ordinary ones: near one, with or without a few of any bits."""
    width, exponent, fraction = FORMATS[format_name]
    store = np.dtype(f"uint{max(8, width)}")
    raw = draw.integers(0, 1 << width, shape, dtype=np.uint64)
    if format_name == "tf32":
        raw &= np.uint64(0xFFFFE000)
    if kind == "any" or not exponent:
        return raw.astype(store)
    dropped = 13 if format_name == "tf32" else 0
    bias = (1 << (exponent - 1)) - 1
    spread = min(4, bias)
    fields = draw.integers(bias + 1 - spread, bias + spread, shape, dtype=np.uint64)
    near = raw & np.uint64(((1 << fraction) - 1) << dropped | 1 << (width - 1)) | fields << np.uint64(fraction + dropped)
    if kind == "mixed":
        near = np.where(draw.random(shape) < 1e-4, raw, near)
    return near.astype(store)


def multiply(program, folder, row, device, has_scales):
    """The product of a.npy and b.npy; the seconds of the device."""
    scales = ["--scale-a", folder / "sa.npy", "--scale-b", folder / "sb.npy"] if has_scales else []
    out = folder / f"{device}.npy"
    said = run([program, "--json", "matmul", folder / "a.npy", folder / "b.npy", "--on", row, *scales, "--device", device, "-o", out])
    return out, json.loads(said)["device_seconds"]


def operands(np, draw, folder, format_name, extents, block, kind):
    rows, columns, depth = extents
    np.save(folder / "a.npy", registers(np, draw, format_name, (rows, depth), kind))
    np.save(folder / "b.npy", registers(np, draw, format_name, (depth, columns), kind))
    if block:
        for name, shape in (("sa", (rows, -(-depth // block))), ("sb", (-(-depth // block), columns))):
            np.save(folder / f"{name}.npy", draw.integers(120, 135, shape, dtype=np.uint64).astype(np.uint8))


def bits(np, program, size, say):
    draw = np.random.default_rng(1)
    for row, format_name, products, block in ROWS:
        for kind in ("any", "near", "mixed"):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                extents = (size, size, 2 * products + products // 2 if row != "int:K=16" else products)
                operands(np, draw, folder, format_name, extents, block, kind)
                try:
                    found, seconds = multiply(program, folder, row, "cuda", block)
                    expected, _ = multiply(program, folder, row, "cpu", block)
                except RuntimeError as error:
                    say(f"{row}\t{kind}\t{error}")
                    continue
                found, expected = (np.load(path).view(np.uint8) for path in (found, expected))
                told = "the processor computed" if seconds is None else f"{np.count_nonzero(found != expected)} bytes differ"
                say(f"{row}\t{kind}\t{size * size} elements\t{told}")


def native(format_name, size):
    """TMAC/s of the tensor cores in the same format, where PyTorch is and has it."""
    try:
        import torch
    except ImportError:
        return None
    kind = {"f16": torch.float16, "bf16": torch.bfloat16}.get(format_name)
    if kind is None or not torch.cuda.is_available():
        return None
    a = torch.randn(size, size, device="cuda", dtype=kind)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(3):
        begin.record()
        a @ a
        end.record()
        torch.cuda.synchronize()
    return size**3 / begin.elapsed_time(end) / 1e9


def speed(np, program, size, say):
    draw = np.random.default_rng(2)
    for row, format_name, block in SPEED:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            operands(np, draw, folder, format_name, (size, size, size), block, "near")
            try:
                seconds = [multiply(program, folder, row, "cuda", block)[1] for _ in range(3)]
            except RuntimeError as error:
                say(f"{row}\t{error}")
                continue
            if None in seconds:
                say(f"{row}\tthe processor computed")
                continue
            beside = native(format_name, size)
            beside = "none here" if beside is None else f"{beside:.1f} TMAC/s"
            say(f"{row}\t{size}^3\t{size**3 / min(seconds) / 1e12:.3f} TMAC/s\tnative {beside}")


def mmaemu(say):
    """Whether the package is installed: its own benchmark is run by hand."""
    try:
        say(f"mmaemu\t{metadata.version('mmaemu')}: run its own benchmark of e4m3 at this size")
    except metadata.PackageNotFoundError:
        say("mmaemu\tnot installed")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the file for the results")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the elements")
    parser.add_argument("--program", type=Path, help="mmasmt, built with --features cuda; without this it is built")
    arguments = parser.parse_args()
    packages = list(HOME.glob("lib/python*/site-packages"))
    if not packages:
        run([sys.executable, "-m", "venv", HOME])
        run([HOME / "bin/pip", "install", "-q", *PACKAGES])
        packages = list(HOME.glob("lib/python*/site-packages"))
    sys.path.insert(0, str(packages[0]))
    own = str(packages[0] / "nvidia/cuda_nvrtc/lib")
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [own, os.environ.get("LD_LIBRARY_PATH")]))
    import numpy as np

    program = arguments.program or ROOT / "target/release/mmasmt"
    if not arguments.program:
        run(["cargo", "build", "--release", "--features", "cuda"], cwd=ROOT)
    with arguments.results.open("w") as file:

        def say(line):
            print(line, flush=True)
            file.write(line + "\n")

        say(run(["nvidia-smi", "--query-gpu=name,compute_cap,driver_version,clocks.max.sm", "--format=csv,noheader"]).strip())
        bits(np, program, 183 if arguments.quick else 1826, say)
        speed(np, program, 2048 if arguments.quick else 8192, say)
        mmaemu(say)


try:
    main()
except (RuntimeError, OSError) as error:
    sys.exit(f"error: {error}")
