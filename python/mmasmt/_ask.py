"""Commands of the program, asked for JSON."""

from __future__ import annotations

import json
from typing import Any

from . import _native

_NAMES = {"assume": "where", "timeout": "time"}
"""The options of the program that have other names here."""


def ask(*arguments: str, **options: Any) -> dict[str, Any]:
    """The JSON of a command; options without a value are left out."""
    words = list(arguments)
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + _NAMES.get(name, name).replace("_", "-"))
        if value is not True:
            words[-1] += f"={value}"
    _, text = _native.command([*words, "--json", "--quiet"])
    found: dict[str, Any] = json.loads(text)
    return found
