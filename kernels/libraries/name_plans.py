"""Finds the plan that gives every bit that a file of records keeps, product by product, and writes a table of plans.

    python3 kernels/libraries/name_plans.py RECORDS.jsonl -o TABLE.toml

It needs the package mmasmt and no GPU. Products that no plan reproduces are listed at the end of the table; the status is 1 if there are
any.
"""

import argparse
import itertools
import json
import sys
import time
from collections import defaultdict
from functools import lru_cache

import mmasmt
import numpy as np
from plan_candidates import architecture, candidates, units
from plan_records import FORMATS, bits, digest, operands, read

# What a rule asks for beside M, N and K.
CONDITIONS = ("op", "a", "b", "out", "layout", "fast", "tf32", "bias")
# The fields of the heuristic that fix the order of the sum.
DECISIVE = ("algo", "stages", "custom", "reduction", "S")
# Rows and columns that are compared first, which most plans fail.
FEW = (2, 8)
ALL = (1 << 30, 1 << 30)


@lru_cache
def values_of(name):
    """The number of every register of a narrow format."""
    exponent, significand = FORMATS[name]
    register = np.arange(1 << (1 + exponent + significand))
    scale, bias = register >> significand & (1 << exponent) - 1, (1 << exponent - 1) - 1
    fraction = (register & (1 << significand) - 1) + np.where(scale > 0, 1 << significand, 0)
    values = np.ldexp(fraction.astype(float), np.maximum(scale, 1) - bias - significand)
    return np.where(register >> exponent + significand, -values, values)


def numbers(registers, name):
    """Finite elements as numbers, which every instruction takes in its own format."""
    if name in ("f32", "f64"):
        return registers.view(f"f{registers.dtype.itemsize}").astype(np.float64)
    return values_of(name)[registers]


class Product:
    """What is recorded of a product, with its operands made again."""

    def __init__(self, record):
        self.case = case = record["case"]
        made = operands(case)
        rows, columns = record["rows"], record["columns"]
        chosen = {"a": rows, "b": columns, "bias": [0]}
        some = {name: one.some(chosen[name]) for name, one in made.items()}
        for name, one in some.items():
            if record["sha256_kept"].get(name) != digest(one):
                raise ValueError(f"{name}: expected the operand of the record, whose hash is another one")
        self.a = numbers(some["a"], case["a"])
        self.b = np.ascontiguousarray(numbers(some["b"], case["b"]).T)
        self.c = numbers(some["bias"], case["out"])[:, columns] if case["bias"] else None
        self.d = bits(record["bits"], case["out"])
        if self.d.shape != (len(rows), len(columns)):
            raise ValueError(f"bits: expected {len(rows)} rows of {len(columns)}, found {self.d.shape}")

    def agrees(self, plan, most):
        """Whether a plan gives the bits of so many rows and columns, from all over the matrix, its edges included."""
        model = plan.replace("{alpha}", float(np.float32(self.case["alpha"])).hex())
        i, j = (np.unique(np.linspace(0, have - 1, min(have, want)).astype(int)) for have, want in zip(self.d.shape, most, strict=True))
        c = None if self.c is None else np.broadcast_to(self.c[:, j], (len(i), len(j)))
        d = mmasmt.matmul(self.a[i], np.ascontiguousarray(self.b[:, j]), c, model=model, threads=1 if most == FEW else 0)
        expected = self.d[np.ix_(i, j)]
        return np.array_equal(np.asarray(d).view(expected.dtype), expected)


def from_table(case, capability, fields):
    """The plan of the table `cublaslt` for fields of the heuristic, if it has one, on the instructions of this machine."""
    known = {name: value for name, value in fields.items() if value is not None}
    own = units(case, architecture(capability))
    mma = next((unit for unit in own if "/mma." in unit), own[0])
    try:
        plan = mmasmt.Plans("cublaslt").explain(case["M"], case["N"], case["K"], unit=own[0], mma=mma, out=case["out"], **known).model
    except ValueError:
        return []
    if case["op"] == "_scaled_mm":
        plan = plan.replace("):out=", "):alpha={alpha},out=")
    return [plan.replace("out=", "beta=1,out=") if case["bias"] else plan]


def name(records, others=0, seconds=None):
    """The plans that give all bits of all records of one product: the likeliest, and so many others."""
    # Where the exact sum is 0, the first elements tell plans apart.
    products = [Product(record) for record in sorted(records, key=lambda record: record["case"]["kind"] != "cancel")]
    case, machine = records[0]["case"], records[0]["machine"]
    fields = records[0].get("heuristic") or {}
    capability = machine["capability"]
    begun = time.monotonic()
    plans = candidates(case, capability, fields, records[0].get("kernels", ()), from_table(case, capability, fields))
    plans = itertools.takewhile(lambda _: seconds is None or time.monotonic() - begun < seconds, plans)

    def agrees(plan):
        try:
            return all(product.agrees(plan, most) for most in (FEW, (16, 16), ALL) for product in products)
        except ValueError as error:
            # An instruction that this machine has no table for, for example.
            print(f"note: {plan}: {error}", file=sys.stderr)
            return False

    return list(itertools.islice(filter(agrees, plans), 1 + others))


def groups(records):
    """Records of one product together: of other operands only."""
    found = defaultdict(list)
    for record in records:
        key = [record["case"][name] for name in ("M", "N", "K", *CONDITIONS)] + [record["workspace"]]
        found[json.dumps(key)].append(record)
    return list(found.values())


def tells_apart(record):
    """Whether the elements hold rounding errors alone, and some errors."""
    return record["case"]["kind"] == "cancel" and any(set(row) - set("08,") for row in record["bits"])


def toml(value):
    """A value of TOML; JSON writes strings, numbers and truths alike, but for what no TOML may hold."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def conditions(record):
    return {**{name: record["case"][name] for name in CONDITIONS}, "workspace": record["workspace"]}


def rule(known, plan, status, note):
    lines = [f"{key} = {toml(value)}" for key, value in known.items() if value is not None]
    return "\n".join(["[[rule]]", *lines, f"plan = {toml(plan)}", f"status = {toml(status)}", f"note = {toml(note)}", ""])


def inferred(named):
    """Rules by the fields that fix the order, where two products or more have them, and all of these one plan."""
    found = defaultdict(list)
    for records, plans in named:
        fields = records[0].get("heuristic") or {}
        if fields.get("algo") is not None:
            known = {**conditions(records[0]), **{name: fields.get(name) for name in DECISIVE}}
            del known["workspace"], known["layout"]
            found[json.dumps(known)].append(plans[0] if plans else None)
    for known, plans in found.items():
        # Whether products are lost depends on K.
        if len(plans) > 1 and plans[0] and set(plans) == {plans[0]} and ",lost=" not in plans[0]:
            yield rule(json.loads(known), plans[0], "inferred", f"the plan of {len(plans)} recorded products with these fields")


def table(named, source):
    """A table of plans from products and the plans that were found for each."""
    machine = named[0][0][0]["machine"]
    known = [name for name in (*CONDITIONS, "workspace")]
    common = {name: max((v := [toml(conditions(r[0])[name]) for r, _ in named]), key=v.count) for name in known}
    head = [
        "# Written by kernels/libraries/name_plans.py.",
        'format = "mmasmt-plans/1"',
        f"machine = {toml(machine['name'] + ', ' + str(machine['sms']) + ' SMs')}",
        f"library = {toml(machine['library'] + ', by PyTorch ' + machine['torch'])}",
        f"source = {toml(source)}",
        "",
        "[defaults]",
        *(f"{name} = {value}" for name, value in common.items()),
        'alpha = "1"',
        "",
    ]
    rules, unknown = [], []
    for records, plans in named:
        case, fields = records[0]["case"], records[0].get("heuristic") or {}
        shape = {name: case[name] for name in "MNK"}
        said = " ".join(f"{name} {value}" for name, value in fields.items() if value is not None)
        count = sum(len(record["rows"]) * len(record["columns"]) for record in records)
        if plans:
            note = f"{count} elements; heuristic: {said or 'not asked'}"
            note += "".join(f"; also {plan}" for plan in plans[1:])
            if not any(tells_apart(record) for record in records):
                note += "; few plans differ in these elements"
            rules.append(rule({**shape, **conditions(records[0])}, plans[0], "recorded", note))
        else:
            known = " ".join(f"{name}={value}" for name, value in {**shape, **conditions(records[0])}.items())
            kernels = " ".join(records[0].get("kernels", ()))
            unknown.append(f"# {known}; heuristic: {said or 'not asked'}; kernels: {kernels or 'not known'}".replace("\n", " "))
    if unknown:
        unknown.insert(0, "# No plan reproduces these products:")
    if not rules:
        # A table has one rule at least; this one holds for no product.
        rules.append(rule({"M": 0}, "fda:K=4", "assumed", "no product has a plan"))
    return "\n".join([*head, *rules, *inferred(named), *unknown]).rstrip() + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("records", help="a file that record_plans.py has written")
    parser.add_argument("-o", "--output", required=True, help="the table, FILE.toml")
    parser.add_argument("--source", default="our own recordings", help="what the table says about where it comes from")
    parser.add_argument("--others", type=int, default=0, help="how many more plans to look for that give all bits too (default 0)")
    parser.add_argument("--seconds", type=float, default=600, help="the most seconds for one product (default 600)")
    options = parser.parse_args(arguments)
    try:
        together = groups(record for _, record in read(options.records))
        machines = {json.dumps(record["machine"], sort_keys=True) for records in together for record in records}
        if len(machines) != 1:
            raise ValueError(f"{options.records}: expected records of one machine with one library, found {len(machines)}")
        named = []
        for records in together:
            plans = name(records, options.others, options.seconds)
            named.append((records, plans))
            case = records[0]["case"]
            print(case["op"], f"{case['M']}x{case['N']}x{case['K']}", case["a"], case["out"], plans[0] if plans else "no plan", sep="\t", flush=True)
        with open(options.output, "w") as file:
            file.write(table(named, options.source))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"error: {error}")
    return int(any(not plans for _, plans in named))


if __name__ == "__main__":
    sys.exit(main())
