"""The matrix instructions of PTX, by their short names."""

from dataclasses import dataclass
from itertools import product

from ptx import Fragment, tensor_memory, warp, warpgroup

FP8 = ["e4m3", "e5m2"]
BYTES = ["u8", "s8"]
NIBBLES = ["u4", "s4"]
NARROW = FP8 + ["e2m3", "e3m2", "e2m1"]


@dataclass(frozen=True)
class Instruction:
    """A short name, the PTX bodies that it stands for (spellings of the same), and what they ask for:
    the digits of the shape and the types of A and B."""

    name: str
    bodies: tuple
    shape: str
    inputs: tuple


def elements(kind, count):
    """What a thread of a warp holds of a matrix with `count` elements."""
    per_thread = count // 32
    if kind == "f64":
        return Fragment("f64", per_thread)
    if kind == "f32":
        return Fragment("f32", per_thread)
    bits = {"f16": 16, "bf16": 16, "tf32": 32, "packed4": 4, "s32": 32, "u4": 4, "s4": 4, "b1": 1}.get(kind, 8)
    return Fragment("b32", max(1, per_thread * bits // 32))


def shape(m, n, k):
    return f"m{m}n{n}k{k}"


def mma(m, n, k, d, a, b, c, kinds=("",)):
    """`mma.sync`; `kinds` are the qualifiers with which the same instruction can be asked for."""
    types = f"{d}.{a}.{b}.{c}"
    fragments = [elements(t, size) for t, size in [(d, m * n), (a, m * k), (b, n * k), (c, m * n)]]
    if (m, n, k) == (8, 8, 4) and a == "f16":
        # Four independent products, one per eight threads.
        fragments = [Fragment(f.kind, f.count * 4) for f in fragments]
        fragments[1] = fragments[2] = Fragment("b32", 2)
    bodies = [
        warp(f"mma.sync.aligned{kind}.{shape(m, n, k)}.row.col.{types}", *fragments) for kind in kinds
    ]
    return Instruction(f"mma.{shape(m, n, k)}.{types}", tuple(bodies), f"{m}{n}{k}", (a, b))


def mma_integer(m, n, k, a, b, saturates):
    """`mma.sync` of integers; with `.satfinite` sums are clamped."""
    clamp = ".satfinite" if saturates else ""
    types = f"s32.{a}.{b}.s32"
    fragments = [elements(t, size) for t, size in [("s32", m * n), (a, m * k), (b, n * k), ("s32", m * n)]]
    body = warp(f"mma.sync.aligned.{shape(m, n, k)}.row.col{clamp}.{types}", *fragments)
    return Instruction(f"mma.{shape(m, n, k)}{clamp}.{types}", (body,), f"{m}{n}{k}", (a, b))


def mma_bits(m, n, k, operation):
    """`mma.sync` of single bits."""
    types = f"s32.b1.b1.s32.{operation}.popc"
    fragments = [elements(t, size) for t, size in [("s32", m * n), ("b1", m * k), ("b1", n * k), ("s32", m * n)]]
    body = warp(f"mma.sync.aligned.{shape(m, n, k)}.row.col.{types}", *fragments)
    return Instruction(f"mma.{shape(m, n, k)}.{types}", (body,), f"{m}{n}{k}", ("b1", "b1"))


def mma_sparse(k, d, a, b, c, clamp=""):
    """`mma.sp.sync`: A keeps half of its elements, metadata says which."""
    types = f"{d}.{a}.{b}.{c}"
    fragments = [elements(t, size) for t, size in [(d, 128), (a, 8 * k), (b, 8 * k), (c, 128)]]
    body = warp(f"mma.sp::ordered_metadata.sync.aligned.{shape(16, 8, k)}.row.col{clamp}.{types}", *fragments, sparse=True)
    return Instruction(f"mma.sp.{shape(16, 8, k)}{clamp}.{types}", (body,), f"168{k}", (a, b))


def mma_block_scale(k, block, a, b, scale, kinds):
    """`mma.sync` with scales of blocks of `block` elements."""
    packed = [elements("packed4", size * k) if k == 64 else elements(a, size * k) for size in (16, 8)]
    accumulator = elements("f32", 16 * 8)
    size, types = shape(16, 8, k), f"f32.{a}.{b}.f32.{scale}"
    bodies = [
        warp(
            f"mma.sync.aligned.kind::{kind}.block_scale.scale_vec::{k // block}X.{size}.row.col.{types}",
            accumulator,
            *packed,
            accumulator,
            scaled=True,
        )
        for kind in kinds
    ]
    name = f"mma.block_scale.{size}.block{block}.{types}"
    return Instruction(name, tuple(bodies), f"168{k}", (a, b))


def wmma(m, n, k, d, a, c):
    """`wmma.mma`: the PTX name leaves out the type of A and B where it is f16."""
    fragments = [elements(t, size) for t, size in [(d, m * n), (a, m * k), (a, n * k), (c, m * n)]]
    if a == "f16":
        # The same in every shape: elements of A and B are held more than once.
        fragments[1] = fragments[2] = Fragment("b32", 8)
    types = f"{d}.{c}" if a == "f16" else f"{d}.{a}.{a}.{c}"
    body = warp(f"wmma.mma.sync.aligned.row.col.{shape(m, n, k)}.{types}", *fragments)
    return Instruction(f"wmma.{shape(m, n, k)}.{d}.{a}.{a}.{c}", (body,), f"{m}{n}{k}", (a, a))


def wgmma(k, d, a, b):
    """`wgmma`: the number of columns is free; eight here."""
    opcode = f"wgmma.mma_async.sync.aligned.m64n8k{k}.{d}.{a}.{b}"
    scales = "p, 1, 1, 0, 0" if k == 16 else "p, 1, 1"
    body = warpgroup(opcode, Fragment("f32", 4) if d == "f32" else Fragment("b32", 2), scales)
    return Instruction(f"wgmma.m64nNk{k}.{d}.{a}.{b}", (body,), f"648{k}", (a, b))


def wgmma_integer(a, b, saturates):
    """The same of integers."""
    clamp = ".satfinite" if saturates else ""
    opcode = f"wgmma.mma_async.sync.aligned.m64n8k32{clamp}.s32.{a}.{b}"
    body = warpgroup(opcode, Fragment("b32", 4), "p")
    return Instruction(f"wgmma.m64nNk32{clamp}.s32.{a}.{b}", (body,), "64832", (a, b))


def tcgen05(k, d, a, b, kind, clamp=""):
    """`tcgen05.mma`: types and shape are data, in the instruction descriptor; only the kind is code."""
    body = tensor_memory(f"tcgen05.mma.cta_group::1.kind::{kind}")
    return Instruction(f"tcgen05.mma.m128nNk{k}{clamp}.{d}.{a}.{b}", (body,), f"128N{k}", (a, b))


def tcgen05_block_scale(k, block, a, b, scale, kinds):
    """`tcgen05.mma` with scales of blocks of `block` elements."""
    bodies = [
        tensor_memory(
            f"tcgen05.mma.cta_group::1.kind::{kind}.block_scale.scale_vec::{k // block}X", scaled=True
        )
        for kind in kinds
    ]
    name = f"tcgen05.mma.block_scale.m128nNk{k}.block{block}.f32.{a}.{b}.{scale}"
    return Instruction(name, tuple(bodies), f"128N{k}", (a, b))


def all_mma():
    for d, c in product(["f16", "f32"], repeat=2):
        yield mma(8, 8, 4, d, "f16", "f16", c)
        for k in (8, 16):
            yield mma(16, 8, k, d, "f16", "f16", c)
    for k in (8, 16):
        yield mma(16, 8, k, "f32", "bf16", "bf16", "f32")
    for k in (4, 8):
        yield mma(16, 8, k, "f32", "tf32", "tf32", "f32")
    yield mma(8, 8, 4, "f64", "f64", "f64", "f64")
    for k in (4, 8, 16):
        yield mma(16, 8, k, "f64", "f64", "f64", "f64")
    for d, a, b in product(["f16", "f32"], FP8, FP8):
        yield mma(16, 8, 16, d, a, b, d)
    for d, a, b in product(["f16", "f32"], NARROW, NARROW):
        plain = [""] if a in FP8 and b in FP8 else []
        yield mma(16, 8, 32, d, a, b, d, plain + [".kind::f8f6f4"])
    for a, b in product(NARROW, NARROW):
        yield mma_block_scale(32, 32, a, b, "ue8m0", ["mxf8f6f4"])
    for block, scale in product([32, 16], ["ue8m0", "ue4m3"]):
        kinds = ["mxf4", "mxf4nvf4"] if (block, scale) == (32, "ue8m0") else ["mxf4nvf4"]
        yield mma_block_scale(64, block, "e2m1", "e2m1", scale, kinds)


def all_integer():
    for saturates in (False, True):
        for a, b in product(BYTES, BYTES):
            for m, k in [(8, 16), (16, 16), (16, 32)]:
                yield mma_integer(m, 8, k, a, b, saturates)
        for a, b in product(NIBBLES, NIBBLES):
            for m, k in [(8, 32), (16, 32), (16, 64)]:
                yield mma_integer(m, 8, k, a, b, saturates)
        for a, b in product(BYTES, BYTES):
            yield wgmma_integer(a, b, saturates)
            yield tcgen05(32, "s32", a, b, "i8", ".satfinite" if saturates else "")
    for operation in ("xor", "and"):
        for m, k in [(8, 128), (16, 128), (16, 256)]:
            yield mma_bits(m, 8, k, operation)


def all_sparse():
    for k, c in product((16, 32), ("f16", "f32")):
        yield mma_sparse(k, c, "f16", "f16", c)
    for k in (16, 32):
        yield mma_sparse(k, "f32", "bf16", "bf16", "f32")
    for k in (8, 16):
        yield mma_sparse(k, "f32", "tf32", "tf32", "f32")
    for a, b in product(FP8, FP8):
        yield mma_sparse(64, "f32", a, b, "f32")
    for clamp, k, a, b in product(("", ".satfinite"), (32, 64), BYTES, BYTES):
        yield mma_sparse(k, "s32", a, b, "s32", clamp)
    for clamp, k, a, b in product(("", ".satfinite"), (64, 128), NIBBLES, NIBBLES):
        yield mma_sparse(k, "s32", a, b, "s32", clamp)


def all_wmma():
    for m, n in [(16, 16), (32, 8), (8, 32)]:
        for d, c in product(["f16", "f32"], repeat=2):
            yield wmma(m, n, 16, d, "f16", c)
        yield wmma(m, n, 16, "f32", "bf16", "f32")
    yield wmma(16, 16, 8, "f32", "tf32", "f32")
    yield wmma(8, 8, 4, "f64", "f64", "f64")


def all_wgmma():
    yield wgmma(8, "f32", "tf32", "tf32")
    yield wgmma(16, "f16", "f16", "f16")
    yield wgmma(16, "f32", "f16", "f16")
    yield wgmma(16, "f32", "bf16", "bf16")
    for d, a, b in product(["f16", "f32"], FP8, FP8):
        yield wgmma(32, d, a, b)


def all_tcgen05():
    yield tcgen05(16, "f16", "f16", "f16", "f16")
    for a, b in product(["f16", "bf16"], repeat=2):
        yield tcgen05(16, "f32", a, b, "f16")
    yield tcgen05(8, "f32", "tf32", "tf32", "tf32")
    for d, a, b in product(["f16", "f32"], NARROW, NARROW):
        yield tcgen05(32, d, a, b, "f8f6f4")
    for a, b in product(NARROW, NARROW):
        yield tcgen05_block_scale(32, 32, a, b, "ue8m0", ["mxf8f6f4"])
    yield tcgen05_block_scale(64, 32, "e2m1", "e2m1", "ue8m0", ["mxf4", "mxf4nvf4"])
    for scale in ("ue8m0", "ue4m3"):
        yield tcgen05_block_scale(64, 16, "e2m1", "e2m1", scale, ["mxf4nvf4"])


def catalogue():
    """All of them."""
    return [*all_mma(), *all_wmma(), *all_wgmma(), *all_tcgen05(), *all_integer(), *all_sparse()]
