"""What JAX has: each primitive is known here, and no function of JAX multiplies matrices behind the emulation's back."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install './python[jax]'")

import jax.numpy as jnp
import mmasmt.jax as mj
from jax.extend import core
from mmasmt.jax._primitives import EMULATED, HARMLESS, REFUSED, WALKED


def emulated(function: Any, machine: str = "H100", **options: Any) -> Any:
    return mj.emulate(function, machine, unknown="ignore", **options)


def primitives() -> set[str]:
    """The names of all primitives of JAX: every module is loaded, and all objects of the process are looked through."""
    for module in pkgutil.walk_packages(jax._src.__path__, "jax._src."):
        if re.search(r"test|tools|interpret", module.name):
            continue
        try:
            importlib.import_module(module.name)
        except Exception:  # noqa: S110
            # A part for other devices, whose library is not installed.
            pass
    return {x.name for x in gc.get_objects() if isinstance(x, core.Primitive)}


def test_every_primitive_is_in_one_list() -> None:
    lists = (EMULATED, WALKED, HARMLESS, frozenset(REFUSED))
    counted = Counter(name for names in lists for name in names)
    assert [name for name, count in counted.items() if count > 1] == []
    found = primitives()
    assert len(found) > 300 and sorted(found - set(counted)) == []


def test_an_unknown_primitive_is_refused() -> None:
    unknown = core.Primitive("multiply_somehow")
    unknown.def_abstract_eval(lambda x: x)
    unknown.def_impl(lambda x: x)
    with pytest.raises(mj.Refused, match=r"^multiply_somehow of float32\[2\] is not emulated for H100: no primitive that is known here"):
        emulated(unknown.bind)(jnp.ones(2))


@pytest.mark.parametrize(
    "name", ["wgmma", "wgmma_ref", "tcgen05_mma", "inline_mgpu_p", "mosaic_gpu_p", "multimem_load_reduce", "pallas_call"]
)
def test_kernels_for_a_gpu_are_refused(name: str) -> None:
    """What multiplies inside of kernels cannot run here: a primitive of that name, whose result would be NaN, never comes to run."""
    ran = []
    one = core.Primitive(name)
    one.def_abstract_eval(lambda x: x)
    one.def_impl(lambda x: ran.append(x) or x * jnp.nan)
    assert jnp.isnan(one.bind(jnp.ones(2))).all() and len(ran) == 1
    for function in (one.bind, jax.jit(one.bind), lambda x: jax.lax.cond(x[0] > 0, one.bind, one.bind, x)):
        with pytest.raises(mj.Refused, match=f"^{name} of float32.2. is not emulated for H100: .*(a kernel for a GPU|a kernel of Pallas)"):
            emulated(function)(jnp.ones(2))
    assert len(ran) == 1


@pytest.mark.parametrize(
    ("name", "function", "text"),
    [
        ("cholesky", jnp.linalg.cholesky, "a factorisation or a solver"),
        ("lu", jnp.linalg.inv, "a factorisation or a solver"),
        ("triangular_solve", lambda x: jax.scipy.linalg.solve_triangular(x, x), "a factorisation or a solver"),
        ("svd", jnp.linalg.svd, "a factorisation or a solver"),
        ("eigh", jnp.linalg.eigh, "a factorisation or a solver"),
        ("pure_callback", lambda x: jax.pure_callback(np.asarray, x, x), "a function whose insides nothing here sees"),
        ("ragged_dot_general", lambda x: jax.lax.ragged_dot(x, x[None], jnp.array([2])), "a product whose groups or scales"),
    ],
)
def test_products_in_kernels_are_refused_by_name(name: str, function: Any, text: str) -> None:
    with pytest.raises(mj.Refused) as error:
        emulated(function)(jnp.eye(2))
    message = str(error.value)
    assert message.startswith(f"{name} of ") and f" is not emulated for H100: {text}" in message and "\n" not in message
    with pytest.raises(mj.Refused, match=f"^{name} of "):
        jax.eval_shape(emulated(function), jnp.eye(2))
    # Inside of a function that is walked or compiled, too.
    with pytest.raises(mj.Refused, match=f"^{name} of "):
        jax.jit(emulated(lambda x: jax.lax.scan(lambda c, _: (c, jax.tree.leaves(function(c))[0]), x, None, length=2)))(jnp.eye(2))
    run = emulated(function, only=lambda op, shape, path: False)
    run(jnp.eye(2))
    assert run.native[name] == 1


def test_a_kernel_of_pallas_and_several_devices_are_refused() -> None:
    from jax.experimental import pallas

    def kernel(x: Any, o: Any) -> None:
        o[...] = x[...] @ x[...]

    with pytest.raises(mj.Refused, match=r"^pallas_call of float32\[2,2\] in inner is not emulated for H100: a kernel of Pallas, "):
        call = pallas.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((2, 2), jnp.float32), interpret=True)
        emulated(jax.named_scope("inner")(call))(jnp.eye(2))
    mesh = jax.make_mesh((1,), ("x",))
    split = jax.shard_map(lambda x: x @ x, mesh=mesh, in_specs=jax.P(), out_specs=jax.P())
    with pytest.raises(mj.Refused, match="^shard_map of .*: several devices, whose order of sums nobody recorded; "):
        emulated(split)(jnp.eye(2))


def test_arrays_on_two_devices_are_refused() -> None:
    """In a process of its own, as the number of devices is set before JAX starts."""
    program = """
import jax, jax.numpy as jnp, mmasmt.jax as mj
mesh = jax.make_mesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
split = jax.sharding.NamedSharding(mesh, jax.P("x"))
try:
    mj.emulate(jax.jit(lambda x: x @ x, out_shardings=split), "H100")(jnp.eye(2))
except mj.Refused as error:
    print(error)
"""
    path = os.pathsep.join([*filter(None, sys.path)])
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "PYTHONPATH": path}
    text = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout
    assert text.startswith("jit of float32[2,2] is not emulated for H100: several devices, whose order of sums nobody recorded; ")


def test_a_product_inside_of_a_reduction_is_refused() -> None:
    with pytest.raises(mj.Refused, match="^reduce of .*: a function inside of it multiplies matrices; call that function by itself"):
        emulated(lambda x: jax.lax.reduce(x, jnp.float32(0), lambda a, b: jnp.dot(a, b), (0,)))(jnp.ones(3))


# What XLA's text has where a matrix is multiplied: products, convolutions, and calls of LAPACK.
_INSIDE = re.compile(r"stablehlo\.(?:dot|dot_general|convolution|cholesky|triangular_solve)\b|custom_call @(\w+)")
_ALLOWED = re.compile(r"xla_ffi_python_cpu_callback|Sharding|mhlo\.(?:topk|erf)|annotate|ApproxTopK|xla\.sdy\.")
_MODULES = [
    "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.nn", "jax.lax", "jax.lax.linalg", "jax.scipy.linalg", "jax.scipy.signal",
    "jax.scipy.special", "jax.scipy.stats", "jax.scipy.ndimage", "jax.image", "jax.random",
]  # fmt: skip
_X = np.arange(1, 10, dtype=np.float32).reshape(3, 3) / 8
_ARGUMENTS: list[tuple[Any, ...]] = [
    (_X,), (_X, _X), (_X, _X, _X), (_X, 2), (_X[0], _X[1]), (_X[None, None], _X[None, None], (1, 1), "SAME"), (_X, (5, 5), "bilinear"),
    ("ij,jk->ik", _X, _X), (_X[None, None], _X[None, None], _X[None, None]), (_X, _X[0]), ([_X, _X, _X],), (0, _X[0], _X),
]  # fmt: skip


def _outcome(function: Any, args: tuple[Any, ...]) -> str:
    """What becomes of a function of the arrays among its arguments: `"products"`, `"refused"`, `"none"`, or `"native: …"`.

    `""` is for a function that takes no such arguments.
    """
    arrays = [x for x in args if isinstance(x, np.ndarray)]

    def own(*given: Any) -> Any:
        rest = iter(given)
        found = function(*(next(rest) if isinstance(x, np.ndarray) else x for x in args))
        return [x for x in jax.tree.leaves(found) if isinstance(x, jax.Array)]

    try:
        before = jax.jit(own).lower(*arrays).as_text()
    except Exception:
        return ""
    if all(_ALLOWED.search(match.group(0)) for match in _INSIDE.finditer(before)):
        return "none"
    run = emulated(own)
    try:
        text = jax.jit(run).lower(*arrays).as_text()
    except mj.Refused:
        return "refused"
    left = [match.group(0) for match in _INSIDE.finditer(text) if not _ALLOWED.search(match.group(0))]
    return f"native: {left[0]}" if left else "products"


def test_no_function_of_jax_multiplies_matrices_natively() -> None:
    """What is compiled of each public function under emulation has no product in it, by the text that goes to XLA."""
    outcomes: dict[str, str] = {}
    for module in _MODULES:
        for name, function in vars(importlib.import_module(module)).items():
            if name.startswith("_") or not callable(function) or isinstance(function, type):
                continue
            without = 0
            for args in _ARGUMENTS:
                # A function that took several kinds of arguments without a product has none.
                if without == 3:
                    break
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = _outcome(function, args)
                without += found == "none"
                if found:
                    outcomes[f"{module}.{name} of {len(args)}: {args[-1] if isinstance(args[-1], str) else ''}"] = found
    counted = Counter(found.partition(":")[0] for found in outcomes.values())
    assert {name: found for name, found in outcomes.items() if found.startswith("native")} == {}
    assert counted["products"] > 30 and counted["refused"] > 30 and counted["none"] > 300
