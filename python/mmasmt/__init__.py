"""What exactly does this GPU's matrix unit compute? Bit-accurate models that you can run and ask about.

>>> import mmasmt
>>> mmasmt.distinguish("V100/HMMA.884.F32.F32", "fda:F=24").verdict
'different'
"""

from ._answers import (
    Answer,
    Candidate,
    ClaimAnswer,
    Errors,
    Identified,
    Learned,
    Least,
    QueryAnswer,
    Witness,
)
from ._gemm import composition, gemm
from ._learning import learn
from ._native import __version__
from ._plans import Plan, Plans
from ._conversions import convert
from ._products import Explanation, dot, exact, explain, matmul, mma
from ._questions import compare, distinguish, identify, least, prove, vectors, worst
from ._signatures import Signature, signature
from ._tables import Model, add_tables, model, models
from ._tolerance import bias, tolerance
from ._tolerance_answers import Bias, Kernel, MatrixTolerance, Tolerance

__all__ = [
    "Answer",
    "Bias",
    "Candidate",
    "ClaimAnswer",
    "Errors",
    "Explanation",
    "Identified",
    "Kernel",
    "Learned",
    "Least",
    "MatrixTolerance",
    "Model",
    "Plan",
    "Plans",
    "QueryAnswer",
    "Signature",
    "Tolerance",
    "Witness",
    "__version__",
    "add_tables",
    "bias",
    "compare",
    "composition",
    "distinguish",
    "convert",
    "dot",
    "exact",
    "explain",
    "gemm",
    "identify",
    "learn",
    "least",
    "matmul",
    "mma",
    "model",
    "models",
    "prove",
    "signature",
    "tolerance",
    "vectors",
    "worst",
]
