"""The log of a recorded inference: a file of safetensors with operators that multiply matrices, their arguments and their results.

The header of the file has one line of JSON: machine, versions, hashes of weights and inputs, and for each call the operator of aten,
its arguments, its results and its module. A tensor is there once, however many calls use it; of one that was not kept there is its
SHA-256 alone.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map

from ._rounding import bits

FORMAT = "mmasmt-log/1"
# Types that every version of the library writes; others are written as bytes.
_WRITTEN = (
    torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2,
    torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
)  # fmt: skip


def safetensors() -> Any:
    """The library that reads and writes the file."""
    try:
        import safetensors.torch as library
    except ImportError:
        raise ImportError("a log needs the package safetensors: pip install 'mmasmt[torch]', or pip install safetensors") from None
    return library


def digest(x: Tensor) -> str:
    """SHA-256 of type, shape and registers, in the order of the dimensions."""
    found = hashlib.sha256(f"{_name(x.dtype)} {tuple(x.shape)}".encode())
    found.update(bytes(_bytes(x).numpy().data))
    return found.hexdigest()


def digest_of_all(tensors: dict[str, Tensor]) -> str:
    """SHA-256 of named tensors, in the order of their names."""
    text = "\n".join(f"{name} {digest(x.detach().cpu())}" for name, x in sorted(tensors.items()))
    return hashlib.sha256(text.encode()).hexdigest()


def _bytes(x: Tensor) -> Tensor:
    return x.contiguous().reshape(-1).view(torch.uint8)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


@dataclass(frozen=True)
class Value:
    """A tensor of a log: its name in the file, its type, shape and hash, and the order of its dimensions in memory.

    `rows` and `columns` are the roots of trees over its lines along the last dimension and along the one before, in a commitment.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    order: tuple[int, ...]
    sha256: str
    rows: str = ""
    columns: str = ""


@dataclass
class Entry:
    """One call of an operator.

    `args`, `kwargs` and `results` have a `Value` in place of each tensor. `plan` says how the products were made, where an emulation
    made them; empty for a machine.
    """

    op: str
    args: list[Any]
    kwargs: dict[str, Any]
    results: list[Any]
    module: str = ""
    backward: bool = False
    plan: str = ""


@dataclass
class Recording:
    """A log in memory: what `record` wrote, or what `Recording.read` found.

    `header` has what holds for all calls: `machine`, `versions`, `weights` and `inputs` as SHA-256, `tf32`, `convolution_tf32`, and
    `unseen`, operators with products that are not in the log; `generation` of a log of `record_generation`.
    """

    header: dict[str, Any]
    entries: list[Entry] = field(default_factory=list)
    tensors: dict[str, Tensor] = field(default_factory=dict)
    _names: dict[str, Value] = field(default_factory=dict, repr=False, compare=False)
    _text: str = field(default="", repr=False, compare=False)

    def put(self, x: Tensor, name: str, keep: bool = True) -> Value:
        """Takes a tensor into the log, or its hash alone; `name` is free in the log."""
        x = x.detach().cpu()
        order = _order(x)
        sha = digest(x)
        found = self._names.get(sha)
        if found is None or (keep and found.name not in self.tensors):
            found = self._names[sha] = Value(name, _name(x.dtype), tuple(x.shape), order, sha)
        if keep and found.name not in self.tensors:
            self.tensors[found.name] = x.permute(found.order).contiguous().clone()
        return Value(found.name, found.dtype, found.shape, found.order, sha)

    def has(self, value: Value) -> bool:
        """Whether the tensor is in the log, and not its hash alone."""
        return value.name in self.tensors

    def get(self, value: Value) -> Tensor:
        """The tensor, laid out as it was.

        Raises
        ------
        ValueError
            If it is not in the log, or not what the header says.
        """
        stored = self.tensors.get(value.name)
        if stored is None:
            raise ValueError(f"{value.name}: expected a tensor of shape {value.shape} in the log, found none; record it again")
        dtype = getattr(torch, value.dtype, None)
        shape = tuple(value.shape[i] for i in value.order)
        if not isinstance(dtype, torch.dtype) or stored.numel() * stored.element_size() != _size(shape) * dtype.itemsize:
            raise ValueError(
                f"{value.name}: expected {value.dtype} of shape {value.shape} as the header says, found {_name(stored.dtype)} of shape "
                f"{tuple(stored.shape)}"
            )
        if stored.dtype == dtype and tuple(stored.shape) != shape:
            raise ValueError(f"{value.name}: expected shape {shape} as the header says, found {tuple(stored.shape)}")
        back = sorted(range(len(shape)), key=lambda i: value.order[i])
        found = stored.view(dtype).reshape(shape).permute(back)
        if digest(found) != value.sha256:
            raise ValueError(f"{value.name}: expected the tensor whose SHA-256 is in the header, found another one")
        return found

    def arguments(self, entry: Entry) -> tuple[Any, Any]:
        """Arguments of a call, with tensors in place of values; errors as of `get`."""
        args, kwargs = tree_map(lambda x: self.get(x) if isinstance(x, Value) else x, (entry.args, entry.kwargs))
        return args, kwargs

    def write(self, path: str | Path) -> None:
        """Writes the file."""
        stored = {name: x if x.dtype in _WRITTEN else _bytes(x) for name, x in self.tensors.items()}
        safetensors().save_file(stored, path, metadata={"mmasmt": header_of(self)})

    @classmethod
    def read(cls, path: str | Path) -> Recording:
        """Reads a file.

        Raises
        ------
        ValueError
            If it is no log, or is cut off.
        """
        text, tensors = opened_file(path, FORMAT, "a log", "write one with record")
        try:
            header, entries = _parsed(text)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{path}: expected the header of a log, found one without what it needs: {error}") from None
        return cls(header, entries, tensors, _text=text)


def _parsed(text: str) -> tuple[dict[str, Any], list[Entry]]:
    head = json.loads(text)
    entries = [Entry(**_rich(call)) for call in head.pop("calls")]
    return {name: value for name, value in _rich(head).items() if name != "format"}, entries


def header_of(log: Recording) -> str:
    """The line of JSON that stands in the file: as it was read, unless the log was changed since then."""
    if log._text and _parsed(log._text) == (log.header, log.entries):
        return log._text
    return json.dumps({"format": FORMAT, **_plain(log.header), "calls": [_plain(vars(entry)) for entry in log.entries]})


def opened_file(path: str | Path, form: str, what: str, remedy: str) -> tuple[str, dict[str, Tensor]]:
    """The header, as text, and the tensors of a file of safetensors with a line of JSON whose `format` is this one.

    Raises
    ------
    ValueError
        If it is no such file, or is cut off.
    """
    library = safetensors()
    import safetensors as package

    try:
        with package.safe_open(path, "pt") as file:
            text = (file.metadata() or {}).get("mmasmt")
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path}: expected a file of safetensors, found one that {library.__name__} cannot read: {error}") from None
    try:
        found = json.loads(text).get("format") if text is not None else None
    except (AttributeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: expected the header of {what}, found one without what it needs: {error}") from None
    if found != form:
        raise ValueError(f"{path}: expected {what} with the header {form!r}, found {found!r}; {remedy}")
    return str(text), tensors


def values_of(tree: Any) -> list[Value]:
    """The tensors among arguments, in their order."""
    return [x for x in tree_flatten(tree)[0] if isinstance(x, Value)]


def _size(shape: tuple[int, ...]) -> int:
    return int(torch.Size(shape).numel())


def _order(x: Tensor) -> tuple[int, ...]:
    """Dimensions as they follow each other in memory; those of the tensor where elements share memory or lie apart."""
    found = sorted(range(x.dim()), key=lambda i: -x.stride(i))
    return tuple(found) if x.permute(found).is_contiguous() else tuple(range(x.dim()))


def _plain(x: Any) -> Any:
    """What JSON writes: a tensor and a type of PyTorch are marked."""
    if isinstance(x, Value):
        return {"$tensor": {name: value for name, value in asdict(x).items() if value != ""}}
    if isinstance(x, torch.dtype):
        return {"$dtype": _name(x)}
    if isinstance(x, dict):
        return {name: _plain(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(value) for value in x]
    if x is None or isinstance(x, bool | int | float | str):
        return x
    raise TypeError(f"a log has tensors, numbers, types and lists of them, found {type(x).__name__}; leave the operator out with only=")


def _rich(x: Any) -> Any:
    if isinstance(x, list):
        return [_rich(value) for value in x]
    if not isinstance(x, dict):
        return x
    if "$tensor" in x:
        said = x["$tensor"]
        roots = said.get("rows", ""), said.get("columns", "")
        return Value(said["name"], said["dtype"], tuple(said["shape"]), tuple(said["order"]), said["sha256"], *roots)
    if "$dtype" in x:
        dtype = getattr(torch, x["$dtype"], None)
        if not isinstance(dtype, torch.dtype):
            raise TypeError(f"expected a type of PyTorch, found {x['$dtype']!r}")
        return dtype
    return {name: _rich(value) for name, value in x.items()}


def same_bits(x: Tensor, y: Tensor) -> Tensor:
    """Where two tensors of one type and shape have the same registers: zeros and NaN as they are written."""
    return bits(x) == bits(y)
