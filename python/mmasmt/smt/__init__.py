"""Models as functions of Z3's expressions: claims in one's own words, over any number of models and runs.

>>> import z3
>>> from mmasmt import smt
>>> f = smt.function("fda:K=2,F=24")
>>> a, b, c = smt.registers("a", f.a, 2), smt.registers("b", f.b, 2), smt.register("c", f.c)
>>> finite = [f.a.finite(x) for x in a] + [f.b.finite(x) for x in b] + [f.c.finite(c)]
>>> found = smt.solve(*finite, f(a, b, c) != f(a[::-1], b[::-1], c))
>>> found.verdict
'unsat'

It needs `z3-solver` (`pip install 'mmasmt[z3]'`). The claims can be given to cvc5 and Bitwuzla as well (`solve(engine=)`), where their
packages are installed.
"""

from ._function import Function, Replay, function, register, registers
from ._register import Register
from ._solve import Solved, solve

__all__ = ["Function", "Register", "Replay", "Solved", "function", "register", "registers", "solve"]
