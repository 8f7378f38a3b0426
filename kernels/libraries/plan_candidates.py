"""Plans that a library may have, from likely to unlikely, as texts of models.

A plan is an accumulator (an instruction along k, or one that is promoted), cut into parts, and an epilogue. What the heuristic and the
kernel's name say about a product comes first; then everything else.
"""

import re

ARCHITECTURES = {"7.0": "volta", "7.2": "volta", "7.5": "turing", "8.9": "ada", "9.0": "hopper", "10.0": "blackwell", "10.3": "blackwell-ultra"}
SIZES = re.compile(r"(?:\d+x\d+_|tilesize\d+x\d+x|stages_)(\d+)(?:x\d+|_)")
SLICED = re.compile(r"sliced1x(\d+)")
MOST_PARTS = 32
TILES = (64, 128, 32, 16, 8)
BLOCKS = (64, 32, 128, 16)
ORDERS = ("contiguous", "strided")
FMA = "sfma:fmt=f32"


def architecture(capability):
    """The folder of tables for a compute capability, as `9.0`."""
    families = {"8": "ampere", "12": "rtx-blackwell"}
    return ARCHITECTURES.get(capability) or families.get(capability.split(".")[0])


def of_kernels(names):
    """What the names of kernels say: the k of a tile, how many warps share one, and whether they sum by fused multiply-adds."""
    found = {"tile": None, "sliced": 1, "instruction": None}
    for name in names:
        if sizes := SIZES.search(name):
            found["tile"] = int(sizes[1])
        if sliced := SLICED.search(name):
            found["sliced"] = int(sliced[1])
        if "s1688" in name:
            found["instruction"] = "k8"
        elif "s16816" in name:
            found["instruction"] = "k16"
        elif any(word in name for word in ("gemv", "simt", "sgemm", "dot_kernel")):
            found["instruction"] = "sfma"
    return found


def units(case, machine, said=None):
    """Instructions for the formats of a product: the widest of the machine first, unless a kernel's name has one."""
    a, b = case["a"], case["b"]
    widest = {"hopper": "wgmma.m64nN", "blackwell": "tcgen05.mma.mMnN", "blackwell-ultra": "tcgen05.mma.mMnN"}.get(machine)
    found = []
    if a == "f64":
        return ["sfma:fmt=f64"]
    if a == "f32":
        if case["tf32"] and machine not in ("volta", "turing"):
            cores = [f"{machine}/{widest}k8.f32.tf32.tf32"] if widest else []
            cores += [f"{machine}/mma.m16n8k{k}.f32.tf32.tf32.f32" for k in (8, 4)]
            # The library rounds to the nearest TF32, or leaves it to the instruction, which cuts.
            found = [f"plain({core}){rounding}" for rounding in ("", ":round=rz") for core in cores]
    elif a in ("e4m3", "e5m2"):
        found = [f"{machine}/{widest}k32.f32.{a}.{b}"] if widest else [f"{machine}/mma.m16n8k{k}.f32.{a}.{b}.f32" for k in (32, 16)]
    elif machine == "volta":
        found = [f"volta/mma.m8n8k4.f32.{a}.{b}.f32"]
    else:
        found = [f"{machine}/{widest}k16.f32.{a}.{b}"] if widest else []
        found += [f"{machine}/mma.m16n8k{k}.f32.{a}.{b}.f32" for k in ((8,) if machine == "turing" else (16, 8))]
    found.append(FMA)
    wanted = {"k8": "m16n8k8.", "k16": "m16n8k16.", "sfma": "sfma"}.get(said)
    return sorted(found, key=lambda unit: wanted is None or wanted not in unit)


def accumulators(case, machine, said):
    """Instructions along k, promoted where FP8 is summed slowly: after 128 k."""
    for unit in units(case, machine, said["instruction"]):
        products = re.search(r"k(\d+)\.f32\.e", unit)
        promoted = [f"promote({unit}):every={k // int(products[1])}" for k in (128, 64, 256, 512, 32)] if products else []
        own = [unit, *promoted] if case["fast"] else [*promoted, unit]
        if said["sliced"] > 1:
            own = [f"splitk({one}):S={said['sliced']},tile={tile},tiles=strided" for one in own for tile in (32, 16, 64)] + own
        yield from own


def is_cut(depth, parts, tile, tiles):
    """What tells a way of cutting k from another one; None if there is one part."""
    count = -(-depth // tile)
    if count < 2:
        return None
    if tiles == "strided" and count > parts:
        return "strided", tile, parts
    own = tile * -(-count // parts)
    return ("contiguous", own) if own < depth else None


def splits(of, depth, parts, tiles, *, combines=("serial",), stored=("",), residues=("",)):
    """An accumulator over parts of k; ways that cut k alike are one."""
    seen = set()
    for residue in residues:
        for keep in stored:
            for combine in combines:
                for count in parts:
                    # Two sums have one order, and three in a tree that of serial ones.
                    if (count == 2 and combine not in ("serial", "chain")) or (count == 3 and combine == "tree"):
                        continue
                    for tile in tiles:
                        for order in ORDERS:
                            cut = is_cut(depth, count, tile, order)
                            if cut is None or (combine == "chain" and cut[0] == "contiguous"):
                                continue
                            key = (residue, keep, combine, count if combine != "serial" else 0, cut)
                            if key in seen:
                                continue
                            seen.add(key)
                            text = f"splitk({of}):S={count},tile={tile}"
                            text += ",tiles=strided" if order == "strided" else ""
                            text += f",combine={combine}" if combine != "serial" else ""
                            yield text + keep + residue


def ordered(first, others):
    """What is known first, without anything twice."""
    return list(dict.fromkeys([one for one in first if one] + list(others)))


def inner(case, machine, fields, kernels):
    """Plans without their epilogues."""
    depth, said = case["K"], of_kernels(kernels)
    every = list(accumulators(case, machine, said))
    asked = [fields["S"]] if (fields.get("S") or 0) > 1 else []
    all_parts = ordered(asked, range(2, MOST_PARTS + 1))
    tiles = ordered([said["tile"]], TILES)
    blocks = [block for block in ordered([said["tile"]], BLOCKS) if depth % block]
    first = [f",first={block}" for block in blocks]
    lost = [f",lost={block}" for block in blocks]
    is_narrow = case["out"] not in ("f32", "f64")
    stored = [f",part={case['out']}", f",sum={case['out']}", f",part={case['out']},sum={case['out']}"] if is_narrow else []
    orders = ("serial", "pairwise", "tree", "butterfly")
    if asked:
        for of in every:
            yield from splits(of, depth, asked, tiles, residues=["", *lost, *first])
            yield from splits(of, depth, asked, tiles, combines=orders[1:])
            yield from splits(of, depth, asked, tiles, stored=stored, residues=["", *first])
    yield from every
    # Kernels that take the residue first (CUTLASS) have the instructions of a warp.
    by_warp = sorted(every, key=lambda of: "/mma." not in of)
    for of in by_warp:
        for residue in first:
            yield f"splitk({of}):S=1{residue}"
    for of in every:
        yield from splits(of, depth, all_parts, tiles)
        yield from splits(of, depth, all_parts, tiles[:1], combines=orders[1:])
        yield from splits(of, depth, all_parts, tiles[:1], stored=stored, residues=["", *lost])
    for of in every:
        yield from splits(of, depth, all_parts, tiles, combines=orders[1:])
        yield from splits(of, depth, all_parts, tiles, stored=stored)
    for of in every:
        yield from splits(of, depth, all_parts, tiles, residues=[*first, *lost])
        yield from splits(of, depth, all_parts, tiles, stored=stored, residues=first)
        for residue in lost:
            yield f"splitk({of}):S=1{residue}"
        yield from splits(of, depth, all_parts, tiles, combines=("chain",))
        if stored:
            # Sums that are kept in another 16-bit format, or in f16 for FP8.
            other = "f16" if case["out"] != "f16" else "bf16"
            yield from splits(of, depth, all_parts, tiles, stored=[f",part={other}", f",sum={other}"])
    if FMA in every:
        # Lanes of a warp, each of which loads a few neighbours; chunks that begin again at +0.
        for lanes in (32, 64, 128, 16, 8, 4):
            yield from splits(FMA, depth, [lanes], (4, 8, 2, 1), combines=("butterfly", "serial", "tree"))
            yield f"splitk({FMA}):S={lanes},combine=butterfly"
        for parts, chunk in ((2, 256), (4, 128), (1, 256), (1, 512)):
            yield f"splitk(promote({FMA},K={chunk}):every=1):S={parts}"


def with_epilogue(text, case):
    """A plan with the epilogue of a product; `{alpha}` stands for the product of the scales of FP8."""
    if case["out"] == "f64":
        return [text]
    keys = ["alpha={alpha}"] if case["op"] == "_scaled_mm" else []
    keys += ["beta=1"] if case["bias"] else []
    plain = f"epilogue({text}):{','.join([*keys, 'out=' + case['out']])}"
    return [plain, plain + ",saturate=yes"] if case["out"] in ("e4m3", "e5m2") else [plain]


def candidates(case, capability, fields=None, kernels=(), first=()):
    """Plans of a product, from likely to unlikely: those in `first`, then all others."""
    machine = architecture(capability)
    if machine is None:
        raise ValueError(f"capability: expected that of a GPU with tables, found {capability}")
    seen = set()
    for plan in (*first, *(one for text in inner(case, machine, fields or {}, kernels) for one in with_epilogue(text, case))):
        if plan not in seen:
            seen.add(plan)
            yield plan
