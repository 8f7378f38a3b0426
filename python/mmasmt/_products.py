"""What units compute: products of matrices, dot-adds, and the exact sums beside them."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from . import _gpu, _native
from ._arrays import Kind, Registers, array, is_torch, registers
from ._formats import container
from ._signatures import Signature, signature

_NONE = np.zeros(0, np.uint8)


class HasModel(Protocol):
    """What names a model, such as a plan."""

    @property
    def model(self) -> str: ...


def check_integer(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuses what is no integer, and one that is not between these, both included."""
    if not isinstance(value, int | np.integer):
        raise TypeError(f"{name}: expected an integer, found {type(value).__name__}")
    if value < least or (most is not None and value > most):
        expected = f"{least} or more" if most is None else f"{least} to {most}"
        raise ValueError(f"{name}: expected {expected}, found {value}")


# More would be threads that wait for each other.
_MOST_THREADS = 4096


def _flat(bits: Registers) -> tuple[Registers, list[int]]:
    return np.ascontiguousarray(bits).reshape(-1), list(bits.shape)


def matmul(
    a: Any,
    b: Any,
    c: Any = None,
    *,
    model: str | None = None,
    plan: HasModel | None = None,
    scale_a: Any = None,
    scale_b: Any = None,
    threads: int = 0,
    device: str = "cpu",
) -> Any:
    """``a @ b + c`` as a unit computes it.

    Parameters
    ----------
    a, b, c : array_like
        Of shapes (..., M, K), (..., K, N) and (..., M, N), of the model's formats by name, as bits, or as numbers that the formats
        have. Dimensions before the last two are repeated as NumPy does. A missing `c` is +0.
    model : str
        An instruction, a composition or a scheme. K may be any number: instructions follow each other along it, each result the
        next `c`, the last one filled up with products of zeros; a composition or scheme takes all of it, unless its text says ``K=``.
    plan : Plan, optional
        What `Plans.explain` gives, in place of `model`.
    scale_a, scale_b : array_like, optional
        Block scales of shapes (..., M, K / block) and (..., K / block, N), where the model has them.
    threads : int, optional
        How many to use; 0 for as many as there are processors.
    device : str, optional
        ``"cpu"``, or ``"cuda"`` or ``"cuda:N"`` for a GPU of NVIDIA (this needs a build with the feature ``cuda``). A GPU first has to
        give the bits that the processor gives for drawn operands; if it does not, there is a warning, and the processor computes.
        Matrices that are tensors on this GPU, of the types of the model's formats, are not copied.

    Returns
    -------
    ndarray or torch.Tensor
        In the format of the result; a tensor if `a` is one, on the GPU if nothing was copied.

    Examples
    --------
    >>> import mmasmt, numpy as np
    >>> a = np.full((1, 2), 2.0**-12, np.float16)
    >>> c = np.ones((1, 1), np.float32)
    >>> float((mmasmt.matmul(a, a.T, c, model="V100/HMMA.884.F32.F32") - c)[0, 0])
    0.0
    >>> float((mmasmt.matmul(a, a.T, c, model="H100/HMMA.16816.F32") - c)[0, 0])
    1.1920928955078125e-07
    """
    if (model is None) == (plan is None):
        raise TypeError(f"model: expected a model or a plan, found {'neither' if model is None else 'both'}")
    if model is None:
        assert plan is not None
        model = plan.model
    kinds = of_products(model)
    check_integer("threads", threads, 0, _MOST_THREADS)
    if not isinstance(device, str):
        raise TypeError(f"device: expected text, found {type(device).__name__}")
    if device != "cpu" and is_torch(a):
        found = _gpu.matmul(model, kinds, [a, b, c], [scale_a, scale_b], device)
        if found is not None:
            return found
    left, right = _flat(registers("a", a, kinds.a)), _flat(registers("b", b, kinds.b))
    for name, (_, shape) in (("a", left), ("b", right)):
        if len(shape) < 2:
            raise ValueError(f"{name}: expected at least two dimensions, found shape {tuple(shape)}")
    start = None if c is None else _flat(registers("c", c, kinds.c))
    scales = _scales(kinds, scale_a, scale_b)
    bits, shape, warning = _native.matmul(model, left, right, start, scales, threads, device)
    if warning is not None:
        warnings.warn(warning, RuntimeWarning, stacklevel=2)
    return array(bits.reshape(shape), kinds.d, is_torch(a))


def with_kept(a: Any, operand: Any, start: Any, *, model: str, threads: int) -> Any:
    """``a @ b + start`` with what is kept of `b`, on this processor."""
    kinds = of_products(model)
    left = _flat(registers("a", a, kinds.a))
    c = None if start is None else _flat(registers("c", start, kinds.c))
    bits, shape, _ = _native.matmul(model, left, operand, c, None, threads, "cpu")
    return array(bits.reshape(shape), kinds.d, is_torch(a))


def _scales(kinds: Signature, scale_a: Any, scale_b: Any) -> Any:
    if scale_a is None and scale_b is None:
        return None
    if kinds.scale is None:
        raise ValueError(
            "scale_a: expected none, the model has no block scales; the product of the scales of whole tensors is the "
            "alpha of an epilogue, epilogue(MODEL):alpha=0.25"
        )
    if scale_a is None or scale_b is None:
        missing = "scale_a" if scale_a is None else "scale_b"
        raise ValueError(f"{missing}: expected block scales beside the other ones, found none")
    return (
        _flat(registers("scale_a", scale_a, kinds.scale)),
        _flat(registers("scale_b", scale_b, kinds.scale)),
    )


def mma(a: Any, b: Any, c: Any = None, *, model: str, scale_a: Any = None, scale_b: Any = None, threads: int = 0) -> Any:
    """One instruction: as `matmul`, where K is the number of products that the model has.

    Examples
    --------
    >>> import mmasmt, numpy as np
    >>> a = np.eye(16, dtype=np.float16)
    >>> mmasmt.mma(a, a, model="A100/HMMA.16816.F32").dtype
    dtype('float32')
    >>> mmasmt.mma(a[:, :8], a[:8], model="A100/HMMA.16816.F32")
    Traceback (most recent call last):
    ...
    ValueError: a: expected K = 16 as A100/HMMA.16816.F32 has products, found shape (16, 8); `matmul` takes any K
    """
    kinds = signature(model)
    shape = tuple(np.shape(a))
    if not shape or shape[-1] != kinds.products:
        raise ValueError(f"a: expected K = {kinds.products} as {model} has products, found shape {shape}; `matmul` takes any K")
    return matmul(a, b, c, model=model, scale_a=scale_a, scale_b=scale_b, threads=threads)


def of_products(model: str) -> Signature:
    """The signature of a model that sums products."""
    kinds = signature(model)
    if kinds.is_conversion:
        raise ValueError(f"model: expected one that sums products, found the conversion `{model}`; `convert` takes it")
    return kinds


class _Rows(NamedTuple):
    """Operands of dot-adds one behind the other, and the dimensions before those of one."""

    flat: list[Registers]
    batch: tuple[int, ...]
    kinds: Signature


def _rows(a: Any, b: Any, c: Any, model: str, scale_a: Any, scale_b: Any) -> _Rows:
    kinds = of_products(model)
    blocks = kinds.products // kinds.block if kinds.block else 0
    given = [("a", a, kinds.a, kinds.products), ("b", b, kinds.b, kinds.products)]
    if scale_a is not None or scale_b is not None:
        _scales(kinds, scale_a, scale_b)
        assert kinds.scale is not None
        given += [("scale_a", scale_a, kinds.scale, blocks), ("scale_b", scale_b, kinds.scale, blocks)]
    found: dict[str, Registers] = {}
    for name, value, kind, length in given:
        bits = registers(name, value, kind)
        if not bits.ndim or bits.shape[-1] != length:
            raise ValueError(f"{name}: expected {length} elements in the last dimension, found shape {bits.shape}")
        found[name] = bits
    start = np.zeros((), container(kinds.c.width)) if c is None else registers("c", c, kinds.c)
    shapes = [bits.shape[:-1] for bits in found.values()] + [start.shape]
    try:
        batch = np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"a, b, c: expected dimensions that go together, found {', '.join(map(str, shapes))}") from None
    if kinds.scale is not None and "scale_a" not in found:
        one = _native.parse(kinds.scale.format, "1")
        found["scale_a"] = found["scale_b"] = np.full(blocks, one, container(kinds.scale.width))
    flat = []
    for name in ("a", "b", "c", "scale_a", "scale_b"):
        bits = start if name == "c" else found.get(name, _NONE)
        tail = () if name == "c" else bits.shape[-1:]
        flat.append(np.ascontiguousarray(np.broadcast_to(bits, batch + tail)).reshape(-1))
    return _Rows(flat, batch, kinds)


def dot(
    a: Any, b: Any, c: Any = None, *, model: str, scale_a: Any = None, scale_b: Any = None, threads: int = 0
) -> Any:
    """``c + a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + ...``, many at once.

    The last dimension of `a` and `b` has as many elements as the model has products; `c` and the result have the others.

    Parameters
    ----------
    a, b : array_like
        Of shape (..., K), where K is the number of products of the model.
    c : array_like, optional
        Of shape (...); +0 if it is missing.
    model : str
        An instruction, a composition or a scheme.
    scale_a, scale_b : array_like, optional
        Block scales of shape (..., K / block), where the model has them; ones if they are missing.
    threads : int, optional
        How many to use; 0 for as many as there are processors.

    Returns
    -------
    ndarray or torch.Tensor
        In the format of the result; a tensor if `a` is one.

    Examples
    --------
    >>> import mmasmt
    >>> float(mmasmt.dot([1, 2, 3, 4], [1, 1, 1, 1], 0.5, model="fda:F=24"))
    10.5
    """
    check_integer("threads", threads, 0, _MOST_THREADS)
    rows = _rows(a, b, c, model, scale_a, scale_b)
    bits = _native.dot(model, rows.flat, math.prod(rows.batch), threads)
    return array(bits.reshape(rows.batch), rows.kinds.d, is_torch(a))


def exact(a: Any, b: Any, c: Any = None, *, model: str, scale_a: Any = None, scale_b: Any = None) -> Any:
    """The sums of `dot` without any rounding: a fraction, or an array of them; None where an operand is not finite.

    An epilogue gives what it makes of the sum and of `c` without any rounding. A unit that multiplies nothing is a `ValueError`.

    Examples
    --------
    >>> import mmasmt
    >>> mmasmt.exact([1, 2**-12, 0, 0], [1, 2**-12, 0, 0], -1, model="fda:F=23")
    Fraction(1, 16777216)
    """
    rows = _rows(a, b, c, model, scale_a, scale_b)
    sums = _native.exact(model, rows.flat, math.prod(rows.batch))
    fractions = [None if one is None else Fraction(int(one[0])) * Fraction(2) ** one[1] for one in sums]
    if not rows.batch:
        return fractions[0]
    found: npt.NDArray[Any] = np.empty(len(fractions), object)
    found[:] = fractions
    return found.reshape(rows.batch)


class Explanation:
    """An evaluation taken apart; notebooks show it as a page."""

    def __init__(self, text: str, html: str) -> None:
        self.text = text
        self.html = html

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40rem; border: 0"></iframe>'


def explain(a: Any, b: Any, c: Any = None, *, model: str, scale_a: Any = None, scale_b: Any = None) -> Explanation:
    """How a model comes to its result for one dot-add, bit by bit.

    Examples
    --------
    >>> import mmasmt
    >>> print(mmasmt.explain([1, 2**-12, 0, 0], [1, 2**-12, 0, 0], model="fda:F=23").text.splitlines()[-1])
    d  0x3f800000  0x1p+0            1
    """
    rows = _rows(a, b, c, model, scale_a, scale_b)
    if rows.batch:
        raise ValueError(f"a: expected one dot-add, found dimensions {rows.batch}")
    kinds = rows.kinds
    of_row = [kinds.a, kinds.b, kinds.c, kinds.scale, kinds.scale]
    words = [
        ",".join(f"{int(bits):0{-(-kind.width // 4)}x}" for bits in row)
        for row, kind in zip(rows.flat, of_row)
        if kind is not None
    ]
    line = [words[2], words[0], words[1], *words[3:]]
    _, text = _native.command(["explain", model, *line])
    return Explanation(text.rstrip("\n"), _native.explain_html(model, rows.flat))
