"""The classes of the program's objects are those of the schema."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

PYTHON = Path(__file__).parents[1]
GENERATOR = runpy.run_path(str(PYTHON / "schema.py"))


def classes(definitions: dict[str, Any]) -> str:
    """The classes of a schema, without the head of the module."""
    return "\n\n".join(GENERATOR["Module"]({"$defs": definitions}).parts[1:])


def object_of(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


def test_the_module_is_what_the_generator_writes() -> None:
    assert (PYTHON / "mmasmt" / "_schema.py").read_text() == GENERATOR["text"](), "python3 python/schema.py writes it anew"


def test_a_definition_stands_behind_those_that_it_refers_to() -> None:
    row = object_of(
        {
            "part-of": {"$ref": "#/$defs/some-part"},
            "word": {"description": "A word.", "type": ["string", "null"], "enum": ["a", None]},
            "more": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
        ["word"],
    )
    assert classes({"row": row, "some-part": {"type": "string"}}) == (
        'SomePart: TypeAlias = str\n\n\n_Row = TypedDict("_Row", {"part-of": NotRequired[SomePart]})\n\n\n'
        '@final\nclass Row(_Row):\n    word: Literal["a", None]\n    """A word."""\n    more: NotRequired[list[int]]\n'
    )


def test_a_definition_may_refer_to_itself() -> None:
    branch = object_of({"left": {"$ref": "#/$defs/tree"}}, ["left"])
    made = classes({"tree": {"anyOf": [{"type": "integer"}, branch]}})
    assert made == '@final\nclass TreeLeft(TypedDict):\n    left: "Tree"\n\n\nTree: TypeAlias = int | TreeLeft\n'


@pytest.mark.parametrize(
    "definition",
    [{"allOf": []}, {"type": "string", "format": "date"}, {**object_of({}, []), "additionalProperties": True}, {"type": "date"}],
)
def test_what_has_no_class_is_an_error(definition: dict[str, Any]) -> None:
    with pytest.raises((KeyError, ValueError)):
        classes({"row": definition})


def test_a_checker_of_types_refuses_keys_that_the_schema_does_not_have(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    (tmp_path / "schema.py").write_text(GENERATOR["text"]())
    file = tmp_path / "reader.py"
    file.write_text(
        "import schema\n"
        "def read(found: schema.Least, row: schema.ErrorsRow) -> object:\n"
        "    return found['asked'][0]['value'], row.get('p99.9'), found['cost']['seconds']\n"
        "def misread(found: schema.Least, row: schema.ErrorsRow) -> object:\n"
        "    return found['aksed'][0]['value'], row['p99'], found['cost']['second']\n"
    )
    told, wrong, _ = api.run(["--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", str(file)])
    assert told.count("has no key") == 3 and not any(f"reader.py:{line}:" in told for line in range(1, 5)), told + wrong
