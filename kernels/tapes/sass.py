"""What a kernel of products costs: its machine code, how often each instruction runs for a link, and the limit that follows."""

import re

LINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);")
TARGET = re.compile(r"0x([0-9a-f]+)")

# GPUs with these targets: multiprocessors, and the clock in GHz that is assumed.
GPUS = {
    "sm_80": ("A100", 108, 1.41),
    "sm_89": ("RTX 4090", 128, 2.52),
    "sm_90": ("H100 SXM", 132, 1.755),
    "sm_100": ("B200", 148, 1.85),
    "sm_120": ("RTX 5090", 170, 2.41),
}
# Cycles of a quarter of a multiprocessor for one instruction of 32 threads.
F64 = {"sm_80": 4, "sm_89": 64, "sm_90": 2, "sm_100": 2, "sm_120": 64}
CONVERSION, INTEGER = 8, 2

CONVERSIONS = ("F2F", "F2I", "I2F", "POPC", "MUFU", "FRND")
FLOATS = ("FADD", "FMUL", "FFMA")
DOUBLES = ("DADD", "DMUL", "DFMA", "DSETP")
OTHERS = ("LDS", "LDG", "STG", "STS", "LDL", "STL", "LDGSTS", "LDGDEPBAR", "DEPBAR", "BAR", "BRA", "BSSY", "BSYNC", "ULDC", "LDC", "S2R", "NOP")


class Loop:
    """The loop over links, from the machine code of a kernel."""

    def __init__(self, code):
        found = [(int(at, 16), when, opcode.split(".")[0], rest) for at, when, opcode, rest in LINE.findall(code)]
        jumps = [(at, int(TARGET.search(rest)[1], 16), bool(when)) for at, when, opcode, rest in found if opcode == "BRA" and TARGET.search(rest)]
        back = [(to, at) for at, to, _ in jumps if to < at]
        first, last = max(back, key=lambda loop: loop[1] - loop[0])
        self.instructions = [one for one in found if first <= one[0] <= last]
        self.inner = sorted(loop for loop in back if first < loop[0] and loop[1] < last)
        self.jumps = [jump for jump in jumps if first <= jump[0] < jump[1] <= last]

    def between(self, first, last):
        return [opcode for at, _, opcode, _ in self.instructions if first <= at < last]

    def cold(self):
        """Code that ordinary operands do not reach: elements that stop, and results at the ends of the range."""
        regions = []
        unconditional = {at: to for at, to, has_condition in self.jumps if not has_condition}
        for at, to, has_condition in self.jumps:
            if has_condition and "STG" in self.between(at, to):
                regions.append((at + 16, to))
            end = unconditional.get(to - 16)
            if has_condition and end and to - at > 1600 and end - to > 1600:
                regions.append(max((at + 16, to), (to, end), key=lambda arm: arm[1] - arm[0]))
        return regions

    def weights(self, trips):
        """How often each instruction runs, for the trips of the loops that are not copies."""
        copies = [loop for loop in self.inner if "LDGSTS" in self.between(*loop)]
        loops = [loop for loop in self.inner if loop not in copies and not any(a <= loop[0] < b for a, b in self.cold())]
        if len(loops) != len(trips):
            return None
        counted = {}
        for at, _, opcode, _ in self.instructions:
            if any(first <= at < last for first, last in self.cold()):
                continue
            times = 1
            for (first, last), count in zip(loops, trips):
                times = count if first <= at <= last else times
            counted[opcode] = counted.get(opcode, 0) + times
        return counted


def limit(counted, target, products):
    """Instructions and cycles a product, the pipe that takes the cycles, and TMAC/s of a whole GPU."""
    kinds = {"issue": 0, "integers": 0, "floats": 0, "doubles": 0, "conversions": 0}
    for opcode, count in counted.items():
        kinds["issue"] += count
        if opcode in CONVERSIONS:
            kinds["conversions"] += CONVERSION * count
        elif opcode in DOUBLES:
            kinds["doubles"] += F64[target] * count
        elif opcode in FLOATS or opcode.startswith("IMAD"):
            kinds["floats"] += (2 if opcode.startswith("IMAD") or target == "sm_80" else 1) * count
        elif opcode not in OTHERS and not opcode.startswith("U"):
            kinds["integers"] += INTEGER * count
    pipe = max(kinds, key=kinds.get)
    cycles = kinds[pipe] / products
    _, processors, clock = GPUS[target]
    return kinds["issue"] / products, cycles, pipe, processors * 128 * clock / cycles / 1000
