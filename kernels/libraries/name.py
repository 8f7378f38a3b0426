"""Finds the model that reproduces each file of a folder of products, and writes it as the first line of the file.

    python3 kernels/libraries/name.py PROGRAM FOLDER

PROGRAM is mmasmt. Candidates are chains of the instruction that a library uses, or of fused multiply-adds, over all k or over parts of
them, of tiles of 32, 64 or 128 k. Prints a table, and the status is 1 if a file has no model.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

NAME = re.compile(r"(.+)\.(?:normal|wide|close)\.(M(\d+)N\d+K(\d+))\.txt")
F16 = "hopper/wgmma.m64nNk16.f32.f16.f16"
BF16 = "hopper/wgmma.m64nNk16.f32.bf16.bf16"
TF32 = "hopper/wgmma.m64nNk8.f32.tf32.tf32"
FP8 = "hopper/wgmma.m64nNk32.f32.e4m3.e4m3"
# FP8 as f16.
UPCAST = "hopper/mma.m16n8k16.f32.f16.f16.f32:in=e4m3"


def split(unit, depth):
    """Sums of a unit over parts of k, in their order."""
    for tile in (tile for tile in (32, 64, 128) if tile <= depth):
        for parts in (2, 3, 4, 6, 8, 12, 16, 32):
            yield f"splitk({unit}):K={depth},S={parts},tile={tile}"


def of_cublas(name, depth):
    """Candidates for a product of cuBLAS."""
    of, out, *formats = name.split(".")
    if of == "fp8":
        yield f"cublas/fp8.{out}.hopper.f32.{formats[1]}.{formats[2]}:K={depth},out={formats[0]}"
    elif of == "mm-tf32":
        is_rounded = formats == ["f32"]
        row = "gemm-tf32.hopper.f32.f32.f32" if is_rounded else "gemm.hopper.f32.tf32.tf32"
        yield f"cublas/{row}:K={depth}"
        yield f"sfma:fmt=f32,K={depth}"
        yield from split(f"plain({TF32})" if is_rounded else TF32, depth)
    elif formats in (["f16"], ["bf16"]):
        unit = F16 if formats == ["f16"] else BF16
        yield f"cublas/gemm.hopper.f32.{formats[0]}.{formats[0]}:K={depth},out={out}"
        if out == "f32":
            yield from split(unit, depth)
    else:
        yield f"cublas/gemm.hopper.f64.f64.f64:K={depth}" if out == "f64" else f"sfma:fmt=f32,K={depth}"
        # Four groups of threads take 8 k each in turn.
        yield f"splitk(sfma:fmt={out}):K={depth},S=4,tile=8,tiles=strided"
        yield from split(f"sfma:fmt={out}", depth)


def of_triton(name, rows, depth):
    """The model of a product of Triton."""
    of, *options, block = name.split(".")
    block = block.removeprefix("block")
    if is_upcast(name, rows):
        yield f"epilogue({UPCAST}):K={depth}"
    elif of == "fp8":
        most = options[0].removeprefix("most")
        yield f"epilogue({FP8}):K={depth}" if most == "None" else f"promote({FP8}):K={depth},every={int(most) // 32}"
    elif of == "tf32":
        yield f"plain({TF32}):K={depth},round=rz"
    elif of == "ieee":
        yield f"sfma:fmt=f32,K={depth}"
    else:
        unit = "hopper/mma.m16n8k8.f32.tf32.tf32.f32" if of == "tf32x3" else "hopper/mma.m16n8k16.f32.bf16.bf16.f32"
        yield f"triton-{of}({unit}):K={depth},block={block}"


def is_upcast(name, rows):
    """Whether Triton converts FP8 to f16: of a block with fewer than 64 rows."""
    return name.startswith("fp8.most") and rows < 64


def in_fours(line):
    """A vector with k in the order in which Triton's threads have them in registers, four neighbours each: of 32 the first two of
    every four, then the others."""
    c, a, b, d = line.split()
    a, b = a.split(","), b.split(",")
    order = [block + k for block in range(0, len(a), 32) for half in (0, 1) for k in range(32) if k % 4 // 2 == half]
    return " ".join((c, ",".join(a[k] for k in order), ",".join(b[k] for k in order), d))


def reproduces(program, model, lines):
    """Whether a model gives the results of all lines."""
    done = subprocess.run([program, "check", model, "-"], input="\n".join(lines) + "\n", text=True, capture_output=True)
    if done.returncode == 2:
        sys.exit(f"error: {model}: {done.stderr.strip()}")
    return done.returncode == 0


def main():
    program, folder = sys.argv[1:]
    # The kinds of operands of a product have one model.
    products = defaultdict(list)
    for path in sorted(Path(folder).glob("*.txt")):
        name, shape, rows, depth = NAME.fullmatch(path.name).groups()
        products[name, shape, int(rows), int(depth)].append(path)
    missing = 0
    for (name, shape, rows, depth), paths in products.items():
        lines = {path: [line for line in path.read_text().splitlines() if not line.startswith("#")] for path in paths}
        if is_upcast(name, rows):
            lines = {path: [in_fours(line) for line in own] for path, own in lines.items()}
        together = [line for own in lines.values() for line in own]
        candidates = of_triton(name, rows, depth) if ".block" in name else of_cublas(name, depth)
        model = next((model for model in candidates if reproduces(program, model, together)), None)
        missing += model is None
        print(name, shape, len(together), model or "no model", sep="\t")
        if model:
            for path, own in lines.items():
                path.write_text(f"# model: {model}\n" + "".join(line + "\n" for line in own))
    sys.exit(missing > 0)


main()
