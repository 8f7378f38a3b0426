"""The program ``python -m mmasmt.torch``: `audit` of a log."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from ._audit import audit


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, and returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m mmasmt.torch", description="Products of PyTorch on another machine.")
    description = (
        "Check the products of a log bit for bit. Exit status 0: all are equal, 1: something differs, 2: an error, "
        "3: nothing differs, and something is not checked."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("audit", help="check a recorded inference", description=description)
    command.add_argument("log", metavar="LOG", help="a file that mmasmt.torch.record wrote")
    command.add_argument("--machine", default="", help="such as H100; the one that the log claims, if nothing is said")
    for name, what in (("rows", "rows of each product"), ("columns", "columns of each product"), ("elements", "single elements")):
        command.add_argument(f"--{name}", type=int, metavar="N", help=f"spot check of so many {what}")
    command.add_argument("--near", choices=("boundary", "none"), default="boundary", help="which of the elements are not drawn")
    command.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="of the search for another machine or plan")
    command.add_argument("--seed", type=int, metavar="N", help="of the spot check; drawn if nothing is said")
    command.add_argument("--no-search", dest="search", action="store_false", help="do not look for another machine or plan")
    command.add_argument("--threads", type=int, default=0, metavar="N", help="0 for as many as there are processors")
    command.add_argument("--json", action="store_true", help="the findings as JSON")
    given = vars(parser.parse_args(arguments))
    as_json = given.pop("json")
    given["near"] = None if given["near"] == "none" else given["near"]
    try:
        found = audit(**given)
    except Exception as error:
        # A status of 1 would say that something differs.
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found.json()) if as_json else found.report())
    if not found.is_equal:
        return 1
    return 3 if found.unchecked or found.unseen else 0


if __name__ == "__main__":
    sys.exit(main())
