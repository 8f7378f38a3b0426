"""Arguments that are no arrays, models of Equinox, objects of Flax NNX, and forward mode outside of an emulated function.

It is the last of its folder: Equinox has primitives of its own, and another test counts those of JAX.
"""

from __future__ import annotations

from typing import Any

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

import jax.numpy as jnp
import mmasmt.jax as mj

X = jnp.ones((4, 4), jnp.float32)


def emulated(function: Any) -> Any:
    return mj.emulate(function, "H100", unknown="ignore")


def test_flags_words_and_functions_are_what_they_are() -> None:
    def layer(x: Any, turned: bool, *, activation: Any, mode: str = "plain") -> Any:
        assert mode in ("plain", "none")
        return {"y": activation(x.T @ x if turned else x @ x), "mode": mode, "turned": turned}

    found = emulated(layer)(2 * X, True, activation=jnp.tanh, mode="none")
    assert found["mode"] == "none" and found["turned"] is True
    assert jnp.array_equal(found["y"], jnp.tanh(jnp.full((4, 4), 16.0)))
    # A number of Python is one of the function, too, and an array is traced.
    assert emulated(lambda x, axis: (x @ x).sum(axis))(X, 1).shape == (4,)
    assert jax.grad(lambda s: emulated(lambda x, s: (s * x @ x).sum())(X, s))(2.0) == 64


def test_models_of_equinox() -> None:
    eqx = pytest.importorskip("equinox", reason="Equinox is not installed: pip install equinox")
    model = eqx.nn.MLP(4, 4, 8, 2, key=jax.random.PRNGKey(0))
    call = emulated(lambda model, x: jax.vmap(model)(x))
    assert jnp.allclose(call(model, X), jax.vmap(model)(X), atol=1e-2) and len(call.calls) == 3
    inside = emulated(eqx.filter_grad(lambda model, x: jax.vmap(model)(x).sum()))
    outside = eqx.filter_grad(lambda model, x: emulated(lambda model, x: jax.vmap(model)(x).sum())(model, x))
    wanted = eqx.filter_grad(lambda model, x: jax.vmap(model)(x).sum())(model, X)
    for found in (inside(model, X), outside(model, X)):
        assert jnp.allclose(found.layers[0].weight, wanted.layers[0].weight, atol=1e-2)


def test_objects_of_nnx_are_updated() -> None:
    nnx = pytest.importorskip("flax.nnx", reason="Flax is not installed: pip install flax")

    class Counted(nnx.Module):
        def __init__(self) -> None:
            self.layer, self.norm = nnx.Linear(4, 4, rngs=nnx.Rngs(0)), nnx.BatchNorm(4, rngs=nnx.Rngs(0))
            self.count = nnx.Variable(jnp.zeros(()))

        def __call__(self, x: Any) -> Any:
            self.count.value = self.count.value + 1
            return self.norm(self.layer(x))

    model, plain = Counted(), Counted()
    call = emulated(lambda model, x: model(x))
    found = [call(model, x) for x in (X, 2 * X)]
    wanted = [plain(x) for x in (X, 2 * X)]
    assert model.count.value == 2 and all(map(lambda x, y: jnp.allclose(x, y, atol=1e-2), found, wanted))
    assert jnp.allclose(model.norm.mean.value, plain.norm.mean.value, atol=1e-2) and jnp.any(model.norm.mean.value != 0)

    def grows(model: Any, x: Any) -> Any:
        model.more = nnx.Variable(x)
        return x @ x

    with pytest.raises(ValueError, match="found one that adds or removes variables"):
        emulated(grows)(model, X)


def test_forward_mode_goes_inside() -> None:
    for call in (lambda f: jax.jvp(f, (X,), (X,)), lambda f: jax.jacfwd(f)(X)):
        with pytest.raises(TypeError, match=r"expected reverse mode .* put it inside, emulate\(lambda x, t: jax.jvp"):
            call(emulated(lambda x: x @ x))
    found = emulated(lambda x, t: jax.jvp(lambda x: x @ x, (x,), (t,)))(X, X)
    assert jnp.array_equal(found[1], jnp.full((4, 4), 8.0))
