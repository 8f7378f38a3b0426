"""Answers to questions; the arrays of a witness feed straight back into `dot`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from . import _schema as schema
from ._arrays import Kind, array
from ._signatures import Formats, signature

AnyAnswer = (
    schema.Distinguish | schema.DistinguishAsked | schema.Diff | schema.Prove | schema.QueryClaim | schema.Worst | schema.Unknown
)
AnyVector = schema.Vector | schema.DifferenceWitness | schema.ClaimWitness | schema.Line

_Data = TypeVar("_Data", bound=AnyAnswer)
if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    # So that `Answer` alone is a type as well.
    _Of = TypeVarWithDefault("_Of", bound=AnyAnswer, default=AnyAnswer, covariant=True)
else:
    _Of = TypeVar("_Of")


@dataclass(frozen=True, eq=False)
class Witness:
    """Operands of one dot-add, and what the models that were asked about give."""

    a: Any
    #: None of a conversion.
    b: Any
    #: None of most conversions.
    c: Any
    d: tuple[Any, ...]
    line: str
    scale_a: Any = None
    scale_b: Any = None
    beside: dict[str, Any] = field(default_factory=dict)

    @property
    def operands(self) -> dict[str, Any]:
        """Keyword arguments for `dot`, `exact` and `explain`, or for `convert`."""
        if self.b is None:
            return {"a": self.a, "c": self.c}
        return {"a": self.a, "b": self.b, "c": self.c, "scale_a": self.scale_a, "scale_b": self.scale_b}


@dataclass(frozen=True, eq=False)
class Answer(Generic[_Of]):
    """What is known: a word, inputs that show it, and a sentence.

    `verdict` is ``different``, ``equal``, ``proved``, ``refuted``, ``vacuous`` or ``unknown``; `data` is the whole answer as the
    program has it with ``--json``.
    """

    verdict: str
    witnesses: tuple[Witness, ...]
    remark: str | None
    data: _Of = field(repr=False)

    @property
    def witness(self) -> Witness | None:
        """The first inputs, if there are any."""
        return self.witnesses[0] if self.witnesses else None

    @property
    def is_known(self) -> bool:
        """Whether there is an answer."""
        return self.verdict != "unknown"


@dataclass(frozen=True, eq=False)
class ClaimAnswer:
    """The answer to one claim of a query: `expected` is the verdict that it should have, `is_twin` says that it is the one that must come
    out the other way."""

    claim: str
    model: str
    answer: Answer[schema.QueryClaim]
    expected: str
    is_twin: bool

    @property
    def verdict(self) -> str:
        """That of the answer."""
        return self.answer.verdict

    @property
    def is_as_expected(self) -> bool | None:
        """Whether it came out as expected; None where it is not known."""
        return self.verdict == self.expected if self.answer.is_known else None


@dataclass(frozen=True, eq=False)
class QueryAnswer:
    """What became of each claim of a query that comes with the program. Several claims have no verdict together: some are to be refuted.

    `data` is the whole answer as the program has it with ``--json``.
    """

    claims: tuple[ClaimAnswer, ...]
    data: schema.ProveQueries | schema.Unknown = field(repr=False)

    @property
    def is_known(self) -> bool:
        """Whether there is an answer to each claim."""
        return bool(self.claims) and all(one.answer.is_known for one in self.claims)

    @property
    def is_as_expected(self) -> bool | None:
        """Whether all came out as expected; False where one did not, else None where one is not known."""
        each = [one.is_as_expected for one in self.claims]
        if False in each:
            return False
        return True if each and None not in each else None


def _row(texts: list[str] | None, kind: Kind | None) -> Any:
    if texts is None or kind is None:
        return None
    return array(np.array([int(text, 16) for text in texts], np.uint64), kind)


def _one(text: str, kind: Kind) -> Any:
    return array(np.array(int(text, 16), np.uint64), kind)


def vector(found: AnyVector, a: Kind, b: Kind, c: Kind, d: Kind, scale: Kind | None = None) -> Witness:
    """The operands of a vector of the program, in these formats."""
    return Witness(
        a=_row(found["a"], a),
        b=_row(found.get("b"), b),
        c=_one(found["c"], c) if "c" in found else None,
        d=tuple(_one(text, d) for text in found.get("d", [])),
        line=found["line"] if "line" in found else "",
        scale_a=_row(found.get("sa"), scale),
        scale_b=_row(found.get("sb"), scale),
        beside={one["what"]: _one(one["d"], d) for one in found["beside"]} if "beside" in found else {},
    )


def witness(found: AnyVector, model: str | Formats) -> Witness:
    """The operands of a vector of the program, in the formats of a model."""
    kinds = signature(model) if isinstance(model, str) else model
    return vector(found, kinds.a, kinds.b, kinds.c, kinds.d, kinds.scale)


def answer(data: _Data, model: str | Formats, verdict: str) -> Answer[_Data]:
    """The answer of a command, which comes to a verdict."""
    told: AnyAnswer = data
    found = [witness(one, model) for one in told["witnesses"]] if "witnesses" in told else []
    remark = told["remark"] if "remark" in told else told["reason"] if "reason" in told else None
    return Answer(verdict, tuple(found), remark, data)


def query_answer(data: schema.ProveQueries | schema.Unknown) -> QueryAnswer:
    """The answer to a query: each of its claims."""
    claims = (
        ClaimAnswer(one["claim"], one["name"], answer(one, one["model"], one["verdict"]), one["expected"], one["twin"])
        for one in (data["claims"] if "claims" in data else [])
    )
    return QueryAnswer(tuple(claims), data)


@dataclass(frozen=True, eq=False)
class Least:
    """The least value of a parameter for which a claim holds.

    It is proved at `proved_at`, which is None if it is proved nowhere, and refuted at `refuted_at`, with the inputs in `witness`.
    """

    proved_at: int | None
    refuted_at: int | None
    witness: Witness | None
    data: schema.Least = field(repr=False)


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of one scheme on one unit: of random operands, the largest that a search found, and what no operands exceed.

    `witness` has the operands of `worst`; `bound` is None where no bound is known, `why_not` says why there is no row.
    """

    scheme: str
    unit: str
    products: int
    model: str | None
    median: float | None
    p999: float | None
    worst: float | None
    bound: float | None
    witness: Witness | None
    why_not: str | None
    data: schema.ErrorsRow = field(repr=False)


@dataclass(frozen=True, eq=False)
class Candidate:
    """How often a model gave what a machine gave, and the first inputs where it did not."""

    model: str
    agreed: int
    disagreed: int
    first: Witness | None


@dataclass(frozen=True, eq=False)
class Identified:
    """What a machine was asked, and how each candidate did."""

    inputs: int
    candidates: tuple[Candidate, ...]

    @property
    def matches(self) -> tuple[str, ...]:
        """The candidates that agree with the machine on all inputs."""
        return tuple(one.model for one in self.candidates if not one.disagreed)


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learnt about a machine.

    `verdict` is ``confirmed``, ``not confirmed``, ``none`` (no description that was tried gives every answer), ``undecided`` (a limit
    came first) or ``not a function``; `description` is the text of a unit, the nearest one if none gives every answer, and `name` the
    algorithm with its parameters, if it is a known one. `witness` has
    operands on which the machine gave another result, or two results; `data` is the whole answer as the program has it with ``--json``.
    """

    verdict: str
    description: str | None
    order: str | None
    witness: Witness | None
    data: schema.Learn = field(repr=False)

    @property
    def name(self) -> str | None:
        """The algorithm with its parameters, such as ``fda:F=25``; None for a unit of no known algorithm."""
        return self.data["model"]

    @property
    def model(self) -> str:
        """The algorithm with its parameters, or else the description, as a model for every function that takes one."""
        if self.name is not None:
            return self.name
        if self.description is None:
            raise ValueError("model: expected a description, found none; the machine was asked too little, or is no function")
        return f"unit:{{{self.description}}}"
