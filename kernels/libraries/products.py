"""Products of matrices on a GPU, recorded: operands of several kinds, and elements of the result as vectors.

A file is one product, `NAME.KIND.MmNnKk.txt`; its lines are elements, `c a0,a1,… b0,b1,… d` in bits.
"""

import sys
from pathlib import Path

import torch

FORMATS = {
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "tf32": torch.float32,
    "f32": torch.float32,
    "f64": torch.float64,
}
INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
# How far apart exponents of the kind `wide` are.
WIDE = {"e4m3": 6, "e5m2": 10, "f16": 10}
KINDS = ("normal", "wide", "close")


def draw(kind, shape, name):
    """Operands: normally distributed, of exponents far apart, or of few."""
    if kind == "normal":
        x = torch.randn(shape, device="cuda", dtype=torch.float64)
    else:
        wide = 2 if kind == "close" else WIDE.get(name, 40)
        exponents = torch.randint(-wide, wide // 2 + 1, shape, device="cuda")
        signs = torch.randint(0, 2, shape, device="cuda") * 2 - 1
        x = (1 + torch.rand(shape, device="cuda", dtype=torch.float64)) * torch.exp2(exponents.double()) * signs
    if name == "f64":
        return x
    x = x.float().to(FORMATS[name])
    # A TF32 is an f32 whose 13 low bits are 0.
    return (x.view(torch.int32) & ~0x1FFF).view(torch.float32) if name == "tf32" else x


def bits(matrix):
    """A matrix as integers, and their size in bytes."""
    size = matrix.element_size()
    return matrix.contiguous().view(INTEGERS[size]).cpu().numpy().astype(f">u{size}"), size


def write(path, a, b, d, count):
    """Elements of `d`, from all over it; `b` has a row for each column of the product."""
    (a, a_size), (b, b_size), (d, d_size) = map(bits, (a, b, d))
    rows = [row.tobytes().hex(",", a_size) for row in a]
    columns = [row.tobytes().hex(",", b_size) for row in b]
    c = "0" * (16 if d_size == 8 else 8)
    with open(path, "w") as file:
        for i in range(count):
            row, column = i * 37 % len(a), (i * 53 + i // len(a)) % len(b)
            file.write(f"{c} {rows[row]} {columns[column]} {int(d[row, column]):0{2 * d_size}x}\n")


def record(folder, name, product, formats, shape, count):
    """A file for each kind of operands, or a line that says why there is none."""
    rows, columns, depth = shape
    for kind in KINDS:
        a, b = draw(kind, (rows, depth), formats[0]), draw(kind, (columns, depth), formats[1])
        try:
            write(folder / f"{name}.{kind}.M{rows}N{columns}K{depth}.txt", a, b, product(a, b), count)
        except (RuntimeError, TypeError, ValueError, NotImplementedError) as error:
            print(name, shape, "failed:", (str(error).splitlines() or [repr(error)])[0], file=sys.stderr)
            return


def folder():
    """The folder that the only argument names."""
    torch.manual_seed(1)
    path = Path(sys.argv[1])
    path.mkdir(parents=True, exist_ok=True)
    return path
