"""Machines and descriptions that a user brings."""

import subprocess
import sys
from pathlib import Path

import mmasmt
import numpy as np
import pytest

UNIT = """unit halves(F = 24 in 1..40) {
  a, b: f16[4]
  c, d: f32
  p = a * b
  t = round(fuse(p) keep F by rz) to f32 by rz
  d = round(fuse(t, c) keep F by rz) to f32 by rz
}
"""

TABLE = """arch = "bench"
title = "A bench"
gpus = ["Bench One"]

[variants]
wide = "F=30"

[[row]]
name = ["DOT4"]
model = "unit:halves"
evidence = ["reported: a drawing"]
"""


def folder_of(path: Path, table: str = TABLE) -> Path:
    (path / "bench.toml").write_text(table)
    (path / "halves.unit").write_text(UNIT)
    return path


def test_a_description_stands_in_braces() -> None:
    one, tiny = np.float16([1, 2, 3, 4]), np.float16([1, 1, 1, 2**-14])
    both = [mmasmt.dot(one, tiny, model=name) for name in (f"unit:{{{UNIT}}}", f"unit:{{{UNIT}}}:F=12")]
    # The largest product is 3, of exponent 1: its last of 12 fraction bits is 2^-11, and 4 * 2^-14 lies below.
    assert [float(d) for d in both] == [6 + 2**-12, 6]
    with pytest.raises(ValueError, match="line 3, character 3: expected `]`"):
        mmasmt.dot(one, tiny, model=f"unit:{{{UNIT.replace('f16[4]', 'f16[4')}}}")


def test_tables_of_a_folder(tmp_path: Path) -> None:
    mmasmt.add_tables(folder_of(tmp_path))
    mmasmt.add_tables(str(tmp_path))
    found = mmasmt.model("Bench One/DOT4@wide")
    assert found.evidence == ("reported: a drawing",) and found.params["F"] == "30"
    assert [row.instruction for row in mmasmt.models("bench")] == ["DOT4"]
    assert mmasmt.distinguish("bench/DOT4", "unit:halves").verdict == "equal"


def test_a_folder_that_is_wrong(tmp_path: Path) -> None:
    table = TABLE.replace("bench", "bank").replace("unit:halves", "unit:thirds")
    with pytest.raises(ValueError, match="bench.toml"):
        mmasmt.add_tables(folder_of(tmp_path, table))
    assert "bank" not in {row.architecture for row in mmasmt.models()}


def test_the_environment_names_folders(tmp_path: Path) -> None:
    code = "import mmasmt; print(mmasmt.model('bench/DOT4').specification)"
    run = subprocess.run([sys.executable, "-c", code], env={"MMASMT_TABLES": str(folder_of(tmp_path))}, capture_output=True, text=True)
    assert run.stdout == "unit:halves\n", run.stderr


def test_a_name_without_rows_has_none() -> None:
    """`CPU` is an algorithm of descriptions, and B300 has instructions whose arithmetic nobody knows."""
    assert mmasmt.models("CPU") == [] and mmasmt.models("B300") == []
