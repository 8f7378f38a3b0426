"""PTX modules around one matrix instruction: operands come from memory, the result goes to memory."""

from dataclasses import dataclass

HEAD = """\
.version {version}
.target {target}
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{{
.reg .u32 tid;
.reg .u64 from, to;
ld.param.u64 from, [in];
ld.param.u64 to, [out];
mov.u32 tid, %tid.x;
mad.wide.u32 from, tid, 512, from;
mad.wide.u32 to, tid, 512, to;
"""

# Of each operand: room in memory, so that no two overlap.
ROOM = 128


@dataclass(frozen=True)
class Fragment:
    """What one thread holds of a matrix: `count` registers of PTX type `kind` (`b32`, `f32`, `f64`)."""

    kind: str
    count: int

    def declare(self, name):
        return f".reg .{self.kind} {name}<{self.count}>;\n"

    def load(self, name, slot):
        return "".join(
            f"ld.global.{self.kind} {name}{i}, [from+{slot * ROOM + i * self.width()}];\n"
            for i in range(self.count)
        )

    def store(self, name):
        return "".join(
            f"st.global.{self.kind} [to+{i * self.width()}], {name}{i};\n" for i in range(self.count)
        )

    def braced(self, name):
        return "{" + ", ".join(f"{name}{i}" for i in range(self.count)) + "}"

    def width(self):
        return int(self.kind[1:]) // 8


def module(body, target, version):
    """A whole module; `body` follows the head."""
    return HEAD.format(target=target, version=version) + body + "ret;\n}\n"


def warp(opcode, d, a, b, c, scaled=False, sparse=False):
    """The body for an instruction of a warp with all operands in registers (`mma`, `wmma.mma`)."""
    text = ""
    for slot, (name, fragment) in enumerate({"a": a, "b": b, "c": c}.items()):
        text += fragment.declare(name) + fragment.load(name, slot)
    operands = [d.braced("d"), a.braced("a"), b.braced("b"), c.braced("c")]
    if scaled:
        scale = Fragment("b32", 2)
        text += scale.declare("s") + scale.load("s", 3)
        operands += ["{s0}", "{0, 0}", "{s1}", "{0, 0}"]
    if sparse:
        metadata = Fragment("b32", 1)
        text += metadata.declare("e") + metadata.load("e", 3)
        operands += ["e0", "0"]
    return text + d.declare("d") + f"{opcode} {', '.join(operands)};\n" + d.store("d")


def warpgroup(opcode, d, immediates):
    """The body for `wgmma.mma_async`: A and B by descriptors, D added to where `p` holds."""
    descriptors = Fragment("b64", 2)
    return (
        descriptors.declare("ab")
        + descriptors.load("ab", 0)
        + d.declare("d")
        + d.load("d", 1)
        + ".reg .pred p;\nsetp.ne.b64 p, ab0, 0;\n"
        + "wgmma.fence.sync.aligned;\n"
        + f"{opcode} {d.braced('d')}, ab0, ab1, {immediates};\n"
        + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
        + d.store("d")
    )


def tensor_memory(opcode, scaled=False):
    """The body for `tcgen05.mma`: A and B by descriptors, D and the scales in tensor memory."""
    descriptors, words = Fragment("b64", 2), Fragment("b32", 4)
    scales = "[w2], [w3], " if scaled else ""
    return (
        descriptors.declare("ab")
        + descriptors.load("ab", 0)
        + words.declare("w")
        + words.load("w", 1)
        + ".reg .pred p;\nsetp.ne.b64 p, ab0, 0;\n"
        + f"{opcode} [w0], ab0, ab1, w1, {scales}p;\n"
    )
