"""The program ``python -m mmasmt.torch``: `audit` of a log, its commitment, and some lines of it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from json import dumps
from typing import Any, Literal

from ._audit import audit
from ._commitment import commitment, opening


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, and returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m mmasmt.torch", description="Products of PyTorch on another machine.")
    description = (
        "Check the products of a log bit for bit. Exit status 0: all are equal, 1: something differs, 2: an error, "
        "3: nothing differs, and something is close alone, or not checked."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("audit", help="check a recorded inference", description=description)
    command.add_argument("log", metavar="LOG", help="a file that mmasmt.torch.record wrote")
    command.add_argument("--machine", default="", help="such as H100; the one that the log claims, if nothing is said")
    for name, what in (("rows", "rows of each product"), ("columns", "columns of each product"), ("elements", "single elements")):
        command.add_argument(f"--{name}", type=int, metavar="N", help=f"spot check of so many {what}")
    command.add_argument("--near", choices=("boundary", "none"), default="boundary", help="which of the elements are not drawn")
    command.add_argument("--attention", choices=("flash2",), help="compare attention with tiles of FlashAttention 2")
    command.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="of the search for another machine or plan")
    command.add_argument("--seed", type=int, metavar="N", help="of the spot check; drawn if nothing is said")
    command.add_argument("--no-search", dest="search", action="store_false", help="do not look for another machine or plan")
    command.add_argument("--threads", type=int, default=0, metavar="N", help="0 for as many as there are processors")
    command.add_argument("--opening", metavar="FILE", help="lines of a log of which LOG is the commitment")
    command.add_argument("--json", action="store_true", help="the findings as JSON")
    command.set_defaults(run=_audited)
    command = commands.add_parser("commit", help="write the commitment of a log: roots of trees over its lines")
    command.add_argument("log", metavar="LOG", help="a file that mmasmt.torch.record wrote")
    command.add_argument("path", metavar="FILE", help="where to write it")
    command.set_defaults(run=_committed)
    command = commands.add_parser("open", help="write the lines of a log that an auditor asks for")
    command.add_argument("log", metavar="LOG", help="a file that mmasmt.torch.record wrote")
    command.add_argument("path", metavar="FILE", help="where to write them")
    command.add_argument("--elements", type=int, metavar="N", required=True, help="so many single elements of each product")
    command.add_argument("--seed", type=int, metavar="N", required=True, help="what the auditor drew after the commitment was fixed")
    command.add_argument("--near", choices=("boundary", "none"), default="boundary", help="which of the elements are not drawn")
    command.set_defaults(run=_opened)
    given = vars(parser.parse_args(arguments))
    run: Callable[..., int] = given.pop("run")
    try:
        return run(**given)
    except Exception as error:
        # A status of 1 would say that something differs.
        print(f"error: {error}", file=sys.stderr)
        return 2


def _audited(json: bool, near: str, **given: Any) -> int:
    found = audit(**given, near=_near(near))
    print(dumps(found.json()) if json else found.report())
    if not found.is_equal:
        return 1
    return 3 if found.close or found.unchecked or found.unseen else 0


def _committed(log: str, path: str) -> int:
    commitment(log).write(path)
    return 0


def _opened(log: str, path: str, elements: int, seed: int, near: str) -> int:
    opening(log, elements, seed, near=_near(near) is not None).write(path)
    return 0


def _near(text: str) -> Literal["boundary"] | None:
    return "boundary" if text == "boundary" else None


if __name__ == "__main__":
    sys.exit(main())
