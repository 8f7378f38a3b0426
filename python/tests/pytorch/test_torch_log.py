"""Logs as files: what is in them, and those that are not whole; the program that audits one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
pytest.importorskip("safetensors", reason="safetensors is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from logs import changed, recorded
from mmasmt.torch.__main__ import main


def test_what_a_log_leaves_out_is_counted() -> None:
    """A factorisation, a product of the functional form, and what `only` leaves out."""

    def model(x: Any) -> Any:
        return mt.matmul(x, x, machine="H100") @ torch.linalg.inv(x)

    x = torch.eye(4) * 2
    log = mt.record(model, x, machine="H100")
    assert log.header["unseen"] == {"linalg_inv_ex": 1, "mmasmt::product": 1}
    assert "NOT IN THE LOG: 1 x linalg_inv_ex" in mt.audit(log).report()
    nothing = mt.record(model, x, machine="H100", only=lambda op, path: False)
    assert nothing.header["unseen"]["mm"] == 1
    with pytest.raises(ValueError, match="found none: it has no calls"):
        mt.audit(nothing)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "safetensors.torch", None)
    with pytest.raises(ImportError, match="a log needs the package safetensors: pip install"):
        recorded("H100").write(tmp_path / "log")


def test_file_holds_what_was_recorded(tmp_path: Path) -> None:
    log = recorded("H100")
    log.write(tmp_path / "log.safetensors")
    again = mt.Recording.read(tmp_path / "log.safetensors")
    assert again.entries == log.entries and again.header == log.header
    assert mt.audit(tmp_path / "log.safetensors") == mt.audit(log)


def test_files_that_are_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.safetensors"
    recorded("H100").write(path)
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(ValueError, match="expected a file of safetensors, found one that"):
        mt.audit(path)
    length = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + length])

    def written(change: Any) -> None:
        said = json.loads(head["__metadata__"]["mmasmt"])
        change(said)
        text = json.dumps({**head, "__metadata__": {"mmasmt": json.dumps(said)}}).encode()
        path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length :])

    def result(said: Any) -> Any:
        return said["calls"][0]["results"][0]["$tensor"]

    written(lambda said: result(said).update(name="gone"))
    with pytest.raises(ValueError, match="gone: expected a tensor of shape .6, 32. in the log, found none"):
        mt.audit(path)
    written(lambda said: result(said).update(shape=[32, 6], order=[0, 1]))
    with pytest.raises(ValueError, match="expected shape .32, 6. as the header says, found .6, 32."):
        mt.audit(path)
    written(lambda said: said["calls"].reverse())
    assert mt.audit(path).is_equal
    written(lambda said: said.update(format="other"))
    with pytest.raises(ValueError, match="expected a log with the header 'mmasmt-log/1', found 'other'"):
        mt.audit(path)
    path.write_bytes(data[:-4] + bytes([data[-4] ^ 1]) + data[-3:])
    with pytest.raises(ValueError, match="expected the tensor whose SHA-256 is in the header, found another one"):
        mt.audit(path)


def test_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "log.safetensors")
    recorded("H100").write(path)
    assert main(["audit", path]) == 0
    assert main(["audit", path, "--rows", "2", "--columns", "2", "--seed", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["is_equal"] and found["sample"]["rows"] == 2
    changed(recorded("H100"), (1, 1), 0.5).write(path)
    assert main(["audit", path, "--machine", "H100", "--no-search"]) == 1
    assert "DIFFERENT: call 0" in capsys.readouterr().out
    Path(path).write_bytes(b"no log")
    assert main(["audit", path]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert main(["audit", str(tmp_path / "none")]) == 2
