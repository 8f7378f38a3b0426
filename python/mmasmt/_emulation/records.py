"""The log of an emulation for other programs: as JSON, and as the products that `kernels/libraries/record_plans.py` takes."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .calls import Call, Log

# What the recorder asks a library for, and the layouts that it has.
_RECORDED = ("mm", "addmm", "_scaled_mm")
_LAYOUTS = ("tn", "nn", "tt", "nt")


def json_of(log: Log) -> dict[str, Any]:
    """Everything that a report has, for `json.dumps`; `calls` are rows of a table."""
    rows = [
        {
            **asdict(call.shape), "module": call.module, "backward": call.backward, "count": call.count, "seconds": call.seconds,
            "macs": call.products, "compared": call.compared, "different": call.different, "order": call.plan.order_text(),
            **{name: getattr(call.plan, name) for name in ("unit", "parts", "tile", "every", "source", "verified")},
        }
        for call in log.calls
    ]  # fmt: skip
    counted = {name: dict(getattr(log, name)) for name in ("native", "refused", "exact", "notes")}
    return {"machine": log.machine, "calls": rows, **counted}


def write_products(log: Log, path: str | Path) -> list[Call]:
    """Writes a line of JSON for each product that the recorder can ask a GPU for, once; gives the calls that it has no words for."""
    lines: dict[str, None] = {}
    left_out = []
    for call in log.calls:
        if (line := _line(call)) is None:
            left_out.append(call)
        else:
            lines[line] = None
    Path(path).write_text("".join(f"{line}\n" for line in lines))
    return left_out


def _line(call: Call) -> str | None:
    shape = call.shape
    # An addend that is no row, or a scale for each row, is another question to the library.
    is_known = shape.op in _RECORDED and shape.batch == 1 and shape.scales in ("", "tensor") and (shape.op != "addmm" or shape.bias)
    if not is_known or 0 in (shape.m, shape.n, shape.k):
        return None
    a, _, b = shape.kind.partition(".")
    a, b = ("f32" if one == "tf32" else one for one in (a, b or a))
    case: dict[str, Any] = {"op": shape.op, "M": shape.m, "N": shape.n, "K": shape.k, "a": a, "b": b, "out": shape.out}
    case |= {"layout": shape.layout} if shape.layout in _LAYOUTS else {}
    case |= {"tf32": True} if shape.kind == "tf32" else {}
    case |= {} if shape.fast is None else {"fast": shape.fast, "bias": shape.bias}
    return json.dumps(case)
