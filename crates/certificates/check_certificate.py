#!/usr/bin/env python3
"""Checks a certificate: a file that says what is known of every step of a unit, and what follows for its result.

    python3 check_certificate.py FILE

prints `verified: PROVES` and exits 0, or `rejected: step N: reason` and exits 1. It exits 2 where the file cannot be read
or is not a certificate.

It checks that each fact of a step follows from the facts of the steps that it takes, from `given`, and from the meaning of
the step, and that `proves` follows from the facts of the result. A fact that it cannot derive is rejected, and so is every
key, step, option and fact that it does not know.

It trusts `formats`, `operands`, `given` and the steps with their options: they are the unit and its domain. It does not
read the text of the claim: compare `proves`, `given` and the steps with it yourself. It uses `kind` only for the format of
a register, the place of the last bit of an exact sum or of a part of a number, and the width of a normalised number. All numbers are
integers or fractions; nothing is a floating-point number.

Words. A *number* x has an exponent e by which it is compared, or it takes no part (it is then zero). Three things follow
from the options of its step alone: x is a multiple of 2^(e - fraction); |x| is at most size * 2^e; and `hides`: it takes
no part where it is zero. An *atom* is a product of operands, such as a[3] * b[3]; a value may be the exact sum of atoms.
"""
import json
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple, Optional

FAR = 1 << 40  # above every exponent: not known; -FAR: never takes part
LIMIT = 1 << 20  # exponents and counts of a certificate are below this
MODES = "rz rd ru ra rne rna rnz rnu rnd rno odd sr".split()
NEAREST = "rne rna rnz rnu rnd rno".split()


class NotReadable(Exception):
    """The file is not a certificate."""


class Rejected(Exception):
    """A fact does not follow."""


def need(holds, reason):
    if not holds:
        raise Rejected(reason)


# ---------------------------------------------------------------------------------------------------- reading

NULL = object()  # an option that may be null or missing


def fields(thing, known, what):
    """The values of an object in the order of `known`: {key: default}; no other keys; ... has no default."""
    need(isinstance(thing, dict), f"expected an object for {what}")
    for key in thing:
        need(key in known, f"unknown key `{key}` in {what}")
    for key, default in known.items():
        need(key in thing or default is not ..., f"missing key `{key}` in {what}")
    return [thing.get(key, None if default is NULL else default) for key, default in known.items()]


def integer(x, what, low=-LIMIT, high=LIMIT):
    need(isinstance(x, int) and not isinstance(x, bool) and low <= x <= high, f"expected an integer for {what}, found {x!r}")
    return x


def maybe(x, what, low=-LIMIT):
    return None if x is None else integer(x, what, low)


def flag(x, what):
    need(isinstance(x, bool), f"expected true or false for {what}, found {x!r}")
    return x


def word(x, words, what):
    need(isinstance(x, str) and x in words, f"expected one of {', '.join(words)} for {what}, found {x!r}")
    return x


def rows(x, what):
    need(isinstance(x, list), f"expected a list for {what}")
    return x


def natural(x, what):
    need(isinstance(x, str) and x.isascii() and x.isdigit(), f"expected decimal digits for {what}, found {x!r}")
    need(len(x) <= 4_000, f"too many digits for {what}")
    return int(x)


@lru_cache(maxsize=10_000)
def power(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def dyadic(x, what):
    need(isinstance(x, list) and len(x) == 2, f"expected [digits, exponent] for {what}")
    return natural(x[0], what) * power(integer(x[1], what))


def log2(m):
    """The exponent of the leading one of m > 0."""
    e = m.numerator.bit_length() - m.denominator.bit_length()
    return e if power(e) <= m else e - 1


def down(m, bits, lowest):
    """The greatest number of so many bits and at least the last place 2^lowest that is at most m >= 0."""
    place = power(max(log2(m) - bits + 1, lowest)) if m else power(0)
    return m // place * place


def up(m, bits, lowest):
    place = power(max(log2(m) - bits + 1, lowest)) if m else power(0)
    return -(-m // place) * place


class Numbers(NamedTuple):
    """A set of finite numbers: multiples of 2^unit of magnitude at most `most`, and so on. None: not known."""

    unit: Optional[int] = None
    most: Optional[Fraction] = None
    least: Optional[int] = None
    bits: Optional[int] = None
    negative: bool = True
    minus: bool = True
    zero: bool = True

    def tidy(self):
        """The same set; what follows of one part for another is filled in."""
        unit, most, least, bits, negative, minus, zero = self
        for _ in range(2):
            if unit is not None:
                least = unit if least is None else max(least, unit)
                if most is not None:
                    count = most // power(unit)
                    most = count * power(unit)
                    bits = count.bit_length() if bits is None else min(bits, count.bit_length())
            if least is not None and bits is not None:
                unit = least - bits + 1 if unit is None else max(unit, least - bits + 1)
        if most == 0 or bits == 0 or (most is not None and least is not None and most < power(least)):
            return Numbers(0, Fraction(0), 0, 0, False, minus, True)
        return Numbers(unit, most, least, bits, negative and minus, minus, zero)

    @property
    def is_zero(self):
        return self.most == 0

    def place(self):
        """u where all are known to be multiples of 2^u."""
        return FAR if self.is_zero else -FAR if self.unit is None else self.unit

    def floor(self):
        """l where all but zero are known to be at least 2^l."""
        return FAR if self.is_zero else -FAR if self.least is None else self.least


def numbers(thing, what):
    known = dict(multiple=NULL, most=NULL, least=NULL, bits=NULL, negative=True, minus=True, zero=True)
    unit, most, least, bits, negative, minus, zero = fields(thing, known, what)
    unit, least, bits = maybe(unit, "multiple"), maybe(least, "least"), maybe(bits, "bits", 0)
    if most is not None:
        need(unit is not None, f"expected `multiple` beside `most` in {what}")
        most = natural(most, "most") * power(unit)
    flags = [flag(negative, "negative"), flag(minus, "minus"), flag(zero, "zero")]
    return Numbers(unit, most, least, bits, *flags).tidy()


def both(x, y):
    """The numbers in both sets."""
    def pick(choose, one, other):
        return other if one is None else one if other is None else choose(one, other)

    flags = [x.negative and y.negative, x.minus and y.minus, x.zero and y.zero]
    parts = [pick(max, x.unit, y.unit), pick(min, x.most, y.most), pick(max, x.least, y.least), pick(min, x.bits, y.bits)]
    return Numbers(*parts, *flags).tidy()


def need_within(known, claimed):
    """Every number of `known` is one of `claimed`."""
    def fail(part, expected, found):
        raise Rejected(f"`{part}` of the value does not follow: expected {expected}, found {found}")

    if known.is_zero:
        need(claimed.zero, "`zero` of the value does not follow: it is always zero")
    else:
        for part, is_upper in (("unit", False), ("most", True), ("least", False), ("bits", True)):
            own, other = getattr(known, part), getattr(claimed, part)
            if other is not None and (own is None or (own > other if is_upper else own < other)):
                fail(part, f"at {'least' if is_upper else 'most'} {own}", other)
    for part in ("negative", "minus", "zero"):
        if getattr(known, part) and not getattr(claimed, part):
            fail(part, "true", "false")


class Format(NamedTuple):
    name: str
    is_float: bool
    p: int
    emin: int
    emax: int
    greatest: Fraction
    signed: bool
    zero: bool = True
    negative_zero: bool = False
    infinity: bool = False
    nan: bool = False
    subnormals: bool = False

    def finite(self):
        """The finite numbers of the format."""
        if not self.is_float:
            return Numbers(0, self.greatest + self.signed, 0, None, self.signed, self.signed, True).tidy()
        least = self.emin - self.p + 1 if self.subnormals else self.emin
        minus = self.signed
        return Numbers(self.emin - self.p + 1, self.greatest, least, self.p, self.signed, minus, self.zero).tidy()

    def largest(self, fraction):
        """A number that is at most the greatest one with so many fraction bits."""
        if fraction == self.p - 1:
            return self.greatest
        # Without infinities, the code of the greatest number with fewer bits may be that of the NaN.
        return down(self.greatest, fraction + 1, self.emin) - (0 if self.infinity else power(self.emax - fraction))


def read_format(name, thing):
    need(isinstance(thing, dict), f"expected an object for the format {name}")
    if thing.get("kind") == "integer":
        _, bits, signed = fields(thing, dict(kind=..., bits=..., signed=...), f"the format {name}")
        bits, signed = integer(bits, "bits", 1), flag(signed, "signed")
        return Format(name, False, bits, 0, 0, power(bits - signed) - 1, signed)
    keys = "kind precision emin emax greatest signed zero negative_zero infinity nan subnormals".split()
    kind, p, emin, emax, greatest, *flags = fields(thing, dict.fromkeys(keys, ...), f"the format {name}")
    word(kind, ["float", "integer"], "kind")
    p, emin, emax = integer(p, "precision", 1), integer(emin, "emin"), integer(emax, "emax")
    greatest = dyadic(greatest, "greatest")
    is_greatest = greatest > 0 and log2(greatest) == emax >= emin and down(greatest, p, emax - p + 1) == greatest
    need(is_greatest, f"`greatest` of the format {name} is no number of it")
    return Format(name, True, p, emin, emax, greatest, *[flag(x, "a flag of a format") for x in flags])


class Domain(NamedTuple):
    """The operands: the format and the numbers of each, and the atom of each product."""

    formats: dict
    given: dict
    of: dict
    products: int
    block: int
    has_scales: bool
    atoms: list
    places: dict  # of each atom that is a product
    is_zero: dict
    most_c: Fraction
    most_products: dict  # of the sum of their magnitudes: with both scales (True), with none (False), with that of a or b
    zero_products: int  # a bit for each that is always zero


def read_domain(document):
    formats = {name: read_format(name, one) for name, one in document["formats"].items()}
    keys = dict(products=..., a=..., b=..., c=..., d=..., scales=NULL)
    products, a, b, c, d, scales = fields(document["operands"], keys, "operands")
    products = integer(products, "products", 0)
    names = dict(a=a, b=b, c=c, d=d)
    block, counts = products, dict(a=products, b=products, c=1)
    if scales is not None:
        name, block = fields(scales, dict(format=..., block=...), "scales")
        block = integer(block, "block", 1)
        names.update(a_scales=name, b_scales=name)
        counts.update(a_scales=-(-products // block), b_scales=-(-products // block))
    for name in names.values():
        need(isinstance(name, str) and name in formats, f"unknown format {name!r}")
    of = {row: formats[name] for row, name in names.items()}
    given, keys = {}, dict(a=..., b=..., c=..., a_scales=NULL, b_scales=NULL)
    for row, each in zip(keys, fields(document["given"], keys, "given")):
        each = [each] if row == "c" else [] if each is None else rows(each, row)
        need(len(each) == counts.get(row, 0), f"expected {counts.get(row, 0)} entries of `{row}` in given")
        given[row] = [both(numbers(one, row), of[row].finite()) for one in each]
    is_zero = {f"{row}{k}": one.is_zero for row, each in given.items() for k, one in enumerate(each)}
    scale = lambda k: (f"a_scales{k // block}", f"b_scales{k // block}") if scales is not None else ()
    atoms = [tuple(sorted((f"a{k}", f"b{k}") + scale(k))) for k in range(products)]
    most = lambda k, rows: prod(given[row][k // block if "_" in row else k].most for row in rows if given[row])
    sides = {True: ("a_scales", "b_scales"), False: (), "a": ("a_scales",), "b": ("b_scales",)}
    mosts = {scaled: [most(k, ("a", "b") + rows) for k in range(products)] for scaled, rows in sides.items()}
    places = {atom: k for k, atom in enumerate(atoms)}
    zero_products = sum(1 << k for k, most in enumerate(mosts[True]) if most == 0)
    most_c = given["c"][0].most
    sums = {scaled: sum(each, Fraction(0)) for scaled, each in mosts.items()}
    return Domain(formats, given, of, products, max(block, 1), scales is not None, atoms, places, is_zero, most_c, sums, zero_products)


# ---------------------------------------------------------------------------------------------------- steps

class Step:
    """A step, and what is known of its value."""

    def __init__(self, number, do, options, form, extent):
        self.number, self.do, self.options = number, do, options
        self.form = form  # the format of a register
        self.extent = extent  # the form of a number
        # From the options alone:
        self.fraction = FAR  # of a number: it is a multiple of 2^(exponent - fraction)
        self.size = None  # its magnitude is at most size * 2^exponent
        self.hides = False  # it takes no part where it is zero
        self.is_odd = False  # it may be nonzero and take no part; nothing of the three above is known then
        self.sticky = False  # a bit below it may say that something was lost
        # Facts:
        self.value = None  # Numbers
        self.exponent = FAR
        self.atoms = None  # its value is the exact sum of these
        self.rounded = None  # its value is the sum of these, rounded once
        self.may_overflow = False
        self.plus_zero = False  # a zero is +0
        self.is_signed_sum = False  # the sign of a zero follows from the signs of its atoms
        self.never_tiny = False
        self.rises = None
        self.bound = None
        self.of_summands = None
        self.name = None
        self.is_signed_source = False
        self.source = self.aligned = None
        self.takes = []
        self.factor = self.lowest = self.of_zero = None
        self.is_exact = self.is_safe = self.is_finite = self.stays = False


OPTIONS = {  # the options of each step, with the defaults of docs/src/units.md; ...: there is none
    "operand": dict(row=..., index=0),
    "zero": {},
    "constant": dict(value=NULL, minus=False),
    "positive": dict(of=...),
    "flush": dict(of=..., to="same"),
    "term": dict(of=..., zeros="none", widen=False, shift=0, room=0, specials="format"),
    "product": dict(x=..., y=...),
    "differ": dict(x=..., y=...),
    "normalise": dict(of=...),
    "part": dict(of=..., low=..., bits=..., by="rz"),
    "cap": dict(of=..., exponent=...),
    "drop": dict(of=..., exponent=...),
    "miscount": dict(of=..., bits=...),
    "sum": dict(terms=..., zeros="none"),
    "fuse": dict(terms=..., least=NULL, width=NULL, sticky=False, negate="twos"),
    "cut": dict(of=..., bits=..., by="rz", least=NULL),
    "special": {"of": ..., "from": ...},
    "round": {"from": ..., "by": "rne", "fraction": ..., "tiny": "kept", "overflow": "ieee", "integers": "wrap",
              "zero": "ieee", "nan": NULL, "specials": "format"},
    "replace": {"of": ..., "from": ..., "register": ...},
}
REGISTERS = ("operand", "zero", "constant", "positive", "flush", "round", "replace")
SOURCES = dict(number=1, register=1, multiply=2, add=2, fma=3)


class Term(NamedTuple):
    """A term of a fused sum."""

    of: int
    keep: int
    by: str
    far: Optional[int]
    again: Optional[int]
    vanish: Optional[int]

    @property
    def kept(self):
        return self.keep if self.again is None else self.again


def read_term(thing):
    known = dict(of=..., keep=..., by="rz", far=NULL, again=NULL, vanish=NULL)
    of, keep, by, far, again, vanish = fields(thing, known, "a term")
    keep, by = integer(keep, "keep", 0), word(by, MODES[:-1], "by")
    far, again, vanish = maybe(far, "far", 0), maybe(again, "again", 0), maybe(vanish, "vanish")
    need(again is None or again <= keep, "expected `again` of at most `keep`")
    return Term(of, keep, by, far, again, vanish)


class Unit:
    """The steps of a unit, checked one after another."""

    def __init__(self, thing, domain):
        self.domain = domain
        self.name, self.result, self.todo = fields(thing, dict(name=..., result=..., steps=...), "a unit")
        rows(self.todo, "steps")
        self.steps = []

    def at(self, x, kind):
        """An earlier step, which makes a number or a register."""
        need(isinstance(x, int) and not isinstance(x, bool) and 0 <= x < len(self.steps), f"expected an earlier step, found {x!r}")
        step = self.steps[x]
        need(kind == "any" or (step.form is not None) == (kind == "register"), f"expected a {kind} from step {x}")
        self.taken.append(step)
        return step

    def each(self, x, kind, what):
        return [self.at(one, kind) for one in rows(x, what)]

    def check(self, thing):
        self.taken = []
        step = self.read(thing)
        RULES[step.do](self, step)
        step.takes = self.taken
        if step.form is None and any(one.is_odd for one in step.takes + [step]) and not (step.do == "sum" and step.options["zeros"] != "terms"):
            step.is_odd, step.fraction, step.size, step.hides = True, FAR, None, False
        facts = thing["facts"]
        known = dict.fromkeys(["value", "sum", "rounds", "exponent", "rises", "bound", "of_summands"], NULL)
        value, total, rounds, exponent, rises, bound, of_summands = fields(facts, known, "facts")
        self.check_values(step, value, total, rounds, exponent)
        if rises is not None:
            check_rises(self, step, rises)
        track_factor(self, step)
        if bound is not None:
            check_bound(self, step, bound)
        if of_summands is not None:
            check_of_summands(self, step, of_summands)
        self.steps.append(step)

    def read(self, thing):
        """The step with its options in order; steps that it takes are looked up."""
        need(isinstance(thing, dict) and isinstance(thing.get("do"), str), "expected a step with `do`")
        do = thing["do"]
        need(do in OPTIONS, f"unknown step `{do}`")
        known = {"do": ..., "kind": ..., "facts": ..., "name": NULL, **OPTIONS[do]}
        options = fields(thing, known, f"a step `{do}`")[4:]
        kind = thing["kind"]
        form = extent = None
        need(isinstance(kind, dict) and len(kind) == 1, "expected one key in `kind`")
        if "register" in kind:
            need(isinstance(kind["register"], str) and kind["register"] in self.domain.formats, "unknown format in `kind`")
            form = self.domain.formats[kind["register"]]
        else:
            (extent,) = fields(kind, dict(number=...), "kind")
            width, *extent = fields(extent, dict.fromkeys(["width", "fraction", "lowest", "highest"], ...), "kind")
            extent = [integer(width, "width", 0)] + [integer(x, "a form of numbers") for x in extent]
        need((form is not None) == (do in REGISTERS), f"a step `{do}` has another kind")
        return Step(len(self.steps), do, dict(zip(OPTIONS[do], options)), form, extent)

    def check_values(self, step, value, total, rounds, exponent):
        """The facts of values follow from what the rule of the step found, which they replace."""
        found, step.value = step.value, None
        if value is not None:
            claimed = numbers(value, "value")
            need(found is not None, "nothing is known of the value")
            need_within(found.tidy(), claimed)
            step.value = claimed
        if exponent is not None:
            need(step.form is None, "a register has no exponent")
            need(step.exponent != FAR, "nothing is known of the exponent")
            claimed = -FAR if exponent == "none" else integer(exponent, "exponent")
            need(step.exponent <= claimed, f"expected an exponent of at least {show(step.exponent)}, found {show(claimed)}")
            step.exponent = claimed
        else:
            step.exponent = FAR
        if total is not None:
            need(step.atoms is not None, "the value is not known to be an exact sum")
            self.need_atoms(step.atoms, total, "sum")
        elif step.atoms is not None and len(step.atoms) > 1 and all(self.is_whole(atom) for atom in step.atoms):
            step.atoms = None  # what is not said is not known, but for sums whose scales are still to come
        if rounds is not None:
            self.check_rounds(step, rounds, value is not None, total is not None)
        else:
            step.rounded = None

    def is_whole(self, atom):
        return len(atom) == (4 if self.domain.has_scales else 2) or atom[0][0] in "cr0"

    def check_rounds(self, step, rounds, has_value, has_sum):
        terms, may_overflow = fields(rounds, {"terms": ..., "may_overflow": False}, "rounds")
        need(step.do == "round" and step.rounded is not None, "the value is not known to be a rounded sum")
        step.may_overflow = flag(may_overflow, "may_overflow")
        self.need_atoms(step.rounded, terms, "rounds")
        if may_overflow:
            need(not has_value, "a value that may overflow is not known to be finite")
        else:
            need(step.is_finite, "the rounded sum is not known to be finite")
            if not has_sum:
                step.atoms, step.is_signed_sum = [(f"r{step.number}",)], True

    def need_atoms(self, known, claimed, what):
        """Both lists have the same atoms in some order, but for those that are always zero."""
        claimed = [self.read_atom(one) for one in rows(claimed, what)]
        known, claimed = Counter(self.some(known)), Counter(self.some(claimed))
        for atom in (known - claimed) + (claimed - known):
            raise Rejected(f"`{what}` does not follow: expected {known[atom]} times {'*'.join(atom)}, found {claimed[atom]}")

    def some(self, atoms):
        """The atoms that are not always zero."""
        is_zero = self.domain.is_zero
        return [atom for atom in atoms if atom != ("0",) and not any(is_zero.get(one, False) for one in atom)]

    def read_atom(self, x):
        need(isinstance(x, str) and x[:1] in ("c", "p", "r"), f"unknown atom {x!r}")
        if x[0] == "c":
            need(x == "c", f"unknown atom {x!r}")
            return ("c0",)
        k = natural(x[1:], "an atom")
        if x[0] == "p":
            need(k < self.domain.products, f"no product {k}")
            return self.domain.atoms[k]
        return (f"r{k}",)


def show(e):
    return "none" if e == -FAR else "nothing" if e == FAR else str(e)


# ------------------------------------------------------------------------------- the rule of each step, for values

def operand(unit, step):
    row, index = step.options["row"], step.options["index"]
    of = unit.domain.given
    need(isinstance(row, str) and row in of, f"unknown row {row!r}")
    need(integer(index, "index", 0) < len(of[row]), f"no operand {index} in row {row}")
    need(step.form == unit.domain.of[row], f"expected the format {unit.domain.of[row].name}")
    step.value, step.atoms, step.is_signed_sum = of[row][index], [(f"{row}{index}",)], True


def zero(unit, step):
    need(step.form.zero, "the format has no zero")
    step.value, step.atoms = Numbers(most=Fraction(0), minus=False).tidy(), [("0",)]
    step.plus_zero = step.is_signed_sum = True


def constant(unit, step):
    value, minus = step.options["value"], flag(step.options["minus"], "minus")
    if value is None:
        return  # an infinity or a NaN
    value = dyadic(value, "value")
    need(step.form.is_float and (value or step.form.zero), "the format has no such number")
    if value:
        bits = value.numerator.bit_length()
        step.value = Numbers(log2(value) - bits + 1, value, log2(value), bits, minus, minus, False).tidy()
    else:
        step.value, step.atoms = Numbers(most=Fraction(0), minus=minus).tidy(), [("0",)]
        step.plus_zero = step.is_signed_sum = not minus


def positive(unit, step):
    of = unit.at(step.options["of"], "register")
    need(step.form == of.form and step.form.is_float, "expected the same format of floating point")
    if of.value is not None:
        is_same = not of.value.minus
        step.value = of.value if is_same else of.value._replace(negative=False, minus=False, zero=True).tidy()
        step.atoms = of.atoms if is_same else None
        step.plus_zero, step.is_signed_sum = True, is_same and of.is_signed_sum


def flush(unit, step):
    of = unit.at(step.options["of"], "register")
    to = word(step.options["to"], ["same", "plus"], "to")
    need(step.form == of.form and of.form.is_float, "expected the same format of floating point")
    step.plus_zero = of.plus_zero and (to == "plus" or (of.value is not None and not of.value.minus))
    if of.value is None:
        return
    if of.value.floor() >= of.form.emin:
        step.value, step.atoms, step.plus_zero = of.value, of.atoms, of.plus_zero
        step.is_signed_sum = of.is_signed_sum and (to == "same" or not (of.value.zero and of.value.minus))
    else:
        step.value = of.value._replace(least=of.form.emin, zero=True).tidy()


def term(unit, step):
    of = unit.at(step.options["of"], "any")
    zeros = step.options["zeros"]
    need(zeros in ("none", "field") or integer(zeros, "zeros") == zeros, "expected none, field or an integer for zeros")
    flag(step.options["widen"], "widen")
    shift, _ = integer(step.options["shift"], "shift"), integer(step.options["room"], "room", 0)
    word(step.options["specials"], ["format", "none"], "specials")
    step.value, step.atoms, step.sticky, step.plus_zero = of.value, of.atoms, of.sticky, of.plus_zero
    step.is_signed_sum = of.is_signed_sum
    may_be_zero = of.value is None or of.value.zero
    step.hides = zeros == "none" or not may_be_zero or (of.form is not None and not of.form.zero)
    if of.form is None:
        step.fraction, step.size, own = of.fraction + shift, of.size, of.exponent
        # A zero that took no part before has some exponent of the form.
        of_zero = of.extent[3] if zeros == "field" else zeros
    elif of.form.is_float:
        step.fraction, step.size = of.form.p - 1 + shift, 2 - power(1 - of.form.p)
        own = FAR if of.value is None or of.value.most is None else top(of.value.most)
        if own != FAR and of.value.floor() < of.form.emin:
            own = max(own, of.form.emin)
        of_zero = of.form.emin if zeros == "field" else zeros
    else:
        step.fraction, step.size, own = shift, of.form.greatest + of.form.signed, -FAR if of.value and of.value.is_zero else 0
        of_zero = 0 if zeros == "field" else zeros
    if step.size is not None:
        step.size *= power(-shift)
    if of.value is None or own == FAR:
        return
    step.exponent = own if step.hides else max(own, of_zero)
    if step.exponent != -FAR:
        step.exponent += shift


def top(m):
    return log2(m) if m else -FAR


def times(x, y):
    """The numbers that are products of one of x and one of y."""
    if x is None or y is None:
        return None
    if x.is_zero or y.is_zero:
        return Numbers(most=Fraction(0), minus=x.minus or y.minus).tidy()
    join = lambda one, other: None if one is None or other is None else one + other
    bits = y.bits if x.bits == 1 else x.bits if y.bits == 1 else join(x.bits, y.bits)
    most = None if x.most is None or y.most is None else x.most * y.most
    flags = [x.negative or y.negative, x.minus or y.minus, x.zero or y.zero]
    return Numbers(join(x.unit, y.unit), most, join(x.least, y.least), bits, *flags).tidy()


def all_of(values):
    """The numbers that are sums of one of each set."""
    if any(one is None for one in values):
        return None
    minus = any(one.minus for one in values)
    some = [one for one in values if not one.is_zero]
    if len(some) < 2:
        return some[0]._replace(minus=minus) if some else Numbers(most=Fraction(0), minus=minus).tidy()
    unit = None if any(one.unit is None for one in some) else min(one.unit for one in some)
    most = None if any(one.most is None for one in some) else sum(one.most for one in some)
    negative = any(one.negative for one in some)
    is_zero_never = not negative and not all(one.zero for one in some)
    return Numbers(unit, most, None, None, negative, minus, not is_zero_never).tidy()


def product_of_atoms(x, y):
    """Each atom of a sum times one other atom; roundings are no operands, and are not multiplied."""
    if x is None or y is None or (len(x) != 1 and len(y) != 1):
        return None
    atoms = [tuple(sorted(one + other)) for one in x for other in y]
    return atoms if all(one[0] not in "r0c" for atom in atoms for one in atom) else None


def product(unit, step):
    x, y = unit.at(step.options["x"], "number"), unit.at(step.options["y"], "number")
    step.value, step.atoms = times(x.value, y.value), product_of_atoms(x.atoms, y.atoms)
    step.fraction = min(x.fraction + y.fraction, FAR)
    step.size = None if x.size is None or y.size is None else x.size * y.size
    if step.size is not None and step.size.numerator.bit_length() > 10_000:
        step.size = None  # no real unit has such numbers
    step.hides = x.hides and y.hides
    step.sticky = x.sticky or y.sticky
    step.is_signed_sum = x.is_signed_sum and y.is_signed_sum and step.atoms is not None and len(step.atoms) == 1
    if -FAR in (x.exponent, y.exponent):
        step.exponent = -FAR
    elif FAR not in (x.exponent, y.exponent):
        step.exponent = x.exponent + y.exponent


def differ(unit, step):
    for one in (unit.at(step.options["x"], "register"), unit.at(step.options["y"], "register")):
        need(not one.form.is_float and one.form.p == 1, "expected registers of one bit")
    step.fraction, step.size, step.hides, step.exponent = 0, Fraction(1), True, 0
    step.value = Numbers(0, Fraction(1), 0, 1, False, False, True)


def same(step, of):
    """The same number, finite or not."""
    for part in ("value", "atoms", "fraction", "size", "hides", "sticky", "exponent", "plus_zero", "is_signed_sum"):
        setattr(step, part, getattr(of, part))


def normalise(unit, step):
    of = unit.at(step.options["of"], "number")
    same(step, of)
    step.fraction, step.size, step.exponent = of.extent[0] - 1, Fraction(2), FAR
    if of.value is not None and of.value.bits is not None:
        step.fraction = min(step.fraction, max(of.value.bits - 1, 0))
    if of.value is not None and of.value.most is not None:
        step.exponent = max(top(of.value.most), of.exponent if not of.hides and of.value.zero else -FAR)


def part(unit, step):
    of = unit.at(step.options["of"], "number")
    low, bits = integer(step.options["low"], "low", 0), integer(step.options["bits"], "bits", 1)
    by = word(step.options["by"], MODES[:-1], "by")
    # The place of its last bit is 2^(exponent - fraction), the fraction that of its form.
    step.fraction, step.exponent, step.sticky = step.extent[1], of.exponent, of.sticky
    step.size = power(bits) * power(-step.fraction)
    if of.value is not None:
        is_cut = by == "rz" or low == 0
        most = of.value.most if is_cut else None
        unit_of = of.value.unit if is_cut else None
        step.value = Numbers(unit_of, most, None, bits, of.value.negative, of.value.minus, True).tidy()


def cap(unit, step):
    of = unit.at(step.options["of"], "number")
    exponent = integer(step.options["exponent"], "exponent")
    same(step, of)
    if of.value is None or of.value.most is None or of.value.most >= power(exponent):
        step.value = step.atoms = None


def drop(unit, step):
    of = unit.at(step.options["of"], "number")
    exponent = integer(step.options["exponent"], "exponent")
    same(step, of)
    # A number of at least 2^least has an exponent that is greater than least - (bits above the place of 1).
    is_kept = of.value is not None and of.size and of.value.floor() - log2(of.size) >= exponent
    if not is_kept:
        step.hides, step.atoms, step.is_signed_sum, step.plus_zero = False, None, False, False
        step.value = None if of.value is None else of.value._replace(zero=True)


def miscount(unit, step):
    of = unit.at(step.options["of"], "number")
    integer(step.options["bits"], "bits", 0)
    if of.value is not None and not of.value.negative:
        same(step, of)
    else:
        step.sticky = of.sticky


def add(unit, step):
    terms = unit.each(step.options["terms"], "number", "terms")
    zeros = word(step.options["zeros"], ["none", "terms", "field"], "zeros")
    step.value = all_of([one.value for one in terms])
    gather(step, terms)
    step.fraction, step.hides = step.extent[1], zeros == "none" or (step.value is not None and not step.value.zero)
    if step.value is not None:
        if step.value.unit is not None and not step.value.is_zero:
            step.fraction = min(step.fraction, -step.value.unit)
        step.size = step.value.most
        never = zeros == "none" and step.value.is_zero or zeros == "terms" and all(one.exponent == -FAR for one in terms)
        step.exponent = -FAR if never else 0


def gather(step, terms):
    """The atoms of an exact sum."""
    if all(one.atoms is not None for one in terms):
        step.atoms = [atom for one in terms for atom in one.atoms]
    step.is_signed_sum = all(one.is_signed_sum for one in terms)


class Aligned(NamedTuple):
    """What alignment does to the terms of a fused sum."""

    terms: list  # pairs of a term and its step
    whole: list  # whether each is known to be cut nowhere
    grown: list  # how much each may grow in magnitude, relative to 2^(exponent of the sum)
    fits: bool  # whether the sum fits its width, and no complement changes it
    exponent: int


def align(unit, step):
    terms = [read_term(one) for one in rows(step.options["terms"], "terms")]
    need(terms, "expected a term")
    terms = [(one, unit.at(one.of, "number")) for one in terms]
    least, width = maybe(step.options["least"], "least"), step.options["width"]
    flag(step.options["sticky"], "sticky")
    negate = word(step.options["negate"], ["twos", "ones", "ones_of_nonzero", "against_last"], "negate")
    # A term that takes part nowhere is zero, and cut nowhere.
    exponents = sorted([of.exponent for _, of in terms] + [-FAR if least is None else least])
    whole, grown = [], []
    for one, of in terms:
        place = -FAR if of.value is None else of.value.place()
        others = exponents[-2] if of.exponent == exponents[-1] else exponents[-1]
        is_own = of.fraction <= one.kept or place >= of.exponent - one.kept
        is_whole = is_own and place >= others - one.kept or of.value is not None and of.value.is_zero
        whole.append(is_whole)
        growth = 0 if is_whole or one.by == "rz" else power(-one.keep)
        grown.append(growth and growth + (0 if one.again is None else power(-one.again)))
    fits = negate == "twos" or all(of.value is not None and not of.value.minus for _, of in terms)
    step.is_odd = not fits
    if width is not None:
        need(isinstance(width, list) and len(width) == 2, "expected [bits, wrap or saturate] for width")
        bits, _ = integer(width[0], "width", 1), word(width[1], ["wrap", "saturate"], "width")
        finest = max(one.keep for one, _ in terms)
        sizes = [0 if of.value and of.value.is_zero else of.size for _, of in terms]
        fits = fits and None not in sizes and sum(sizes) + sum(grown) <= (power(bits - 1) - 1) * power(-finest)
    return Aligned(terms, whole, grown, fits, exponents[-1])


def fuse(unit, step):
    aligned = step.aligned = align(unit, step)
    terms = [of for _, of in aligned.terms]
    is_whole = all(aligned.whole)
    step.fraction = max(one.kept for one, _ in aligned.terms) if aligned.fits else FAR
    step.exponent = aligned.exponent
    step.hides = len([one for one in terms if not (one.value and one.value.is_zero)]) == 1 and is_whole and all(
        one.hides for one in terms) and step.options["least"] is None
    step.sticky = step.options["sticky"] and not is_whole
    if not aligned.fits:
        return
    sizes = [0 if of.value and of.value.is_zero else of.size for of in terms]
    step.size = None if None in sizes else sum(sizes) + sum(aligned.grown)
    if is_whole:
        step.value = all_of([of.value for of in terms])
        gather(step, terms)
    elif not any(aligned.grown) or aligned.exponent != FAR:
        # A multiple of 2^u that is rounded to a multiple of another power of two is still one of 2^u.
        values = []
        for of, growth in zip(terms, aligned.grown):
            most = of.value and of.value.most
            if most is not None and growth:
                most += growth * power(aligned.exponent)
            values.append(of.value and of.value._replace(most=most, least=None, bits=None, zero=True))
        step.value = all_of(values)


def cut(unit, step):
    of = unit.at(step.options["of"], "number")
    bits, least = integer(step.options["bits"], "bits", 1), maybe(step.options["least"], "least")
    by = word(step.options["by"], MODES[:-1], "by")
    last = -FAR if least is None else least - bits + 1
    step.fraction, step.size, step.sticky = bits - 1, Fraction(2), of.sticky
    step.hides = of.hides and least is None
    value = of.value
    if value is None:
        return
    if value.most is not None:
        step.exponent = max(top(value.most), -FAR if least is None else least,
                            of.exponent if not of.hides and value.zero else -FAR)
    if value.is_zero or value.bits is not None and value.bits <= bits and value.place() >= last:
        step.value, step.atoms, step.is_signed_sum, step.is_exact = value, of.atoms, of.is_signed_sum, True
        step.hides = of.hides
    else:
        most = value.most and (down if by == "rz" else up)(value.most, bits, last)
        is_kept = value.floor() >= last
        floor = value.least if is_kept else None
        step.value = Numbers(value.unit, most, floor, bits, value.negative, value.minus, value.zero or not is_kept).tidy()


def special(unit, step):
    of = unit.at(step.options["of"], "number")
    others = unit.each(step.options["from"], "number", "from")
    same(step, of)
    if any(one.value is None for one in others):
        step.value = step.atoms = None


def replace(unit, step):
    of = unit.at(step.options["of"], "register")
    others = unit.each(step.options["from"], "any", "from")
    need(isinstance(step.options["register"], (int, str)), "expected a code for register")
    need(step.form == of.form, "expected the same format")
    if all(one.value is not None for one in others):
        step.value, step.atoms, step.plus_zero, step.is_signed_sum = of.value, of.atoms, of.plus_zero, of.is_signed_sum


def read_source(unit, step):
    """The steps that a rounding takes, and how."""
    source = step.options["from"]
    need(isinstance(source, dict) and len(source) == 1, "expected one key in `from`")
    (how, of), = source.items()
    need(how in SOURCES, f"unknown source `{how}`")
    of = [of] if SOURCES[how] == 1 else rows(of, how)
    need(len(of) == SOURCES[how], f"expected {SOURCES[how]} steps for `{how}`")
    return how, [unit.at(one, "number" if how == "number" else "register") for one in of]


def exact(how, of):
    """The value and the atoms before the rounding, and whether the sign of a zero follows from those of the atoms."""
    is_signed = all(one.is_signed_sum for one in of)
    if how in ("number", "register"):
        return of[0].value, of[0].atoms, is_signed
    value, atoms = of[0].value, of[0].atoms
    if how != "add":
        value, atoms = times(value, of[1].value), product_of_atoms(atoms, of[1].atoms)
        is_signed = is_signed and atoms is not None and len(atoms) == 1
    if how != "multiply":
        value = all_of([value, of[-1].value])
        atoms = None if atoms is None or of[-1].atoms is None else atoms + of[-1].atoms
    return value, atoms, is_signed


def round_to(unit, step):
    how, of = read_source(unit, step)
    options, form = step.options, step.form
    by = word(options["by"], MODES, "by")
    fraction = integer(options["fraction"], "fraction", 0)
    tiny = word(options["tiny"], ["kept", "before", "after", "register"], "tiny")
    overflow = word(options["overflow"], ["infinity", "ieee", "greatest"], "overflow")
    word(options["integers"], ["wrap", "saturate", "symmetric"], "integers")
    sign = word(options["zero"], ["ieee", "plus", "shared", "total"], "zero")
    step.specials = word(options["specials"], ["format", "none"], "specials")
    step.nan_is_nan = read_nan(unit, options["nan"])
    need(fraction < form.p if form.is_float else fraction == 0, "expected fewer fraction bits than the format has")
    step.source, step.is_finite = (how, of), False
    value, atoms, is_signed = exact(how, of)
    is_sticky = of[0].sticky and how == "number"
    if not form.is_float:
        return None if is_sticky else to_integers(step, value, atoms)
    step.is_signed_source = is_signed
    has_minus = value is None or value.minus
    if not form.zero or not form.signed and has_minus or not form.negative_zero and has_minus and (sign, tiny) != ("plus", "kept"):
        return  # a zero might have the code of a NaN, or of another number
    step.is_safe = form.subnormals
    if is_sticky:
        return  # what it is rounded to depends on more than the value
    step.rounded = atoms if by != "sr" and step.specials == "format" else None
    if value is None:
        return
    greatest, place = form.largest(fraction), power(form.emax - fraction)
    last, floor = form.emin - fraction, value.floor()
    step.never_tiny = floor >= form.emin
    step.is_safe = form.subnormals or step.never_tiny
    if not form.subnormals and not step.never_tiny:
        return
    room = place if by == "rz" else place / 2 if by in NEAREST else 0
    stays = value.most is not None and (value.most <= greatest or value.most < greatest + room)
    step.stays = stays
    step.is_finite = stays or overflow == "greatest" or (overflow == "ieee" and by == "rz")
    if not step.is_finite:
        return
    is_exact = stays and value.most <= greatest and (value.is_zero or value.bits is not None and
        value.bits <= fraction + 1 and value.place() >= last and (tiny == "kept" or step.never_tiny))
    is_kept = step.never_tiny or is_exact or (tiny == "kept" and floor >= last)
    plus = sign == "plus" and (tiny == "kept" or step.never_tiny) or sign == "total" and is_exact
    minus = value.negative if plus else value.minus
    step.plus_zero = plus or not value.minus
    if is_exact:
        step.value, step.atoms, step.is_exact = value._replace(minus=minus), atoms, True
        step.is_signed_sum = how == "register" and is_signed and sign == "ieee"
        return
    if by == "sr":
        return
    most = form.greatest if value.most is None else (down if by == "rz" else up)(value.most, fraction + 1, last)
    lowest = max(value.place(), last) if value.unit is not None else last
    least = max(floor, last) if is_kept else form.emin if tiny != "kept" else last
    bits = min(value.bits or fraction + 1, fraction + 1)
    if not stays:  # the greatest number in place of a greater one has bits of its own
        lowest, least, most, bits = min(lowest, form.emax - fraction - 1), min(least, form.emax - 1), form.greatest, fraction + 1
    step.value = Numbers(lowest, min(most, form.greatest), least, bits, value.negative, minus, value.zero or not is_kept).tidy()


def to_integers(step, value, atoms):
    """An integer stays where it fits; what becomes of others is an integer of the format, too."""
    form = step.form
    step.plus_zero, step.is_signed_sum, step.is_finite = True, False, True
    fits = value is not None and value.place() >= 0 and value.most is not None and value.most <= form.greatest
    if fits and (form.signed or not value.negative):
        step.value, step.atoms, step.is_exact = value._replace(minus=value.negative), atoms, True
    elif value is not None and value.place() >= 0:
        step.value = form.finite()


def read_nan(unit, nan):
    """Whether a NaN stays one."""
    if isinstance(nan, dict):
        first, stays = fields(nan, dict(first=..., else_nan=...), "nan")
        unit.each(first, "register", "first")
        return flag(stays, "else_nan")
    need(nan is None or isinstance(nan, (str, int)), "expected a code for nan")
    return True


RULES = dict(operand=operand, zero=zero, constant=constant, positive=positive, flush=flush, term=term, product=product, differ=differ, normalise=normalise,
             part=part, cap=cap, drop=drop, miscount=miscount, sum=add, fuse=fuse, cut=cut, special=special,
             replace=replace, round=round_to)


# ---------------------------------------------------------------------------------- what rises with one operand
#
# One operand is greater in a second run: c, or a factor whose other factor is positive (or less, if that is negative). A value
# rises if it is not less in the second run. `step`: where its exponent changes, or it takes part in one run alone, it rises by at least
# step * 2^e: e is the lesser exponent where both are there and differ by one, else the greatest one that is there.

class Fixed(NamedTuple):
    nonnegative: bool


class Factor(NamedTuple):
    """It has the sign of the factor, or is zero, and moves with it."""

    side: str
    index: int
    may_vanish: bool
    is_fine: bool = True  # two factors of one exponent exist


class Rising(NamedTuple):
    places: int  # the bits of the products that it depends on
    step: Optional[Fraction]


def check_rises(unit, step, thing):
    need(unit.moving is not None, "the certificate proves nothing of operands that rise")
    found, claimed = rising(unit, step), read_rises(unit, thing)
    if isinstance(claimed, Fixed):
        holds = isinstance(found, Fixed) and found.nonnegative >= claimed.nonnegative
    elif isinstance(claimed, Factor):
        holds = isinstance(found, Factor) and found[:2] == claimed[:2] and found.may_vanish <= claimed.may_vanish
        claimed = claimed._replace(is_fine=holds and found.is_fine)
    else:
        holds = isinstance(found, Fixed) or isinstance(found, Rising) and not found.places & ~claimed.places
        if isinstance(found, Rising) and claimed.step is not None:
            need(found.step is not None, "`step` does not follow: nothing is known of it")
            need(claimed.step <= found.step, f"`step` does not follow: expected at most {found.step}, found {claimed.step}")
    need(holds, f"`rises` does not follow: expected {found}, found {claimed}")
    step.rises = claimed


def read_rises(unit, thing):
    need(isinstance(thing, dict) and len(thing) == 1, "expected one key in `rises`")
    (key, one), = thing.items()
    if key == "fixed":
        return Fixed(flag(fields(one, dict(nonnegative=...), key)[0], "nonnegative"))
    if key == "factor":
        side, index, may_vanish = fields(one, dict(side=..., index=..., may_vanish=...), key)
        return Factor(word(side, ["a", "b"], "side"), integer(index, "index", 0), flag(may_vanish, "may_vanish"))
    need(key == "rising", f"unknown key `{key}` in rises")
    of, step = fields(one, dict(of=..., step=NULL), key)
    return Rising(places(of, unit.domain.products), None if step is None else dyadic(step, "step"))


def places(of, products):
    """The union of sets [first, last, stride], a bit for each member."""
    bits = 0
    for one in rows(of, "of"):
        need(isinstance(one, list) and len(one) == 3, "expected [first, last, stride]")
        first, last, stride = (integer(x, "a place", 0) for x in one)
        need(first <= last < max(products, 1), "expected places of products")
        need(first == last if stride == 0 else (last - first) % stride == 0, "expected `last` to be a member")
        count = 1 if stride == 0 else (last - first) // stride + 1
        bits |= (int("1".rjust(max(stride, 1), "0") * count, 2) if stride > 1 else (1 << count) - 1) << first
    return bits


def summand(step):
    need(isinstance(step.rises, (Fixed, Rising)), f"step {step.number} is not known to rise")
    return step.rises


def union(steps):
    """What a value is that rises with each of these; its step is not known."""
    moving = [one for one in map(summand, steps) if isinstance(one, Rising)]
    bits = 0
    for one in moving:
        bits |= one.places
    return Rising(bits, None) if moving else Fixed(False)


def rising(unit, step):
    """What the step is, as those are that it takes."""
    if step.do == "operand":
        return rising_operand(unit, step)
    if all(isinstance(one.rises, Fixed) for one in step.takes):
        keeps_sign = step.do in ("term", "flush", "normalise", "product") and all(one.rises.nonnegative for one in step.takes)
        is_plus = step.do == "constant" and step.options["value"] is not None and not step.options["minus"]
        return Fixed(keeps_sign or is_plus or step.value is not None and not step.value.minus)
    need(step.do in RISES, f"nothing is known of what rises through `{step.do}`")
    return RISES[step.do](unit, step)


def rising_operand(unit, step):
    row, index = step.options["row"], step.options["index"]
    nonnegative = not step.form.signed or not unit.domain.given[row][index].minus
    if row in ("a_scales", "b_scales") or (row == "c") != (unit.moving == "c"):
        return Fixed(nonnegative)
    need(step.form.is_float, "nothing is known of integers that rise")
    return Rising(1, None) if row == "c" else Factor(row, index, False)


def rising_flush(unit, step):
    of = step.takes[0].rises
    return of._replace(may_vanish=True) if isinstance(of, Factor) else summand(step.takes[0])


def rising_term(unit, step):
    of, zeros, shift = step.takes[0], step.options["zeros"], step.options["shift"]
    rises = of.rises if isinstance(of.rises, Factor) else summand(of)
    need(step.options["specials"] == "format" or of.value is not None, "an infinity would be a number")
    if of.form is not None:
        # Zero is not compared by a greater exponent than the least numbers.
        need(of.form.is_float and (zeros in ("none", "field") or zeros <= of.form.emin), "zero has a greater exponent than others")
    if isinstance(rises, Factor):
        # The exponent of a factor that became zero would change with the other factor alone.
        need(zeros == "none" or of.form is not None and not rises.may_vanish, "a factor that vanishes has an exponent")
        return rises._replace(is_fine=rises.is_fine and (of.form is None or of.form.p > 1))
    if of.form is not None:
        # Two numbers of a format differ by a last place, and by half of the greater power of two if their exponents are further apart.
        return rises._replace(step=power(-step.fraction) if of.form.p > 1 else None)
    if rises.step is None or not (zeros == "none" or of.value is not None and not of.value.zero):
        return rises._replace(step=None)
    # Where a zero takes no part any more, the other value is at least a last place.
    least = rises.step if of.hides else min(rises.step, power(-of.fraction)) if of.fraction != FAR else None
    return rises._replace(step=None if least is None else least * power(-shift))


def rising_product(unit, step):
    x, y = step.takes
    value = multiplied(x.rises, y.rises)
    if isinstance(x.rises, Factor):
        is_fine = x.rises.is_fine and y.rises.is_fine and FAR not in (x.fraction, y.fraction)
        return value._replace(step=power(-x.fraction - y.fraction) if is_fine else None)
    moves, scale = (x, y) if isinstance(x.rises, Rising) else (y, x)
    # A scale is at least its last place; where it is zero, the product must take no part.
    is_known = moves.rises.step is not None and scale.hides and scale.fraction != FAR
    return value._replace(step=moves.rises.step * power(-scale.fraction) if is_known else None)


def multiplied(x, y):
    if isinstance(x, Factor) and isinstance(y, Factor):
        need(x.side != y.side and x.index == y.index, "expected both factors of one product")
        return Rising(1 << x.index, None)
    moves, scale = (x, y) if isinstance(x, Rising) else (y, x)
    need(isinstance(moves, Rising) and isinstance(scale, Fixed) and scale.nonnegative, "a product with what may be negative")
    return moves._replace(step=None)


def rising_normalise(unit, step):
    of = step.takes[0]
    rises = summand(of)
    if rises.step is None or not of.hides or not of.size or of.fraction == FAR:
        return rises._replace(step=None)
    # The exponent of the leading one is at most that of before + log2(size); if exponents are further apart, half of a power of two lies between.
    least = min(rises.step, power(-of.fraction)) * power(-log2(of.size))
    return rises._replace(step=min(least, power(-1)))


def rising_special(unit, step):
    return union(step.takes)._replace(step=getattr(summand(step.takes[0]), "step", None))


def rising_sum(unit, step):
    value = union(step.takes)
    # Its exponent is 0, and it is a multiple of its last place.
    return value._replace(step=None if step.options["zeros"] == "terms" else power(-step.fraction))


def rising_fuse(unit, step):
    """If the greatest exponent E stays, each term is rounded at the place where it was. If E changes, it is that of the term that rises, in
    one run at least; this term has all its bits where E is its own exponent, and each other one changes by at most its `loss`."""
    aligned = step.aligned
    need(aligned.fits, "the sum may exceed its width, or has complements")
    value = union(step.takes)
    is_whole = all(aligned.whole)
    losses = [0 if whole else loss(one, of) for (one, of), whole in zip(aligned.terms, aligned.whole)]
    need(is_whole or not step.options["sticky"], "a sticky sum that cuts")
    need(is_whole or all(one.vanish is None for one, _ in aligned.terms), "a term that vanishes")
    total, seen, least, all_known = sum(losses), 0, None, True
    greatest = sorted((x, k) for k, x in enumerate(losses) if x)[-2:]
    for k, (one, of) in enumerate(aligned.terms):
        if not isinstance(of.rises, Rising):
            continue
        if is_whole:
            left = of.rises.step
        else:
            need(not seen & of.rises.places, "two terms depend on one product")
            seen |= of.rises.places
            need(of.rises.step is not None, f"nothing is known of the step of step {of.number}")
            need(of.fraction <= one.keep and one.again is None, f"step {of.number} has finer bits than are kept")
            # A greater magnitude of a register has no lesser exponent, so that it is not far where a lesser one is near.
            is_ordered = of.do == "term" and of.takes[0].form is not None
            need(one.far is None or one.by == "rz" or is_ordered, "a term that rises has another rounding where it is far")
            # Where E is the exponent of another term before or after, this one is cut, too: that is little, unless no other one is cut as coarsely.
            others = max((x for x, other in greatest if other != k), default=0)
            own = 0 if aligned.whole[k] or others >= power(-one.keep) else power(-one.keep - 1)
            left = of.rises.step - (total - losses[k]) - own
            need(left >= 0, f"expected a step of at least {total - losses[k] + own} of step {of.number}, found {of.rises.step}")
        all_known = all_known and left is not None
        least = left if least is None or left is not None and left < least else least
    return value._replace(step=least if all_known else None)


def loss(one, of):
    """The most that a term changes where E changes: relative to the lesser power of two if both are one apart, else to the greater one."""
    # Where it is far, a term that is rounded down, or up, is cut to zero, and was less than a last place at the distance before that.
    is_small = one.far is not None and of.size is not None and of.size <= power(one.far - one.keep)
    if one.again is None and (one.far is None or one.by == "rz" or is_small):
        if one.by in ("rz", "rd", "ru") or one.by == "ra" and one.far is None:
            return power(-one.keep)  # of two places one after the other, the coarser cut decides
    if one.again is None and one.far is None and one.by in NEAREST:
        return power(1 - one.keep)  # half of each place
    again = 0 if one.again is None else power(-one.again)
    return 3 * (power(-one.keep) + again)  # less than each place


def rising_round(unit, step):
    how, of = step.source
    need(step.form.is_float and step.specials == "format" and step.options["by"] != "sr", "nothing is known of such a rounding")
    is_finite = all(one.value is not None for one in of)
    need(is_finite or step.nan_is_nan and step.form.nan, "a NaN becomes a number")
    need(how != "number" or not of[0].sticky, "a sticky number")
    if how == "register" and isinstance(of[0].rises, Factor):
        last = step.form.emin - (step.options["fraction"] if step.options["tiny"] == "kept" else 0)
        return of[0].rises._replace(may_vanish=of[0].rises.may_vanish or of[0].form.finite().floor() < last)
    if how in ("number", "register", "add"):
        return union(of)._replace(step=None)
    is_fixed = isinstance(of[0].rises, Fixed) and isinstance(of[1].rises, Fixed)
    value = Fixed(False) if is_fixed else multiplied(of[0].rises, of[1].rises)
    if how == "fma":
        other = summand(of[2])
        value = Rising(getattr(value, "places", 0) | getattr(other, "places", 0), None)
    return value


def rising_same(unit, step):
    return summand(step.takes[0])


def rising_positive(unit, step):
    return summand(step.takes[0])._replace(step=None) if isinstance(step.takes[0].rises, Rising) else summand(step.takes[0])


def rising_cut(unit, step):
    need(not step.sticky, "a sticky number")
    return summand(step.takes[0])._replace(step=None)


def rising_replace(unit, step):
    need(all(one.value is not None for one in step.takes[1:]), "a NaN becomes another register")
    return summand(step.takes[0])


RISES = {"flush": rising_flush, "positive": rising_positive, "term": rising_term, "product": rising_product, "normalise": rising_normalise, "cap": rising_same,
         "special": rising_special, "sum": rising_sum, "fuse": rising_fuse, "cut": rising_cut, "round": rising_round, "replace": rising_replace}


# ------------------------------------------------------------------------------------------------ bounds of errors
#
# As long as nothing on the way overflowed: |value - exact sum of `products`, and of c if `has_c`| <= error, |value| <= most, and 2^e <= reach for
# the exponent e by which it is compared. P is the sum of the magnitudes of these products. Terms of a sum have products of their own.

class Amount(NamedTuple):
    """At most c * |c| + products * P + absolute."""

    c: Fraction
    products: Fraction
    absolute: Fraction

    def plus(self, other):
        return Amount(*[x + y for x, y in zip(self, other)])

    def times(self, factor):
        return Amount(*[x * factor for x in self])

    def at_least(self, absolute):
        return self._replace(absolute=max(self.absolute, absolute))


NOTHING = Amount(Fraction(0), Fraction(0), Fraction(0))


class Bound(NamedTuple):
    """Each of the bounds in a list holds."""

    products: int
    has_c: bool
    scaled: object  # whether the products have their scales; "a" or "b": of one side alone
    errors: list
    mosts: list
    reaches: list
    sticky: bool

    @property
    def size(self):
        return Amount(Fraction(self.has_c), Fraction(self.products != 0), Fraction(0))

    def magnitudes(self):
        return self.mosts + [error.plus(self.size) for error in self.errors]


def joined(amounts):
    """The sum of amounts of different products."""
    zero = Fraction(0)
    return Amount(sum((x.c for x in amounts), zero), max((x.products for x in amounts), default=zero), sum((x.absolute for x in amounts), zero))


def greatest(amounts):
    zero = Fraction(0)
    return Amount(*[max((x[k] for x in amounts), default=zero) for k in range(3)])


def read_amount(thing, what):
    return Amount(*[dyadic(x, what) for x in fields(thing, dict(c=..., products=..., absolute=...), what)])


def is_at_most(domain, scaled, x, y):
    """Whether x <= y for all operands as given; P is the sum of products that are so scaled."""
    if x == y:
        return True
    rest = y.absolute - x.absolute
    for more, most in ((x.c - y.c, domain.most_c), (x.products - y.products, domain.most_products[scaled])):
        if more > 0:
            rest -= more * most
    return rest >= 0


def check_bound(unit, step, thing):
    of, scaled, *amounts, sticky = fields(thing, dict(of=..., scaled=..., error=..., most=..., reach=NULL, sticky=...), "bound")
    has_c, products = fields(of, dict(c=..., products=...), "of")
    products, domain = places(products, unit.domain.products), unit.domain
    error, most = (read_amount(x, what) for x, what in zip(amounts, ("error", "most")))
    reach = None if amounts[2] is None else read_amount(amounts[2], "reach")
    need(scaled in (True, False, "a", "b"), "expected true, false, a or b for scaled")
    found = bound_of(unit, step)
    need(found is not None, "nothing is known of an error")
    need(found.has_c == flag(has_c, "c"), "`c` of the bound does not follow")
    always_zero = domain.zero_products if found.scaled is True else 0
    need((found.products ^ products) & ~always_zero == 0, "`products` of the bound do not follow")
    need(not domain.has_scales or found.products == 0 or found.scaled is scaled or found.scaled == scaled and scaled in ("a", "b"), "`scaled` does not follow")
    need(flag(sticky, "sticky") or not found.sticky, "a bit below the value may say that something was lost")
    for what, claimed, known in (("error", error, found.errors), ("most", most, found.mosts), ("reach", reach, found.reaches)):
        if claimed is not None and (what != "reach" or step.form is None):
            best = known[0] if known else "nothing"
            need(any(is_at_most(domain, found.scaled, one, claimed) for one in known), f"`{what}` of the bound does not follow: expected {best}, found {claimed}")
    step.bound = Bound(found.products, found.has_c, found.scaled, [error], [most], [] if reach is None else [reach], sticky)


def bound_of(unit, step):
    """What follows for the step, from the bounds of those that it takes."""
    found = BOUNDS[step.do](unit, step) if step.do in BOUNDS else None
    if found is None:
        return None
    domain = unit.domain
    if step.atoms is not None:
        if found.scaled is True and is_sum_of(unit, step.atoms, found):
            found.errors.append(NOTHING)
    if step.value is not None and step.value.most is not None:
        found.mosts.append(NOTHING._replace(absolute=step.value.most))
    found.mosts.extend([error.plus(found.size) for error in found.errors])
    if step.exponent != FAR:
        found.reaches.append(NOTHING._replace(absolute=power(step.exponent) if step.exponent != -FAR else Fraction(0)))
    return found


def is_sum_of(unit, atoms, found):
    """Whether atoms are the products of the bound, and c if it has c, each once."""
    left, has_c = found.products, found.has_c and not unit.domain.given["c"][0].is_zero
    for atom in unit.some(atoms):
        k = unit.domain.places.get(atom)
        if k is not None and left >> k & 1:
            left &= ~(1 << k)
        elif atom == ("c0",) and has_c:
            has_c = False
        else:
            return False
    return not has_c and left & ~unit.domain.zero_products == 0


def bound_operand(unit, step):
    if step.options["row"] != "c":
        return None
    return Bound(0, True, True, [NOTHING], [NOTHING._replace(c=Fraction(1))], [], False)


def bound_zero(unit, step):
    if step.do == "constant" and (step.options["value"] is None or dyadic(step.options["value"], "value") != 0):
        return None
    return Bound(0, False, True, [NOTHING], [NOTHING], [], False)


def bound_same(unit, step):
    of = step.takes[0].bound
    return of and of._replace(errors=list(of.errors), mosts=list(of.mosts), reaches=list(of.reaches))


def bound_flush(unit, step):
    of = bound_same(unit, step)
    value = step.takes[0].value
    if of is None or value is not None and value.floor() >= step.form.emin:
        return of
    return of._replace(errors=[of.errors[0].plus(NOTHING._replace(absolute=power(step.form.emin)))])


def bound_term(unit, step):
    of, (source, zeros, shift) = bound_same(unit, step), (step.takes[0], step.options["zeros"], step.options["shift"])
    if of is None or step.options["specials"] == "none" and source.value is None:
        return None
    reaches, least = of.reaches, Fraction(0)
    if source.form is not None:
        reaches = of.magnitudes() if source.form.is_float else []
        # A subnormal number has a greater exponent than that of its leading one.
        if not step.options["widen"] and (source.value is None or source.value.floor() < source.form.emin):
            least = power(source.form.emin)
    if not step.hides:
        of_zero = zeros if zeros != "field" else source.form.emin if source.form is not None else source.extent[3]
        least = max(least, power(of_zero))
    return of._replace(reaches=[one.at_least(least).times(power(shift)) for one in reaches])


def bound_product(unit, step):
    x, y = step.takes
    if x.factor and y.factor:
        return product_of_factors(unit, x, y, step)
    (of, scale) = (x, y) if x.bound else (y, x)
    if of.bound is None or scale.factor is None or scale.factor[0] not in ("a_scales", "b_scales"):
        return None
    return scaled(unit, of, scale)


def product_of_factors(unit, x, y, is_number=True):
    (row, index, lost), (other, place, lost_too) = x.factor, y.factor
    if {row, other} != {"a", "b"} or index != place:
        return None
    given = unit.domain.given
    # A factor may have become zero: |x y - x' y'| <= |x - x'| |y| + |x| |y - y'|.
    error = NOTHING._replace(absolute=lost * given[other][place].most + given[row][index].most * lost_too)
    reaches = reach_of_factors(x, y) if is_number else []
    return Bound(1 << index, False, False if unit.domain.has_scales else True, [error], [NOTHING._replace(products=Fraction(1))], reaches, False)


def reach_of_factors(x, y):
    """The exponent of a factor is that of its leading one, or, where it is subnormal, that of its format: this is 2^excess times its magnitude. A zero may
    have an exponent, too."""
    excess, of_zero, of_subnormal = 0, Fraction(0), Fraction(0)
    for one, other in ((x, y), (y, x)):
        if one.lowest is None or one.value is None or other.exponent == FAR:
            return []
        if one.value.floor() < one.lowest:
            excess = FAR if one.value.floor() == -FAR else excess + one.lowest - one.value.floor()
            of_subnormal = max(of_subnormal, power(one.lowest + other.exponent) if other.exponent != -FAR else 0)
        if not one.hides and other.exponent != -FAR:
            of_zero = max(of_zero, power(one.of_zero + other.exponent))
    whole = Amount(Fraction(0), Fraction(1), max(of_zero, of_subnormal))
    return [whole] + ([Amount(Fraction(0), power(excess), of_zero)] if excess < LIMIT else [])


def scaled(unit, of, scale):
    bound, (row, index, lost), side = of.bound, scale.factor, scale.factor[0][0]
    other = "b" if side == "a" else "a"
    after = side if bound.scaled is False else True if bound.scaled == other else None
    most = unit.domain.given[row][index].most
    block = ((1 << unit.domain.block) - 1) << (index * unit.domain.block)
    if after is None or bound.has_c or bound.products & ~block or lost or most is None or bound.errors[0].c or bound.mosts[0].c:
        return None
    grow = lambda one: one._replace(absolute=one.absolute * most)
    reaches = []
    if scale.hides and scale.lowest is not None and scale.value is not None and scale.exponent != FAR and scale.value.floor() != -FAR:
        # 2^e of a scale is at most its magnitude, or more by the distance from the least normal number.
        excess = max(scale.lowest - scale.value.floor(), 0)
        reaches = [Amount(one.c, one.products * power(excess), one.absolute * (power(scale.exponent) if scale.exponent != -FAR else 0)) for one in bound.reaches if not one.c]
    return Bound(bound.products, False, after, [grow(bound.errors[0])], [grow(bound.mosts[0])], reaches, bound.sticky or of.sticky)


def bound_normalise(unit, step):
    of, source = bound_same(unit, step), step.takes[0]
    if of is None:
        return None
    least = Fraction(0)
    if not step.hides:
        if source.exponent == FAR:
            return of._replace(reaches=[])
        least = power(source.exponent) if source.exponent != -FAR else least
    return of._replace(reaches=[one.at_least(least) for one in of.magnitudes()])


def together(bounds):
    """The bound of a sum; each product and c is of one term alone."""
    seen, has_c, scales = 0, False, []
    for one in bounds:
        if one is None or seen & one.products or has_c and one.has_c:
            return None
        seen, has_c = seen | one.products, has_c or one.has_c
        scales += [one.scaled] if one.products else []
    if any(one is not scales[0] and one != scales[0] for one in scales):
        return None
    return Bound(seen, has_c, scales[0] if scales else True, [joined([one.errors[0] for one in bounds])], [joined([one.mosts[0] for one in bounds])], [], False)


def bound_sum(unit, step):
    of = together([one.bound for one in step.takes])
    if of is None:
        return None
    # Its exponent is 0; where it is not zero, it is at least its last place.
    reaches = [one.times(power(step.fraction)) for one in of.magnitudes()] if step.options["zeros"] == "none" else []
    return of._replace(reaches=reaches + [NOTHING._replace(absolute=Fraction(1))])


def bound_fuse(unit, step):
    """The greatest exponent is that of a term, or `least`. A term loses less than its last place there, and nothing where it sets the exponent itself;
    what the others lose where it does is in proportion to it, and counts as an error of its own."""
    aligned = step.aligned
    bounds = [of.bound for _, of in aligned.terms]
    if together(bounds) is None or not aligned.fits or not all(one.reaches for one in bounds):
        return None
    losses = [Fraction(0) if whole else lost_of(one) for (one, _), whole in zip(aligned.terms, aligned.whole)]
    total, least = sum(losses), step.options["least"]
    floor = Fraction(0) if least is None else power(least)
    lost = [one.reaches[0].times(total - (x if of.fraction <= how.kept else 0)) for one, (how, of), x in zip(bounds, aligned.terms, losses)]
    absolute = NOTHING._replace(absolute=max([floor * total] + [one.absolute for one in lost]))
    own = [one._replace(absolute=Fraction(0)) for one in lost]
    of = together([one._replace(errors=[one.errors[0].plus(x)], mosts=[one.mosts[0].plus(x) if any(aligned.grown) else one.mosts[0]]) for one, x in zip(bounds, own)])
    mosts = [of.mosts[0].plus(absolute) if any(aligned.grown) else of.mosts[0]]
    reaches = [greatest([one.reaches[0] for one in bounds]).at_least(floor)]
    return of._replace(errors=[of.errors[0].plus(absolute)], mosts=mosts, reaches=reaches, sticky=step.sticky)


def lost_of(one):
    is_half = one.by in NEAREST and one.far is None and one.vanish is None
    return power(-one.keep - is_half) + (power(-one.again - is_half) if one.again is not None else 0)


def loss_of_places(magnitudes, bits, last, by):
    """The loss of a rounding to so many bits, of which the last is at least 2^last: of a magnitude of at most each of these amounts."""
    half = by in NEAREST
    return [one.times(power(1 - bits - half)).at_least(Fraction(0) if last is None else power(last - half)) for one in magnitudes]


def bound_cut(unit, step):
    of, source = bound_same(unit, step), step.takes[0]
    if of is None:
        return None
    bits, by, least = step.options["bits"], step.options["by"], step.options["least"]
    losses = [NOTHING] if step.is_exact else loss_of_places(of.magnitudes(), bits, None if least is None else least - bits + 1, by)
    reaches = [one.at_least(Fraction(0) if least is None else power(least)) for one in of.magnitudes()] if source.hides else []
    return of._replace(errors=[of.errors[0].plus(one) for one in losses], mosts=of.mosts if by == "rz" or step.is_exact else [of.mosts[0].plus(one) for one in losses],
                       reaches=reaches)


def bound_round(unit, step):
    how, of = step.source
    options, form = step.options, step.form
    if step.specials == "none" or how == "number" and of[0].bound is None or not (step.is_safe or step.is_exact):
        return None
    if how in ("number", "register"):
        source = of[0].bound
    elif how == "add":
        source = together([one.bound for one in of])
    else:
        source = product_of_factors(unit, *of[:2], False) if of[0].factor and of[1].factor else None
        if source is not None and how == "fma":
            source = together([source, of[2].bound])
    if source is None:
        return None
    if step.is_exact:
        losses = [NOTHING]
    elif not form.is_float:
        return None
    else:
        fraction, last = options["fraction"], form.emin - options["fraction"]
        losses = loss_of_places(source.magnitudes(), fraction + 1, last, options["by"])
        bits = {"register": lambda: of[0].form.p, "multiply": lambda: of[0].form.p + of[1].form.p}.get(how, lambda: FAR)()
        if bits <= fraction + 1:
            losses = [NOTHING._replace(absolute=power(last - (options["by"] in NEAREST)))]
        if how in ("register", "add") and all(one.form.is_float and one.form.emin - one.form.p + 1 >= last for one in of):
            # The sum is a multiple of the last place of the least numbers.
            relative = power(-fraction - (options["by"] in NEAREST))
            losses = [NOTHING] if bits <= fraction + 1 else [one.times(relative) for one in source.magnitudes()]
        if options["tiny"] != "kept" and not step.never_tiny:
            losses = [one.at_least(power(form.emin)) for one in losses]
    errors = [source.errors[0].plus(one) for one in losses]
    mosts = list(source.mosts) if options["by"] == "rz" or step.is_exact else [source.mosts[0].plus(one) for one in losses]
    return source._replace(errors=errors, mosts=mosts, reaches=[], sticky=False)


BOUNDS = {"operand": bound_operand, "zero": bound_zero, "constant": bound_zero, "flush": bound_flush, "term": bound_term, "product": bound_product, "normalise": bound_normalise,
          "cap": bound_same, "special": bound_same, "replace": bound_same, "sum": bound_sum, "fuse": bound_fuse, "cut": bound_cut, "round": bound_round}


def track_factor(unit, step):
    """The row and index of the factor or scale that a step is, and how far it may be from it; the least normal exponent of its number."""
    if step.do == "operand" and step.options["row"] != "c":
        step.factor = (step.options["row"], step.options["index"], Fraction(0))
        return
    if step.do not in ("flush", "term", "round") or not step.takes or step.takes[0].factor is None:
        return
    source = step.takes[0]
    row, index, lost = source.factor
    if step.do == "flush":
        is_kept = source.value is not None and source.value.floor() >= step.form.emin
        step.factor = (row, index, lost if is_kept else lost + power(step.form.emin))
    elif step.do == "term" and (step.options["specials"] == "format" or source.value is not None):
        step.factor = source.factor
        if source.form is not None and source.form.is_float and step.options["shift"] == 0:
            step.lowest = step.of_zero = source.form.emin
            if isinstance(step.options["zeros"], int):
                step.of_zero = step.options["zeros"]
    elif step.do == "round" and step.source[0] == "register" and step.is_exact:
        step.factor = source.factor


def check_error(unit, result, thing):
    """The result differs from the exact sum of c and all products by at most an amount, as long as nothing overflowed."""
    need_whole(unit, result)
    claimed = read_amount(thing, "error")
    need(any(is_at_most(unit.domain, result.bound.scaled, one, claimed) for one in result.bound.errors), f"expected an error of {result.bound.errors[0]}, found {claimed}")


def need_whole(unit, result):
    bound, domain = result.bound, unit.domain
    need(bound is not None, "nothing is known of an error")
    need(bound.has_c or domain.given["c"][0].is_zero, "the bound leaves out c")
    need(((1 << domain.products) - 1) & ~bound.products & ~domain.zero_products == 0, "the bound leaves out a product")
    need(not domain.has_scales or bound.scaled is True or bound.products == 0, "the bound is that of products without scales")


def most_of(unit, step):
    """A bound of the magnitude of a value for the operands as given, as long as nothing overflowed; None: not known."""
    domain, found = unit.domain, []
    if step.value is not None and step.value.most is not None:
        found.append(step.value.most)
    if step.do == "operand":
        found.append(domain.given[step.options["row"]][step.options["index"]].most)
    if step.bound is not None:
        for amount in step.bound.mosts:
            found.append(amount.absolute + amount.c * domain.most_c + amount.products * domain.most_products[step.bound.scaled])
    return min(found, default=None)


def check_finite(unit, result):
    """Every rounding on the way stays below what overflows, and so does each number before it becomes infinite. In the order of the steps: as long as
    none overflowed, the bounds hold."""
    on_the_way, todo = set(), [result]
    while todo:
        step = todo.pop()
        if step.number not in on_the_way:
            on_the_way.add(step.number)
            todo.extend(step.takes)
    for number in sorted(on_the_way):
        try:
            need_room(unit, unit.steps[number])
        except Rejected as error:
            raise Rejected(f"step {number}: {error}") from None


def need_room(unit, step):
    if step.do == "cap":
        most = most_of(unit, step.takes[0])
        need(most is not None and most < power(step.options["exponent"]), "the number is not known to be below what is infinite")
    if step.do != "round":
        need(step.do in ("operand", "zero", "constant", "positive", "flush", "term", "product", "normalise", "sum", "fuse", "cut", "special", "replace", "differ", "part", "drop", "miscount"), "unknown step")
        return
    how, of = step.source
    options, form = step.options, step.form
    if not form.is_float:
        need(step.is_exact, "the integer is not known to fit its format")
        return
    need(step.specials == "format" and step.is_safe, "nothing is known of such a rounding")
    mosts = [most_of(unit, one) for one in of]
    need(None not in mosts, "nothing is known of the magnitude before the rounding")
    most = {"number": lambda: mosts[0], "register": lambda: mosts[0], "add": lambda: mosts[0] + mosts[1], "multiply": lambda: mosts[0] * mosts[1],
            "fma": lambda: mosts[0] * mosts[1] + mosts[2]}[how]()
    limit, place = form.largest(options["fraction"]), power(form.emax - options["fraction"])
    room = place if options["by"] == "rz" else place / 2 if options["by"] in NEAREST else 0
    is_sticky = how == "number" and of[0].sticky
    need(most <= limit and not is_sticky or most < limit + room, f"expected a magnitude of at most {limit}, found {most}")


# --------------------------------------------------------------------------------------------- functions of summands
#
# Operands are finite. A value is a function of the products (numbers with the sign of a zero), the scales and c: "all", with its exponent, or
# "value", without it; "factor": it is a factor, or its number.

def check_of_summands(unit, step, thing):
    claimed, found = word(thing, ["factor", "value", "all"], "of_summands"), summands_of(unit, step)
    need(found == claimed or (found, claimed) == ("all", "value"), f"`of_summands` does not follow: expected {found or 'nothing'}, found {claimed}")
    step.of_summands = claimed


def summands_of(unit, step):
    takes = [one.of_summands for one in step.takes]
    if step.do == "operand" and step.options["row"] in ("a", "b"):
        return "factor"
    if all(one == "all" for one in takes):
        return "all"
    of = takes[0]
    if step.do in ("flush", "term") and of == "factor" or step.do == "round" and step.source[0] == "register" and of == "factor":
        # It is the same number, with the sign of a zero.
        is_same = step.atoms is not None and len(step.atoms) == 1 and len(step.atoms[0]) == 1 and step.atoms[0][0][0] in "ab" and step.is_signed_sum
        return "factor" if is_same and (step.do != "term" or step.options["specials"] == "format") else None
    has_values = all(one in ("all", "value") for one in takes)
    is_hidden = step.hides and not step.sticky and of in ("all", "value")
    if step.do == "product":
        return "value" if has_values or is_product(*step.takes) else None
    if step.do == "round":
        return summands_of_round(step)
    if not has_values:
        if step.do == "replace" and of == "all" and all(one.value is not None for one in step.takes[1:]):
            return "all"
        return None
    if step.do == "term":
        return "value" if step.options["specials"] == "format" else None
    if step.do in ("normalise", "cut"):
        return "all" if is_hidden else "value"
    if step.do in ("cap", "special"):
        return of
    if step.do == "sum":
        return "value" if step.options["zeros"] == "terms" else "all"
    if step.do == "fuse":
        return "value" if all(step.aligned.whole) and step.aligned.fits else None
    return None


def is_product(x, y):
    pair = [one.atoms[0][0] for one in (x, y) if one.of_summands == "factor" and one.atoms]
    return len(pair) == 2 and {pair[0][0], pair[1][0]} == {"a", "b"} and pair[0][1:] == pair[1][1:]


def summands_of_round(step):
    how, of = step.source
    if step.specials == "none":
        return None
    # Finite factors are no NaNs, so that none of them comes first.
    others = [one for one in step.takes if one not in of]
    if any(one.of_summands not in ("all", "factor") or one.of_summands == "factor" and one.value is None for one in others):
        return None
    if how == "number":
        return "all" if of[0].of_summands in ("all", "value") else None
    if how in ("multiply", "fma"):
        is_known = is_product(*of[:2]) or all(one.of_summands == "all" for one in of[:2])
        return "all" if is_known and all(one.of_summands == "all" for one in of[2:]) else None
    return "all" if all(one.of_summands == "all" for one in of) else None


# ------------------------------------------------------------------------------------------------ what is proved

def check_exact(unit, result):
    """The result is the exact sum of c and all products."""
    need(result.atoms is not None, "the result is not known to be an exact sum")
    unit.need_atoms(result.atoms, ["c"] + [f"p{k}" for k in range(unit.domain.products)], "exact")


def last_rounding(unit, result):
    """The rounding whose value the result is."""
    if result.rounded is not None:
        return result
    need(result.atoms is not None and len(result.atoms) == 1 and result.atoms[0][0][0] == "r", "the result is not known to be a rounded sum")
    rounding = unit.steps[int(result.atoms[0][0][1:])]
    need(rounding.form == result.form, "the result is a rounded sum of another format")
    return rounding


def check_rounded(unit, result, mode):
    """The result is the exact sum, rounded once."""
    try:
        return check_exact(unit, result)
    except Rejected:
        pass
    rounding = last_rounding(unit, result)
    unit.need_atoms(rounding.rounded, ["c"] + [f"p{k}" for k in range(unit.domain.products)], "rounded")
    options = rounding.options
    need(mode in ("any", options["by"]), f"expected by {mode}, found by {options['by']}")
    need(options["fraction"] == rounding.form.p - 1, "the result has fewer fraction bits than its format")
    need(options["tiny"] == "kept" or rounding.never_tiny, "tiny results become zero")
    need(rounding.stays or options["overflow"] != "greatest", "what overflows becomes the greatest number")


def need_one_zero(result):
    """A zero result has one sign, or one that depends on the signs of c and the products alone, in any order."""
    is_known = result.plus_zero or not result.form.negative_zero or result.value is not None and not (result.value.zero and result.value.minus)
    by_signs = result.do == "round" and result.is_signed_source and result.source[0] == "number"
    need(is_known or by_signs, "a zero result may have either sign")


def check_order_of_products(unit, result, thing):
    if thing.get("exact") is True:
        check_exact(unit, result)
    else:
        check_rounded(unit, result, "any")
    given = unit.domain.given
    for row, each in given.items():
        need(row == "c" or len(set(each)) <= 1, f"the operands in row {row} are not alike in given")
    need_one_zero(result)


def check_order_by_structure(unit, result):
    """Exchanging neighbouring products gives the same graph of steps: each step has a key, made of its options and the keys of those that it takes,
    in any order where that does not matter. Only steps whose keys change are looked at again."""
    keys, names, users = {}, [], [[] for _ in unit.steps]
    forms = [shape(step, thing) for step, thing in zip(unit.steps, unit.todo)]
    starts = {}
    for k, (label, ordered, loose) in enumerate(forms):
        if label[0] == "operand":
            starts[label[1:3]] = starts.get(label[1:3], []) + [k]
        for _, of in ordered + loose:
            if not users[of] or users[of][-1] != k:
                users[of].append(k)
        names.append(keys.setdefault(key_of(forms[k], names), len(keys)))
    for k in range(unit.domain.products - 1):
        if k // unit.domain.block == (k + 1) // unit.domain.block:
            exchange(unit, result, k, forms, names, users, keys, starts)


def exchange(unit, result, k, forms, names, users, keys, starts):
    changed = {}  # the new key of each step whose key changes
    todo = set()
    for row in "ab":
        for one, other in ((k, k + 1), (k + 1, k)):
            for step in starts.get((row, one), []):
                new = keys.setdefault(((("operand", row, other) + forms[step][0][3:]), (), ()), len(keys))
                changed[step] = new
                todo.update(users[step])
    while todo:
        step = min(todo)
        todo.remove(step)
        label, ordered, loose = forms[step]
        is_same = all(of not in changed or changed[of] == names[of] for _, of in ordered)
        moved = [(how, of) for how, of in loose if of in changed]
        before = Counter((how, names[of]) for how, of in moved)
        if is_same and before == Counter((how, changed[of]) for how, of in moved):
            continue
        new = {of: changed.get(of, names[of]) for _, of in ordered + loose}
        changed[step] = keys.setdefault(key_of(forms[step], new), len(keys))
        todo.update(users[step])
        need(step != result.number, f"exchanging products {k} and {k + 1} gives another graph of steps")
    need(result.number not in changed, f"exchanging products {k} and {k + 1} gives another graph of steps")


def key_of(form, names):
    label, ordered, loose = form
    return label, tuple((how, names[of]) for how, of in ordered), tuple(sorted((how, names[of]) for how, of in loose))


def shape(step, thing):
    """The options of a step, what it takes in this order, and what it takes in any order."""
    options = {key: value for key, value in step.options.items() if key not in ("of", "x", "y", "terms", "from", "nan", "row", "index")}
    label = (step.do,) if step.do != "operand" else ("operand", step.options["row"], step.options["index"])
    nan = step.options.get("nan")
    ordered = [(str(k), of) for k, of in enumerate(nan["first"])] if isinstance(nan, dict) else []
    nan = {**nan, "first": len(ordered)} if isinstance(nan, dict) else nan
    label += (json.dumps([options, nan, thing["kind"]], sort_keys=True),)
    slots = [one.number for one in step.takes]
    if step.do == "fuse":
        loose = [(json.dumps({**one, "of": 0}, sort_keys=True), one["of"]) for one in step.options["terms"]]
        if step.options["negate"] == "against_last":
            ordered.append(("last", slots[-1]))
    elif step.do in ("product", "sum", "differ"):
        loose = [("", of) for of in slots]
    elif step.do in ("special", "replace"):
        ordered, loose = ordered + [("of", slots[0])], [("", of) for of in slots[1:]]
    elif step.do == "round":
        how, of = step.source
        label += (how,)
        loose = [("z" if how == "fma" and k == 2 else "", one.number) for k, one in enumerate(of)]
    else:
        loose = [("", of) for of in slots]
    return label, ordered, loose


def check_alike(units):
    """Both results are the same sums, rounded in the same way, and their zeros have the same sign."""
    ids = {}
    names = [name_of(unit, ids) for unit in units]
    need(names[0] == names[1], "the results are not known to be the same sums")
    results = [unit.steps[unit.result] for unit in units]
    if any(one.value is not None and not one.value.zero for one in results) or not results[0].form.negative_zero:
        return
    if all(one.plus_zero for one in results):
        return
    signs = [sign_of(result) for result in results]
    need(None not in signs and signs[0] == signs[1], "a zero result may have different signs")


def name_of(unit, ids):
    """The result as a sum of products and of roundings; a rounding has a number that it shares only with those that are the same."""
    for step in unit.steps:
        if step.rounded is not None:
            options = step.options
            tiny = "kept" if step.never_tiny else options["tiny"]
            overflow = options["overflow"] if step.may_overflow else None
            key = (tuple(step.form[1:]), options["fraction"], options["by"], tiny, overflow, sum_of(unit, step.rounded))
            step.name = ids.setdefault(key, len(ids))
    result = unit.steps[unit.result]
    need(result.atoms is not None or result.name is not None, "the result is not known to be a sum, or a rounded one")
    return sum_of(unit, result.atoms) if result.atoms is not None else (("rounded", result.name),)


def sum_of(unit, atoms):
    names = []
    for atom in unit.some(atoms):
        if atom[0][0] == "r":
            name = unit.steps[int(atom[0][1:])].name
            need(name is not None, f"nothing is known of the rounding {atom[0]}")
            atom = ("rounded", name)
        names.append(atom)
    return tuple(sorted(names, key=repr))


def sign_of(step):
    """What the sign of a zero result depends on; None: not known."""
    if step.do != "round" or not step.is_signed_source or step.rounded is None or any(atom[0][0] == "r" for atom in step.rounded):
        return None
    return step.options["zero"], step.options["by"], step.options["tiny"], step.source[0] == "number", tuple(sorted(step.rounded))


def check_symmetric(unit, result):
    """With the signs of all a and of c changed, the exact sum has the other sign, and so has what it is rounded to where the mode is symmetric."""
    formats = [unit.domain.of["a"], unit.domain.of["c"], result.form]
    need(all(one.is_float and one.signed and one.negative_zero for one in formats), "a format has no signs")
    need(not result.may_overflow, "the result may overflow")
    for mode in ("rz", "rne", "ra"):
        try:
            return check_rounded(unit, result, mode)
        except Rejected as error:
            reason = error
    raise reason


def conclude(units, proves):
    need(isinstance(proves, dict) and proves, "expected an object for proves")
    kind = next(iter(proves)) if len(proves) == 1 else "order"
    need(kind in ("exact", "rounded", "alike", "order", "monotone_in", "error", "finite", "summands", "sign_symmetric"), f"unknown claim `{kind}`")
    if kind == "alike":
        need(proves["alike"] is True and len(units) == 2, "expected true, and two units, for alike")
        return check_alike(units)
    need(len(units) == 1, "expected one unit")
    unit = units[0]
    result = unit.steps[unit.result]
    if kind == "exact":
        need(proves["exact"] is True, "expected true for exact")
        check_exact(unit, result)
    elif kind == "rounded":
        check_rounded(unit, result, word(proves["rounded"], ["any"] + MODES[:-1], "rounded"))
    elif kind == "sign_symmetric":
        need(proves["sign_symmetric"] is True, "expected true for sign_symmetric")
        check_symmetric(unit, result)
    elif kind == "error":
        check_error(unit, result, proves["error"])
    elif kind == "finite":
        need(proves["finite"] is True, "expected true for finite")
        check_finite(unit, result)
    elif kind == "summands":
        need(proves["summands"] is True, "expected true for summands")
        need(result.of_summands == "all", "the result is not known to be a function of the summands")
    elif kind == "monotone_in":
        need(isinstance(result.rises, (Fixed, Rising)), "the result is not known to rise")
    else:
        order, is_exact, is_rounded = fields(proves, dict(order=..., exact=NULL, rounded=NULL), "proves")
        need(is_exact in (None, True) and is_rounded in (None, "any"), "expected exact true, or rounded any")
        if word(order, ["products", "by structure"], "order") == "products":
            check_order_of_products(unit, result, proves)
        else:
            need(is_exact is None and is_rounded is None, "nothing of facts is needed by structure")
            check_order_by_structure(unit, result)


# ---------------------------------------------------------------------------------------------------------- main

def unique(pairs):
    thing = dict(pairs)
    if len(thing) < len(pairs):
        raise NotReadable("a key stands twice in one object")
    return thing


def no_floats(text):
    raise NotReadable(f"expected integers, found {text}")


def read(text):
    """The certificate, its domain and units, nothing of them checked but the form."""
    try:
        document = json.loads(text, object_pairs_hook=unique, parse_float=no_floats, parse_constant=no_floats)
        keys = ["certificate", "claim", "proves", "formats", "operands", "given", "units"]
        version, claim, proves, formats, *_, units = fields(document, dict.fromkeys(keys, ...), "a certificate")
        need(version == 1 and version is not True, "expected certificate 1")
        need(isinstance(claim, str) and claim.isprintable(), "expected a claim of one line")
        need(isinstance(formats, dict), "expected an object for formats")
        domain = read_domain(document)
        units = [Unit(one, domain) for one in rows(units, "units")]
        need(1 <= len(units) <= 2, "expected one unit, or two")
        has_moving = isinstance(proves, dict) and "monotone_in" in proves
        moving = word(proves["monotone_in"], ["c", "products"], "monotone_in") if has_moving else None
    except (ValueError, RecursionError, Rejected) as error:
        raise NotReadable(str(error).replace("\n", " ")) from None
    for unit in units:
        unit.moving = moving  # the operand that rises
    return claim, proves, units


def check(text):
    """The claim in words, and what is proved."""
    claim, proves, units = read(text)
    for unit in units:
        of_unit = f" of unit {unit.name}" if len(units) > 1 else ""
        for number, thing in enumerate(unit.todo):
            try:
                unit.check(thing)
            except Rejected as error:
                raise Rejected(f"step {number}{of_unit}: {error}") from None
        result = unit.result
        need(isinstance(result, int) and not isinstance(result, bool) and 0 <= result < len(unit.steps), "the result is no step")
        need(unit.steps[result].form == unit.domain.of["d"], "the result has not the format of d")
    try:
        conclude(units, proves)
    except Rejected as error:
        raise Rejected(f"conclusion: {error}") from None
    return claim, proves


def main(arguments):
    if len(arguments) != 1:
        print("usage: check_certificate.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            text = file.read()
        claim, proves = check(text)
        print(f"verified: {json.dumps(proves)}\nin words, which are not checked: {claim}")
        return 0
    except Rejected as error:
        print(f"rejected: {error}")
        return 1
    except (OSError, UnicodeError, NotReadable) as error:
        print(f"not readable: {error}".lower())
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
