"""The objects that ``--json`` prints, by their names in ``docs/mmasmt.schema.json``.

`python3 python/schema.py` writes this file.
"""

import typing
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, final

if TYPE_CHECKING:
    from typing_extensions import NotRequired
else:
    # Python 3.10 has no NotRequired, which means something to checkers of types alone.
    NotRequired = getattr(typing, "NotRequired", typing.Optional)


Model: TypeAlias = str
"""A model: its specification in canonical form, which every command takes. `name` beside it is the text that was typed."""


Register: TypeAlias = str
"""A register: hexadecimal digits, all of those that its format has; `nan` in `d` where any NaN is meant."""


Number: TypeAlias = str
"""An exact number: a C99 hexadecimal float, behind a ~ if it is cut."""


@final
class PartingStage(TypedDict):
    stage: str
    values: list[Number]
    """The value of each model."""


@final
class DifferenceWitness(TypedDict):
    """Operands on which two models differ."""
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""
    d: list[Register]
    """A result for each model that was asked, in their order."""
    ulp: int | None
    """How many ulps the results are apart; null if they cannot be compared."""
    parts_at: PartingStage | None
    """The first stage at which the evaluations differ."""
    simplest: bool
    """True if it is proved that none are simpler."""


Proved: TypeAlias = dict[str, Any] | None
"""The basis of a proof: `by`, with the numbers that belong to it; null if nothing is proved."""


@final
class Cost(TypedDict):
    """The cost of an answer: its time, the seed of random choices, and the engines that answered."""
    seconds: float
    seed: int | None
    """null if nothing was random."""
    engine: str | None
    """null if no engine was asked."""


@final
class MissingFact(TypedDict):
    """A fact that an engine did not confirm."""
    fact: str
    """The fact."""
    reason: str
    """Why the engine gave no answer."""


@final
class FactsConfirmed(TypedDict):
    """The outcomes of one engine for the facts that an answer rests on."""
    by_solver: int
    """How many facts a solver proved, without the last step."""
    confirmed: int
    """How many of these facts the engine confirmed."""
    by_rewriting: int
    """How many more facts follow by rewriting. No engine was asked about them."""
    last_step_confirmed: bool | None
    """True if the engine confirmed the last step, from these facts to the answer; null if that step follows by rewriting."""
    missing: list[MissingFact]
    """Each fact that the engine did not confirm, and why not."""


@final
class Confirmation(TypedDict):
    """The outcome of a request to one engine to confirm a proof."""
    engine: str
    """The engine's name and version."""
    seconds: float
    """How many seconds the engine took."""
    reason: NotRequired[str]
    """If the engine did not confirm the proof, why it gave no answer. To give no answer is no contradiction."""
    facts: NotRequired[FactsConfirmed]
    """The outcomes for the facts, if the answer rests on facts."""


Version: TypeAlias = str
"""The program and its version."""


@final
class Distinguish(TypedDict):
    """`mmasmt distinguish`"""
    schema: Literal[1]
    verdict: Literal["different", "equal", "unknown"]
    models: list[Model]
    names: list[str]
    witnesses: list[DifferenceWitness]
    remark: str | None
    proved: Proved
    assume: str
    cost: Cost
    confirmed_by: NotRequired[list[Confirmation]]
    not_confirmed_by: NotRequired[list[Confirmation]]
    cnf: NotRequired[str]
    proof: NotRequired[str | None]
    """null if there is no proof."""
    version: Version


@final
class Vector(TypedDict):
    """Operands as in `inputs`, and results."""
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""
    d: list[Register]
    """A result for each model that was asked, in their order."""


@final
class DistinguishAsked(TypedDict):
    """`mmasmt distinguish run:COMMAND MODEL`"""
    schema: Literal[1]
    verdict: Literal["different", "unknown"]
    machines: list[str]
    asked: int
    """How many inputs were asked, and on how many of them the results differ."""
    differing: int
    witnesses: list[Vector]
    assume: str
    cost: Cost
    version: Version


@final
class Machine(TypedDict):
    name: str
    architecture: str
    alone: list[str]
    """The products that only this machine has."""


@final
class SampleStatistics(TypedDict):
    """The results of two instructions on ordinary operands drawn at random."""
    samples: int
    """The number of draws of operands."""
    different: int
    """The number of draws for which the two results differ."""
    ulps: int
    """The greatest distance of the two results, in ulps of the result."""
    median_ulps: int
    """The median of the distances of results that differ, in ulps; 0 if none differ."""
    errors: list[float]
    """For each of the two instructions, the mean of its errors over all draws. An error is the distance of the result from the exact sum,
    divided by the sum of the magnitudes of `c` and of all products.
    """


@final
class DiffLine(TypedDict):
    """A kind of products that both machines compute."""
    products: str
    instructions: list[str]
    models: list[Model]
    verdict: Literal["equal", "equal on ordinary operands", "different", "unknown"]
    witnesses: list[Vector]
    ordinary: bool | None
    """True if the witness has ordinary operands; null without a witness."""
    drawn: SampleStatistics | None


@final
class Diff(TypedDict):
    """`mmasmt diff`, and `distinguish`, `agree`, `compare` of two machines"""
    schema: Literal[1]
    verdict: Literal["different", "equal", "unknown"]
    machines: list[Machine]
    lines: list[DiffLine]
    cost: Cost
    version: Version


@final
class DomainAnswer(TypedDict):
    """The answer for a domain."""
    name: str
    assume: str
    verdict: Literal["agree", "differ", "proved", "refuted", "unknown", "not asked", "vacuous"]
    witnesses: list[Vector]
    proved: Proved


@final
class Agree(TypedDict):
    """`mmasmt agree`"""
    schema: Literal[1]
    verdict: Literal["agree", "differ", "unknown"]
    models: list[Model]
    names: list[str]
    domains: list[DomainAnswer]
    cost: Cost
    version: Version


@final
class DomainRecord(TypedDict):
    """The verdict on a domain."""
    name: str
    """The name of the domain, in words."""
    assume: str
    """The text of the domain, for `--where`."""
    verdict: Literal["agree", "differ", "unknown"]
    """The verdict: `agree`, `differ` or `unknown`."""
    proved: NotRequired[dict[str, Any]]
    """The proof that the units agree; `by` is `larger domain`, `repeated` or `repeated with zeros` where another proof implies it."""
    line: NotRequired[str]
    """Operands on which the units differ, as a line of text without the +0 products at the end."""
    d: NotRequired[list[str]]
    """The two results on these operands."""
    reason: NotRequired[str]
    """Why the verdict is unknown."""


@final
class LengthRecord(TypedDict):
    """The verdicts at one number of products."""
    products: int
    """The number of products."""
    domains: list[DomainRecord]
    """The verdict on each domain."""


@final
class Record(TypedDict):
    """A pair of units with its verdicts."""
    models: list[str]
    """The two models, in canonical form."""
    names: list[list[str]]
    """The instructions that each model stands for."""
    lengths: list[LengthRecord]
    """The verdicts for each number of products."""


@final
class Atlas(TypedDict):
    """`mmasmt atlas`; with --shard each pair is a line."""
    schema: Literal[1]
    pairs: list[Record]
    open: int
    """How many domains are not known."""
    cost: Cost
    version: Version


@final
class ResultBeside(TypedDict):
    what: str
    d: Register


@final
class ClaimWitness(TypedDict):
    """Operands that refute a claim, or show what it says that there is."""
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""
    d: list[Register]
    """A result for each model that was asked, in their order."""
    beside: list[ResultBeside]
    """The results that the claim compares with that of the model."""


@final
class Prove(TypedDict):
    """`mmasmt prove PROPERTY MODEL`"""
    schema: Literal[1]
    verdict: Literal["proved", "refuted", "vacuous", "unknown"]
    claim: str
    model: Model
    name: str
    assume: str
    witnesses: list[ClaimWitness]
    remark: str | None
    proved: Proved
    cost: Cost
    confirmed_by: NotRequired[list[Confirmation]]
    not_confirmed_by: NotRequired[list[Confirmation]]
    cnf: NotRequired[str]
    proof: NotRequired[str | None]
    """null if there is no proof."""
    version: Version


@final
class ProveDomains(TypedDict):
    """`mmasmt prove PROPERTY MODEL --domains`"""
    schema: Literal[1]
    verdict: Literal["proved", "refuted", "unknown", "not asked", "vacuous"]
    claim: str
    model: Model
    name: str
    domains: list[DomainAnswer]
    cost: Cost
    version: Version


@final
class ProveSample(TypedDict):
    """`mmasmt prove PROPERTY MODEL --sample COUNT`"""
    schema: Literal[1]
    claim: str
    model: Model
    name: str
    assume: str
    draw: Literal["registers", "normal", "uniform", "all"]
    cases: int
    """How many of the drawn operands violate the claim, or are as it says that some are."""
    count: int
    share: float
    interval: list[float]
    """The limits of the share with 95 % confidence."""
    first: Vector | None
    """The first of these operands."""
    cost: Cost
    version: Version


@final
class Constant(TypedDict):
    name: str
    bits: str


@final
class Application(TypedDict):
    """Operands as in `inputs`, and results."""
    function: str
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""
    d: list[Register]
    """A result for each model that was asked, in their order."""


@final
class ProveClaim(TypedDict):
    """`mmasmt prove --claim FILE`: values that make all its assertions true, or that there are none."""
    schema: Literal[1]
    verdict: Literal["proved", "refuted", "unknown"]
    claim: str
    expected: str | None
    as_expected: bool | None
    cost: Cost
    values: list[Constant]
    """The declared constants; a truth value has one bit."""
    applications: list[Application]
    """The models at these values, in the order of evaluation."""
    version: Version


@final
class QueryClaim(TypedDict):
    """A claim of a query, with the verdict that is expected."""
    verdict: Literal["proved", "refuted", "vacuous", "unknown"]
    claim: str
    model: Model
    name: str
    assume: str
    witnesses: list[ClaimWitness]
    remark: str | None
    proved: Proved
    cost: Cost
    confirmed_by: NotRequired[list[Confirmation]]
    not_confirmed_by: NotRequired[list[Confirmation]]
    cnf: NotRequired[str]
    proof: NotRequired[str | None]
    """null if there is no proof."""
    query: str
    twin: bool
    """True if it is the twin, which must get the opposite verdict."""
    expected: str


@final
class ProveQueries(TypedDict):
    """`mmasmt prove QUERY…`"""
    schema: Literal[1]
    as_expected: int
    not_as_expected: int
    not_known: int
    confirmed: int
    not_confirmed: list[str]
    """A line for each confirmation that was asked for and is missing."""
    claims: list[QueryClaim]
    cost: Cost
    version: Version


@final
class PropertyRow(TypedDict):
    name: str
    meaning: str


@final
class QueryRow(TypedDict):
    name: str
    source: str
    expect: str
    """The verdict that is expected."""


@final
class ProveList(TypedDict):
    """`mmasmt prove --list`"""
    schema: Literal[1]
    properties: list[PropertyRow]
    queries: list[QueryRow]
    version: Version


@final
class AskedValue(TypedDict):
    """A value of the key that was asked."""
    value: int
    verdict: Literal["proved", "refuted", "vacuous", "unknown"]
    model: Model
    remark: str | None
    proved: Proved
    witnesses: list[ClaimWitness]


@final
class Least(TypedDict):
    """`mmasmt least`"""
    schema: Literal[1]
    verdict: Literal["found", "refuted", "unknown"]
    key: str
    claim: str
    proved_at: int | None
    refuted_at: int | None
    reason: str | None
    """The limit that ended the search."""
    asked: list[AskedValue]
    cost: Cost
    version: Version


@final
class Quotient(TypedDict):
    """A number and its approximate value."""
    hex: Number
    about: float


@final
class Bound(TypedDict):
    """A bound of errors: relative, times the sum of magnitudes, plus absolute."""
    relative: Number
    absolute: Number


@final
class Scale(TypedDict):
    """An absolute part of a bound: relative, times the greatest product of the two scales of a block, plus constant."""
    relative: Number
    constant: Number


@final
class Worst(TypedDict):
    """`mmasmt worst`"""
    schema: Literal[1]
    model: Model
    measure: str
    assume: str
    name: str
    witnesses: list[Vector]
    largest_error: Quotient | None
    bound_here: Quotient | None
    """A bound for the operands of the witness."""
    ratio: Quotient | None
    """The largest error, divided by this bound."""
    bound_of_normal_factors: Bound | None
    """The bound for factors of the domain that are normal or zero."""
    bound: Bound | None
    """The bound for all finite factors of the domain."""
    bound_of_scales: Scale | None
    """The absolute part of `bound` by the block scales; null without such scales, or if they do not change it."""
    bound_on_domain: Quotient | None
    """A number that no error in the domain exceeds."""
    is_greatest: bool
    """True if it is proved that nothing is worse."""
    remark: str
    tried: int
    """The number of operands that were tried."""
    cost: Cost
    proof: NotRequired[str | None]
    """The certificate of the bound; null if there is none."""
    version: Version


@final
class WorstDrop(TypedDict):
    """`mmasmt worst --drop`"""
    schema: Literal[1]
    model: Model
    measure: str
    assume: str
    name: str
    rises: str
    """The operand that rises: c or products."""
    witnesses: list[Vector]
    """The operands before and after the step, each with its result; empty if no fall was found."""
    operand: str | None
    """The operand that steps."""
    largest_fall: Quotient | None
    bound_on_domain: Quotient | None
    """A number that no fall in the domain exceeds."""
    never_falls: bool
    """True if it is proved that no result falls."""
    tried: int
    """The number of operands that were tried."""
    cost: Cost
    version: Version


_ErrorsRow = TypedDict("_ErrorsRow", {"p99.9": NotRequired[float | None]})


@final
class ErrorsRow(_ErrorsRow):
    """A scheme on a unit, for a number of products and a range of exponents."""
    exponents: str
    products: int
    scheme: str
    on: str
    why_not: NotRequired[str]
    """The reason if there is no such model."""
    model: NotRequired[Model]
    median: NotRequired[float | None]
    worst: NotRequired[float | None]
    worst_exact: NotRequired[Number]
    witnesses: NotRequired[list[Vector]]
    bound: NotRequired[float | None]
    infinite: NotRequired[int]
    """How many of the drawn operands overflow on the way; the bound is for the others."""


@final
class Compare(TypedDict):
    """`mmasmt compare`: errors of random operands, the largest found, and a bound"""
    schema: Literal[1]
    measure: str
    samples: int
    rows: list[ErrorsRow]
    reason: str | None
    """The limit that was reached."""
    cost: Cost
    version: Version


@final
class Draw(TypedDict):
    """The sources of the factors and of c."""
    a: str
    b: str
    c: str


@final
class Mean(TypedDict):
    """A mean, and its interval of 95 % confidence; the interval is missing for fewer than two numbers."""
    mean: float
    """The mean."""
    interval: list[float] | None
    """The limits of the interval."""


@final
class Bias(TypedDict):
    error: Mean
    toward_zero: Mean
    """How far the results are toward zero."""
    too_low: int
    exact: int
    too_high: int
    left_out: int
    """Results that are not finite, or whose error is infinite in this measure."""
    low_of_inexact: list[float]
    """The share of results that are too low among those that are not exact, with 95 % confidence."""
    by_mean: Literal["down", "up", "none seen"]
    by_signs: Literal["down", "up", "none seen"]


@final
class BiasRow(TypedDict):
    """A scheme on a unit, for a number of products."""
    products: int
    scheme: str
    on: str
    why_not: NotRequired[str]
    """The reason if there is no such model."""
    model: NotRequired[Model]
    bias: NotRequired[Bias]


@final
class CompareBias(TypedDict):
    """`mmasmt compare --bias`: signed errors of random operands"""
    schema: Literal[1]
    measure: str
    samples: int
    draw: Draw
    assume: str | None
    rows: list[BiasRow]
    reason: str | None
    """The limit that was reached."""
    cost: Cost
    version: Version


@final
class Range(TypedDict):
    """The greatest magnitudes of operands."""
    factors: float
    """Of the factors."""
    c: float
    """Of `c`."""


@final
class RoundedUp(TypedDict):
    """A number, and a decimal that is not below it."""
    hex: Number
    decimal: float


@final
class OfScales(TypedDict):
    """At most relative times the greatest product of the two scales of a block, plus constant. Decimals are rounded up."""
    relative: RoundedUp
    constant: RoundedUp


@final
class ProvedBounds(TypedDict):
    """The error is at most relative times the sum of magnitudes plus absolute; at most atol within the range. Decimals are rounded up."""
    relative: RoundedUp
    absolute: RoundedUp
    absolute_of_normal: RoundedUp
    """For factors that are normal or zero."""
    of_scales: OfScales | None
    """The absolute part by the block scales; null without such scales, or if they do not change it."""
    of_scales_of_normal: OfScales | None
    """The same for factors that are normal or zero."""
    atol: RoundedUp | None


@final
class Yours(TypedDict):
    """The tolerance of one's own test."""
    atol: float
    rtol: float
    proved: bool
    """True if it is proved that the right kernel never fails it."""
    failing: str | None
    """Operands for which the right kernel fails it, as a line."""


@final
class Percentile(TypedDict):
    """A percentile: so many of a hundred errors are at most of this size."""
    percent: float
    """The percentage."""
    size: float
    """The size."""


@final
class Sizes(TypedDict):
    """Sizes of errors."""
    median: float
    """The median."""
    percentile: Percentile | None
    """The highest percentile that so many samples show."""
    largest: float
    """The largest."""


@final
class RandomErrors(TypedDict):
    """Errors of the right kernel on random operands, relative to the sum of magnitudes and absolute."""
    relative: Sizes
    absolute: Sizes
    not_finite: int


@final
class OutsideShare(TypedDict):
    """A number of results, their share, the share of tests that fail, and both with 95 % confidence."""
    outside: int
    share: float
    interval: list[float]
    test_fails: float
    test_fails_interval: list[float]


@final
class KernelRow(TypedDict):
    """How many results of a kernel are outside of each tolerance; null if there is no such tolerance."""
    kernel: str
    proved: OutsideShare | None
    atol: OutsideShare | None
    yours: OutsideShare | None
    largest_random: OutsideShare
    """A tolerance of the largest error on random operands."""
    bits: OutsideShare
    """The same bits as the model."""


@final
class Tolerance(TypedDict):
    """`mmasmt tolerance`"""
    schema: Literal[1]
    model: Model
    name: str
    k: int
    """The number of products."""
    range: Range | None
    proved: ProvedBounds | None
    yours: Yours | None
    draw: Draw
    samples: int
    elements: int
    """The number of results of a test."""
    random: RandomErrors
    right: KernelRow
    wrong: list[KernelRow]
    paste: list[str]
    """Lines to paste into a test."""
    cost: Cost
    proof: NotRequired[str | None]
    """The certificate of the bound; null if there is none."""
    version: Version


@final
class SizesOfElements(TypedDict):
    """Sizes of all elements that have one."""
    least: float
    median: float
    greatest: float


@final
class OutsidePlaces(TypedDict):
    """Elements that are outside of something: how many, and the first thousand as rows and columns from 0."""
    count: int
    places: list[list[int]]


@final
class YoursOfElements(TypedDict):
    """The tolerance of one's own test."""
    atol: float
    rtol: float
    covered: int
    """The number of elements whose bound is within it."""
    outside: OutsidePlaces
    """The model's results that fail it."""


@final
class Result(TypedDict):
    """A result of one's own."""
    file: str
    proved: OutsidePlaces
    """Outside of what is proved: no kernel with the steps of the model gives these."""
    yours: OutsidePlaces | None
    """Outside of the tolerance of one's own test; null without one."""
    bits: OutsidePlaces
    """With other bits than the model's."""


@final
class ToleranceMatrices(TypedDict):
    """`mmasmt tolerance --matrices`"""
    schema: Literal[1]
    model: Model
    name: str
    k: int
    """The number of products of an element."""
    shape: list[int]
    """Rows and columns of the product."""
    bound: SizesOfElements | None
    """Bounds of the elements, rounded up; null if none is known."""
    unbounded: int
    """The number of elements without a bound: an overflow may go unseen there."""
    error: SizesOfElements | None
    """Errors of the model's results."""
    yours: YoursOfElements | None
    result: Result | None
    cost: Cost
    version: Version


@final
class RegisterValue(TypedDict):
    """The content of a register."""
    bits: Register
    hex: str
    """A C99 hexadecimal float."""
    decimal: str


@final
class Eval(TypedDict):
    """`mmasmt eval`"""
    schema: Literal[1]
    model: Model
    name: str
    vector: Vector
    value: RegisterValue
    version: Version


@final
class StochasticResult(TypedDict):
    value: RegisterValue
    random_numbers: int
    """How many random numbers give it."""


@final
class EvalAnyBits(TypedDict):
    """`mmasmt eval --any-bits`: the results over all random numbers of a stochastic rounding, one or two, the one nearer to zero first. The
    vector has each of them as a d.
    """
    schema: Literal[1]
    model: Model
    name: str
    vector: Vector
    bits: int
    """The number of random bits."""
    results: list[StochasticResult]
    mean: Number | None
    """The mean of the results over all random numbers; null if one of them is no number."""
    bias: Number | None
    """The mean less the exact sum; null if one of them is no number."""
    version: Version


@final
class AlignedTerm(TypedDict):
    name: str
    value: Number
    exponent: int
    shift: int
    aligned: Number
    lost: Number


@final
class FusedStep(TypedDict):
    kind: Literal["fused"]
    what: str
    terms: list[AlignedTerm]
    max_exponent: int
    fraction_bits: int
    sticky: bool | None
    """The sticky bit of what alignment lost; null in a unit that keeps none."""
    sum: Number
    result: RegisterValue | None


@final
class RoundedStep(TypedDict):
    kind: Literal["rounded"]
    what: str
    result: RegisterValue


Step: TypeAlias = FusedStep | RoundedStep
"""A stage of an evaluation: a sum of aligned terms, or a register."""


@final
class ErrorMeasures(TypedDict):
    """The error of a result in each measure; null if it is none in the measure."""
    abs: Number | None
    ulp: Number | None
    rel: Number | None
    sum: Number | None


@final
class ExactAnswer(TypedDict):
    """The exact sum of the operands, and the distance of the result from it."""
    sum: Number
    magnitudes: Number
    """The sum of the magnitudes of c and all products."""
    error: ErrorMeasures


@final
class Explain(TypedDict):
    """`mmasmt explain`"""
    schema: Literal[1]
    model: Model
    name: str
    vector: Vector
    value: RegisterValue
    steps: list[Step]
    exact: NotRequired[ExactAnswer | None]
    """The exact sum, for --error; null if an operand is no number."""
    version: Version


@final
class Failure(TypedDict):
    """A vector whose recorded result is not that of the model, `d`."""
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""
    d: list[Register]
    """A result for each model that was asked, in their order."""
    at: NotRequired[int]
    """The number of the line in a file."""
    recorded: Register


@final
class FileChecked(TypedDict):
    file: str
    model: Model
    passed: int
    failed: int
    failures: list[Failure]
    """The first failures."""


@final
class Check(TypedDict):
    """`mmasmt check`, `mmasmt check --index`"""
    schema: Literal[1]
    passed: int
    failed: int
    files: list[FileChecked]
    without_row: list[str]
    """The instructions of an index that no table has."""
    version: Version


@final
class KindChecked(TypedDict):
    kind: str
    passed: int
    failed: int


@final
class CheckRunner(TypedDict):
    """`mmasmt check --runner`"""
    schema: Literal[1]
    passed: int
    failed: int
    model: Model
    runner: str
    kinds: list[KindChecked]
    """The counts of each kind of inputs that were drawn."""
    failures: list[Failure]
    """The first failures."""
    version: Version


@final
class SectionChecked(TypedDict):
    source: str
    card: str
    model: str
    passed: int
    failed: int
    failures: list[Failure]
    """The first failures."""


@final
class CheckRecorded(TypedDict):
    """`mmasmt check --recorded`"""
    schema: Literal[1]
    passed: int
    failed: int
    recorded: list[SectionChecked]
    version: Version


@final
class CheckProof(TypedDict):
    """`mmasmt check-proof` of clauses"""
    schema: Literal[1]
    verdict: Literal["verified", "rejected"]
    reason: str | None
    variables: int
    clauses: int
    lemmas: int | None
    deletions: int | None
    cost: Cost
    version: Version


@final
class CheckCertificate(TypedDict):
    """`mmasmt check-proof` of a certificate by steps"""
    schema: Literal[1]
    verdict: Literal["verified", "rejected"]
    reason: str | None
    proves: str | None
    """The claim that is proved, as the checker read it."""
    claim: str | None
    """The claim in the words of the certificate, which are not checked."""
    steps: int | None
    """The number of steps."""
    cost: Cost
    version: Version


TestValue: TypeAlias = bool | int | str


@final
class TestRow(TypedDict):
    paper: str
    section: str
    test: str
    status: str
    answer: TestValue | None
    """null if the test has none."""
    shows: str
    """The meaning of the answer, in words."""
    inputs: int
    """The number of inputs that were asked."""


@final
class Probe(TypedDict):
    """`mmasmt probe`"""
    schema: Literal[1]
    model: Model
    name: str
    tests: list[TestRow]
    version: Version


@final
class Inputs(TypedDict):
    """Operands: `line` as in vector files, then each row."""
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""


@final
class ProbeInputs(TypedDict):
    """`mmasmt probe --inputs`"""
    schema: Literal[1]
    model: Model
    name: str
    vectors: list[Inputs]
    version: Version


@final
class ProbeTree(TypedDict):
    """`mmasmt probe --tree`"""
    schema: Literal[1]
    model: Model
    name: str
    tree: str | None
    """The order of the sums as a formula."""
    drawing: str | None
    reason: str | None
    """The reason if there is no tree."""
    version: Version


@final
class TableCell(TypedDict):
    column: str
    computed: str
    published: str
    agrees: bool
    why: str | None
    """The reason that is known for a difference."""


@final
class GpuRow(TypedDict):
    inputs: str
    gpu: str
    model: str
    cells: list[TableCell]


@final
class ProbeTable(TypedDict):
    """`mmasmt probe --table`"""
    schema: Literal[1]
    table: str
    source: str
    rows: list[GpuRow]
    version: Version


FileFormat: TypeAlias = Literal["lines", "jsonl", "npz"]
"""How vectors are written."""


@final
class ToldPair(TypedDict):
    models: list[str]
    verdict: Literal["different", "equal", "unknown", "not asked"]
    all: bool
    """True if there are no others that tell them apart."""


@final
class Gen(TypedDict):
    """`mmasmt gen --out`"""
    schema: Literal[1]
    count: int
    """The number of vectors that were written."""
    asked: int
    reason: str | None
    """The reason for fewer vectors than were asked for."""
    files: list[str]
    format: FileFormat
    models: list[str]
    kind: str
    seed: int
    assume: str
    pairs: list[ToldPair]
    """Every two models; none if inputs were drawn, not searched for."""
    version: Version


@final
class TreeVector(TypedDict):
    vector: int
    results: dict[str, "Tree"]


Tree: TypeAlias = list[int] | TreeVector
"""A tree of questions: a list of the classes that are left; or `vector`, the number of an input from 1, with the tree that each of its
`results` leads to.
"""


@final
class BecauseResultBits(TypedDict):
    result_bits: int


@final
class BecauseNoInputTellsTwoOf(TypedDict):
    no_input_tells_two_of: list[list[int]]


@final
class BecauseNoOneInputTellsAllOf(TypedDict):
    no_one_input_tells_all_of: list[int]


Because: TypeAlias = BecauseResultBits | BecauseNoInputTellsTwoOf | BecauseNoOneInputTellsAllOf
"""The proof that so many inputs are needed."""


@final
class Separate(TypedDict):
    """`mmasmt separate`"""
    schema: Literal[1]
    models: list[Model]
    names: list[str]
    assume: str | None
    """The inputs that are meant, if not all are."""
    classes: list[list[Model]]
    """Models that are proved equal are in one class."""
    open: list[list[int]]
    """The classes, by number, that are neither told apart nor proved equal."""
    vectors: list[Vector]
    """Inputs with a result for each class."""
    depth: int
    tree: Tree
    fewest: Literal["proved", "of the pool", "open"]
    pool: int | None
    """The number of inputs in the pool, if there are no fewer of them that would do."""
    at_least: int
    """The number of inputs that is proved to be needed."""
    because: Because
    cost: Cost
    version: Version


@final
class MutantRow(TypedDict):
    change: str
    fate: Literal["caught", "equal", "missed", "unknown"]
    by: int | None
    """The number of the first vector that shows it, from 1."""
    witnesses: list[Inputs]
    """Inputs that show it, if no vector does."""
    reason: str | None


@final
class Mutants(TypedDict):
    """`mmasmt mutants`"""
    schema: Literal[1]
    model: Model
    caught: int
    """The number of mutants that the vectors show."""
    of: int
    """The number of mutants that are not proved equal."""
    name: str
    vectors: list[Vector]
    mutants: list[MutantRow]
    cost: Cost
    version: Version


@final
class MutantsFaults(TypedDict):
    """`mmasmt mutants --faults`"""
    schema: Literal[1]
    model: Model
    name: str
    gates: int
    """The gates of the circuit that the result depends on."""
    faults: int
    """All faults: each gate has two, its output is always 0 or always 1."""
    shown: int
    """Faults that the vectors show, or with `--score` the vectors of the file."""
    missed: int
    """Faults that the vectors show and the file does not."""
    hidden: int
    """Faults that are proved to change no result."""
    open: int
    vectors: list[Vector]
    """Inputs with the results of the unit without a fault."""
    cost: Cost
    version: Version


@final
class Excluded(TypedDict):
    """A candidate, and the line of a file that excludes it."""
    model: Model
    file: str
    at: int
    by: Failure


Parameters: TypeAlias = dict[str, dict[str, list[str]]]
"""The result of [`parameters`] as JSON: algorithm, key, values."""


@final
class AskedQuestion(TypedDict):
    """A question with the machine's answer, and how many candidates it left."""
    line: str
    a: list[Register]
    b: NotRequired[list[Register]]
    """None of a conversion."""
    c: NotRequired[Register]
    """None of most conversions."""
    sa: NotRequired[list[Register]]
    """Block scales of `a`."""
    sb: NotRequired[list[Register]]
    """Block scales of `b`."""
    d: list[Register]
    """A result for each model that was asked, in their order."""
    left: int


@final
class Changes(TypedDict):
    """The mutation coverage of a set of inputs: how many changes of a model's parameters they show."""
    shown: int
    """The number of changes that the inputs show."""
    equal: int
    """The number of changes proved to have no effect."""
    open: int
    """The number of changes that are not decided in the available time."""


@final
class Confirmed(TypedDict):
    """The result of a confirming sweep."""
    inputs: int
    """The number of inputs on which the device agreed with the remaining candidates."""
    of: int
    """The number of inputs that were planned. Fewer were asked if a limit was reached, or no candidate was left."""
    specials: bool
    """True if the inputs included infinities and NaNs."""
    changes: Changes
    """The numbers of changes of the first remaining candidate's parameters that these inputs show, that have no effect, and that are
    undecided.
    """


@final
class Near(TypedDict):
    """A candidate near to a machine that is none of them."""
    model: Model
    passed: int
    """How many results it gives."""
    of: int
    alike: int
    """How many more candidates give the same results."""
    by: Failure | None
    """The input that excludes it."""
    differs_in_zero_signs: bool


@final
class Identify(TypedDict):
    """`mmasmt identify`"""
    schema: Literal[1]
    candidates: list[list[Model]]
    """The candidates that are left; those that are proved equal are in one class."""
    excluded: list[Excluded]
    next: list[Vector]
    """Inputs to run next."""
    tree: Tree | None
    open: list[list[int]]
    """The classes, by number, that are neither told apart nor proved equal."""
    parameters: Parameters
    lines: int
    """The number of recorded results."""
    verdict: str
    asked: NotRequired[list[AskedQuestion]]
    answered: NotRequired[int]
    """The number of all answers."""
    confirmed: NotRequired[Confirmed]
    halted: NotRequired[str | None]
    """The limit that was reached."""
    two_answers: NotRequired[list[str]]
    """The places of two lines with the same operands and other results."""
    nearest: NotRequired[list[Near]]
    cost: Cost
    version: Version


@final
class ParameterDifference(TypedDict):
    """A parameter with two values."""
    key: str
    here: str
    beside: str


@final
class DifferenceReport(TypedDict):
    """The differences between the model that is learnt and the one beside it."""
    beside: str
    """The model or the machine as it was given."""
    model: str
    """Its model."""
    parameters: list[ParameterDifference] | None
    """The parameters that differ; nothing if one of the two is no known algorithm."""


@final
class LearnConfirmed(TypedDict):
    inputs: int
    of: int
    specials: bool
    """True if infinities and NaNs are among them."""


@final
class Decided(TypedDict):
    """A choice that an answer decides."""
    part: str
    about: str
    word: str
    against: str
    """The word that would give the other result."""
    vector: Vector
    """The input with the answer of the machine, then with the other word."""


@final
class Open(TypedDict):
    """A choice that is left."""
    part: str
    about: str
    word: str
    others: list[str]
    """Words that are the same on all inputs that were tried."""
    equal: list[str]
    """Words that are proved to be the same."""


@final
class Learn(TypedDict):
    """`mmasmt learn`"""
    schema: Literal[1]
    verdict: Literal["confirmed", "not confirmed", "none", "undecided", "not a function"]
    signature: str
    description: str | None
    """The text of the unit, as `unit:FILE` takes it."""
    model: str | None
    """The algorithm with its parameters, if it is a known one."""
    difference: DifferenceReport | None
    """The model or the machine beside it, and the parameters that differ."""
    order: str | None
    """The order of the sums as a formula."""
    answered: int
    agrees: int
    """How many answers the description gives."""
    tried: int
    """The number of descriptions that were compared."""
    confirmed: LearnConfirmed
    failing: Vector | None
    """An input with the answer of the machine, then of the description."""
    two_answers: Vector | None
    """An input to which the machine gave two answers."""
    decided: list[Decided]
    open: list[Open]
    unsettled: list[str]
    """Models that give all answers as well, neither told apart nor proved equal."""
    not_asked: int
    """How many of those were not asked about."""
    next: list[Inputs]
    """Inputs that tell the description from those near it."""
    halted: str | None
    """The limit that was reached."""
    cost: Cost
    version: Version


@final
class ModelRow(TypedDict):
    """A row of the tables."""
    architecture: str
    instruction: str
    sass: list[str]
    alias: list[str]
    compiled: str
    """`native`, or how the compiler makes other instructions of it."""
    model: Model
    evidence: list[str]
    note: str | None
    variants: dict[str, str]
    """The keys that differ, by variant."""


@final
class UnknownRow(TypedDict):
    """An instruction whose arithmetic is not known."""
    architecture: str
    instruction: str
    formats: str
    evidence: list[str]
    note: str | None


@final
class Models(TypedDict):
    """`mmasmt models`"""
    schema: Literal[1]
    rows: list[ModelRow]
    unknown: list[UnknownRow]
    version: Version


AnyRow: TypeAlias = ModelRow | UnknownRow


@final
class OpenQuestion(TypedDict):
    """A question that is open of a row. The page of open questions has the inputs that settle it."""
    question: str
    asks: str
    readings: str
    """The readings that nothing contradicts."""


@final
class ModelsShow(TypedDict):
    """`mmasmt models show`"""
    schema: Literal[1]
    name: str
    model: Model | None
    shape: str
    """The number of products, and the formats."""
    program_word_bits: int | None
    """The bits of the widest word of the simulator."""
    program_word: str | None
    row: AnyRow | None
    open: list[OpenQuestion]
    """The open questions of the row."""
    version: Version


@final
class ModelsUnit(TypedDict):
    """`mmasmt models show --unit`"""
    schema: Literal[1]
    name: str
    unit: str
    """The description."""
    version: Version


@final
class ShownVariant(TypedDict):
    """Operands on which the results differ; d has that of the row, and that with the value of the variant."""
    row: str
    recorded: str | None
    """The card that was recorded to give the result of the row."""
    vector: Vector


VariantEvidence: TypeAlias = ShownVariant | Literal["any nan", "equal", "unknown"]


@final
class VariantKey(TypedDict):
    key: str
    row: str
    """The value in the rows."""
    variant: str
    """The value in the variant."""
    rows: list[str]
    found: VariantEvidence


@final
class ModelsVariant(TypedDict):
    """`mmasmt models variant`: key by key, where rows differ from one of their variants"""
    schema: Literal[1]
    variant: str
    rows: int
    """The number of rows that have the variant."""
    differing: int
    """The number of those that differ from it in a key."""
    keys: list[VariantKey]
    version: Version


@final
class KeyRow(TypedDict):
    key: str
    values: str
    """The values that it takes, in words."""
    default: str
    meaning: str


@final
class AlgorithmRow(TypedDict):
    name: str
    summary: str
    source: str
    keys: list[KeyRow]


@final
class Algorithms(TypedDict):
    """`mmasmt models --algorithms`"""
    schema: Literal[1]
    algorithms: list[AlgorithmRow]
    compositions: list[AlgorithmRow]
    version: Version


@final
class EngineRow(TypedDict):
    name: str
    version: str | None
    """null if a program on PATH does not tell it, or not in time."""
    path: str | None
    engine: str


@final
class Engines(TypedDict):
    """`mmasmt engines`"""
    schema: Literal[1]
    engines: list[EngineRow]
    missing: list[str]
    version: Version


@final
class FormatRow(TypedDict):
    """A format of numbers."""
    name: str
    other_names: list[str]
    """Names that others use, in lower case and without `_` and `-`."""
    bits: int
    """The bits of a register."""
    sign: str
    """What the highest bit is: `sign`, `two's complement`, `not read` or `none`."""
    exponent_bits: int
    fraction_bits: int
    dropped_bits: int
    """Low bits of a register that are not read."""
    precision: int
    """The bits of a significand, the leading one among them."""
    bias: int | None
    exponents: list[int] | None
    """The exponents of normal numbers; null for integers."""
    zero: RegisterValue | None
    negative_zero: bool
    least: RegisterValue
    """The least positive number."""
    least_normal: RegisterValue | None
    """The least positive normal number, if there are others; null for integers."""
    greatest: RegisterValue
    lowest: RegisterValue | None
    """The least number, if it is below zero."""
    epsilon_exponent: int | None
    """The exponent of the step from 1 to the next number."""
    infinity: str | None
    nans: int
    """How many codes are NaNs; bits that are not read are not counted."""
    nan: str | None
    """The code of one NaN."""
    overflow: str | None
    """The result where a rounded number is beyond the greatest one: `infinity`, `nan` or `greatest`; null for integers, where units wrap or
    saturate.
    """


@final
class Formats(TypedDict):
    """`mmasmt formats`"""
    schema: Literal[1]
    formats: list[FormatRow]
    version: Version


@final
class TargetRow(TypedDict):
    capability: str
    """The compute capability."""
    target: str
    instructions: list[str]


@final
class RunList(TypedDict):
    """`mmasmt run --list`"""
    schema: Literal[1]
    targets: list[TargetRow]
    version: Version


@final
class RunEmitPtx(TypedDict):
    """`mmasmt run --emit-ptx`"""
    schema: Literal[1]
    instruction: str
    target: str
    threads: int
    vectors_per_block: int
    bytes_in: int
    bytes_out: int
    ptx: str
    version: Version


@final
class Export(TypedDict):
    """`mmasmt export`: the files that were written."""
    schema: Literal[1]
    files: list[str]
    version: Version


@final
class BenchRow(TypedDict):
    """A model and its name."""
    model: Model
    name: str
    instance: str
    """The widths of the simulator's words."""
    dot_adds_per_second: float
    batch_any: float | None
    """Dot-adds a second of batches of any operands."""
    batch_finite: float | None
    """Dot-adds a second of batches of finite operands."""
    matrices_finite: float | None
    """Dot-adds a second of a product of matrices of finite registers."""
    matrices_normal: float | None
    """Dot-adds a second of a product of matrices of normally distributed numbers."""
    matrices_shape: list[int] | None
    """M, N and K of these products."""
    products_per_second: float | None
    """Products of two factors a second, of finite registers."""
    native_f32_products_per_second: float | None
    """Products of matrices a second in f32 on this processor."""
    operations_any: int | None
    operations_finite: int | None


@final
class Bench(TypedDict):
    """`mmasmt bench`"""
    schema: Literal[1]
    features: str
    """The vector instructions of this processor."""
    rows: list[BenchRow]
    reason: NotRequired[str]
    """The limit that ended it before all models were measured."""
    version: Version


@final
class Compared(TypedDict):
    """The distance of the product from another one, in last places of the result."""
    against: str
    not_the_same: int
    largest_ulp: float | None
    largest_ulp_exact: Number | None
    largest_at: list[int] | None
    mean_ulp: float | None
    signed_mean_ulp: float | None
    """Below 0 if elements are too low."""
    too_low: int
    too_high: int
    largest_absolute: float | None
    largest_absolute_at: list[int] | None
    largest_relative: float | None
    largest_relative_at: list[int] | None
    not_finite: int
    """Elements that are not compared."""
    histogram: list[list[str | int]]
    """Distances, each with the number of elements below it."""


@final
class Matmul(TypedDict):
    """`mmasmt matmul`"""
    schema: Literal[1]
    model: Model
    name: str
    batch: list[int]
    m: int
    k: int
    n: int
    result: str
    """The format of the result."""
    compared: Compared | None
    device_seconds: float | None
    """The time of the device of --device for the product, without copies."""
    cost: Cost
    version: Version


@final
class Plan(TypedDict):
    """`mmasmt plan`"""
    schema: Literal[1]
    table: str
    title: str
    """The machine and the library."""
    plan: str
    """The text of the model that computes the product."""
    status: str
    """`recorded`, `reported`, `inferred` from other shapes, or `assumed`; a table of one's own may have other words."""
    decision: str
    """The decision of the library's heuristic for the shape; empty if no decisions were asked."""
    source: str
    """The source of the rule."""
    note: str
    """What a user of the plan has to know."""
    version: Version


@final
class Unknown(TypedDict):
    """Any command that ran into a limit before it had anything to say."""
    schema: Literal[1]
    verdict: Literal["unknown"]
    reason: str
    version: Version


@final
class Error(TypedDict):
    """Any command, where the request was wrong or something failed."""
    schema: Literal[1]
    error: str
    status: int
    """The exit status, 2."""
    version: Version


@final
class Head(TypedDict):
    """The first line of JSON Lines."""
    schema: int
    """The number of the schema."""
    models: NotRequired[list[str]]
    """The models whose results are in `d`, in their order."""
    instruction: NotRequired[str]
    """The instruction that a device ran."""
    device: NotRequired[list[str]]
    """Facts of the device."""
    kind: NotRequired[str]
    """The kind of inputs that were drawn."""
    seed: NotRequired[int]
    """The seed of the draw."""
    assume: NotRequired[str]
    """The assumption about the operands."""
    signature: str
    """The signature of the vectors."""
    version: str
    """The program and its version."""


@final
class Line(TypedDict):
    """A further line of JSON Lines: a vector without `line`."""
    c: NotRequired[Register]
    a: list[Register]
    b: NotRequired[list[Register]]
    sa: NotRequired[list[Register]]
    sb: NotRequired[list[Register]]
    e: NotRequired[list[Register]]
    """Codes of a sparse instruction; b is all that they select from then."""
    d: NotRequired[list[Register]]


@final
class Stopped(TypedDict):
    """The last line of JSON Lines that were ended early."""
    stopped: str
    vectors: int
    """The number of vectors that were written."""


@final
class Share(TypedDict):
    """The first line of what --shard writes: it says what the other lines are answers to. Behind it each line has `item`, ascending, and
    the answer to that item. All shares of one work have the same header but for `shard`.
    """
    schema: Literal[1]
    version: str
    tables: str
    """SHA-256 of the tables of models and of published claims."""
    command: str
    asked: dict[str, Any]
    """All that the answers depend on."""
    items: int
    """How many items all shares have together."""
    shard: str
    """I/N; 0/1 is everything."""
