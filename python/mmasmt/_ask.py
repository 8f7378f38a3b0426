"""Commands of the program, asked for JSON, whose objects are of the classes of the schema."""

from __future__ import annotations

import json
from typing import Any, TypeVar, overload

from . import _native
from . import _schema as schema

_A = TypeVar("_A")
_B = TypeVar("_B")
_C = TypeVar("_C")
_D = TypeVar("_D")

_NAMES = {"assume": "where", "timeout": "time", "operands": "signature"}
"""The options of the program that have other names here."""


@overload
def ask(kinds: type[_A], /, *arguments: str, **options: Any) -> _A: ...


@overload
def ask(kinds: tuple[type[_A], type[_B]], /, *arguments: str, **options: Any) -> _A | _B: ...


@overload
def ask(kinds: tuple[type[_A], type[_B], type[_C]], /, *arguments: str, **options: Any) -> _A | _B | _C: ...


@overload
def ask(kinds: tuple[type[_A], type[_B], type[_C], type[_D]], /, *arguments: str, **options: Any) -> _A | _B | _C | _D: ...


def ask(kinds: Any, /, *arguments: str, **options: Any) -> Any:
    """The answer of a command, which is of the class, or of one of the classes, in `kinds`; options without a value are left out.

    A limit that was reached before there was an answer is a `RuntimeError`, unless `schema.Unknown` is one of the classes.
    """
    words = list(arguments)
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + _NAMES.get(name, name).replace("_", "-"))
        if value is not True:
            words[-1] += f"={value}"
    _, text = _native.command([*words, "--json", "--quiet"])
    found = json.loads(text)
    if any(_has_keys_of(kind, found) for kind in (kinds if isinstance(kinds, tuple) else (kinds,))):
        return found
    if _has_keys_of(schema.Unknown, found):
        raise RuntimeError(f"{arguments[0]}: {found['reason']}")
    raise RuntimeError(f"{arguments[0]}: expected an answer of another kind, found the keys {', '.join(found)}")


def _has_keys_of(kind: Any, found: dict[str, Any]) -> bool:
    return bool(kind.__required_keys__ <= found.keys() <= kind.__annotations__.keys())
