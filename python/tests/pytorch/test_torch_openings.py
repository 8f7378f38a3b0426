"""Commitments by lines: what an opening has, what it does not, and what somebody changed in it."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
pytest.importorskip("safetensors", reason="safetensors is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from logs import changed, drawn, log_of, recorded
from mmasmt.torch import _merkle
from mmasmt.torch.__main__ import main
from mmasmt.torch._commitment import hash_of
from mmasmt.torch._log import header_of


def by_the_standard(lines: list[bytes]) -> bytes:
    """The root of RFC 6962, section 2.1, as its text has it: k is the largest power of two below n."""
    if not lines:
        return hashlib.sha256().digest()
    if len(lines) == 1:
        return hashlib.sha256(b"\x00" + lines[0]).digest()
    k = 1
    while 2 * k < len(lines):
        k *= 2
    return hashlib.sha256(b"\x01" + by_the_standard(lines[:k]) + by_the_standard(lines[k:])).digest()


def test_trees_are_those_of_the_standard() -> None:
    for count in range(1, 40):
        lines = [bytes([i, count]) for i in range(count)]
        levels = _merkle.tree(lines)
        root = levels[-1][0]
        assert root == by_the_standard(lines)
        for i, line in enumerate(lines):
            path = _merkle.path(levels, i)
            assert _merkle.root_of(line, i, count, path) == root
            assert all(_merkle.root_of(line, other, count, path) != root for other in range(count) if other != i)
            assert _merkle.root_of(line + b"x", i, count, path) != root
            assert _merkle.root_of(line, i, count, [*path, root]) is None
            for at in range(len(path)):
                wrong = [x if j != at else hashlib.sha256(x).digest() for j, x in enumerate(path)]
                assert _merkle.root_of(line, i, count, wrong) != root
                assert _merkle.root_of(line, i, count, path[:at]) != root
    assert _merkle.tree([])[-1][0] == by_the_standard([])


def products(machine: str = "H100") -> mt.Recording:
    """A log with each operator whose lines are known, and one that has none."""
    a, b, x = drawn(2, 5, 40).half(), drawn(2, 40, 7, seed=1).half(), drawn(40, seed=2).half()
    flat, other = drawn(16, 64, seed=3).to(torch.float8_e4m3fn), drawn(32, 64, seed=4).to(torch.float8_e4m3fn)
    image, filters = drawn(1, 2, 4, 4).half(), drawn(3, 2, 3, 3).half()

    def model() -> None:
        torch.bmm(a, b)
        torch.baddbmm(a[:, :, :7], a, b)
        torch.mm(a[0], b[0])
        torch.mm(a[0, :, :5], a[0, :, :5])
        torch.addmm(a[0, :, :7], a[0], b[0], beta=0.5)
        torch.addmm(x[:7], a[0], b[0])
        torch.mv(a[0], x)
        torch.addmv(x[:5], a[0], x)
        torch.dot(x, x)
        torch._scaled_mm(flat, other.T, torch.tensor(2.0), torch.tensor(0.5), out_dtype=torch.bfloat16)
        torch._scaled_mm(flat, other.T, torch.rand(16, 1), torch.rand(1, 32), out_dtype=torch.bfloat16)
        torch.conv2d(image, filters)

    with mt.emulate(machine, unknown="ignore"):
        return mt.record(model, (), machine=machine)


def test_every_operator_is_checked_by_its_lines(tmp_path: Path) -> None:
    log = products()
    fixed = mt.commitment(log)
    assert not fixed.tensors
    fixed.write(tmp_path / "commitment")
    assert mt.Recording.read(tmp_path / "commitment").entries == fixed.entries
    for near in (True, False):
        mt.opening(log, 6, seed=5, near=near).write(tmp_path / "opening")
        found = mt.audit(tmp_path / "commitment", opening=tmp_path / "opening", elements=6, seed=5, near="boundary" if near else None)
        assert found.is_equal and [one.op for one in found.unchecked] == ["convolution"]
        # The same elements as with the whole log, and the same power.
        whole = mt.audit(dataclasses.replace(log, entries=log.entries[:-1]), elements=6, seed=5, near="boundary" if near else None)
        assert [one.compared for one in found.findings[:-1]] == [one.compared for one in whole.findings]
        assert found.power == whole.power
    assert all(one.compared == 6 for one in found.findings if one.elements > 6 and one.op != "convolution")
    mt.verify(tmp_path / "commitment", tmp_path / "opening")


def test_an_opening_is_some_lines_and_no_file() -> None:
    a, b = drawn(256, 512).half(), drawn(512, 256, seed=1).half()
    with mt.emulate("H100", unknown="ignore"):
        log = mt.record(lambda: a @ b, (), machine="H100")
    found = mt.opening(log, 8, seed=1)
    lines = {name: len(lines.numbers) for name, lines in found.lines.items()}
    assert len(lines) == 3 and all(count <= 8 for count in lines.values())
    # Eight rows, columns and rows of the result, with paths of eight hashes.
    assert found.size <= 8 * (1024 + 1024 + 512 + 3 * 8 * 32) and not found.whole


@pytest.mark.parametrize("place", [(0, 1), (3, 2)])
def test_a_change_is_seen_by_whoever_looks_at_it(place: tuple[int, int]) -> None:
    """The prover fixes a forged log, and opens it honestly: the bits differ where an element of its row is looked at."""
    log = changed(recorded("H100"), place, 1.0, number=1)
    fixed = mt.commitment(log)
    states = []
    for seed in range(30):
        found = mt.audit(fixed, opening=mt.opening(log, 12, seed, near=False), elements=12, seed=seed, near=None, search=False)
        states.append(found.findings[1].status)
        assert states[-1] == mt.audit(log, elements=12, seed=seed, near=None, search=False).findings[1].status
    assert {"equal", "different"} == set(states)


def test_other_lines_and_paths_are_refused() -> None:
    log = recorded("H100")
    fixed, right = mt.commitment(log), mt.opening(log, 4, seed=3)
    mt.verify(fixed, right)

    def refused(change: Any, text: str) -> None:
        wrong = copy.deepcopy(right)
        change(wrong)
        with pytest.raises(ValueError, match=text):
            mt.verify(fixed, wrong)
        with pytest.raises(ValueError, match=text):
            mt.audit(fixed, opening=wrong, elements=4, seed=3)

    name = next(name for name, lines in right.lines.items() if len(lines.numbers) > 1)
    lines = right.lines[name]

    def turned(wrong: mt.Opening) -> None:
        wrong.lines[name].data[0, 0] ^= 1

    def swapped(wrong: mt.Opening) -> None:
        wrong.lines[name].paths.reverse()

    def shorter(wrong: mt.Opening) -> None:
        wrong.lines[name].paths[0].pop()

    def other_number(wrong: mt.Opening) -> None:
        wrong.lines[name].numbers[0] += 1

    for change in (turned, swapped, shorter, other_number):
        refused(change, "expected line .* with a path to the root in the commitment, found another one")

    def without_line(wrong: mt.Opening) -> None:
        wrong.lines[name] = type(lines)(lines.numbers[1:], lines.data[1:], lines.paths[1:])

    refused(without_line, r"call \d: expected line \d+ of the \w+ of .* in the opening, found none")
    refused(lambda wrong: wrong.lines.pop(name), r"call \d: expected (rows|columns) of .* in the opening, found none")
    refused(lambda wrong: wrong.whole.popitem(), r"call \d: expected the tensor .* in the opening, found none")
    refused(lambda wrong: wrong.whole.update({next(iter(wrong.whole)): next(iter(wrong.whole.values())) ^ 1}), "SHA-256")
    refused(lambda wrong: wrong.near.update({0: [10**9]}), r"call 0: expected at most 3 elements of 192 near .*, found \[1000000000\]")
    refused(lambda wrong: wrong.near.update({0: [0, 1, 2, 3]}), "call 0: expected at most 3 elements of 192")
    refused(lambda wrong: setattr(wrong, "log", "0"), "expected one of this commitment, found one of another log")


def test_a_commitment_with_two_roots_of_one_tensor_is_refused() -> None:
    """Whoever writes a commitment by hand: a name stands for one tensor."""
    a = drawn(8, 8).half()
    with mt.emulate("H100", unknown="ignore"):
        log = mt.record(lambda: (a @ a, torch.addmm(a[0], a, a)), (), machine="H100")
    fixed = mt.commitment(log)
    asked = mt.opening(log, 4, seed=3)
    mt.verify(fixed, asked)
    fixed.entries[1].args[1] = dataclasses.replace(fixed.entries[1].args[1], rows="00" * 32)
    with pytest.raises(ValueError, match="found one of another log"):
        mt.verify(fixed, asked)
    asked.log = hash_of(fixed)
    with pytest.raises(ValueError, match="call 1: expected one root for the rows of .* in the commitment, found two"):
        mt.verify(fixed, asked)
    fixed.entries[1].args[1:] = [1.0, 2.0]
    asked.log = hash_of(fixed)
    with pytest.raises(ValueError, match="addmm: expected tensors for both factors of a product"):
        mt.verify(fixed, asked)


def test_a_commitment_that_somebody_else_wrote(tmp_path: Path) -> None:
    """JSON with other spaces, and without what is optional: the hash is that of the text in the file."""
    from safetensors.torch import save_file

    log = recorded("H100")
    said = json.loads(header_of(mt.commitment(log)))
    for call in said["calls"]:
        call.pop("plan"), call.pop("backward")
    text = json.dumps(said, indent=1, sort_keys=True)
    save_file({}, tmp_path / "commitment", metadata={"mmasmt": text})
    asked = mt.opening(log, 4, seed=3)
    with pytest.raises(ValueError, match="found one of another log"):
        mt.verify(tmp_path / "commitment", asked)
    asked.log = hashlib.sha256(text.encode()).hexdigest()
    assert mt.audit(tmp_path / "commitment", opening=asked, elements=4, seed=3).is_equal
    # What is read and changed has a text of its own.
    again = mt.Recording.read(tmp_path / "commitment")
    again.write(tmp_path / "again")
    assert header_of(again) == header_of(mt.Recording.read(tmp_path / "again")) == text
    again.header["note"] = "changed"
    assert header_of(again) != text and "changed" in header_of(again)
    with pytest.raises(ValueError, match="found one of another log"):
        mt.verify(again, asked)


def test_other_logs_seeds_and_arguments_are_refused() -> None:
    log = recorded("H100")
    fixed, found = mt.commitment(log), mt.opening(log, 4, seed=3)
    with pytest.raises(ValueError, match="found one of another log"):
        mt.audit(mt.commitment(changed(log, (0, 0), 1.0)), opening=found, elements=4, seed=3)
    with pytest.raises(ValueError, match="expected 4 elements of seed 4, found 4 of seed 3"):
        mt.audit(fixed, opening=found, elements=4, seed=4)
    for given in ({"elements": 4}, {"seed": 3}, {"rows": 2, "columns": 2, "seed": 3}):
        with pytest.raises(ValueError, match="opening: expected the elements and the seed that it was asked for"):
            mt.audit(fixed, opening=found, **given)
    with pytest.raises(ValueError, match="elements: expected an integer of 1 or more, found 0"):
        mt.opening(log, 0, seed=1)
    with pytest.raises(ValueError, match="in the log, found none"):
        mt.opening(fixed, 4, seed=3)
    with pytest.raises(ValueError, match="hashes of operands alone"):
        mt.audit(fixed)


def test_whoever_opens_cannot_hide_what_the_elements_are_good_for() -> None:
    """A prover who offers elements on which machines agree: the report says that they are not told apart."""
    a, b = drawn(64, 512).bfloat16(), drawn(512, 512, seed=1).bfloat16()
    with mt.emulate("MI300X", unknown="ignore"):
        log = mt.record(lambda: a @ b, (), machine="H100")
    fixed = mt.commitment(log)
    honest = mt.audit(fixed, opening=mt.opening(log, 64, seed=0), elements=64, seed=0, search=False)
    assert not honest.is_equal
    sly = mt.opening(log, 64, seed=0, near=False)
    found = mt.audit(fixed, opening=sly, elements=64, seed=0, search=False)
    assert found.is_equal and found.power is not None and "cdna3" in found.power.alike


def test_registers_stay_as_they_are() -> None:
    """A NaN with a code of its own, and the sign of a zero, go through lines."""
    a, b = torch.zeros(4, 8).half(), torch.zeros(8, 4).half()
    a[0, 0], b[0, 0] = torch.inf, 0.0
    a.view(torch.int16)[1, 0], a[2, 0] = 0x7D01, -0.0
    with mt.emulate("H100", unknown="ignore"):
        result = a @ b
    log = log_of(("mm", [a, b], {}, result), machine="H100")
    found = mt.audit(mt.commitment(log), opening=mt.opening(log, 16, seed=0), elements=16, seed=0)
    assert found.is_equal and found.findings[0].compared == 16


def test_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / name) for name in ("log", "commitment", "opening")]
    recorded("H100").write(paths[0])
    assert main(["commit", *paths[:2]]) == 0
    assert main(["open", paths[0], paths[2], "--elements", "5", "--seed", "9"]) == 0
    asked = ["audit", paths[1], "--opening", paths[2], "--elements", "5"]
    assert main([*asked, "--seed", "9"]) == 0
    assert "2 of 2 calls, said to be of H100 equal; 10 of 240 elements compared" in capsys.readouterr().out
    assert main([*asked, "--seed", "8"]) == 2 and "seed 8" in capsys.readouterr().err
    assert main(["audit", paths[2]]) == 2 and "expected a log with the header" in capsys.readouterr().err
    assert main(["audit", paths[1], "--opening", paths[1], "--elements", "5", "--seed", "9"]) == 2
    assert "expected an opening with the header 'mmasmt-opening/1'" in capsys.readouterr().err
