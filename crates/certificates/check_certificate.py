#!/usr/bin/env python3
"""Checks a certificate: a file that says what is known of every step of a unit, and what follows for its result.

    python3 check_certificate.py FILE

prints `verified: PROVES` and exits 0, or `rejected: step N: reason` and exits 1. It exits 2 where the file cannot be read
or is not a certificate.

It checks that each fact of a step follows from the facts of the steps that it takes, from `given`, and from the meaning of
the step, and that `proves` follows from the facts of the result. It trusts `formats`, `operands`, `given` and the steps
with their options: they are the unit and its domain. It does not read the text of the claim: compare `proves`, `given` and
the steps with it yourself. A step that has no rule here may stand in a certificate, but nothing is known of its value.

A *number* has an exponent e by which it is compared, or it takes no part (it is then zero). All numbers of this program are
integers or fractions; none is a floating-point number.
"""
import json
import sys
from fractions import Fraction
from functools import lru_cache
from operator import le
from typing import NamedTuple, Optional

FAR = 1 << 40  # above every exponent: not known; -FAR: the number never takes part
LIMIT = 1 << 20  # exponents and counts of a certificate are at most this
NEAREST = ["rne", "rna", "rnz", "rnu", "rnd", "rno"]
MODES = ["rz", "rd", "ru", "ra", "odd"] + NEAREST


class NotReadable(Exception):
    """The file is not a certificate."""


class Rejected(Exception):
    """A fact does not follow."""


def need(holds, reason):
    if not holds:
        raise Rejected(reason)


# ---------------------------------------------------------------------------------------------------- reading

def fields(thing, keys, what):
    """The values of an object in this order; no other keys. A key that ends in ? may be missing, and is then None."""
    need(isinstance(thing, dict), f"expected an object for {what}")
    keys = keys.split()
    for key in thing:
        need(key in keys or key + "?" in keys, f"unknown key `{key}` in {what}")
    for key in keys:
        need(key in thing or key[-1] == "?", f"missing key `{key}` in {what}")
    return [thing.get(key.rstrip("?")) for key in keys]


def part(thing, key, what):
    """The value of a key of an object that may have others; None if it is missing."""
    need(isinstance(thing, dict), f"expected an object for {what}")
    return thing.get(key)


def integer(x, what, low=-LIMIT):
    need(isinstance(x, int) and not isinstance(x, bool) and low <= x <= LIMIT, f"expected an integer for {what}, found {x!r}")
    return x


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
    need(isinstance(x, str) and x.isascii() and x.isdigit() and len(x) <= 4_000, f"expected decimal digits for {what}, found {x!r}")
    return int(x)


def dyadic(x, what):
    need(isinstance(x, list) and len(x) == 2, f"expected [digits, exponent] for {what}")
    return natural(x[0], what) * power(integer(x[1], what))


@lru_cache(maxsize=10_000)
def power(e):
    return Fraction(1 << e) if e >= 0 else Fraction(1, 1 << -e)


def log2(m):
    """The exponent of the leading one of m > 0."""
    e = m.numerator.bit_length() - m.denominator.bit_length()
    return e if power(e) <= m else e - 1


def rounded(m, bits, lowest, by):
    """m >= 0 rounded down (by rz) or up to so many bits, of which the last is at least 2^lowest."""
    place = power(max(log2(m) - bits + 1, lowest)) if m else power(0)
    return (m // place if by == "rz" else -(-m // place)) * place


def show(x):
    """A dyadic number as n * 2^e."""
    e = (x.numerator & -x.numerator).bit_length() - x.denominator.bit_length()
    return f"{int(x / power(e)):#x}p{e}" if x else "0"


class Numbers(NamedTuple):
    """Finite numbers: multiples of 2^unit of magnitude at most `most`; each is zero or at least 2^least, and has at most `bits` significant bits."""

    unit: int
    most: Fraction
    least: int
    bits: int
    negative: bool  # one may be less than zero
    zero: bool  # one may be zero


ZERO = Numbers(FAR, Fraction(0), FAR, 0, False, True)


def numbers(unit, most, least, bits, negative, zero):
    """Such numbers; what follows of one part for another is filled in."""
    unit = max(unit, least - bits + 1)
    least = max(least, unit)
    if most < power(least):
        return ZERO
    count = most // power(unit)
    return Numbers(unit, count * power(unit), least, min(bits, count.bit_length()), negative, zero)


def read_numbers(thing, what):
    unit, most = integer(part(thing, "multiple", what), "multiple"), natural(part(thing, "most", what), "most")
    least, bits = part(thing, "least", what), part(thing, "bits", what)
    least = unit if least is None else integer(least, "least")
    bits = FAR if bits is None else integer(bits, "bits", 1)
    negative, zero = flag(thing.get("negative", True), "negative"), flag(thing.get("zero", True), "zero")
    return numbers(unit, most * power(unit), least, bits, negative, zero) if most else ZERO


def need_within(found, claimed):
    """Every number of `found` is one of `claimed`."""
    need(found is not None, "nothing is known of the value")
    for name in ("unit", "least"):
        own, other = getattr(found, name), getattr(claimed, name)
        need(own >= other, f"`{name}` of the value does not follow: expected at most {own}, found {other}")
    need(found.most <= claimed.most, f"`most` of the value does not follow: expected at least {show(found.most)}, found {show(claimed.most)}")
    for name in ("bits", "negative", "zero"):
        own, other = getattr(found, name), getattr(claimed, name)
        need(own <= other, f"`{name}` of the value does not follow: expected at least {own}, found {other}")


def times(x, y):
    """The numbers that are products of one of x and one of y."""
    if x is None or y is None:
        return None
    if ZERO in (x, y):
        return ZERO
    return numbers(x.unit + y.unit, x.most * y.most, x.least + y.least, x.bits + y.bits, x.negative or y.negative, x.zero or y.zero)


def total(values):
    """The numbers that are sums of one of each set."""
    if None in values:
        return None
    some = [one for one in values if one != ZERO]
    if len(some) < 2:
        return some[0] if some else ZERO
    unit, negative = min(one.unit for one in some), any(one.negative for one in some)
    return numbers(unit, sum(one.most for one in some), unit, FAR, negative, negative or all(one.zero for one in some))


class Format(NamedTuple):
    is_float: bool
    p: int  # the bits of a significand with its leading one, or those of an integer
    emin: int
    emax: int
    greatest: Fraction
    signed: bool
    zero: bool = True
    negative_zero: bool = False
    nan: bool = False
    subnormals: bool = False

    def can_hold_results(self):
        """True if the code of no rounded number is that of a NaN, or of another number."""
        return not self.is_float or self.zero and self.signed and self.negative_zero and self.subnormals

    def largest(self, fraction):
        """A number with so many fraction bits that is at most the greatest one."""
        if fraction == self.p - 1:
            return self.greatest
        # The code of the greatest number with fewer bits may be that of a NaN.
        return rounded(self.greatest, fraction + 1, self.emin, "rz") - power(self.emax - fraction)

    def limit(self, fraction, by):
        """Smaller magnitudes do not overflow."""
        is_near = by == "rz" or by in NEAREST
        return self.largest(fraction) + (power(self.emax - fraction - 1) if is_near else 0)


def read_format(name, thing):
    if part(thing, "kind", f"the format {name}") == "integer":
        _, bits, signed = fields(thing, "kind bits signed", f"the format {name}")
        bits, signed = integer(bits, "bits", 1), flag(signed, "signed")
        return Format(False, bits, 0, 0, power(bits - signed) - 1, signed)
    keys = "kind precision emin emax greatest signed zero negative_zero infinity nan subnormals"
    kind, p, emin, emax, greatest, *flags = fields(thing, keys, f"the format {name}")
    word(kind, ["float", "integer"], "kind")
    p, emin, emax = integer(p, "precision", 1), integer(emin, "emin"), integer(emax, "emax")
    greatest = dyadic(greatest, "greatest")
    is_greatest = greatest > 0 and log2(greatest) == emax >= emin and rounded(greatest, p, emax - p + 1, "rz") == greatest
    need(is_greatest, f"`greatest` of the format {name} is no number of it")
    signed, zero, negative_zero, _, nan, subnormals = [flag(x, "a flag of a format") for x in flags]
    return Format(True, p, emin, emax, greatest, signed, zero, negative_zero, nan, subnormals)


class Domain(NamedTuple):
    """The operands."""

    formats: dict
    format_of: dict  # of each row
    given: dict  # the numbers of each operand, by row
    products: int
    block: int  # the products that share a scale; all, without scales
    has_scales: bool
    names: dict  # p0, p1, ..., c: a number stands for each
    zeros: set  # those that are always zero
    most_c: Fraction
    most_products: Fraction  # of the sum of the magnitudes of all products without their scales

    def is_same_sum(self, one, other):
        """True if both sums have the same products and c, equally often, but for those that are always zero."""
        one, other = (sorted(k for k in terms if k not in self.zeros) for terms in (one, other))
        return one == other

    def is_whole_sum(self, terms):
        return self.is_same_sum(terms, range(self.products + 1))

    def read_sum(self, names, what):
        for name in rows(names, what):
            need(isinstance(name, str) and name in self.names, f"unknown term {name!r} in {what}")
        return [self.names[name] for name in names]


def read_domain(document):
    need(isinstance(document["formats"], dict), "expected an object for formats")
    formats = {name: read_format(name, one) for name, one in document["formats"].items()}
    products, a, b, c, d, scales = fields(document["operands"], "products a b c d scales?", "operands")
    products = integer(products, "products", 0)
    names, block = dict(a=a, b=b, c=c, d=d), max(products, 1)
    counts = dict(a=products, b=products, c=1)
    if scales is not None:
        names["a_scales"], block = fields(scales, "format block", "scales")
        names["b_scales"], block = names["a_scales"], integer(block, "block", 1)
        counts["a_scales"] = counts["b_scales"] = -(-products // block)
    for name in names.values():
        need(isinstance(name, str) and name in formats, f"unknown format {name!r}")
    given = {}
    for row, each in zip(("a", "b", "c", "a_scales", "b_scales"), fields(document["given"], "a b c a_scales? b_scales?", "given")):
        each = [each] if row == "c" else [] if each is None else rows(each, row)
        need(len(each) == counts.get(row, 0), f"expected {counts.get(row, 0)} entries of `{row}` in given")
        given[row] = [read_numbers(one, row) for one in each]
    mosts = [x.most * y.most for x, y in zip(given["a"], given["b"])]
    most_c = given["c"][0].most
    zeros = {k for k, most in enumerate(mosts + [most_c]) if most == 0}
    format_of = {row: formats[name] for row, name in names.items()}
    names = {f"p{k}": k for k in range(products)} | {"c": products}
    return Domain(formats, format_of, given, products, block, scales is not None, names, zeros, most_c, sum(mosts, Fraction(0)))


# ------------------------------------------------------------------------------------------------------- steps

OPTIONS = {
    "operand": "row index", "constant": "value minus", "flush": "of to", "term": "of zeros widen shift room specials", "product": "x y", "cap": "of exponent",
    "sum": "terms zeros", "fuse": "terms least width sticky negate", "cut": "of bits by least", "replace": "of from register",
    "round": "from by fraction tiny overflow integers zero nan specials",
    # Nothing is known of these.
    "positive": "of", "differ": "x y", "normalise": "of", "part": "of low bits by", "drop": "of exponent", "miscount": "of bits", "special": "of from",
}
# The values of options for which there are rules; of other options, all.
KNOWN = dict(zeros=["none", "field"], widen=[False], specials=["format"], width=[None], sticky=[False], negate=["twos"], again=[None], by=MODES,
             overflow=["infinity", "ieee", "greatest"])
REGISTERS = ("operand", "constant", "flush", "round", "replace", "positive")
SOURCES = dict(number=1, register=1, multiply=2, add=2, fma=3)


class Term(NamedTuple):
    """How a fused sum takes a term: with so many bits below its exponent."""

    keep: int
    by: str
    is_special: bool  # it is cut in another way where it is far below, or small


class Step:
    """A step, what follows from its options alone, and its facts."""

    def __init__(self, number, thing, form):
        self.number, self.thing, self.do = number, thing, thing["do"]
        self.form = form  # the format of a register
        self.takes = []
        self.how, self.of, self.keeps_nan = None, [], True  # of a rounding: what it rounds, and whether a NaN stays one
        self.has_rule = False  # without a rule, nothing is known of it
        self.is_number = True  # no infinity and no NaN, as long as nothing overflows
        self.depends = 0  # a bit for each product of which it reads a factor, and the next one for c
        # A number is a multiple of 2^(its exponent - fraction); `hides`: it takes no part where it is zero.
        self.fraction, self.hides = FAR, False
        # The factor that a value is: its row and index, and how far the value may be from it.
        self.factor = None
        self.nonnegative = False  # its sign bit is never 1
        # Facts.
        self.value = None  # Numbers
        self.exponent = FAR  # the greatest with which it takes part
        self.sum = None  # the products, and c, of which it is the exact sum
        self.rounds = None  # those of which it is the sum, rounded once
        self.may_overflow = False
        self.rises = self.bound = None


class Unit:
    """The steps of a unit, checked one after another."""

    def __init__(self, thing, domain, moving):
        self.domain = domain
        self.moving = moving  # the bits of the operands that rise
        _, self.result, self.todo = fields(thing, "name result steps", "a unit")
        rows(self.todo, "steps")
        self.steps = []

    def derived(self, thing):
        """A step with what follows from its options and from the facts of the steps that it takes."""
        step = self.read(thing)
        for of in step.takes:
            step.depends |= of.depends
            step.is_number &= of.is_number
        if step.has_rule:
            RULES[step.do](self, step)
        return step

    def check(self, thing):
        step, facts = self.derived(thing), thing["facts"]
        value, exponent, names, rounds, rises, bound = [part(facts, key, "facts") for key in ("value", "exponent", "sum", "rounds", "rises", "bound")]
        check_values(self.domain, step, value, exponent, names, rounds)
        if rises is not None:
            check_rises(self, step, rises)
        if bound is not None:
            check_bound(self.domain, step, bound)
        self.steps.append(step)

    def read(self, thing):
        do = part(thing, "do", "a step")
        need(isinstance(do, str) and do in OPTIONS, f"unknown step {do!r}")
        fields(thing, " ".join(["do", "kind", "facts", "name?", OPTIONS[do]]), f"a step `{do}`")
        register, number = fields(thing["kind"], "register? number?", "kind")
        is_register = do in REGISTERS
        need(is_register == (register is not None) and is_register == (number is None), f"a step `{do}` has another kind")
        need(register is None or isinstance(register, str) and register in self.domain.formats, "unknown format in `kind`")
        step = Step(len(self.steps), thing, self.domain.formats.get(register))
        slots = [thing[key] for key in ("of", "x", "y") if key in thing]
        slots += [part(one, "of", "a term") if do == "fuse" else one for one in rows(thing.get("terms", []), "terms")]
        if do == "round":
            slots += self.read_source(step, thing["from"], thing["nan"])
        else:
            slots += rows(thing.get("from", []), "from")
        step.takes = [self.at(x) for x in slots]
        step.of = step.takes[:SOURCES.get(step.how)]
        options = [thing, *(thing["terms"] if do == "fuse" else [])]
        is_known = do in RULES and all(json.dumps(one[key]) in map(json.dumps, KNOWN[key]) for one in options for key in one if key in KNOWN)
        of_registers = do in ("flush", "term", "round") and step.how != "number"
        are_known = do == "replace" or all(of.form is not None if of_registers else of.form is None and of.has_rule for of in step.of)
        step.has_rule = is_known and are_known and (do != "round" or step.form.can_hold_results())
        return step

    def read_source(self, step, source, nan):
        need(isinstance(source, dict) and len(source) == 1, "expected one key in `from`")
        (step.how, of), = source.items()
        need(step.how in SOURCES, f"unknown source `{step.how}`")
        of = [of] if SOURCES[step.how] == 1 else rows(of, step.how)
        need(len(of) == SOURCES[step.how], f"expected {SOURCES[step.how]} steps for `{step.how}`")
        if not isinstance(nan, dict):
            return of
        first, step.keeps_nan = fields(nan, "first else_nan", "nan")
        flag(step.keeps_nan, "else_nan")
        return of + rows(first, "first")

    def at(self, x):
        need(isinstance(x, int) and not isinstance(x, bool) and 0 <= x < len(self.steps), f"expected an earlier step, found {x!r}")
        return self.steps[x]


def read_term(thing):
    _, keep, by, far, _, vanish = fields(thing, "of keep by far? again? vanish?", "a term")
    limits = [integer(x, "far or vanish") for x in (far, vanish) if x is not None]
    return Term(integer(keep, "keep", 0), by, limits != [])


# -------------------------------------------------------------------------------------------- rules for values

def check_values(domain, step, value, exponent, names, rounds):
    """The facts follow from what the rule of the step found, which they replace."""
    found, step.value = step.value, None
    if value is not None:
        step.value = read_numbers(value, "value")
        need_within(found, step.value)
    found, step.exponent = step.exponent, FAR
    if exponent is not None:
        step.exponent = -FAR if exponent == "none" else integer(exponent, "exponent")
        need(step.form is None and found <= step.exponent, f"expected an exponent of at least {found}, found {exponent}")
    found, step.sum = step.sum, None
    if names is not None:
        step.sum = need_sum(domain, found, names, "sum")
    found, step.rounds = step.rounds, None
    if rounds is not None:
        step.rounds = need_sum(domain, found, part(rounds, "terms", "rounds"), "rounds")
        step.may_overflow = flag(rounds.get("may_overflow", False), "may_overflow")
        need(step.may_overflow or step.value is not None, "the rounded sum is not known to be finite")


def need_sum(domain, found, names, what):
    claimed = domain.read_sum(names, what)
    need(found is not None and domain.is_same_sum(found, claimed), f"`{what}` does not follow: expected {found}, found {claimed}")
    return claimed


def operand(unit, step):
    row, index = step.thing["row"], step.thing["index"]
    given, bits = unit.domain.given, unit.domain.products
    need(isinstance(row, str) and row in given and integer(index, "index", 0) < len(given[row]), f"there is no operand {index} in row {row}")
    need(step.form == unit.domain.format_of[row], "expected the format of the operand")
    step.value = given[row][index]
    if row == "c":
        step.depends, step.sum = 1 << bits, [bits]
    elif row in "ab":
        step.depends, step.factor = 1 << index, (row, index, Fraction(0))
    step.nonnegative = not step.form.signed


def constant(unit, step):
    minus = flag(step.thing["minus"], "minus")
    step.nonnegative = not minus
    step.is_number = step.thing["value"] is not None
    if step.is_number:
        value = dyadic(step.thing["value"], "value")
        n = value.numerator
        bits = n.bit_length() - (n & -n).bit_length() + 1
        step.value = numbers(-LIMIT, value, log2(value), bits, minus, False) if value else ZERO
        step.sum = None if value else []


def flush(unit, step):
    of = step.takes[0]
    need(step.form == of.form and of.form.is_float, "expected the same format of floating point")
    step.nonnegative, emin = of.nonnegative, of.form.emin
    if of.value is not None and of.value.least >= emin:
        step.value, step.sum, step.factor = of.value, of.sum, of.factor
        return
    step.value = of.value and numbers(of.value.unit, of.value.most, emin, of.value.bits, of.value.negative, True)
    step.factor = of.factor and (*of.factor[:2], of.factor[2] + power(emin))


def term(unit, step):
    of, shift = step.takes[0], integer(step.thing["shift"], "shift")
    step.value, step.sum, step.factor, step.nonnegative = of.value, of.sum, of.factor, of.nonnegative
    step.hides = step.thing["zeros"] == "none" or not of.form.zero
    step.fraction = of.form.p - 1 + shift
    if of.value is None:
        return
    exponent = -FAR if of.value == ZERO else log2(of.value.most) if of.form.is_float else 0
    if not step.hides or of.value.least < of.form.emin:
        exponent = max(exponent, of.form.emin)
    step.exponent = exponent if exponent == -FAR else exponent + shift


def product(unit, step):
    x, y = step.takes
    fraction = x.fraction + y.fraction
    step.fraction, step.hides, step.nonnegative = fraction if abs(fraction) <= LIMIT else FAR, x.hides and y.hides, x.nonnegative and y.nonnegative
    step.value, step.sum = times(x.value, y.value), product_of(unit.domain, x, y)
    both = (x.exponent, y.exponent)
    step.exponent = -FAR if -FAR in both else FAR if FAR in both else sum(both)


def pair_of(x, y):
    """The place of the product of two factors."""
    return x.factor[1] if x.factor and y.factor and {x.factor[0], y.factor[0]} == {"a", "b"} and x.factor[1] == y.factor[1] else None


def product_of(domain, x, y):
    k = pair_of(x, y)
    return [k] if k is not None and not domain.has_scales and x.factor[2] == y.factor[2] == 0 else None


def cap(unit, step):
    of, exponent = step.takes[0], integer(step.thing["exponent"], "exponent")
    step.fraction, step.hides, step.exponent = of.fraction, of.hides, of.exponent
    if of.value is not None and of.value.most < power(exponent):
        step.value, step.sum = of.value, of.sum


def add(unit, step):
    step.value, step.sum = total([of.value for of in step.takes]), joined(step.takes)
    step.fraction, step.exponent = integer(part(step.thing["kind"]["number"], "fraction", "kind"), "fraction"), 0
    step.hides = step.thing["zeros"] == "none"


def joined(terms):
    return None if any(of.sum is None for of in terms) else [k for of in terms for k in of.sum]


def fuse(unit, step):
    """A term is whole where it has no bits below the last place of the sum, whatever the exponent of the sum is."""
    least = -FAR if step.thing["least"] is None else integer(step.thing["least"], "least")
    step.terms = [read_term(one) for one in step.thing["terms"]]
    need(step.terms, "expected a term")
    exponents = sorted([of.exponent for of in step.takes] + [least])
    step.exponent, step.fraction = exponents[-1], max(how.keep for how in step.terms)

    def is_whole(how, of):
        others = exponents[-2] if of.exponent == exponents[-1] else exponents[-1]
        return of.value is not None and of.fraction <= how.keep and of.value.unit >= others - how.keep

    if all(map(is_whole, step.terms, step.takes)):
        step.value, step.sum = total([of.value for of in step.takes]), joined(step.takes)


def cut(unit, step):
    of, bits = step.takes[0], integer(step.thing["bits"], "bits", 1)
    least = -FAR if step.thing["least"] is None else integer(step.thing["least"], "least")
    step.fraction = bits - 1
    if of.value is not None:
        step.exponent = max(of.exponent, least, log2(of.value.most) if of.value.most else -FAR)
        if of.value.bits <= bits and of.value.unit >= least - bits + 1:
            step.value, step.sum = of.value, of.sum


def before_rounding(unit, step):
    """The value and the sum before the rounding."""
    first, *others = step.of
    value, names = first.value, first.sum
    if step.how in ("multiply", "fma"):
        other = others.pop(0)
        value, names = times(value, other.value), product_of(unit.domain, first, other)
    for other in others:
        value, names = total([value, other.value]), None if names is None or other.sum is None else names + other.sum
    return value, names


def round_to(unit, step):
    form, fraction, by = step.form, integer(step.thing["fraction"], "fraction", 0), step.thing["by"]
    value, names = before_rounding(unit, step)
    need(fraction < form.p, "expected fewer fraction bits than the format has")
    if not form.is_float:
        if value is not None and value.unit >= 0 and value.most <= form.greatest and (form.signed or not value.negative):
            step.value, step.sum = value, names
        return
    step.rounds = names if step.thing["overflow"] != "greatest" else None
    if value is None:
        return
    last = form.emin - fraction
    if value.most > form.largest(fraction) or step.thing["tiny"] != "kept" and value.least < form.emin:
        return
    if value.bits <= fraction + 1 and value.unit >= last:
        step.value, step.sum = value, names
        return
    most, bits = rounded(value.most, fraction + 1, last, by), min(value.bits, fraction + 1)
    step.value = numbers(max(value.unit, last), most, max(value.least, last), bits, value.negative, value.zero or value.least < last)


def replace(unit, step):
    need(step.form == step.takes[0].form, "expected the same format")


RULES = dict(operand=operand, constant=constant, flush=flush, term=term, product=product, cap=cap, sum=add, fuse=fuse, cut=cut, round=round_to, replace=replace)


# ------------------------------------------------------------------------------- values that rise with one operand
#
# One operand is greater in a second run: c, or a factor whose other factor is positive (or less, if that is negative). A value
# rises if it is not less in the second run. `step`: where its exponent changes, or it takes part in one run alone, it rises by at least
# step * 2^e: e is the lesser exponent where both are there and differ by one, else the greatest one that is there.

def check_rises(unit, step, thing):
    need(unit.moving, "the certificate proves nothing of operands that rise")
    (kind, claimed), = thing.items() if isinstance(thing, dict) and len(thing) == 1 else [(None, None)]
    is_fixed = not step.depends & unit.moving
    if kind == "fixed":
        need(is_fixed, "`rises` does not follow: it depends on an operand that rises")
        need(not flag(part(claimed, "nonnegative", kind), "nonnegative") or step.nonnegative, "`nonnegative` does not follow")
        step.rises = ("fixed", None)
        return
    need(step.has_rule and step.do not in ("constant", "replace"), "nothing is known of what rises through such a step")
    if kind == "factor":
        side, index, may_vanish = [part(claimed, key, kind) for key in ("side", "index", "may_vanish")]
        need(step.factor is not None and step.factor[:2] == (side, integer(index, "index")), "`factor` does not follow")
        need(flag(may_vanish, "may_vanish") or step.factor[2] == 0, "`may_vanish` does not follow")
        step.rises = ("factor", None)
        return
    need(kind == "rising", "expected fixed, factor or rising for rises")
    found = None if is_fixed else rising(step)
    least = part(claimed, "step", kind)
    if least is not None:
        least = dyadic(least, "step")
        need(found is not None and least <= found, f"`step` does not follow: expected at most {found and show(found)}, found {show(least)}")
    step.rises = ("rising", least)


def step_of(of):
    """The `step` of a value that rises, or stays."""
    need(of.rises is not None and of.rises[0] != "factor", f"step {of.number} is not known to rise")
    return of.rises[1]


def rising(step):
    """The `step` of a value that does not fall, as those are that it takes; None: not known."""
    rules = dict(product=rising_product, fuse=rising_fuse, round=rising_round)
    if step.do in rules:
        return rules[step.do](step)
    need(all(one.form is None or one.form.is_float for one in (step, *step.takes)), "nothing is known of integers that rise")
    steps = [step_of(of) for of in step.takes]
    if step.do == "term":
        # Two numbers of a format differ by a last place, and by half of the greater power of two if their exponents are further apart.
        return power(-step.fraction) if has_fraction(step) else None
    if step.do == "sum":
        return power(-step.fraction)  # its exponent is 0, and it is a multiple of its last place
    need(step.factor is None or step.do != "operand", "a factor rises or falls")
    return steps[0] if step.do == "cap" else None


def has_fraction(term):
    """True if its format has two numbers of one exponent."""
    return term.fraction > term.thing["shift"]


def rising_product(step):
    x, y = step.takes
    if not rises_with(x, y):
        # Where a zero has an exponent, this changes with the other factor alone.
        is_known = all((one.hides or one.factor[2] == 0) and has_fraction(one) for one in (x, y))
        return power(-x.fraction - y.fraction) if is_known else None
    moves, scale = (x, y) if x.rises[0] == "rising" else (y, x)
    # A scale is at least its last place; where it is zero, the product must take no part.
    is_known = moves.rises[1] is not None and scale.hides and scale.fraction != FAR
    return moves.rises[1] * power(-scale.fraction) if is_known else None


def rises_with(x, y):
    """True if a product rises with one that it takes; False if both are the factors of one place."""
    need(x.rises is not None and y.rises is not None, "nothing is known of what rises in the product")
    if x.rises[0] == y.rises[0] == "factor":
        need(pair_of(x, y) is not None, "expected both factors of one product")
        return False
    moves, scale = (x, y) if x.rises[0] == "rising" else (y, x)
    need(moves.rises[0] == "rising" and scale.rises[0] == "fixed" and scale.nonnegative, "a product with a value that may be negative")
    return True


def rising_fuse(step):
    """If the greatest exponent E stays, each term is cut at the place where it was. If E changes, it is that of the term that rises, in
    one run at least; this term has all its bits where E is its own exponent, and each other one changes by less than the coarser of both places."""
    losses = [power(-how.keep) for how in step.terms]
    lefts, seen = [], 0
    need(all(how.by in ("rz", "rd") and not how.is_special for how in step.terms), "nothing is known of terms that are cut in such a way")
    for k, (how, of) in enumerate(zip(step.terms, step.takes)):
        least = step_of(of)
        if of.rises[0] == "fixed":
            continue
        need(not seen & of.depends, "two terms depend on one product")
        seen |= of.depends
        need(least is not None and of.fraction <= how.keep, f"step {of.number} has finer bits than are kept")
        # Where E is the exponent of another term before or after, this one is cut, too: that is little, unless no other one is cut as coarsely.
        others = losses[:k] + losses[k + 1:]
        own = 0 if max(others, default=0) >= losses[k] else losses[k] / 2
        lefts.append(least - sum(others) - own)
        need(lefts[-1] >= 0, f"expected a step of at least {show(sum(others) + own)} of step {of.number}, found {show(least)}")
    return min(lefts, default=None)


def rising_round(step):
    need(step.form.is_float and step.form.nan and step.keeps_nan, "a NaN becomes a number")
    others = step.of
    if step.how in ("multiply", "fma"):
        x, y, *others = step.of
        if not (x.rises and y.rises and x.rises[0] == y.rises[0] == "fixed"):
            rises_with(x, y)
    for of in others:
        step_of(of)


# ------------------------------------------------------------------------------------------------ bounds of errors
#
# As long as nothing on the way overflowed: |value - exact sum of the products, and c, of a set| <= error, |value| <= most, and 2^e <= reach for
# the exponent e by which it is compared. P is the sum of the magnitudes of these products. Terms of a sum have products of their own.

class Amount(NamedTuple):
    """At most c * |c| + products * P + absolute."""

    c: Fraction = Fraction(0)
    products: Fraction = Fraction(0)
    absolute: Fraction = Fraction(0)

    def __str__(self):
        return f"{show(self.c)} |c| + {show(self.products)} P + {show(self.absolute)}"

    def plus(self, other):
        return Amount(*[x + y for x, y in zip(self, other)])

    def joined(self, other):
        """The sum of amounts of different products."""
        return Amount(self.c + other.c, max(self.products, other.products), self.absolute + other.absolute)

    def times(self, factor):
        return Amount(*[x * factor for x in self])

    def at_least(self, absolute):
        return self._replace(absolute=max(self.absolute, absolute))


NOTHING = Amount()


class Bound(NamedTuple):
    of: int  # a bit for each product, and one for c
    error: Amount
    most: Amount
    reach: Optional[Amount] = None


def read_amount(thing, what):
    return Amount(*[dyadic(part(thing, key, what), what) for key in Amount._fields])


def is_at_most(x, y):
    return all(map(le, x, y))


def size_of(domain, of):
    """The sum of the magnitudes of c and the products."""
    return Amount(Fraction(of >> domain.products), Fraction(of & (1 << domain.products) - 1 != 0))


def magnitudes(domain, bound):
    """Two bounds of the magnitude."""
    return [bound.most, bound.error.plus(size_of(domain, bound.of))]


def check_bound(domain, step, thing):
    is_known = step.has_rule and step.is_number and not domain.has_scales
    found = bounds_of(domain, step) if is_known else []
    need(found, "nothing is known of an error")
    known = dict(error=[one.error for one in found], most=[x for one in found for x in magnitudes(domain, one)], reach=[one.reach for one in found if one.reach])
    claimed = {}
    for key in known:
        if key != "reach" or step.form is None and thing.get(key) is not None:
            claimed[key] = read_amount(part(thing, key, "bound"), key)
            holds = any(is_at_most(one, claimed[key]) for one in known[key])
            need(holds, f"`{key}` of the bound does not follow: expected {' or '.join(map(str, known[key]))}, found {claimed[key]}")
    step.bound = Bound(found[0].of, **claimed)


def bounds_of(domain, step):
    """The bounds that follow from those of the steps that it takes: each of them holds."""
    rules = dict(product=bound_product, fuse=bound_fuse, cut=bound_cut, round=bound_round)
    if step.do in rules:
        return rules[step.do](domain, step)
    if step.do == "operand":
        return [Bound(step.depends, NOTHING, size_of(domain, step.depends))] if step.factor is None else []
    if step.do == "constant":
        return [Bound(0, NOTHING, NOTHING)] if step.sum == [] else []
    of = together([one.bound for one in step.takes]) if step.do == "sum" else step.takes[0].bound
    if of is None:
        return []
    if step.do == "sum":
        return [of._replace(reach=Amount(absolute=Fraction(1)))]  # its exponent is 0
    if step.do == "flush":
        return [lose(of, Amount(absolute=power(step.form.emin)), False)]
    if step.do == "term":
        # A zero, or a subnormal number, may have a greater exponent than that of its leading one.
        least, by = power(step.takes[0].form.emin), power(step.thing["shift"])
        return [of._replace(reach=one.at_least(least).times(by)) for one in magnitudes(domain, of)]
    return [of]  # cap and replace


def bound_product(domain, step):
    """The exponent of a factor is that of its leading one, or, where it is subnormal or zero, that of its format."""
    bound, least = bound_of_factors(domain, *step.takes), Fraction(0)
    if bound is None:
        return []
    for one, other in (step.takes, step.takes[::-1]):
        emin = one.takes[0].form.emin
        if one.value is None or one.thing["shift"] != 0 or other.exponent == FAR:
            return [bound]
        if (one.value.least < emin or not one.hides) and other.exponent != -FAR:
            least = max(least, power(emin + other.exponent))
    return [bound._replace(reach=bound.most.at_least(least))]


def bound_of_factors(domain, x, y):
    k = pair_of(x, y)
    if k is None:
        return None
    # A factor may have become zero: |x y - x' y'| <= |x - x'| |y| + |x| |y - y'|.
    (row, _, lost), (other, _, lost_too) = x.factor, y.factor
    error = lost * domain.given[other][k].most + domain.given[row][k].most * lost_too
    return Bound(1 << k, Amount(absolute=error), Amount(products=Fraction(1)))


def together(bounds):
    """The bound of a sum; each product and c is of one term alone."""
    all_of, error, most = 0, NOTHING, NOTHING
    for one in bounds:
        if one is None or all_of & one.of:
            return None
        all_of, error, most = all_of | one.of, error.joined(one.error), most.joined(one.most)
    return Bound(all_of, error, most)


def bound_fuse(domain, step):
    """The greatest exponent is that of a term, or `least`. A term loses less than its last place there, and nothing where it sets the exponent itself;
    what the others lose where it does is in proportion to it, and counts as an error of its own."""
    losses, grows = [power(-how.keep) for how in step.terms], any(how.by != "rz" for how in step.terms)
    least = step.thing["least"]
    floor = Fraction(0) if least is None else power(least)
    absolute, reach, lossy = floor * sum(losses), Amount(absolute=floor), []
    for how, of, loss in zip(step.terms, step.takes, losses):
        if of.bound is None or of.bound.reach is None:
            return []
        lost = of.bound.reach.times(sum(losses) - (loss if of.fraction <= how.keep else 0))
        absolute, reach = max(absolute, lost.absolute), Amount(*map(max, reach, of.bound.reach))
        lossy.append(lose(of.bound, lost._replace(absolute=Fraction(0)), grows))
    of = together(lossy)
    return [lose(of, Amount(absolute=absolute), grows)._replace(reach=reach)] if of else []


def lose(of, lost, grows):
    """The bound of a value that loses at most this, and may grow by it."""
    return Bound(of.of, of.error.plus(lost), of.most.plus(lost) if grows else of.most)


def losses_of(magnitudes, bits, last, by):
    """The losses of such magnitudes that are rounded to so many bits, of which the last is at least 2^last."""
    half = by in NEAREST
    return [one.times(power(1 - bits - half)).at_least(Fraction(0) if last is None else power(last - half)) for one in magnitudes]


def bound_cut(domain, step):
    bits, by, least = step.thing["bits"], step.thing["by"], step.thing["least"]
    last = None if least is None else least - bits + 1
    of = step.takes[0].bound
    return [lose(of, lost, by != "rz") for lost in losses_of(magnitudes(domain, of), bits, last, by)] if of else []


def bound_round(domain, step):
    form, fraction, by = step.form, step.thing["fraction"], step.thing["by"]
    bounds = [one.bound for one in step.of]
    if step.how in ("multiply", "fma"):
        bounds[:2] = [bound_of_factors(domain, *step.of[:2])]
    of = together(bounds)
    if of is None or not form.is_float:
        return []
    last, forms = form.emin - fraction, [one.form for one in step.of]
    if step.how in ("register", "add") and all(one.is_float and one.emin - one.p + 1 >= last for one in forms):
        last = None  # a sum of multiples of the last place of the least numbers is one
    is_short = step.how in ("register", "multiply") and sum(one.p for one in forms) <= fraction + 1
    losses = losses_of([NOTHING] if is_short else magnitudes(domain, of), fraction + 1, last, by)
    if step.thing["tiny"] != "kept":
        losses = [one.at_least(power(form.emin)) for one in losses]
    return [lose(of, lost, by != "rz") for lost in losses]


# ------------------------------------------------------------------------------------------------ what is proved

def check_exact(domain, result):
    need(result.sum is not None and domain.is_whole_sum(result.sum), "the result is not known to be the exact sum")


def check_rounded(domain, result, mode):
    """The result is the exact sum of c and all products, rounded once."""
    if result.sum is not None:
        return check_exact(domain, result)
    need(result.rounds is not None and domain.is_whole_sum(result.rounds), "the result is not known to be the rounded sum")
    by = result.thing["by"]
    need(mode in ("any", by), f"expected by {mode}, found by {by}")
    need(result.thing["fraction"] == result.form.p - 1, "the result has fewer fraction bits than its format")
    need(result.thing["tiny"] == "kept", "tiny results become zero")


def check_symmetric(domain, result):
    """With the signs of all a and of c changed, the exact sum has the other sign, and so has what it is rounded to where the mode is symmetric."""
    formats = [domain.format_of["a"], domain.format_of["c"], result.form]
    need(all(one.is_float and one.signed and one.negative_zero for one in formats), "a format has no signs")
    need(not result.may_overflow, "the result may overflow")
    check_rounded(domain, result, result.thing["by"] if result.thing.get("by") in ("rz", "rne", "ra") else "rz")


def check_alike(domain, results):
    """Both results are the same sum, rounded in the same way, and no zero may have either sign."""
    for one in results:
        check_rounded(domain, one, "any")
        is_plus = one.do == "round" and one.thing["zero"] == "plus" and one.thing["tiny"] == "kept"
        need(is_plus or not one.form.negative_zero or one.value is not None and not one.value.zero, "a zero result may have either sign")
    options = [(one.sum is None) and [one.thing["by"], one.may_overflow and one.thing["overflow"]] for one in results]
    need(options[0] == options[1], "the results are not known to be the same sums")


def check_order(unit):
    """Two exchanged products, and all moved by one place, give the same graph of steps, but for the order of terms and of factors. All other
    orders are made of these two."""
    names, labels, block = {}, [label_of(step) for step in unit.steps], unit.domain.block
    graph = name_of_graph(unit, names, labels, {})
    for first in range(0, unit.domain.products, block):
        last = min(first + block, unit.domain.products) - 1
        second = min(first + 1, last)
        moved = {k: k + 1 for k in range(first, last)} | {last: first}
        for places in ({first: second, second: first}, moved):
            is_same = name_of_graph(unit, names, labels, places) == graph
            need(is_same, f"the products from {first} to {last} in another order give another graph of steps")


def label_of(step):
    """The options of a step, and those of each of its terms, without the steps that it takes."""
    options = {key: value for key, value in step.thing.items() if key not in ("facts", "name", "of", "x", "y", "terms", "index")}
    nan = options.get("nan")
    options["from"], options["nan"] = step.how, {**nan, "first": None} if isinstance(nan, dict) else nan
    terms = [{**one, "of": None} for one in step.thing["terms"]] if step.do == "fuse" else [None for _ in step.takes]
    return json.dumps(options, sort_keys=True), [json.dumps(one, sort_keys=True) for one in terms]


def name_of_graph(unit, names, labels, places):
    """A number for the result: the same for the same graph of steps."""
    own = []
    for step, (label, terms) in zip(unit.steps, labels):
        index = step.thing.get("index")
        takes = [(own[of.number], how) for of, how in zip(step.takes, terms)]
        if step.do in ("product", "sum") or step.do == "fuse" and step.thing["negate"] == "twos":
            takes.sort()
        key = (label, index if step.factor is None or step.do != "operand" else places.get(index, index), tuple(takes))
        own.append(names.setdefault(key, len(names)))
    return own[unit.result]


def check_finite(domain, result):
    """Every rounding on the way stays below the numbers that overflow, and so does each number before it becomes infinite. In the order of the
    steps: as long as none overflowed, the bounds hold."""
    on_the_way, todo = set(), [result]
    while todo:
        step = todo.pop()
        if step not in on_the_way:
            on_the_way.add(step)
            todo.extend(step.takes)
    for step in on_the_way:
        need(step.has_rule and step.is_number and (step.form is None or step.form.is_float), f"step {step.number}: nothing is known of such a step")
        limit = power(step.thing["exponent"]) if step.do == "cap" else step.form.limit(step.thing["fraction"], step.thing["by"]) if step.do == "round" else None
        if limit is not None:
            mosts = [most_of(domain, of) for of in (step.takes if step.do == "cap" else step.of)]
            need(None not in mosts, f"step {step.number}: nothing is known of the magnitude before")
            most = mosts[0] * mosts[1] + sum(mosts[2:]) if step.how in ("multiply", "fma") else sum(mosts)
            need(most < limit, f"step {step.number}: expected a magnitude below {show(limit)}, found {show(most)}")


def most_of(domain, step):
    """A bound of the magnitude for the operands as given, as long as nothing overflowed; None: not known."""
    if step.do == "operand":
        return domain.given[step.thing["row"]][step.thing["index"]].most
    found = [] if step.value is None else [step.value.most]
    if step.bound is not None:
        most = step.bound.most
        found.append(most.absolute + most.c * domain.most_c + most.products * domain.most_products)
    return min(found, default=None)


def check_summands(unit):
    """Factors are read only where a rounding multiplies both of one product, or takes a NaN of them, which they are not."""
    for step in unit.steps:
        is_product = step.has_rule and step.how in ("multiply", "fma") and all(of.do == "operand" for of in step.of[:2]) and pair_of(*step.of[:2]) is not None
        for of in step.of[2 * is_product:] if step.has_rule else step.takes:
            need(of.do != "operand" or of.factor is None, f"step {step.number} reads a factor alone")


def check_error(domain, result, claimed):
    """The result differs from the exact sum of c and all products by at most an amount, as long as nothing overflowed."""
    need(result.bound is not None, "nothing is known of an error")
    need(domain.is_whole_sum(k for k in range(domain.products + 1) if result.bound.of >> k & 1), "the bound leaves out a product, or c")
    need(is_at_most(result.bound.error, claimed), f"expected an error of {result.bound.error}, found {claimed}")


def conclude(units, proves):
    (kind, value), = proves.items() if isinstance(proves, dict) and len(proves) == 1 else [(None, None)]
    unit, results = units[0], [unit.at(unit.result) for unit in units]
    domain, result = unit.domain, results[0]
    need(all(one.form == domain.format_of["d"] for one in results), "the result has not the format of d")
    need(len(units) == (2 if kind == "alike" else 1), "expected one unit, or two for alike")
    checks = {
        "exact": lambda: check_exact(domain, result),
        "rounded": lambda: check_rounded(domain, result, word(value, ["any"] + MODES, kind)),
        "sign_symmetric": lambda: check_symmetric(domain, result),
        "alike": lambda: check_alike(domain, results),
        "order": lambda: check_order(unit),
        "finite": lambda: check_finite(domain, result),
        "summands": lambda: check_summands(unit),
        "monotone_in": lambda: step_of(result),
        "error": lambda: check_error(domain, result, read_amount(value, kind)),
    }
    need(kind in checks, f"unknown claim `{kind}`")
    is_expected = value == "by structure" if kind == "order" else value is True or kind in ("rounded", "monotone_in", "error")
    need(is_expected, f"expected another value for {kind}")
    checks[kind]()


# ---------------------------------------------------------------------------------------------------------- main

def unique(pairs):
    thing = dict(pairs)
    if len(thing) < len(pairs):
        raise NotReadable("a key stands twice in one object")
    return thing


def no_floats(text):
    raise NotReadable(f"expected integers, found {text}")


def read(text):
    """The claim in words, what is proved, and the units, of which nothing is checked yet."""
    try:
        document = json.loads(text, object_pairs_hook=unique, parse_float=no_floats, parse_constant=no_floats)
        version, claim, proves, _, _, _, units = fields(document, "certificate claim proves formats operands given units", "a certificate")
        need(version == 1 and version is not True, "expected certificate 1")
        need(isinstance(claim, str) and claim.isprintable(), "expected a claim of one line")
        domain = read_domain(document)
        moving = 0
        if isinstance(proves, dict) and "monotone_in" in proves:
            of_c = 1 << domain.products
            moving = of_c if word(proves["monotone_in"], ["c", "products"], "monotone_in") == "c" else of_c - 1
        units = [Unit(one, domain, moving) for one in rows(units, "units")]
        need(1 <= len(units) <= 2, "expected one unit, or two")
        return claim, proves, units
    except (ValueError, RecursionError, Rejected) as error:
        raise NotReadable(str(error).replace("\n", " ")) from None


def check(text):
    """The claim in words, and what is proved."""
    claim, proves, units = read(text)
    for k, unit in enumerate(units):
        of_unit = f"unit {k}: " if k else ""
        for number, thing in enumerate(unit.todo):
            try:
                unit.check(thing)
            except Rejected as error:
                raise Rejected(f"{of_unit}step {number}: {error}") from None
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
