"""The tables: which instructions there are, what is known of them, and what that rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike

from . import _native
from . import _schema as schema
from ._ask import ask
from ._signatures import Signature, signature


@dataclass(frozen=True)
class Model:
    """All that is known of an instruction, or of a specification.

    `specification` is what every function takes in place of the name. `evidence` says what the arithmetic rests on, best first; it
    is empty for what is no instruction of a machine.
    """

    name: str
    specification: str
    architecture: str | None
    instruction: str | None
    sass: tuple[str, ...]
    evidence: tuple[str, ...]
    variants: dict[str, str]
    note: str | None
    data: schema.ModelRow | schema.ModelsShow = field(repr=False, compare=False)

    @property
    def signature(self) -> Signature:
        """Formats of operands and result, number of products, and block scales."""
        return signature(self.specification)

    @property
    def params(self) -> dict[str, str]:
        """All parameters of the algorithm with their values; of a composition not those of its unit."""
        return dict(self.signature.parameters)


def _of_row(name: str, specification: str, row: schema.ModelRow | None, data: schema.ModelRow | schema.ModelsShow) -> Model:
    return Model(
        name=name,
        specification=specification,
        architecture=row["architecture"] if row else None,
        instruction=row["instruction"] if row else None,
        sass=tuple(row["sass"]) if row else (),
        evidence=tuple(row["evidence"]) if row else (),
        variants=row["variants"] if row else {},
        note=row["note"] if row else None,
        data=data,
    )


def models(*words: str) -> list[Model]:
    """The rows of the tables: all of them, or those of a machine or with a text in any of their names.

    Instructions whose arithmetic nobody knows are left out.

    Examples
    --------
    >>> import mmasmt
    >>> mmasmt.models("V100")[0].instruction
    'mma.m8n8k4.f32.f16.f16.f32'
    """
    # Of some names, such as `CPU`, the program has no table of rows.
    data = ask((schema.Models, schema.Algorithms), "models", "list", *words)
    rows = data["rows"] if "rows" in data else []
    return [_of_row(f"{row['architecture']}/{row['instruction']}", row["model"], row, row) for row in rows]


def model(name: str) -> Model:
    """All that is known of a row or a specification: parameters, evidence, variants, formats.

    Examples
    --------
    >>> import mmasmt
    >>> found = mmasmt.model("H100/HMMA.16816.F32")
    >>> found.specification, found.params["F"], found.evidence[0].split(":")[0]
    ('fda:K=16,F=25', '25', 'recorded')
    """
    data = ask(schema.ModelsShow, "models", "show", name)
    row = data["row"]
    if data["model"] is None or (row and "formats" in row):
        raise ValueError(f"model: nobody knows the arithmetic of {name}")
    return _of_row(name, data["model"], row, data)


def add_tables(folder: str | PathLike[str]) -> None:
    """Adds the tables and descriptions of a folder to those of the package, for the life of the process.

    Its `*.toml` have machines with rows as the tables of the package have, its `NAME.unit` are the descriptions `unit:NAME`. The
    variable `MMASMT_TABLES` of the environment names folders that are added with the import. A `ValueError` names the file and the
    line that are wrong; nothing of the folder is added then.
    """
    _native.add_tables(folder)
