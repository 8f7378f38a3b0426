"""What exactly does this GPU's matrix unit compute? Bit-accurate models that you can run and ask about.

>>> import mmasmt
>>> mmasmt.distinguish("V100/HMMA.884.F32.F32", "fda:F=24").verdict
'different'
"""

from ._answers import Answer, Witness
from ._native import __version__
from ._products import Explanation, dot, exact, explain, matmul, mma, signature
from ._questions import compare, distinguish, identify, least, model, models, prove, vectors, worst

gemm = matmul

__all__ = [
    "Answer",
    "Explanation",
    "Witness",
    "__version__",
    "compare",
    "distinguish",
    "dot",
    "exact",
    "explain",
    "gemm",
    "identify",
    "least",
    "matmul",
    "mma",
    "model",
    "models",
    "prove",
    "signature",
    "vectors",
    "worst",
]
