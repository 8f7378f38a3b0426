"""PyTorch models with the matrix products of another machine.

>>> import torch, mmasmt.torch as mt
>>> layer = torch.nn.Linear(16, 4).half()
>>> with mt.emulate("H100", unknown="ignore") as run:
...     y = layer(torch.ones(2, 16, dtype=torch.float16))
>>> run.calls[0].shape.op
'addmm'
"""

from .._emulation.calls import Call, Log
from .._emulation.errors import Refused, Unknown
from .._emulation.plan import Plan
from .._emulation.plans import Rule, Shape

# These files register the operators that they emulate.
from . import _attention, _convolution, _gemms, _grouped, _scaled  # noqa: F401
from ._audit import audit
from ._catalogue import catalogue
from ._commitment import commitment, opening
from ._compare import Comparison, compare
from ._dry import dry_run
from ._explain import explain
from ._finding import Audit, Difference, Finding
from ._functions import linear, matmul, scaled_mm
from ._generation import record_generation
from ._install import Installation, install
from ._log import Recording
from ._mode import emulate
from ._opened import verify
from ._opening import Opening
from ._record import record
from ._sweep import Sweep, sweep

__all__ = [
    "Audit",
    "Call",
    "Comparison",
    "Difference",
    "Finding",
    "Installation",
    "Log",
    "Opening",
    "Plan",
    "Recording",
    "Refused",
    "Rule",
    "Shape",
    "Sweep",
    "Unknown",
    "audit",
    "catalogue",
    "commitment",
    "compare",
    "dry_run",
    "emulate",
    "explain",
    "install",
    "linear",
    "matmul",
    "opening",
    "record",
    "record_generation",
    "scaled_mm",
    "sweep",
    "verify",
]
