"""Rules from a catalogue of cuBLAS dispatch, as hardware_rounding_error_predictor writes it (arXiv 2606.00279)."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from .._emulation.errors import Unknown
from .._emulation.plan import Plan
from .._emulation.plans import Rule


def catalogue(path: str | Path) -> list[Rule]:
    """The plans of a catalogue for products of bf16, as rules for `emulate` and `audit`.

    A region says how products of some N and K are made for a range of M. The catalogue looked at some numbers of rows, not at all of
    the range: a plan is ``reported`` for those whose bits it compared, and ``assumed`` in between. A region whose bits it found to be
    others is left out; so is a kernel that cuts k both inside of a block and over blocks, which no plan says. A warning counts them.

    Parameters
    ----------
    path : str or path
        A file of JSON, with ``meta`` and ``lanes``, each with ``regions``.

    Raises
    ------
    ValueError
        If the file is no such catalogue, or is for other formats.
    """
    try:
        data = json.loads(Path(path).read_text())
        meta, lanes = data["meta"], data["lanes"]
        formats = meta["dtype_in"], meta["dtype_out"], meta["dtype_compute"]
        regions = [(lane["N"], lane["K"], region) for lane in lanes for region in lane["regions"]]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: expected a catalogue with meta and lanes, found one without {error}") from None
    if formats != ("bf16", "bf16", "fp32"):
        raise ValueError(f"{path}: expected products of bf16 in f32, found {' -> '.join(formats)}")
    source = f"{meta.get('sku', 'a GPU')}, catalogue of hardware_rounding_error_predictor"
    rules, left_out = [], 0
    for n, k, region in regions:
        keys = None if region.get("error") or region.get("verified") is False else _keys(region)
        if keys is None:
            left_out += 1
            continue
        between = Plan("", **keys, source=f"{source}: between sizes that it looked at", verified="assumed")
        least, most = region["M_min"], region["M_max"]
        if region.get("verified"):
            seen = Plan("", **keys, source=source, verified="reported")
            looked_at = [m for m in meta.get("M_grid", ()) if least <= m <= most]
            rules += [Rule(seen, m=m, n=n, k=k, kind="bf16", out="bf16") for m in sorted({least, most, *looked_at})]
        rules.append(Rule(between, m=(least, most), n=n, k=k, kind="bf16", out="bf16"))
    if left_out:
        warnings.warn(f"{path}: {left_out} of {len(regions)} regions have no plan here, and are left out", Unknown, stacklevel=2)
    return rules


def _keys(region: dict[str, Any]) -> dict[str, Any] | None:
    """Keys of the plan of a recipe; None for one that no plan says."""
    recipe, parts, sizes = region.get("recipe"), region.get("split_k") or 1, region.get("recipe_kwargs") or {}
    tile = sizes.get("tb_K", 64)
    if recipe == "single_walk":
        return {}
    if recipe == "split_k_workspace_outtype":
        return {"parts": parts, "tile": tile, "partial": "out"}
    if recipe == "split_k_cutlass_bf16_out":
        return {"parts": parts, "tile": tile, "running": "out"}
    if recipe == "split_k_sliced_kernel" and parts == 1:
        # Warps of a block take their k in turns, and are added in f32.
        warp = sizes.get("warp_K", 32)
        return {"parts": tile // warp, "tile": warp, "order": "strided"}
    return None
