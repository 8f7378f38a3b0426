"""Classes of the objects that ``--json`` prints, made of ``docs/mmasmt.schema.json``: ``python3 python/schema.py`` writes
``python/mmasmt/_schema.py``.

A definition that is an object becomes a `TypedDict`, any other one a name of a type. A keyword of JSON Schema that has no counterpart
here is an error.
"""

from __future__ import annotations

import json
import keyword
import textwrap
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).parents[1] / "docs" / "mmasmt.schema.json"
MODULE = Path(__file__).parent / "mmasmt" / "_schema.py"
WIDTH = 140

HEAD = '''"""The objects that ``--json`` prints, by their names in ``docs/mmasmt.schema.json``.

`python3 python/schema.py` writes this file.
"""

import typing
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, final

if TYPE_CHECKING:
    from typing_extensions import NotRequired
else:
    # Python 3.10 has no NotRequired, which means something to checkers of types alone.
    NotRequired = getattr(typing, "NotRequired", typing.Optional)
'''

_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_KEYWORDS = {"$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items", "prefixItems", "properties", "required", "type"}
_LIMITS = {"maxItems", "minItems", "minimum", "pattern"}
"""What narrows a type further than the types of Python do."""


def class_name(name: str) -> str:
    """``facts-confirmed`` as a class."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").split("-"))


class Module:
    """The text of the module: a definition stands behind those that it refers to."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.parts = [HEAD]
        self._waiting: dict[str, Any] = dict(schema["$defs"])
        self._done: set[str] = set()
        while self._waiting:
            self._define(next(iter(self._waiting)))

    def _define(self, key: str) -> None:
        node, name = self._waiting.pop(key), class_name(key)
        if "properties" in node:
            self._add_class(name, node)
        else:
            self.parts.append(f"{name}: TypeAlias = {self._type(node, name)}\n" + _docstring(node, ""))
        self._done.add(key)

    def _add_class(self, name: str, node: dict[str, Any]) -> None:
        unsupported = set(node) - {"type", "description", "properties", "required", "additionalProperties"}
        if unsupported or node["type"] != "object" or node["additionalProperties"] is not False:
            raise ValueError(f"{name}: expected an object with all its properties, found {sorted(node)}")
        types = {key: self._type(of, name) for key, of in node["properties"].items()}
        types = {key: of if key in node["required"] else f"NotRequired[{of}]" for key, of in types.items()}
        strange = {key: of for key, of in types.items() if not key.isidentifier() or keyword.iskeyword(key)}
        base = "TypedDict"
        if strange:
            base = f"_{name}"
            entries = ", ".join(f"{json.dumps(key)}: {of}" for key, of in strange.items())
            # A key that is no name in Python has no place in the body of a class.
            self.parts.append(f"{base} = TypedDict({json.dumps(base)}, {{{entries}}})\n")
        body = _docstring(node, "    ")
        for key, of in types.items():
            if key not in strange:
                body += f"    {key}: {of}\n" + _docstring(node["properties"][key], "    ")
        self.parts.append(f"@final\nclass {name}({base}):\n" + body)

    def _type(self, node: dict[str, Any], owner: str) -> str:
        """The type of a value; an object without a name becomes a class that is called by its owner and its first key."""
        unsupported = set(node) - _KEYWORDS - _LIMITS
        if unsupported:
            raise ValueError(f"{owner}: expected keywords that have types, found {sorted(unsupported)}")
        if "$ref" in node:
            key = node["$ref"].removeprefix("#/$defs/")
            if key in self._waiting:
                self._define(key)
            # One that is not done by now refers to itself.
            return class_name(key) if key in self._done else f'"{class_name(key)}"'
        if "anyOf" in node:
            return " | ".join(self._type(of, owner) for of in node["anyOf"])
        if "const" in node or "enum" in node:
            values = node.get("enum", [node.get("const")])
            return f"Literal[{', '.join(json.dumps(value) if isinstance(value, str) else repr(value) for value in values)}]"
        if "properties" in node:
            name = owner + class_name(node["required"][0])
            self._add_class(name, node)
            return name
        of = node["type"]
        return " | ".join(self._of_word(word, node, owner) for word in ([of] if isinstance(of, str) else of))

    def _of_word(self, word: str, node: dict[str, Any], owner: str) -> str:
        if word == "array":
            items = [self._type(of, owner) for of in node.get("prefixItems", [node.get("items")])]
            return f"list[{' | '.join(dict.fromkeys(items))}]"
        if word == "object":
            values = node.get("additionalProperties")
            return f"dict[str, {self._type(values, owner) if values else 'Any'}]"
        return _PLAIN[word]


def _docstring(node: dict[str, Any], indent: str) -> str:
    text = node.get("description")
    if text is None:
        return ""
    whole = f'{indent}"""{text}"""'
    if len(whole) <= WIDTH:
        return whole + "\n"
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent('"""' + "\n".join(lines) + '\n"""\n', indent)


def text() -> str:
    """The text of the module."""
    return "\n\n".join(Module(json.loads(SCHEMA.read_text())).parts)


if __name__ == "__main__":
    MODULE.write_text(text())
