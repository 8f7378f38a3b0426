"""Products below PyTorch's dispatcher, counted: whatever reaches a kernel of this processor although an emulation runs.

Two nets. Kernels for the CPU of operators that multiply matrices are replaced, which catches what is called by way of the dispatcher,
from Python or from C++. The entry points of the BLAS inside of PyTorch's own library are overwritten with a counter, which catches
what a kernel calls directly; that is for Linux on x86-64, and only f32, f64 and complex products go there.
"""

from __future__ import annotations

import contextlib
import ctypes
import pathlib
import platform
import struct
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

from torch.utils._pytree import tree_map

_OPERATORS = """
    mm addmm addmm_ bmm baddbmm baddbmm_ mv addmv addmv_ dot vdot addbmm addbmm_ _addmm_activation _scaled_mm _grouped_mm
    _slow_conv2d_forward _slow_conv2d_backward slow_conv3d_forward slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d
    slow_conv_transpose3d mkldnn_convolution mkldnn_linear mkldnn_rnn_layer convolution_overrideable _nnpack_spatial_convolution
    _scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention_for_cpu_backward _native_multi_head_attention
    _transformer_encoder_layer_fwd _weight_int8pack_mm _weight_int4pack_mm_for_cpu _dyn_quant_matmul_4bit
""".split()
_BLAS = [f"{p}{name}_" for p in "sdcz" for name in ("gemm", "gemv", "dot", "trsm")]
_BLAS += [f"cblas_{p}gemm_batch" for p in "sdcz"]
_BLAS += [
    f"mkl_blas_{p}{name}"
    for p in "sdcz"
    for name in ("gemm", "gemv", "dot", "gemm_batch", "xgemm", "xgemv", "trsm", "syrk", "xsyrk", "xdot")
]


def _kernels() -> Iterator[Any]:
    """Overloads of these operators that have a kernel of their own for the CPU."""
    for name in _OPERATORS:
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            operator = getattr(packet, overload)
            has = torch._C._dispatch_has_computed_kernel_for_dispatch_key(operator.name(), "CPU")
            if has and not torch._C._dispatch_has_kernel_for_dispatch_key(operator.name(), "CompositeImplicitAutograd"):
                yield operator


class _Blas:
    """Entry points of the BLAS, each replaced by an addition to a counter and a return."""

    def __init__(self) -> None:
        self.counts: dict[str, ctypes.c_uint64] = {}
        self._codes: list[tuple[int, bytes, bytes]] = []
        path = pathlib.Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"
        if sys.platform != "linux" or platform.machine() != "x86_64" or not path.exists():
            return
        library, system = ctypes.CDLL(str(path)), ctypes.CDLL(None, use_errno=True)
        system.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for name in _BLAS:
            function = getattr(library, name, None)
            address = ctypes.cast(function, ctypes.c_void_p).value if function is not None else None
            if address is None:
                continue
            count = self.counts[name] = ctypes.c_uint64(0)
            # mov rax, count; inc qword [rax]; xor rax, rax; ret
            code = b"\x48\xb8" + struct.pack("<Q", ctypes.addressof(count)) + b"\x48\xff\x00\x48\x31\xc0\xc3"
            if system.mprotect(address & ~4095, 8192, 7) == 0:
                self._codes.append((address, ctypes.string_at(address, len(code)), code))

    def swap(self, on: bool) -> None:
        for address, own, code in self._codes:
            ctypes.memmove(address, code if on else own, len(code))

    def take(self) -> Counter[str]:
        found = Counter({name: count.value for name, count in self.counts.items() if count.value})
        for count in self.counts.values():
            count.value = 0
        return found


_blas: _Blas | None = None


def take(seen: Counter[str]) -> dict[str, int]:
    """What was seen since the last time."""
    found = dict(seen + (_blas.take() if _blas is not None else Counter()))
    seen.clear()
    return found


@contextlib.contextmanager
def watched() -> Iterator[Counter[str]]:
    """What was multiplied by this processor, by the name of the kernel; those kernels give zeros."""
    global _blas
    _blas = _blas or _Blas()
    _blas.take()
    seen: Counter[str] = Counter()
    library = torch.library.Library("aten", "IMPL")
    for operator in _kernels():

        def kernel(*args: Any, _operator: Any = operator, **kwargs: Any) -> Any:
            seen[_operator.name()] += 1
            on_meta = tree_map(lambda x: x.to("meta") if isinstance(x, torch.Tensor) else x, (args, kwargs))
            shapes = _operator(*on_meta[0], **on_meta[1])
            return tree_map(lambda x: torch.zeros(x.shape, dtype=x.dtype) if isinstance(x, torch.Tensor) else x, shapes)

        library.impl(operator.name().removeprefix("aten::"), kernel, "CPU")
    _blas.swap(True)
    try:
        yield seen
    finally:
        _blas.swap(False)
        library._destroy()
        seen.update(_blas.take())
