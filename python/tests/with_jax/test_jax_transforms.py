"""Functions of functions: gradients, batches, loops, branches, and what JAX compiles."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import mmasmt
import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

import jax.numpy as jnp
import mmasmt.jax as mj
from orders import chain, same

F16 = "hopper/wgmma.m64nNk16.f32.f16.f16"


def drawn(seed: int, *shape: int, dtype: Any = np.float32) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32).astype(dtype)


def emulated(function: Any, machine: str = "H100", **options: Any) -> Any:
    return mj.emulate(function, machine, unknown="ignore", **options)


def product(a: Any, b: Any) -> np.ndarray[Any, Any]:
    """One product of f16 on an H100, rounded to f16."""
    found: np.ndarray[Any, Any] = mmasmt.matmul(np.asarray(a), np.asarray(b), model=F16).astype(np.float16)
    return found


def counts(run: Any) -> list[tuple[int, int, int, int, int]]:
    return [(call.count, call.shape.batch, call.shape.m, call.shape.k, call.shape.n) for call in run.calls]


# Two layers, by hand: each gradient is a chain of fused multiply-adds.
X, W1, W2, OF_Y = drawn(0, 5, 7), drawn(1, 7, 6), drawn(2, 6, 3), drawn(3, 5, 3)


def network(w1: Any, w2: Any) -> Any:
    return (jax.nn.relu(X @ w1) @ w2 * OF_Y).sum()


def by_hand() -> tuple[Any, Any]:
    hidden = chain(X, W1)
    active = np.maximum(hidden, np.float32(0))
    of_hidden = np.where(hidden > 0, chain(OF_Y, W2.T), np.float32(0))
    return chain(X.T, of_hidden), chain(active.T, OF_Y)


def test_gradients_of_a_network_are_chains_by_hand() -> None:
    expected = by_hand()
    inner, outer = emulated(network, tf32=False), emulated(jax.grad(network, (0, 1)), tf32=False)
    for function in (jax.grad(inner, (0, 1)), outer, jax.jit(outer), jax.jit(jax.grad(inner, (0, 1)))):
        assert all(same(x, y) for x, y in zip(function(W1, W2), expected))
    # A processor may have the same chains, so that its own bits would tell nothing.
    in_tf32 = emulated(jax.grad(network, (0, 1)), tf32=True)(W1, W2)
    assert not any(same(x, y) for x, y in zip(in_tf32, expected))
    # Forward 2, of which XLA leaves the second one out, as no gradient needs it; backward 3: X is a constant.
    assert sum(call.count for call in outer.calls) == sum(call.count for call in inner.calls) == 5 + 4
    assert sum(call.count for call in outer.calls if call.backward) == 6


def attention(q: Any, k: Any, v: Any) -> Any:
    return jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k), axis=-1) @ v


def test_attention() -> None:
    q, k, v = (drawn(seed, 2, 3, 5, 16, dtype=np.float16) for seed in (4, 5, 6))
    weights = np.asarray(jax.nn.softmax(jnp.asarray(product(q, np.swapaxes(k, -1, -2))), axis=-1))
    function = emulated(attention)
    assert same(function(q, k, v), product(weights, v))
    assert counts(function) == [(1, 6, 5, 16, 5), (1, 6, 5, 5, 16)]
    # The function of JAX itself computes the same two products, the first one to f32.
    own = emulated(jax.nn.dot_product_attention)
    own(*(np.swapaxes(x, 1, 2) for x in (q, k, v)))
    assert [call.shape.out for call in own.calls] == ["f32", "f16"]


# A network that is repeated, with exact operations between its products.
STEPS, START, WEIGHTS = drawn(7, 4, 3, 8, dtype=np.float16), drawn(8, 3, 8, dtype=np.float16), drawn(9, 8, 8, dtype=np.float16)


def steps(w: Any, h: Any, xs: Any) -> Any:
    def step(h: Any, x: Any) -> tuple[Any, Any]:
        h = jnp.maximum(h @ w, x)
        return h, h

    return jax.lax.scan(step, h, xs)[1]


def steps_by_hand() -> Any:
    h, found = START, []
    for x in STEPS:
        h = np.maximum(product(h, WEIGHTS), x)
        found.append(h)
    return np.stack(found)


def test_scan() -> None:
    function = emulated(steps)
    assert same(function(WEIGHTS, START, STEPS), steps_by_hand()) and counts(function) == [(4, 1, 3, 8, 8)]
    assert same(jax.jit(function)(WEIGHTS, START, STEPS), steps_by_hand())
    loss = lambda function: lambda w: function(w, START, STEPS).astype(jnp.float32).sum()
    assert same(jax.grad(loss(function))(WEIGHTS), emulated(jax.grad(loss(steps)))(WEIGHTS))


def test_scan_backward_and_in_reverse() -> None:
    reversed_steps = lambda w: jax.lax.scan(lambda h, x: (jnp.maximum(h @ w, x), h), START, STEPS, reverse=True)
    h = START
    for x in STEPS[::-1]:
        h = np.maximum(product(h, WEIGHTS), x)
    assert same(emulated(reversed_steps)(WEIGHTS)[0], h)


def test_while_and_cond() -> None:
    loop = emulated(lambda x: jax.lax.while_loop(lambda state: state[0] < 3, lambda state: (state[0] + 1, state[1] @ WEIGHTS), (0, x))[1])
    expected = START
    for _ in range(3):
        expected = product(expected, WEIGHTS)
    assert same(loop(START), expected) and loop.calls[0].count == 3

    branch = emulated(lambda flag, x: jax.lax.cond(flag, lambda x: x @ WEIGHTS, lambda x: -x, x))
    assert same(branch(True, START), product(START, WEIGHTS)) and same(branch(False, START), -START)
    assert branch.calls[0].count == 1
    mapped = jax.vmap(branch, (0, None))(np.array([True, False]), START)
    assert same(mapped, np.stack([product(START, WEIGHTS), -START]))

    condition = emulated(lambda x: jax.lax.while_loop(lambda x: (x @ x)[0, 0] < 100, lambda x: x + x, x))
    condition(np.eye(2, dtype=np.float16))
    assert condition.calls[0].count == 5


def test_functions_inside() -> None:
    inside = {
        "jit": jax.jit(lambda x: x @ WEIGHTS),
        "checkpoint": jax.checkpoint(lambda x: x @ WEIGHTS),
        "custom_vmap": jax.custom_batching.custom_vmap(lambda x: x @ WEIGHTS),
        "custom_jvp": jax.custom_jvp(lambda x: x @ WEIGHTS),
        "custom_vjp": jax.custom_vjp(lambda x: x @ WEIGHTS),
        "composite": jax.lax.composite(lambda x: x @ WEIGHTS, "mmasmt.test"),
        "jit of jit": jax.jit(jax.jit(lambda x: x @ WEIGHTS)),
    }
    inside["custom_vmap"].def_vmap(lambda size, is_batched, x: (x @ WEIGHTS, True))
    inside["custom_jvp"].defjvp(lambda x, dx: (x[0] @ WEIGHTS, dx[0] @ WEIGHTS))
    inside["custom_vjp"].defvjp(lambda x: (x @ WEIGHTS, None), lambda _, g: (g @ WEIGHTS.T,))
    for name, function in inside.items():
        run = emulated(function)
        assert same(run(START), product(START, WEIGHTS)), name
        assert counts(run) == [(1, 1, 3, 8, 8)], name


def test_rules_of_the_caller_are_kept() -> None:
    double = jax.custom_vjp(lambda x: x @ WEIGHTS)
    double.defvjp(lambda x: (x @ WEIGHTS, None), lambda _, g: (2 * (g @ WEIGHTS.T),))
    ones = np.ones((3, 8), np.float16)
    for function in (jax.grad(lambda x: emulated(double)(x).sum()), emulated(jax.grad(lambda x: double(x).sum()))):
        assert same(function(START), 2 * product(ones, WEIGHTS.T))


def test_a_checkpoint_computes_its_products_again() -> None:
    function = emulated(jax.grad(lambda w: jnp.sin(jax.checkpoint(lambda w: jnp.sin(START @ w))(w)).sum()))
    function(WEIGHTS)
    assert [(call.backward, call.count) for call in function.calls if call.shape.m == 3] == [(False, 1), (True, 1)]


def test_a_batch_is_what_jax_makes_of_it() -> None:
    """vmap of a product whose second factor is one for all is one product of all rows."""
    x = drawn(10, 6, 3, 8, dtype=np.float16)
    function = emulated(lambda x, w: x @ w)
    assert same(jax.vmap(function, (0, None))(x, WEIGHTS), product(x.reshape(18, 8), WEIGHTS).reshape(6, 3, 8))
    assert counts(function) == [(1, 1, 18, 8, 8)]
    both = emulated(lambda x, w: x @ w)
    assert same(jax.jit(jax.vmap(both))(x, x.swapaxes(1, 2)), product(x, x.swapaxes(1, 2))) and counts(both) == [(1, 6, 3, 8, 3)]


def test_gradients_of_batches_and_batches_of_gradients() -> None:
    x = drawn(11, 4, 8, dtype=np.float16)
    one = lambda w, x: (x @ w).sum()
    ones = np.ones((4, 8), np.float16)
    # One product over all samples.
    total = lambda function: lambda w: jax.vmap(function, (None, 0))(w, x).sum()
    inner, outer = emulated(one), emulated(jax.grad(total(one)))
    for function in (jax.grad(total(inner)), outer):
        assert same(function(WEIGHTS), product(x.T, ones))
    for run in (inner, outer):
        assert [(call.shape.batch, call.shape.k) for call in run.calls if call.backward] == [(1, 4)]
    # A product for each sample.
    for function in (jax.vmap(jax.grad(emulated(one)), (None, 0)), emulated(jax.vmap(jax.grad(one), (None, 0)))):
        assert same(function(WEIGHTS, x), np.stack([product(row[:, None], ones[:1]) for row in x]))


def test_gradients_of_gradients() -> None:
    loss = lambda w: jnp.sin(START @ w).astype(jnp.float32).sum()
    twice = lambda function: jax.grad(lambda w: jnp.square(jax.grad(function)(w)).astype(jnp.float32).sum())
    inner, outer = emulated(loss), emulated(twice(loss))
    assert same(twice(inner)(WEIGHTS), outer(WEIGHTS))
    assert {(call.shape, call.plan) for call in inner.calls} == {(call.shape, call.plan) for call in outer.calls}
    assert len(outer.calls) > 1


def test_forward_mode_goes_inside() -> None:
    function = lambda w: jnp.sin(X @ w).sum(0)
    run = emulated(jax.jacfwd(function), tf32=False)
    assert run(W1).shape == (6, 7, 6) and run.calls
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jacfwd(emulated(function))(W1)


def test_arguments_without_gradients() -> None:
    def loss(key: Any, w: Any, scale: Any) -> Any:
        dropped = jnp.where(jax.random.bernoulli(key, 0.5, START.shape), START, 0)
        return ((dropped @ w) * scale).astype(jnp.float32).sum(), scale + 1

    key = jax.random.key(0)
    found, expected = (f(key, WEIGHTS, 3) for f in (jax.grad(emulated(loss), 1, True), emulated(jax.grad(loss, 1, True))))
    assert same(found[0], expected[0]) and found[1] == expected[1] == 4


def test_what_is_closed_over_has_a_gradient() -> None:
    loss = lambda function: lambda w: function(lambda x: (x @ w).sum())(START)
    assert same(jax.grad(loss(emulated))(WEIGHTS), product(START.T, np.ones((3, 8), np.float16)))


def test_trees_and_names() -> None:
    def model(parameters: Any, *, x: Any) -> Any:
        for name, w in parameters.items():
            with jax.named_scope(name):
                x = jax.jit(lambda x, w: x @ w)(x, w)
        return {"y": x}

    run = emulated(model)
    parameters = {"first": WEIGHTS, "second": WEIGHTS}
    assert same(run(parameters, x=START)["y"], product(product(START, WEIGHTS), WEIGHTS))
    assert [call.module for call in run.calls] == ["first", "second"] and "; first; forward;" in run.report(modules=True)
    assert run.__name__ == "model"
    gradient = emulated(jax.grad(lambda p: model(p, x=START)["y"].astype(jnp.float32).sum()))
    gradient(parameters)
    expected = {(name, backward) for name in parameters for backward in (False, True)}
    assert {(call.module, call.backward) for call in gradient.calls} == expected


def test_a_solver_by_products_alone() -> None:
    a = np.float32(2) * np.eye(4, dtype=np.float32) + np.float32(0.1)
    solve = emulated(lambda b: jax.scipy.sparse.linalg.cg(lambda x: a @ x, b)[0])
    assert np.allclose(a @ np.asarray(solve(np.ones(4, np.float32))), 1, atol=1e-3)
    assert {call.shape.kind for call in solve.calls} == {"f32", "tf32"}


def test_bits_do_not_depend_on_compilation_without_excess_precision() -> None:
    """Elementwise operations in bf16, whose results XLA keeps in f32 unless it is told not to."""
    program = """
import jax, jax.numpy as jnp, mmasmt.jax as mj, numpy as np
x = jax.random.normal(jax.random.key(0), (16, 16), jnp.bfloat16)
function = mj.emulate(lambda x: ((x @ x) * x).astype(jnp.float32), "H100", unknown="ignore")
print(bool((np.asarray(function(x)) == np.asarray(jax.jit(function)(x))).all()))
"""

    def alike(flags: str) -> str:
        path = os.pathsep.join([*filter(None, sys.path)])
        environment = {**os.environ, "XLA_FLAGS": flags, "PYTHONPATH": path}
        return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert alike("--xla_allow_excess_precision=false") == "True"
    assert alike("--xla_allow_excess_precision=true") == "False"
