"""What an emulation of JAX is asked for and says: plans and their tables, refusals, warnings, comparisons and the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mmasmt
import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

import jax.numpy as jnp
import ml_dtypes
import mmasmt.jax as mj
from given import H100, drawn, emulated
from jax import lax
from orders import chain, same

TABLE = """
format = "mmasmt-plans/1"
machine = "H100"
library = "a library"
source = "a test"

[[rule]]
op = "dot_general"
K = 256
plan = "epilogue({split}):out=bf16"
status = "recorded"

[[rule]]
K = 200
plan = "epilogue({lost}):out=bf16"
status = "recorded"

[[rule]]
K = 256
layout = "tn"
plan = "epilogue({lost}):out=bf16"
status = "recorded"

[[rule]]
plan = "epilogue({split}):out=bf16"
status = "assumed"
"""


def test_plans_of_the_caller() -> None:
    a, b = drawn(15, 3, 128, dtype=np.float16), drawn(16, 128, 3, dtype=np.float16)
    split = mj.Plan("", parts=2, tile=64, source="a profile", verified="reported")
    function = emulated(lambda a, b: lax.dot(a, b, preferred_element_type=jnp.float32), plans=[mj.Rule(split, op="dot_general", k=128)])
    halves = [mmasmt.matmul(a[:, at], b[at], model=H100["float16"]) for at in (slice(0, 64), slice(64, 128))]
    assert same(function(a, b), halves[0] + halves[1])
    assert not function.unknown and "ASSUMED" not in function.report() and "XLA chooses" not in function.report()
    with pytest.raises(ValueError, match="^plans: expected a unit for f16, found fda:K=32,F=20,in=e4m3 for e4m3 and e4m3"):
        emulated(lambda a, b: a @ b, plans=[mj.Rule(mj.Plan("fda:K=32,F=20,in=e4m3"))])(a, b)
    with pytest.raises(ValueError, match="^plans: expected a plan of one device, found 2 devices, all-reduce in f32"):
        emulated(lambda a, b: a @ b, plans=[mj.Rule(mj.Plan("", ranks=2))])(a, b)


def test_tables_of_plans(tmp_path: Path) -> None:
    unit, path = H100["bfloat16"], tmp_path / "h100.toml"
    lost, split = f"splitk({unit}):S=3,tile=64,lost=64", f"splitk({unit}):S=2,tile=64,part=bf16"
    path.write_text(TABLE.format(split=split, lost=lost))
    a, b = drawn(17, 4, 256, dtype=ml_dtypes.bfloat16), drawn(18, 256, 4, dtype=ml_dtypes.bfloat16)
    for table in (mmasmt.Plans(path), str(path)):
        function = emulated(lambda a, b: a @ b, plans=table)
        for k, model, order in ((256, split, "2 parts of"), (200, lost, "as composed")):
            sums = mmasmt.matmul(a[:, :k], b[:k], model=model)
            assert same(function(a[:, :k], b[:k]), sums.astype(ml_dtypes.bfloat16))
            assert function.calls[-1].plan.order_text().startswith(order) and function.calls[-1].plan.verified == "recorded"
    # The last rule is an assumption: the next rule is asked.
    function(a[:, :64], b[:64])
    assert [call.shape.k for call in function.unknown] == [64] and function.calls[-1].plan.source.startswith("one chain along k is")
    other = emulated(lambda a, b: a @ b, "H200", plans=mmasmt.Plans(path))
    other(a, b)
    assert other.calls[0].plan.verified == "inferred" and "INFERRED: the plans of 1 product of 1 shape" in other.report()


@pytest.mark.parametrize(
    ("a", "b", "options", "text"),
    [
        ("float32", "bfloat16", {}, "expected operands of one type, found float32 and bfloat16; convert one of them"),
        ("complex64", "complex64", {}, "expected operands in f16, bf16, f32, f64 or FP8, found complex64; convert them"),
        ("float32", "int8", {}, "expected operands in f16, bf16, f32, f64 or FP8, found int8; convert them"),
        ("float16", "float16", {"precision": "F16_F16_F16"}, "expected one of the algorithms F16_F16_F32, "),
        ("bfloat16", "bfloat16", {"precision": "BF16_BF16_BF16"}, "found BF16_BF16_BF16; take one of these, or precision=None"),
        ("float8_e4m3fn", "float8_e4m3fn", {}, "expected a result in f32, f16, bf16 of operands in e4m3.e4m3, found float8_e4m3fn"),
        ("float8_e5m2", "float8_e5m2", {"preferred_element_type": "float32"}, "H100 has no unit for e5m2.e5m2"),
        ("float16", "float16", {"precision": "ANY_F8_ANY_F8_F32"}, "expected operands in FP8 for ANY_F8_ANY_F8_F32, found f16 and f16"),
        ("float32", "float32", {"precision": "F64_F64_F64"}, "expected a result in f64 of operands in f64, found float32"),
    ],
)
def test_what_is_not_emulated_is_refused_in_one_line(a: str, b: str, options: dict[str, Any], text: str) -> None:
    left, right = jnp.ones((2, 4), a), jnp.ones((4, 2), b)
    with pytest.raises(mj.Refused) as error:
        emulated(lambda a, b: lax.dot(a, b, **options))(left, right)
    message = str(error.value)
    assert text in message and "\n" not in message
    assert message.startswith(f"dot_general of {a}[1, 2, 4] and {b}[1, 4, 2] is not emulated for H100: ")


def test_a_machine_without_a_unit_refuses() -> None:
    with pytest.raises(mj.Refused, match="V100 has no unit for bf16"):
        emulated(lambda a: a @ a, "V100")(jnp.ones((2, 2), jnp.bfloat16))
    with pytest.raises(ValueError, match="^unknown architecture `H1000`: "):
        mj.emulate(lambda a: a, "H1000")
    with pytest.raises(ValueError, match="^unknown: expected one of warn, error, ignore, found 'no'$"):
        mj.emulate(lambda a: a, "H100", unknown="no")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^function: expected a function, found str; "):
        mj.emulate("H100", "H100")  # type: ignore[arg-type]


def test_an_unknown_plan_warns_once_or_is_an_error() -> None:
    a = np.ones((2, 2), np.float16)
    with pytest.warns(mj.Unknown, match=r"^H100: no plan is recorded for dot_general \(2 x 2\) \(2 x 2\) f16 -> f16, ") as seen:
        mj.emulate(lambda a: a @ a @ a, "H100")(a)
    assert len(seen) == 1
    with pytest.raises(mj.Refused, match="is assumed: pass plans=, or unknown='warn'"):
        mj.emulate(lambda a: a @ a, "H100", unknown="error")(a)


def test_compare_counts_results_with_other_bits() -> None:
    a, b = drawn(21, 6, 200, dtype=np.float16), drawn(22, 200, 7, dtype=np.float16)
    run = emulated(lambda a, b: lax.dot(a, b, preferred_element_type=jnp.float32), compare="V100")
    own, theirs = (mmasmt.matmul(a, b, model=model) for model in (H100["float16"], "volta/mma.m8n8k4.f32.f16.f16.f32"))
    assert same(run(a, b), own)
    (call,) = run.calls
    assert (call.compared, call.different) == (42, int((own != theirs).sum())) and 0 < call.different < 43
    assert f"{call.different} of 42 results have other bits" in run.report()
    with pytest.raises(mj.Refused, match="V100 has no unit for bf16"):
        emulated(lambda a: a @ a, compare="V100")(jnp.ones((2, 2), jnp.bfloat16))


def test_only_leaves_products_to_this_processor() -> None:
    a, b = drawn(19, 4, 16, dtype=np.float16), drawn(20, 16, 4, dtype=np.float16)
    seen = []

    def only(op: str, shape: mj.Shape, path: str) -> bool:
        seen.append((op, shape.k, shape.kind, path))
        return path != "left"

    def function(a: Any, b: Any) -> Any:
        with jax.named_scope("left"):
            first = a @ b
        with jax.named_scope("taken"):
            return first @ first

    run = emulated(function, only=only)
    first = jnp.asarray(a) @ jnp.asarray(b)
    assert same(run(a, b), emulated(lambda x: x @ x)(first))
    assert seen == [("dot_general", 16, "f16", "left"), ("dot_general", 4, "f16", "taken")]
    assert run.native == {"dot_general": 1} and "1 x dot_general: computed by this processor, not emulated" in run.report()
    assert [(call.module, call.backward) for call in run.calls] == [("taken", False)]


def test_the_report_says_that_products_with_vectors_may_be_sums() -> None:
    a = np.ones((2, 2), np.float16)
    for other, expected in ((a[0], 1), (a, 0)):
        run = emulated(lambda a, b: a @ b)
        run(a, other)
        assert run.report().count("close, not exact: XLA may multiply and sum a product with a vector") == expected


def test_the_report_ends_with_what_is_assumed() -> None:
    function = emulated(lambda a: a @ a, library="XLA of JAX 0.10")
    function(np.ones((2, 2), np.float16))
    first, product, *_, assumed, elementwise, last = function.report().split("\n")
    assert first.startswith("H100, XLA of JAX 0.10: 1 product of matrices") and product.startswith("1 x dot_general (2 x 2) (2 x 2) f16")
    assert assumed.startswith("ASSUMED: one chain along k for 1 product") and elementwise.startswith("elementwise operators")
    assert last.startswith("XLA chooses between cuBLAS, Triton and fusions")
