"""Plans: tables, and what they answer."""

import json
import os
from pathlib import Path

import mmasmt
import numpy as np
import pytest

RESULTS = ["float32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"]
RESULT_NAMES = ["f32", "bf16", "f16", "e4m3", "e5m2"]
FACTORS = ["e4m3", "e5m2"]


def write_decisions(folder, rows, envelope=None):
    """A file of decisions in the form of mmaemu."""
    names = ["M", "N", "K", "fa", "fb", "out", "fast", "ws", "splitK", "custom", "algo", "tile", "stages", "reduction"]
    columns = {name: np.array([row[name] for row in rows], np.int32 if name in "MNK" else np.uint8) for name in names}
    np.savez_compressed(folder / "heur.npz", **columns)
    codes = {
        "fa/fb": dict(enumerate(FACTORS)),
        "out": dict(enumerate(RESULTS)),
        "ws": [0, 1 << 20],
    }
    meta = {"codes": codes, "settings": [], **({"envelope": envelope} if envelope else {})}
    (folder / "heur.json").write_text(json.dumps(meta))
    return folder / "heur.npz"


def row(M, N, K, S, **others):
    return {
        **dict.fromkeys(["fa", "fb", "custom", "algo", "tile", "stages", "reduction"], 0),
        **{"M": M, "N": N, "K": K, "out": 1, "fast": 1, "ws": 1, "splitK": S},
        **others,
    }


def test_decisions_are_known_to_the_rules(tmp_path):
    bound = {"fmt_a": "e4m3", "fmt_b": "e4m3", "out": "bfloat16", "fast": True, "ws": 1 << 20, "B": [1000, None]}
    envelope = {"inference": True, "kind": "k_grid", "K_min": 64, "K_max": 4096, "K_grid": [1024, 4096], "bounds": [bound]}
    rows = [row(64, 4096, 14336, 3), row(16, 16, 1024, 1), row(8, 8, 512, 2, fast=0, fb=1, out=0)]
    plans = mmasmt.Plans("h100-fp8", decisions=write_decisions(tmp_path, rows, envelope))
    split = plans.explain(64, 4096, 14336)
    unit = "hopper/wgmma.m64nNk32.f32"
    assert split.model == f"epilogue(splitk({unit}.e4m3.e4m3):S=3,tile=128):alpha=1,out=bf16"
    assert (split.status, "S 3" in split.decision) == ("recorded", True)
    slow = plans.explain(8, 8, 512, fast=False, b="e5m2", out="f32")
    assert slow.model == f"epilogue(splitk(promote({unit}.e4m3.e5m2):every=4):S=2,tile=128):alpha=1,out=f32"
    assert plans.explain(16, 16, 1024).status == "recorded"
    assert plans.explain(40, 30, 1000).status == "inferred"
    assert plans.explain(64, 4096, 14336, workspace=0).model == f"epilogue({unit}.e4m3.e4m3):alpha=1,out=bf16"
    for unknown in [(10, 10, 1000), (400, 300, 2000), (400, 300, 9000), (400, 300, 10)]:
        assert plans.explain(*unknown).status == "assumed"


def test_what_no_rule_fits_is_an_error():
    with pytest.raises(ValueError, match="no rule of H100"):
        mmasmt.Plans("cublaslt").explain(1, 2, 3)
    with pytest.raises(ValueError, match="expected a table of plans"):
        mmasmt.Plans("nothing")
    with pytest.raises(TypeError, match="M: expected an integer"):
        mmasmt.Plans("cublaslt").explain(1.5, 2, 3)


def test_a_plan_is_a_model():
    plans = mmasmt.Plans("cublaslt")
    lost = plans.explain(1, 8, 8648, algo=66, stages=35, S=9, out="f32")
    ones = np.ones((1, 8648), np.float32).view(np.uint32) >> 16
    a = ones.astype(np.uint16)
    found = mmasmt.matmul(a, np.repeat(a.T, 8, 1), plan=lost)
    assert np.array_equal(found, np.full((1, 8), 8640, np.float32))
    with pytest.raises(TypeError, match="expected a model or a plan, found both"):
        mmasmt.matmul(a, a.T, plan=lost, model=lost.model)
    with pytest.raises(TypeError, match="found neither"):
        mmasmt.matmul(a, a.T)


@pytest.mark.skipif("MMASMT_MMAEMU" not in os.environ, reason="MMASMT_MMAEMU names no folder of mmaemu's tables")
@pytest.mark.parametrize("table, file", [("h100-fp8", "heur_h100pcie"), ("rtx4060-fp8", "heur_rtx4060")])
def test_rows_of_mmaemu_are_answered(table, file):
    """A hundred thousand rows, whose parts and order are those of the row."""
    path = Path(os.environ["MMASMT_MMAEMU"]) / f"{file}_lt12.8.3.14.npz"
    plans, columns = mmasmt.Plans(table, decisions=path), np.load(path)
    columns = {name: columns[name] for name in columns.files}
    chosen = np.random.default_rng(0).choice(len(columns["M"]), 100_000, replace=False)
    for number in chosen:
        one = {name: int(column[number]) for name, column in columns.items()}
        known = {"a": FACTORS[one["fa"]], "b": FACTORS[one["fb"]], "out": RESULT_NAMES[one["out"]], "fast": bool(one["fast"])}
        workspace = [0, 1 << 20, 4 << 20, 32 << 20][one["ws"]]
        found = plans.explain(one["M"], one["N"], one["K"], workspace=workspace, **known)
        parts = one["splitK"]
        assert found.status == "recorded"
        assert ("splitk(" in found.model) == (parts > 1)
        assert parts <= 1 or f":S={parts}," in found.model
        assert ("pairwise" in found.model) == (parts > 1 and table == "rtx4060-fp8" and one["custom"] == 1)
        assert ("every=4" in found.model) == (not one["fast"])
        assert found.model.endswith(f"out={RESULT_NAMES[one['out']]}")
