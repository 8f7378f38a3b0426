from typing import Any

import numpy as np
import numpy.typing as npt

_Bits = npt.NDArray[np.unsignedinteger[Any]]
_Registers = tuple[_Bits, list[int]]
_Matrix = tuple[int, int, int]

__version__: str

def signature(name: str) -> dict[str, Any]: ...
def parse(format_name: str, text: str) -> int: ...
def show_register(format_name: str, bits: int) -> str: ...
def matmul(
    name: str,
    a: _Registers,
    b: _Registers,
    c: _Registers | None,
    scales: tuple[_Registers, _Registers] | None,
    threads: int,
    device: str,
) -> tuple[npt.NDArray[np.uint64], list[int], str | None]: ...
def matmul_in_place(
    name: str,
    ordinal: int,
    extents: list[int],
    operands: tuple[_Matrix, _Matrix],
    scales: tuple[_Matrix, _Matrix] | None,
    c: int,
    d: int,
) -> str | None: ...
def dot(name: str, operands: list[_Bits], count: int, threads: int) -> npt.NDArray[np.uint64]: ...
def exact(name: str, operands: list[_Bits], count: int) -> list[tuple[str, int] | None]: ...
def explain_html(name: str, operands: list[_Bits]) -> str: ...
def command(arguments: list[str]) -> tuple[int, str]: ...
def main(arguments: list[str]) -> int: ...
