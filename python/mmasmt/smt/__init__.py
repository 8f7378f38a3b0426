"""Models as functions of Z3's expressions: claims in one's own words, over any number of models and runs.

>>> import z3
>>> from mmasmt import smt
>>> f, g = smt.function("fda:K=1,F=23", "f"), smt.function("fda:K=1,F=24", "g")
>>> x, c = smt.register("x", f.a), smt.register("c", f.c)
>>> found = smt.solve(f.a.finite(x), f.c.finite(c), f([x], [1.0], c) != g([x], [1.0], c))
>>> found.verdict, len(f.check(found.model))
('sat', 1)

It needs `z3-solver` (`pip install 'mmasmt[z3]'`). The claims can be given to cvc5 and Bitwuzla as well (`solve(engine=)`), where their
packages are installed.
"""

from ._function import Function, Replay, function, register, registers
from ._register import Register
from ._solve import Solved, solve

__all__ = ["Function", "Register", "Replay", "Solved", "function", "register", "registers", "solve"]
