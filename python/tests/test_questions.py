"""Questions: what is found holds in the simulator, and answers are those of the program."""

import sys
from dataclasses import replace
from typing import Any

import mmasmt
import numpy as np
import pytest
from mmasmt import _schema as schema
from mmasmt._ask import ask


def test_a_difference_feeds_back() -> None:
    left, right = "V100/HMMA.884.F32.F32", "fda:F=24"
    found = mmasmt.distinguish(left, right, count=3)
    assert found.verdict == "different" and len(found.witnesses) == 3
    for one in found.witnesses:
        results = [mmasmt.dot(**one.operands, model=model) for model in (left, right)]
        assert [np.asarray(d).view(np.uint32) for d in results] == [np.asarray(d).view(np.uint32) for d in one.d]
        assert results[0] != results[1]


# A machine with one product of f16, whose sum is rounded to f16.
COMMAND = f"""run:{sys.executable} -c '
import struct, sys
def value(bits, kind):
    return struct.unpack(">" + kind, bytes.fromhex(bits))[0]
for line in sys.stdin:
    c, a, b = line.split()[:3]
    total = value(c, "f") + value(a, "e") * value(b, "e")
    print(struct.pack(">f", value(struct.pack(">e", total).hex(), "e")).hex())
'"""
NEAR = "a exp -3..3, b exp -3..3, c exp -3..3"
ONE = "1 products f16 x f16, c f32, result f32"


@pytest.mark.parametrize(("left", "right"), [(COMMAND, "fda:K=1"), ("fda:K=1", COMMAND), (COMMAND, "model:fda:K=1"), (COMMAND, COMMAND + " ")])
def test_a_command_is_a_machine(left: str, right: str) -> None:
    is_same = left.strip() == right.strip()
    stated = {"operands": ONE} if is_same else {}
    found = mmasmt.distinguish(left, right, samples=200, assume=NEAR, **stated)
    assert found.verdict == ("unknown" if is_same else "different")
    if not is_same:
        one = found.witness
        assert one is not None and one.a.dtype == np.float16 and one.d[0].dtype == np.float32
        place = 1 if left == COMMAND else 0
        assert mmasmt.dot(**one.operands, model="fda:K=1") == one.d[place] != one.d[1 - place]


def test_two_commands_that_differ() -> None:
    other = COMMAND.replace('value(struct.pack(">e", total).hex(), "e")', "total")
    found = mmasmt.distinguish(COMMAND, other, operands=ONE, samples=200, assume=NEAR)
    assert found.witness is not None and found.witness.b.dtype == np.float16 and found.witness.d[0] != found.witness.d[1]
    with pytest.raises(ValueError, match="operands: expected those of two commands"):
        mmasmt.distinguish(COMMAND, other)
    with pytest.raises(ValueError, match="operands: expected no block scales beside two commands"):
        mmasmt.distinguish(COMMAND, other, operands="32 products e4m3 x e4m3, ue8m0 scales of 32, c f32, result f32")


@pytest.mark.parametrize("machine", ["model:fda:F=24", "cpu:x86/vdpbf16ps"])
def test_a_machine_that_is_no_command_is_one(machine: str) -> None:
    own = machine.partition(":")[2]
    model = "fda:F=10" if machine.startswith("model:") else "fda:K=2,in=bf16,F=10"
    for left, right in ((machine, model), (model, machine)):
        try:
            found = mmasmt.distinguish(left, right, samples=2000)
        except ValueError as error:
            if "processor" in str(error):
                pytest.skip(str(error))
            raise
        one = found.witness
        assert found.verdict == "different" and one is not None
        results = [mmasmt.dot(**one.operands, model=name) for name in ((own, model) if left == machine else (model, own))]
        assert [float(d) for d in results] == [float(d) for d in one.d] and results[0] != results[1]


def test_scales_feed_back() -> None:
    found = mmasmt.distinguish("gdfs:in=nvfp4,F=20", "gdfs:in=nvfp4")
    assert found.witness is not None
    left, right = (mmasmt.dot(**found.witness.operands, model=f"gdfs:in=nvfp4{keys}") for keys in (",F=20", ""))
    assert left != right


def test_claims() -> None:
    assert mmasmt.prove("order-independent", "fda:K=8").verdict == "proved"
    refuted = mmasmt.prove("faithful", "fda:F=10")
    assert refuted.verdict == "refuted" and refuted.witness is not None
    low, high = sorted(refuted.witness.beside.values())
    assert not low <= refuted.witness.d[0] <= high
    assert mmasmt.least("F", "faithful", "fda:K=32,in=e4m3", assume="c = 0").proved_at == 34


def test_a_query_is_several_claims_each_with_its_verdict() -> None:
    found = mmasmt.prove("carry-bits-9-terms")
    assert [(one.verdict, one.expected, one.is_twin) for one in found.claims] == [("proved", "proved", False), ("refuted", "refuted", True)]
    assert found.is_known and found.is_as_expected is True and not hasattr(found, "verdict")
    twin = found.claims[1]
    assert twin.is_as_expected and twin.answer.witness is not None and twin.model.endswith("carry=3")
    # What is expected of it is said of each claim, and one that came out otherwise, or is not known, is not hidden by the others.
    wrong = replace(twin, expected="proved")
    unknown = replace(twin, answer=replace(twin.answer, verdict="unknown"))
    assert replace(found, claims=(found.claims[0], wrong)).is_as_expected is False
    assert replace(found, claims=(found.claims[0], unknown)).is_as_expected is None
    assert replace(found, claims=(wrong, unknown)).is_as_expected is False
    assert not replace(found, claims=()).is_known and replace(found, claims=()).is_as_expected is None
    with pytest.raises(ValueError, match="a query says what is assumed"):
        mmasmt.prove("carry-bits-9-terms", assume="finite")


def test_claims_of_ordinary_operands() -> None:
    found = mmasmt.prove("faithful", "fda:F=10", ordinary=True)
    assert found.witness is not None
    assert all(2.0**-4 <= abs(float(x)) < 2.0**5 for x in [*found.witness.a, *found.witness.b, found.witness.c])


def test_worst_and_compare() -> None:
    worst = mmasmt.worst("fda:K=2", timeout=0.5)
    assert worst.witness is not None
    rows = mmasmt.compare(["_", "promote:every=1"], on=["fda:K=4,F=9,in=e4m3"], lengths=[64], exponents="-3..3", samples=100)
    assert len(rows) == 2 and rows[1].median < rows[0].median


def test_tables() -> None:
    assert len(mmasmt.models()) > 190
    assert all(row.architecture == "hopper" for row in mmasmt.models("H100"))
    assert mmasmt.model("H100/HMMA.16816.F32").specification.startswith("fda:")
    with pytest.raises(ValueError, match="did you mean"):
        mmasmt.model("H100/HMMA.16816.F33")


def test_a_callable_is_identified() -> None:
    names = [f"fda:K=8,F={bits},in=bf16" for bits in range(22, 28)]
    for hidden in names:
        found = mmasmt.identify(lambda a, b, c, hidden=hidden: mmasmt.dot(a, b, c, model=hidden), names, count=3000)
        assert found.matches == (hidden,)


def test_a_callable_is_learnt() -> None:
    operands = "2 products f16 x f16, c f32, result f32"

    def machine(a: Any, b: Any, c: Any) -> Any:
        assert a.shape == b.shape == (len(c), 2) and a.dtype == np.float16 and c.dtype == np.float32
        # Two steps of IEEE 754, by NumPy: a product of f16 is exact in f32.
        with np.errstate(all="ignore"):
            wide = a.astype(np.float32) * b.astype(np.float32)
            d = c + wide[:, 0] + wide[:, 1]
        return np.where(np.isnan(d), np.uint32(0x7FC00000).view(np.float32), d).astype(np.float32)

    found = mmasmt.learn(machine, operands, confirm=20_000, seed=1)
    # No solver proves in time that a fused multiply-add of f16 is a product and a sum.
    assert found.verdict == "confirmed" or found.data["unsettled"], found
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 1000, 2)).astype(np.float16)
    c = rng.standard_normal(1000).astype(np.float32)
    assert np.array_equal(mmasmt.dot(a, b, c, model=found.model), machine(a, b, c))

    calls = 0

    def changing(a: Any, b: Any, c: Any) -> Any:
        nonlocal calls
        calls += 1
        return np.full(len(c), calls, np.float32)

    assert mmasmt.learn(changing, operands, questions=500).verdict == "not a function"


def test_a_machine_that_cannot_be_learnt_is_refused() -> None:
    def broken(a: Any, b: Any, c: Any) -> Any:
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        mmasmt.learn(broken, "2 products f16 x f16, c f32, result f32")
    with pytest.raises(ValueError, match="machine: expected [0-9]+ results, found 1"):
        mmasmt.learn(lambda a, b, c: np.zeros(1, np.float32), "2 products f16 x f16, c f32, result f32")
    with pytest.raises(ValueError, match="operands: expected a text such as .*, found `two products`"):
        mmasmt.learn(broken, "two products")
    with pytest.raises(ValueError, match="operands: expected operands without block scales"):
        mmasmt.learn(broken, "32 products e4m3 x e4m3, ue8m0 scales of 32, c f32, result f32")
    with pytest.raises(ValueError, match="at most 256 products"):
        mmasmt.learn(broken, "257 products u8 x s8, c s32, result s32")


def test_a_machine_of_integers_is_an_algorithm_with_parameters() -> None:
    def machine(a: Any, b: Any, c: Any) -> Any:
        with np.errstate(over="ignore"):
            wide = (a.astype(np.int64) * b.astype(np.int64)).sum(axis=1) + c
        return wide.clip(-(2**31), 2**31 - 1).astype(np.int32)

    found = mmasmt.learn(machine, "4 products u8 x s8, c s32, result s32", confirm=2000)
    assert (found.verdict, found.name) == ("confirmed", "int:a=u8,b=s8,overflow=saturate"), found
    assert found.model == found.name


def test_vectors_pass_their_model() -> None:
    drawn = mmasmt.vectors("gdfs", count=20)
    assert len(drawn) == 20
    for one in drawn:
        d = mmasmt.dot(**one.operands, model="gdfs")
        assert np.asarray(d).view(np.uint32) == np.asarray(one.d[0]).view(np.uint32)


def test_an_explanation_is_text_and_a_page() -> None:
    found = mmasmt.explain([1, 2**-12, 0, 0], [1, 2**-12, 0, 0], model="fda:F=23")
    assert "product[1]" in repr(found)
    assert "product[1]" in found._repr_html_() and "srcdoc" in found._repr_html_()


def test_a_limit_before_any_answer_is_unknown_or_an_error() -> None:
    words = ["tolerance", "fda", "--k=64", "--time=0.0001"]
    assert ask((schema.Tolerance, schema.Unknown), *words)["verdict"] == "unknown"
    with pytest.raises(RuntimeError, match="tolerance: time limit reached"):
        mmasmt.tolerance("fda", k=64, timeout=1e-4)


def test_an_answer_of_another_kind_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="models: expected an answer of another kind, found the keys schema, rows"):
        ask((schema.Least, schema.Unknown), "models", "list", "V100")
