"""What imports what in the package: no files import each other in a circle, be it for types alone or inside of a function."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mmasmt"


def imports_of(path: Path, names: set[str]) -> set[str]:
    """The files of the same folder that one imports, wherever it does."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.partition(".")[0]} if node.module else {alias.name for alias in node.names}
    return found & names


def circles(edges: dict[str, set[str]]) -> list[str]:
    """Files from which a way leads back to them."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            for name in edges.get(waiting.pop(), set()) - found:
                found.add(name)
                waiting.append(name)
        return found

    return sorted(name for name in edges if name in reached(name))


@pytest.mark.parametrize("folder", [".", "_emulation", "jax", "smt", "torch"])
def test_no_files_import_each_other_in_a_circle(folder: str) -> None:
    files = {path.stem: path for path in (PACKAGE / folder).glob("*.py") if path.stem not in ("__init__", "__main__")}
    assert len(files) > 1
    assert circles({name: imports_of(path, set(files)) for name, path in files.items()}) == []


def test_a_circle_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from .b import x\n")
    (tmp_path / "b.py").write_text("def f():\n    from . import c\n")
    (tmp_path / "c.py").write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import y\n")
    (tmp_path / "d.py").write_text("from .a import x\n")
    names = {"a", "b", "c", "d"}
    assert circles({name: imports_of(tmp_path / f"{name}.py", names) for name in names}) == ["a", "b", "c"]
