"""What a spot check may miss, counted over all samples and changes of small products; and the screen of plans."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt
import mmasmt.torch as mt
from mmasmt.torch._operator import Operands
from mmasmt.torch._product import dtype_of, product
from mmasmt.torch._sample import Cells, Grid, Sample
from mmasmt.torch._screen import Screen, places_of

M, N = 4, 3
GRIDS = {
    (r, c): [
        sum(1 << (i * N + j) for i in rows for j in columns)
        for rows in itertools.combinations(range(M), r)
        for columns in itertools.combinations(range(N), c)
    ]
    for r in range(1, M + 1)
    for c in range(1, N + 1)
}


def share_of(grids: list[int], changed: int) -> Fraction:
    """The share of samples that have none of the changed elements."""
    return Fraction(sum(not grid & changed for grid in grids), len(grids))


@pytest.mark.parametrize("r, c", list(GRIDS))
def test_grid_misses_no_more_than_is_said(r: int, c: int) -> None:
    """All 4,096 sets of changed elements, beside all samples."""
    grids, sample = GRIDS[r, c], Sample(0, rows=r, columns=c)
    one, row, column = 1, (1 << N) - 1, sum(1 << (i * N) for i in range(M))
    said = sample.missed(1, M, N)
    for changed, chance in ((one, said.one), (row, said.row), (column, said.column)):
        assert float(share_of(grids, changed)) == pytest.approx(chance)
    by_count: dict[int, list[Fraction]] = {}
    for changed in range(1, 1 << (M * N)):
        by_count.setdefault(changed.bit_count(), []).append(share_of(grids, changed))
    for count, missed in by_count.items():
        said = sample.missed(1, M, N, count / (M * N))
        assert float(max(missed)) <= said.anywhere + 1e-12
        assert float(sum(missed) / len(missed)) == pytest.approx(said.scattered)


def test_chance_of_independent_elements_is_no_bound_for_a_grid() -> None:
    """A row in four of all elements, looked at in two rows and two columns: missed by half of the samples, and not by (3/4)^4."""
    row = (1 << N) - 1
    assert share_of(GRIDS[2, 2], row) == Fraction(1, 2) > Fraction(3, 4) ** 4
    assert Fraction(1, 2) <= Fraction(3, 4) ** 2


@pytest.mark.parametrize("elements", [1, 3, 12, 20])
def test_single_elements(elements: int) -> None:
    """Wherever changes are, the chance depends on their number alone."""
    drawn = list(itertools.combinations(range(M * N), min(elements, M * N)))
    sample = Sample(0, elements=elements)
    for count in range(1, M * N + 1):
        missed = Fraction(sum(min(one) >= count for one in drawn), len(drawn))
        said = sample.missed(1, M, N, count / (M * N))
        assert said.anywhere == said.scattered == pytest.approx(float(missed))
        assert said.anywhere <= (1 - count / (M * N)) ** min(elements, M * N) + 1e-12


def test_samples_are_drawn_from_the_seed_and_evenly() -> None:
    counts = torch.zeros(2, 5, 6)
    for seed in range(600):
        chosen = Sample(seed, elements=6).chosen(0, 2, 5, 6)
        assert isinstance(chosen, Cells)
        chosen.put(counts, counts[chosen.matrix, chosen.row, chosen.column] + 1)
        assert len({*zip(chosen.matrix.tolist(), chosen.row.tolist(), chosen.column.tolist())}) == 6
    assert counts.sum() == 3600 and 30 < counts.min() and counts.max() < 95
    grids = [Sample(7, rows=2, columns=9).chosen(number, 1, 50, 6) for number in (3, 3, 4)]
    assert all(isinstance(grid, Grid) and len(grid.columns) == 6 for grid in grids)
    assert torch.equal(grids[0].rows, grids[1].rows) and not torch.equal(grids[0].rows, grids[2].rows)


UNITS = ["hopper/wgmma.m64nNk16.f32.f16.f16", "ada/mma.m16n8k32.f32.e4m3.e4m3.f32", "sfma:fmt=f32", "sfma:fmt=f64"]


@pytest.mark.parametrize("seed", range(40))
def test_screen_agrees_with_compositions(seed: int) -> None:
    """Parts that are summed once and added here, beside `splitk`, which does both."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    unit = draw.choice([*UNITS, "hopper/wgmma.m64nNk8.f32.tf32.tf32"])
    kinds = mmasmt.signature(unit)
    is_tf32 = "tf32" in unit
    kind = torch.float32 if is_tf32 else dtype_of(kinds.a.format)
    k, out = draw.choice([48, 130, 200]), "f64" if kind == torch.float64 else draw.choice(["f32", "bf16", "f16"])
    a, b = torch.randn(1, 3, k).to(kind), torch.randn(1, k, 2).to(kind)
    base = mt.Plan(unit, out=out, alpha=draw.choice([1.0, 0.5]), round_in="tf32" if is_tf32 else "none")
    keys = {
        "parts": draw.randint(1, 9),
        "tile": draw.choice([8, 16, 32, 64]),
        "order": draw.choice(["contiguous", "strided"]),
        "every": draw.choice([0, 2 * kinds.products]),
        **draw.choice([{}, {"combine": "pairwise"}, {"combine": "tree"}, {"partial": "out"}, {"running": "out"}]),
    }
    if out == "f64":
        keys |= {"every": 0}
    operands, cells = Operands(a, b), Cells(torch.tensor([0, 0, 0]), torch.tensor([0, 1, 2]), torch.tensor([0, 1, 0]))
    made = product(a, b, replace(base, **keys))[0, cells.row, cells.column]
    assert Screen(base, cells.taken(operands), made).passes(keys)
    made[1] = torch.nextafter(made[1].double(), torch.tensor(9.0).double()).to(made.dtype) if out == "f64" else made[1] * 1.01
    assert not Screen(base, cells.taken(operands), made).passes(keys)


def test_every_product_is_in_one_part() -> None:
    plan = mt.Plan("sfma:fmt=f32", parts=3, tile=16)
    for order in ("contiguous", "strided"):
        places = places_of(100, replace(plan, order=order))
        assert sorted(int(i) for place in places for i in place) == list(range(100))
    assert [len(place) for place in places_of(100, plan)] == [48, 48, 4]
