"""Claims asked of Z3, cvc5 or Bitwuzla."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import z3


class Solved(NamedTuple):
    """`verdict` is "sat", "unsat" or "unknown"; `model` is a model of Z3 where it is "sat"."""

    verdict: str
    model: Any


def solve(*claims: Any, engine: str = "z3", timeout: float | None = None) -> Solved:
    """Values that make all claims true.

    Parameters
    ----------
    claims : expressions of Z3
        Of sort Bool.
    engine : str
        `z3`, `cvc5` or `bitwuzla`; the package of that name has to be installed.
    timeout : float, optional
        Seconds of the engine; the verdict is then "unknown". No limit if it is missing.

    Values that another engine found are given to Z3 as equations, so that the model satisfies the claims by Z3 as well.
    """
    solver = z3.Solver()
    solver.add(*claims)
    if engine == "z3":
        if timeout is not None:
            solver.set("timeout", _milliseconds(timeout))
        verdict = str(solver.check())
        return Solved(verdict, solver.model() if verdict == "sat" else None)
    if engine not in _ENGINES:
        raise ValueError(f"engine: expected z3, {', '.join(_ENGINES)}, found {engine}")
    verdict, values = _ENGINES[engine](solver.to_smt2(), timeout)
    if verdict != "sat":
        return Solved(verdict, None)
    for declared in {one.decl().name(): one for claim in claims for one in _constants(claim)}.values():
        value = values.get(declared.decl().name())
        if value is not None:
            solver.add(declared == _value(declared, value))
    if str(solver.check()) != "sat":
        raise AssertionError(f"{engine} gave values on which the claims do not hold by Z3; please report this")
    return Solved("sat", solver.model())


def _milliseconds(timeout: float) -> int:
    return max(1, round(timeout * 1000))


def _constants(claim: Any) -> list[Any]:
    """The free constants of an expression."""
    found, seen, open = [], set(), [claim]
    while open:
        one = open.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        if z3.is_const(one) and one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.append(one)
        open += one.children()
    return found


def _value(declared: Any, text: str) -> Any:
    if z3.is_bool(declared):
        return z3.BoolVal(text == "true")
    if z3.is_bv(declared):
        return z3.BitVecVal(int(text.removeprefix("#b"), 2), declared.size())
    raise ValueError(f"engine: expected constants of sort BitVec and Bool, found {declared} of sort {declared.sort()}: `register(...)` is one")


def _by_cvc5(text: str, timeout: float | None) -> tuple[str, dict[str, str]]:
    cvc5: Any = importlib.import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    if timeout is not None:
        solver.setOption("tlimit-per", str(_milliseconds(timeout)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(set-logic ALL)\n" + text.replace("(set-info", ";(set-info"), "claims")
    symbols = parser.getSymbolManager()
    verdict = "unknown"
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, symbols)).strip()
        verdict = said or verdict
    verdict = verdict if verdict in ("sat", "unsat") else "unknown"
    if verdict != "sat":
        return verdict, {}
    return verdict, {str(one).strip("|"): str(solver.getValue(one)) for one in symbols.getDeclaredTerms()}


def _by_bitwuzla(text: str, timeout: float | None) -> tuple[str, dict[str, str]]:
    bitwuzla: Any = importlib.import_module("bitwuzla")
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    if timeout is not None:
        options.set(bitwuzla.Option.TIME_LIMIT_PER, _milliseconds(timeout))
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text.replace("(check-sat)", ""), True, False)
    solver = parser.bitwuzla()
    verdict = str(solver.check_sat()).rsplit(".", 1)[-1].lower()
    if verdict != "sat":
        return verdict if verdict == "unsat" else "unknown", {}
    return verdict, {str(one.symbol()).strip("|"): str(solver.get_value(one)) for one in parser.get_declared_funs()}


_ENGINES: dict[str, Callable[[str, float | None], tuple[str, dict[str, str]]]] = {"cvc5": _by_cvc5, "bitwuzla": _by_bitwuzla}
