"""What an audit found: a record for each call of a log, and the report."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ._power import Power
from ._sample import Missed, Sample

# Matches that a report shows: few elements do not tell many plans apart.
_MOST = 5

Status = Literal["equal", "different", "close", "unchecked"]


@dataclass(frozen=True)
class Difference:
    """One element of a result: what was recorded and what the machine gives, as registers and as numbers.

    `ulps` is how many numbers of the format lie between them and one more, None where one is no number; `explanation` has the machine's
    dot-add bit by bit, where the element is one.
    """

    index: tuple[int, ...]
    recorded: str
    machine: str
    recorded_value: str
    machine_value: str
    ulps: int | None
    explanation: str = ""

    def text(self) -> str:
        """In one line."""
        if self.ulps is None:
            apart = "a NaN among them"
        elif not self.ulps:
            apart = "zeros of two signs"
        else:
            apart = f"{self.ulps} ulp apart"
        here = ", ".join(map(str, self.index))
        return f"element [{here}]: recorded {self.recorded} = {self.recorded_value}, machine {self.machine} = {self.machine_value}; {apart}"


@dataclass(frozen=True)
class Finding:
    """One call of the log.

    `status` is ``equal``, ``different``, ``close`` for attention whose bits are others and no farther away than its kind explains, or
    ``unchecked`` for a `reason`; `different` of `compared` elements have other bits, of
    `elements` that the results have. `operands` is ``recorded`` if those of the log were multiplied, ``derived`` if the model gave the
    same ones on this processor, and ``other`` if it gave other ones. `matches` are machines and plans that give all bits that were
    compared, found among `tried`; `is_cut` is whether the time was over before all were.
    """

    number: int
    op: str
    module: str
    shape: str
    status: Status
    reason: str = ""
    elements: int = 0
    compared: int = 0
    different: int = 0
    first: Difference | None = None
    plan: str = ""
    verified: str = ""
    operands: Literal["recorded", "derived", "other"] = "recorded"
    matches: tuple[str, ...] = ()
    tried: int = 0
    is_cut: bool = False
    missed: Missed | None = None

    @property
    def is_misfit(self) -> bool:
        """Whether the results have other shapes or types than the operator gives."""
        return self.status == "different" and bool(self.reason) and not self.compared

    def place(self) -> str:
        """Which call this is, for a report."""
        return f"{self.number}, {self.shape or self.op}" + (f" in {self.module}" if self.module else "")


@dataclass(frozen=True)
class Audit:
    """What an audit of a log found on a machine.

    `sample` says which elements were looked at, None for all. `mismatches` are sentences about a model, inputs or outputs that are not
    those of the log; `unseen` counts operators with products that the log leaves out. `power` says which other machines and plans the
    elements of a spot check would have shown.
    """

    machine: str
    claimed: str
    findings: tuple[Finding, ...]
    sample: Sample | None = None
    mismatches: tuple[str, ...] = ()
    unseen: dict[str, int] = field(default_factory=dict)
    power: Power | None = None

    def _with(self, status: Status) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == status]

    @property
    def is_equal(self) -> bool:
        """Whether every element that was compared has the bits of the machine, and nothing else contradicts the log.

        Calls that could not be checked are in `unchecked`, attention that is near is in `close`, and neither is meant.
        """
        return bool(self._with("equal")) and not self._with("different") and not self.mismatches

    @property
    def different(self) -> list[Finding]:
        """Calls with elements that the machine does not give."""
        return self._with("different")

    @property
    def close(self) -> list[Finding]:
        """Calls of attention with other bits, no farther from those of the machine than other exponentials, tiles and orders explain."""
        return self._with("close")

    @property
    def unchecked(self) -> list[Finding]:
        """Calls that could not be checked."""
        return self._with("unchecked")

    def json(self) -> dict[str, Any]:
        """Everything, for `json.dumps`."""
        return {**asdict(self), "is_equal": self.is_equal}

    def report(self) -> str:
        """What agrees, each call that differs with its first element, what was not checked, and what a spot check may have missed."""
        equal, checked = self._with("equal"), [finding for finding in self.findings if finding.status != "unchecked"]
        compared, elements = (sum(getattr(finding, name) for finding in checked) for name in ("compared", "elements"))
        claim = f", said to be of {self.claimed}" if self.claimed else ""
        counts = f"{len(equal)} of {len(self.findings)} calls{claim} equal; {compared} of {elements} elements compared"
        lines = [f"{self.machine}: {counts}"]
        if self.sample is not None:
            lines.append(f"spot check: {self.sample.text()}")
        lines += self.mismatches
        for finding in self.different:
            lines += _different(finding)
        lines += [f"CLOSE: call {finding.place()}: {finding.reason}" for finding in self.close]
        reasons = Counter(f"{finding.op}: {finding.reason}" for finding in self.unchecked)
        lines += [f"NOT CHECKED: {count} x {reason}" for reason, count in reasons.items()]
        lines += [f"NOT IN THE LOG: {count} x {name}" for name, count in self.unseen.items()]
        assumed = sum(finding.verified == "assumed" for finding in equal)
        if assumed:
            lines.append(f"ASSUMED: how {assumed} of the equal calls are summed: the log agrees, and nobody recorded it of the library")
        if equal and self.sample is not None:
            lines += self.power.lines() if self.power is not None else []
            lines += _missed(equal, self.sample)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.report()


def _different(finding: Finding) -> list[str]:
    lines = [f"DIFFERENT: call {finding.place()}: " + (finding.reason or f"{finding.different} of {finding.compared} elements")]
    if finding.plan:
        lines.append(f"  by {finding.plan} ({finding.verified})")
    if finding.first is not None:
        lines.append(f"  {finding.first.text()}")
        lines += [f"    {line}" for line in finding.first.explanation.splitlines()]
    if finding.matches:
        lines += [f"  recorded bits are those of {match}" for match in finding.matches[:_MOST]]
        more = len(finding.matches) - _MOST
        others = f"{more} others of these give the recorded bits too, and " if more > 0 else ""
        lines.append(f"  {finding.tried} machines and plans were tried; {others}some that were not tried may")
    elif finding.tried:
        lines.append(f"  none of {finding.tried} other machines and plans give the recorded bits")
    if finding.is_cut:
        lines.append("  the search ended with its time, before all were tried: pass timeout=")
    return lines


def _missed(equal: list[Finding], sample: Sample) -> list[str]:
    """Chances, as a range over all calls: what holds for changes that were made without knowing the seed."""
    chances = [finding.missed for finding in equal if finding.missed is not None]
    if not chances:
        return []

    def span(name: str) -> str:
        values = sorted(getattr(one, name) for one in chances)
        least, most = (f"{value:.4g}" for value in (values[0], values[-1]))
        return least if least == most else f"{least} to {most}"

    share = chances[0].share
    together = math.prod(one.anywhere for one in chances)
    lines = [
        "chance that the spot check misses a change in one product, if it was made without knowing the seed:",
        f"  one element {span('one')}; one whole row {span('row')}; one whole column {span('column')}",
        f"  {share:.0%} of the elements: at most {span('anywhere')} wherever they are, {span('scattered')} if they are scattered at random",
        f"  {share:.0%} of the elements of each of the {len(chances)} products: at most {together:.4g}",
    ]
    if len(chances) < len(equal):
        lines.append(f"  {len(equal) - len(chances)} calls of several products each are not in these figures")
    return lines
