# %% [markdown]
# # Why do two GPUs give different results?
#
# The same matrices of 16-bit floats, the same shape, two GPUs: and the results are not the same in their last bits. Neither GPU is broken,
# and it is not "just floating point". Each generation adds products in its own way, always the same way, and that way can be
# written down. `mmasmt` has it written down for every generation, so a laptop can compute what each GPU gives.
#
# Here are three NVIDIA generations with one random product of 64 x 1024 by 1024 x 64 matrices.

# %%
import matplotlib.pyplot as plt
import mmasmt
import numpy as np

plt.style.use("./tour.mplstyle")

UNITS = {"V100": "V100/HMMA.884.F32.F32", "A100": "A100/HMMA.16816.F32", "H100": "H100/HMMA.16816.F32"}
PAIRS = [("V100", "A100"), ("V100", "H100"), ("A100", "H100")]

rng = np.random.default_rng(0)
a = rng.standard_normal((64, 1024)).astype(np.float16)
b = rng.standard_normal((1024, 64)).astype(np.float16)


def shares_that_differ(length):
    """For each pair, the part of the elements that differ when the first `length` products are summed."""
    d = {name: mmasmt.matmul(a[:, :length], b[:length], model=unit) for name, unit in UNITS.items()}
    return [float(np.mean(d[one] != d[other])) for one, other in PAIRS]


lengths = [2**power for power in range(1, 11)]
shares = np.array([shares_that_differ(length) for length in lengths])

figure, axes = plt.subplots()
for (one, other), share in zip(PAIRS, shares.T):
    axes.plot(lengths, 100 * share, marker="o", label=f"{one} and {other}")
axes.set_xscale("log", base=2)
axes.set_xticks(lengths, [str(length) for length in lengths])
axes.set(title="Elements of a product that two GPUs do not agree on", xlabel="products in each sum", ylabel="elements that differ (%)", ylim=(0, 100))
axes.legend()
plt.show()

# %% [markdown]
# Sums of 2 products are mostly the same; of sums of 1024 products more than 90 % are not.

# %%
for length, share in zip(lengths, shares):
    print(f"K = {length:4}", *(f"{one}/{other} {part:6.1%}" for (one, other), part in zip(PAIRS, share)))
assert shares[0].max() < 0.05
assert 100 * shares[-1].min() > 90

# %% [markdown]
# ## The smallest case
#
# Take away all that does not matter, and this is left: 1 + 2^-24 + 2^-24, where each small term is the product of 2^-12 with itself. The exact sum is
# 1 + 2^-23, and a float has that number. H100 finds it. V100 says 1.

# %%
x = np.array([2.0**-12, 2.0**-12, 0, 0], np.float16)
v100 = mmasmt.dot(x, x, 1, model=UNITS["V100"])
h100 = mmasmt.dot(np.resize(x, 16) * (np.arange(16) < 2), np.resize(x, 16), 1, model=UNITS["H100"])
exact = mmasmt.exact(x, x, 1, model=UNITS["V100"])
print("V100", v100, " H100", h100, " exact", float(exact))
assert v100 == 1
assert h100 == exact == 1 + 2**-23

# %% [markdown]
# The reason can be seen. A unit does not add one product after the other. It moves all terms to the exponent of the largest one, cuts what hangs
# over at the right, and adds what is left. V100 keeps 23 bits behind the point, so a term of 2^-24 is cut to nothing, and so is the next one. On
# this page hover over any bit, or move with the arrow keys.

# %%
mmasmt.explain(x, x, 1, model=UNITS["V100"])

# %% [markdown]
# A100 keeps 24 bits, H100 25. So each machine loses two small terms beside a 1 from another size on.

# %%
bits = {name: mmasmt.model(unit).params["F"] for name, unit in UNITS.items()}
print(bits)
assert bits == {"V100": "23", "A100": "24", "H100": "25"}

exponents = np.arange(20, 29)


def kept(unit):
    """What is left of two terms of 2^-e beside a 1, as a part of their sum; -1 takes the 1 away again."""
    count = mmasmt.signature(unit).products
    left = np.zeros((len(exponents), count), np.float16)
    right = np.zeros_like(left)
    left[:, 0], right[:, 0] = 1, 1
    left[:, 1:3] = (2.0 ** -(exponents // 2))[:, None]
    right[:, 1:3] = (2.0 ** -(exponents - exponents // 2))[:, None]
    left[:, 3], right[:, 3] = -1, 1
    return mmasmt.dot(left, right, 0, model=unit) / (2 * 2.0**-exponents)


parts = {name: kept(unit) for name, unit in UNITS.items()}
figure, axes = plt.subplots()
for (name, part), marker, size in zip(parts.items(), "sDo", (11, 8, 5)):
    axes.plot(exponents, 100 * part, marker=marker, markersize=size, drawstyle="steps-mid", label=f"{name}: {bits[name]} bits", alpha=0.85)
axes.set_xticks(exponents, [f"$2^{{-{e}}}$" for e in exponents])
axes.set(title="What is left of two small terms beside a 1", xlabel="size of each small term", ylabel="part of their sum that is kept (%)")
axes.legend(loc="center left")
plt.show()

for name, part in parts.items():
    last = exponents[part == 1].max()
    print(f"{name}: the last size that is kept is 2^-{last}")
    assert str(last) == bits[name]
    assert np.all(part[exponents > last] == 0)

# %% [markdown]
# ## Finding such inputs without knowing the machine
#
# Nobody has to guess the example. `distinguish` finds the simplest inputs on which two models differ, and shows what each gives.

# %%
found = mmasmt.distinguish("fda:K=16,F=24", UNITS["H100"])
witness = found.witness
print(found.verdict, "on c =", witness.c, "and products of", witness.a[witness.a != 0], "and", witness.b[witness.b != 0])
print("results:", *witness.d)
assert found.verdict == "different"
assert mmasmt.dot(**witness.operands, model=UNITS["H100"]) == witness.d[1] != witness.d[0]

# %% [markdown]
# ## When they do agree
#
# Two machines agree wherever neither loses anything, and for that there are proofs. Small integers are such a place: with factors that are integers
# of at most 10 bits, sums of 16 products stay below 2^24, so no bit is cut anywhere. The proof is for all such operands.

# %%
domain = "factors from -1023..1023, c = 0"
answer = mmasmt.distinguish(UNITS["A100"], UNITS["H100"], assume=domain)
print(answer.verdict)
assert answer.verdict == "equal"
assert 1023 == (1 << 10) - 1 and 16 * 1023**2 < 2**24
