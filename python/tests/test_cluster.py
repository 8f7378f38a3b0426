"""Shares on this machine and on Ray: the same bytes, also when a node is lost in the middle."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from mmasmt import cluster

# A time that no question takes: what is unknown for want of time would depend on what else the machine does.
MUTANTS = ["mutants", "fda:F=25,K=2,in=e4m3", "--pair-timeout", "10m"]


def alone(folder: Path, arguments: list[str]) -> bytes:
    command = [sys.executable, "-m", "mmasmt", *arguments, "--shard", "0/1", "--quiet"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=folder).stdout


@pytest.mark.parametrize("shares", [1, 4])
def test_shares_of_this_machine_are_the_work_of_one(tmp_path: Path, shares: int) -> None:
    lines = cluster.run(MUTANTS, shares=shares, folder=tmp_path)
    assert lines[0]["items"] == len(lines) - 1
    assert [line["item"] for line in lines[1:]] == list(range(len(lines) - 1))
    assert (tmp_path / "all.jsonl").read_bytes() == alone(tmp_path, MUTANTS)


def test_a_folder_is_gone_on_with(tmp_path: Path) -> None:
    cluster.run(MUTANTS, shares=2, folder=tmp_path)
    whole = (tmp_path / "all.jsonl").read_bytes()
    part = tmp_path / "share-1-of-2.jsonl"
    part.write_bytes(part.read_bytes()[:-700])
    cluster.run(MUTANTS, shares=2, folder=tmp_path)
    assert (tmp_path / "all.jsonl").read_bytes() == whole


def test_slices_of_a_share_are_the_whole_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SLICE", 0.5)
    unit = "unit:{unit u(F = 9 in 1..16) { a, b: e2m1[1] c, d: f32 d = round(fuse(a * b, c) keep F) to f32 by rz }}"
    few = ["mutants", unit, "--pair-timeout", "10m"]
    file = tmp_path / "share.jsonl"
    file.write_bytes(b"")
    while (wrong := cluster._slice(few, 0, 1, file)) is not None:
        assert wrong == ""
    assert file.read_bytes() == alone(tmp_path, few)
    other = tmp_path / "wrong.jsonl"
    other.write_bytes(b"")
    assert "expected" in (cluster._slice(["mutants", "fda:F=x"], 0, 1, other) or "")


def test_errors_are_those_of_the_program(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="expected"):
        cluster.run(["mutants", "fda:F=x"], shares=2, folder=tmp_path, retries=0)
    with pytest.raises(ValueError, match="shares"):
        cluster.run(MUTANTS, shares=0)
    (tmp_path / "none").write_text("no lines\n")
    with pytest.raises(RuntimeError, match="expected the first line of a share"):
        cluster.merge([tmp_path / "none"], tmp_path / "all.jsonl")


def test_a_node_of_ray_is_lost_in_the_middle(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    utils = pytest.importorskip("ray.cluster_utils")
    nodes = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        lost = nodes.add_node(num_cpus=2)
        ray.init(address=nodes.address, log_to_driver=False)
        import threading

        def lose() -> None:
            time.sleep(2)
            nodes.remove_node(lost, allow_graceful=False)

        losing = threading.Thread(target=lose)
        losing.start()
        cluster.run(MUTANTS, shares=12, folder=tmp_path, ray=ray)
        losing.join()
    finally:
        ray.shutdown()
        nodes.shutdown()
    assert (tmp_path / "all.jsonl").read_bytes() == alone(tmp_path, MUTANTS)
