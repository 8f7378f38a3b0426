"""Merkle trees over lines of bytes: one hash stands for all of them, and a path of hashes shows that one line is among them.

The hashes are those of RFC 6962: ``SHA-256(00 line)`` for a line and ``SHA-256(01 left right)`` for a pair; the last node of a level of
odd length moves up as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence


def tree(lines: Iterable[bytes | memoryview]) -> list[list[bytes]]:
    """The levels of hashes, those of the lines first; the last level has the root alone."""
    levels = [[_leaf(line) for line in lines] or [hashlib.sha256().digest()]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        pairs = [_node(below[i], below[i + 1]) for i in range(0, len(below) - 1, 2)]
        levels.append(pairs + below[len(below) & ~1 :])
    return levels


def path(levels: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    """The neighbours of a line and of what stands for it, from the bottom to below the root."""
    found = []
    for level in levels[:-1]:
        if (index ^ 1) < len(level):
            found.append(level[index ^ 1])
        index >>= 1
    return found


def root_of(line: bytes | memoryview, index: int, count: int, neighbours: Sequence[bytes]) -> bytes | None:
    """The root of the tree of `count` lines in which this one has this index and path; None where no such path has this length."""
    if not 0 <= index < count:
        return None
    found, left = _leaf(line), list(neighbours)
    while count > 1:
        if (index ^ 1) < count:
            if not left:
                return None
            other = left.pop(0)
            found = _node(other, found) if index & 1 else _node(found, other)
        index, count = index >> 1, -(-count // 2)
    return None if left else found


def _leaf(line: bytes | memoryview) -> bytes:
    found = hashlib.sha256(b"\x00")
    found.update(line)
    return found.digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
