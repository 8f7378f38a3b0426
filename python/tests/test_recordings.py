"""Recordings of an RTX 4060, computed again."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mmasmt import Plans, dot, matmul
from recordings import Instructions, Output, Product, Recordings
from replay import SUBSET, bits, compute, folder, kind, number, product_of_scales, replay, unit

ALL = os.environ.get("MMASMT_MMAEMU")
# Every so many results go through the slower tests.
EVERY = 8 if ALL is None else 1


@pytest.fixture(scope="module")
def subset():
    return list(Recordings(SUBSET).cases())


def counts(found):
    total = found.total()
    return total.outputs, total.elements, total.different


def test_the_subset_has_the_recorded_bits(subset):
    found = replay(subset)
    print(found.report())
    assert found.differences == []
    assert counts(found) == (530, 37_556, 0)
    assert sum(found.cases.values()) == 526
    assert found.refused.total() == 259


def test_the_subset_has_every_kind_of_everything(subset):
    products = [output.what for case in subset for output in case.outputs if isinstance(output.what, Product)]
    split = {(one.fast, one.parts, one.order) for one in products}
    assert len(split) == 70
    assert {parts for _, parts, _ in split} == {*range(1, 17), 20, 24, 29, 32}
    formats = {(one.fast, one.order, one.out, one.factors) for one in products if one.factors != ("", "")}
    # e4m3 by e4m3 has no e5m2 result.
    assert len({one[2:] for one in formats}) == 14


def test_a_wrong_bit_is_found(subset):
    case = next(case for case in subset if case.kind == "gemm" and case.outputs[0].expected is not None)
    output = case.outputs[0]
    wrong = Output(output.label, output.recording, output.what, output.expected ^ 1)
    found = replay([type(case)(case.id, case.kind, [wrong])])
    assert found.total().different == found.total().elements > 0
    assert output.label in found.report()


def test_another_plan_has_other_bits(subset):
    """The other order of the parts, one part, and the other accumulation would be seen."""
    outputs = [output for case in subset for output in case.outputs if isinstance(output.what, Product)]
    split = [one for one in outputs if one.what.parts > 2 and one.what.a.shape[1] <= 6144][::EVERY]
    changes = {
        "order": lambda what: replace(what, order="serial" if what.order == "pairwise" else "pairwise"),
        "parts": lambda what: replace(what, parts=1, order="none"),
        "fast": lambda what: replace(what, fast=not what.fast),
    }
    for name, change in changes.items():
        seen = sum(np.any(compute(change(one.what)) != one.expected) for one in split)
        assert seen > len(split) / 5, (name, seen, len(split))


def test_the_table_of_plans_has_the_recorded_bits(subset):
    plans, seen = Plans("rtx4060-fp8"), 0
    outputs = [output for case in subset for output in case.outputs if isinstance(output.what, Product)]
    for output in outputs[::EVERY]:
        what = output.what
        if not what.a.size or not what.b.size or what.diagonal:
            continue
        known = {"a": what.factors[0], "b": what.factors[1], "out": what.out, "fast": what.fast}
        known |= {"S": what.parts, "custom": int(what.order == "pairwise"), "alpha": number(product_of_scales(what))}
        if what.scale_result is not None:
            known["scale"] = number(what.scale_result)
        plan = plans.explain(what.a.shape[0], what.b.shape[0], what.a.shape[1], **known)
        assert plan.status == "recorded"
        found = bits(matmul(what.a, what.b.T, model=plan.model))
        assert np.array_equal(found, output.expected), (output.label, plan.model)
        seen += 1
    assert seen > 400 / EVERY


def test_products_of_matrices_are_dot_adds(subset):
    """One by one, as vectors are checked."""
    found = [output for case in subset for output in case.outputs if isinstance(output.what, Instructions)]
    one = next(output for output in found if output.what.products == 32 and not output.what.tiles)
    sums = dot(one.what.a, one.what.b, one.what.c, model=unit(one.what.factors))
    assert np.array_equal(bits(sums), one.expected)
    assert kind(one) == "mma.sync, 32 products"


@pytest.mark.skipif(ALL is None, reason="MMASMT_MMAEMU names no folder of mmaemu's recordings")
def test_all_recordings_have_the_recorded_bits():
    found = replay(Recordings(folder(Path(ALL))).cases())
    print(found.report())
    assert found.differences == []
    assert found.cases == {"with results": 1217, "partly refused": 11, "refused": 1291}
    assert counts(found) == (4386, 3_124_733, 0)
    assert found.refused.total() == 9541
    assert not {reason for reason in found.refused if reason.startswith("no reason")}
