"""Functions of JAX with the matrix products of another machine.

>>> import jax.numpy as jnp, mmasmt.jax as mj
>>> layer = mj.emulate(lambda x, w: x @ w, "H100", unknown="ignore")
>>> y = layer(jnp.ones((2, 16), jnp.bfloat16), jnp.ones((16, 4), jnp.bfloat16))
>>> layer.calls[0].shape.op
'dot_general'
"""

from .._emulation.calls import Call, Log
from .._emulation.errors import Refused, Unknown
from .._emulation.plan import Plan
from .._emulation.plans import Rule, Shape
from ._transform import Emulated, emulate

__all__ = ["Call", "Emulated", "Log", "Plan", "Refused", "Rule", "Shape", "Unknown", "emulate"]
