"""Reader of the recordings of `evidence/mmaemu-rtx4060`, and of the folder `hw_mini` of mmaemu, from which they were taken.

`index.json` says what was called, and in which file and by which name operands and results are there as bits. The files are
`.npz` files in `hw_mini`; here arrays stand one behind the other in `arrays.xz`, in the order of `packed` in the index, and their
names begin with type and shape.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from refusals import refusal

FORMAT = "mmaemu-hwmini/1"
OUT = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2"}
ARGUMENTS = (("mat1", "fmt_a"), ("mat2", "fmt_b"))
FACTORS = {"float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2"}

Bits = npt.NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class Product:
    """A product of matrices by cuBLASLt: b has a row for each column of the result."""

    a: Bits
    b: Bits
    factors: tuple[str, str]
    fast: bool = True
    parts: int = 1
    order: str = "none"
    out: str = "f32"
    # Registers of f32: both scales of whole tensors, and that of the result.
    scales: tuple[int, int] = (0x3F800000, 0x3F800000)
    scale_result: int | None = None
    diagonal: bool = False


@dataclass(frozen=True)
class Instructions:
    """Dot-adds that one instruction after the other made, `tiles` of matrices or one by one."""

    a: Bits
    b: Bits
    c: Bits
    factors: tuple[str, str]
    tiles: bool
    products: int


@dataclass(frozen=True)
class Output:
    """One recorded result: its bits, or why there is none."""

    label: str
    recording: str
    what: Product | Instructions | None
    expected: Bits | None
    refused: str | None = None


@dataclass(frozen=True)
class Case:
    """What was called with the same operands."""

    id: str
    kind: str
    outputs: list[Output]


class Recordings:
    """The cases of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        packed = folder / "index.json.xz"
        data = lzma.decompress(packed.read_bytes()) if packed.exists() else (folder / "index.json").read_bytes()
        self.index = json.loads(data)
        assert self.index["format"] == FORMAT, self.index["format"]
        self._files: dict[str, Any] = {}

    def array(self, reference: list[str]) -> Bits:
        """An array by the name of its file and its own."""
        file, name = reference
        if file not in self._files:
            path = self.folder / file
            data = path.read_bytes()
            expected = self.index["shards"][file]["sha256"]
            assert hashlib.sha256(data).hexdigest() == expected, f"{path} is not what the index says"
            packed = self.index.get("packed")
            self._files[file] = unpack(lzma.decompress(data), packed) if packed else np.load(path, allow_pickle=False)
        found: Bits = self._files[file][name]
        return found

    def cases(self) -> Iterator[Case]:
        """All of them, in the order of the index."""
        read = {"mma": self._instructions, "gemm": self._products, "gemm_call": self._calls}
        for entry in self.index["cases"]:
            yield Case(entry["id"], entry["kind"], list(read[entry["kind"]](entry)))

    def _bits(self, expect: dict[str, Any]) -> Bits:
        found = self.array(expect["bits"]).reshape(expect["shape"])
        assert hashlib.sha256(found.tobytes()).hexdigest() == expect["sha256"], expect["bits"]
        return found

    def _operands(self, entry: dict[str, Any]) -> list[Bits]:
        return [self.array(entry["inputs"][name]) for name in ("a", "b")]

    def _instructions(self, entry: dict[str, Any]) -> Iterator[Output]:
        said = entry["params"]
        a, b = self._operands(entry)
        c = self.array(entry["inputs"]["c"])
        factors = said["fmt_a"], said["fmt_b"]
        what = Instructions(a, b, c, factors, said["layout"] == "tile", said["K"])
        yield Output(entry["id"], entry["truth_id"], what, self._bits(entry["expect"]))

    def _products(self, entry: dict[str, Any]) -> Iterator[Output]:
        single: dict[str, Any] = {"name": "", "params": {}, "expect": entry.get("expect")}
        for output in entry.get("outputs", [single]):
            said, expect = {**entry["params"], **output["params"]}, output["expect"]
            label = f"{entry['id']}/{output['name']}"
            if "error" in expect:
                yield Output(label, entry["truth_id"], None, None, refusal(self._refused(said)))
                continue
            a, b = self._operands(entry)
            split = said["splitk"]
            what = Product(
                a,
                b,
                (said["fmt_a"], said["fmt_b"]),
                said["fast"],
                int(split["S"]),
                split["scheme"],
                OUT[said["out_dtype"]],
                (said["scale_a_bits"], said["scale_b_bits"]),
                said.get("scale_result_bits"),
                said.get("out_select") == "diagonal",
            )
            yield Output(label, entry["truth_id"], what, self._bits(expect))

    def _calls(self, entry: dict[str, Any]) -> Iterator[Output]:
        for output in entry["outputs"]:
            call = self.call(entry, output)
            label, recording = f"{entry['id']}/{output['name']}", entry["truth_id"]
            reason = refusal(call)
            assert isinstance(output["expect"], str) == (reason is not None), (label, reason)
            if reason is not None:
                yield Output(label, recording, None, None, reason)
                continue
            a, b = self._operands(entry)
            parts, order = output.get("splitk") or (1, "none")
            scales = register(call["scale_a"]), register(call["scale_b"])
            what = Product(a, b, ("", ""), output["fast"], int(parts), order, OUT[output["out_dtype"]], scales)
            if call["scale_result"] is not None:
                what = replace(what, scale_result=register(call["scale_result"]))
            if a.size and b.size:
                what = replace(what, factors=(FACTORS[call["mat1"]["dtype"]], FACTORS[call["mat2"]["dtype"]]))
            yield Output(label, recording, what, self._bits(output["expect"]))

    def _refused(self, said: dict[str, Any]) -> dict[str, Any]:
        """The call of a product that was refused."""
        rows, columns, products = said["call_shape"]
        mats = {name: {"dtype": next(d for d, f in FACTORS.items() if f == said[key])} for name, key in ARGUMENTS}
        call: dict[str, Any] = {"M": rows, "N": columns, "K": products, **mats}
        if said["call"].get("bias"):
            call["bias"] = {"dtype": said["bias_dtype"], "len": columns}
        if said.get("scaling") == "rowwise":
            call["scale_a"] = {"dtype": "float32", "shape": [rows, 1]}
            call["scale_b"] = {"dtype": "float32", "shape": [1, columns]}
        return self.call({"call": call}, {"out_dtype": said["out_dtype"]})

    def call(self, entry: dict[str, Any], output: dict[str, Any]) -> dict[str, Any]:
        """All arguments of a call of `torch._scaled_mm`: what is usual, then the entry's own, then the output's."""
        defaults = dict(self.index["call_defaults"])
        usual = defaults.pop("mat")
        found = {**defaults, "mat1": dict(usual), "mat2": dict(usual)}
        for own in (entry["call"], output.get("call_diff") or {}):
            for name, value in own.items():
                found[name] = {**found[name], **value} if name in ("mat1", "mat2") else value
        found["out_dtype"] = output["out_dtype"] if output.get("out_dtype_passed", True) else None
        return found


def unpack(data: bytes, names: list[str]) -> dict[str, Bits]:
    """Arrays that stand one behind the other, by name."""
    found, at = {}, 0
    for name in names:
        of, shape, _ = name.split("_")
        lengths = [int(length) for length in shape.split("x")]
        array = np.frombuffer(data, of, int(np.prod(lengths)), at)
        found[name] = array.reshape(lengths)
        at += array.nbytes
    assert at == len(data), f"{len(data) - at} bytes are left"
    return found


def register(scale: dict[str, Any]) -> int:
    """The f32 register of a scale of a whole tensor."""
    return int(np.float32(float(scale["value"])).view(np.uint32))
