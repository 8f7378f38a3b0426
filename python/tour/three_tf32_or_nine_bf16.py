# %% [markdown]
# # 3xTF32 or BF16x9?
#
# Matrix units do not take 32-bit floats. Two schemes multiply f32 matrices on them all the same:
#
# - **3xTF32** cuts each number into two of TF32 and takes three of the four products;
# - **BF16x9** cuts each number into three of bf16, which hold all 24 bits of its significand, and takes all nine products.
#
# Both are here as CUTLASS has them, on Blackwell. Which one is closer to the exact product, and is it as good as arithmetic in f32?

# %%
import matplotlib.pyplot as plt
import ml_dtypes
import mmasmt
import numpy as np

plt.style.use("./tour.mplstyle")

assert 3 * (ml_dtypes.finfo(ml_dtypes.bfloat16).nmant + 1) == 24

# What is multiplied by what: a scheme, and the unit that it stands on.
WAYS = {
    "3xTF32": ("3xtf32", "blackwell/mma.m16n8k4.f32.tf32.tf32.f32"),
    "BF16x9": ("cutlass-9xbf16", "blackwell/mma.m16n8k8.f32.bf16.bf16.f32"),
    "f32, one FMA after the other": (None, "ieee:K=1,in=f32"),
}

# %% [markdown]
# ## Random matrices
#
# Products of 32 x K by K x 32 random matrices, and the errors of their 1024 elements relative to the sum of magnitudes.

# %%
LENGTHS = [8, 16, 32, 64, 128, 256]
rng = np.random.default_rng(0)
a = rng.standard_normal((32, LENGTHS[-1])).astype(np.float32)
b = rng.standard_normal((LENGTHS[-1], 32)).astype(np.float32)


def errors(scheme, unit, length):
    """The errors of all elements; a product of two f32 is exact in f64, and sums of these are nearly so."""
    left, right = a[:, :length], b[:length]
    d = mmasmt.gemm(left, right, model=unit, scheme=scheme)
    wide = left.astype(np.float64), right.astype(np.float64)
    return np.abs(d - wide[0] @ wide[1]) / (np.abs(wide[0]) @ np.abs(wide[1]))


measured = {name: [errors(*way, length) for length in LENGTHS] for name, way in WAYS.items()}
assert measured["3xTF32"][0].size == 1024

figure, axes = plt.subplots()
for name, of_lengths in measured.items():
    median = [np.median(one) for one in of_lengths]
    most = [np.quantile(one, 0.99) for one in of_lengths]
    [line] = axes.plot(LENGTHS, median, marker="o", label=name)
    axes.fill_between(LENGTHS, median, most, color=line.get_color(), alpha=0.15, linewidth=0)
axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.set_xticks(LENGTHS, [str(length) for length in LENGTHS])
axes.set(title="Errors of f32 products of random matrices", xlabel="products in each sum (K)", ylabel="error / sum of magnitudes")
axes.legend(title="line: median; shade: up to 99 %", fontsize=9, title_fontsize=9)
plt.show()

medians = {name: np.array([np.median(one) for one in of_lengths]) for name, of_lengths in measured.items()}
for name, values in medians.items():
    print(f"{name:30}", *(f"{value:.1e}" for value in values))

# %% [markdown]
# BF16x9 is better than arithmetic in f32 at every length: CUTLASS adds the sum of each step outside of the unit, to nearest. 3xTF32 is several times
# worse than f32 already for 8 products, and it gets worse with the length, as all of its products are added inside of the unit, where what hangs
# over is cut. Cutting always errs in the same direction, and such errors add up. At K = 256 it is more than 40 times worse than BF16x9.

# %%
f32 = medians["f32, one FMA after the other"]
assert np.all(medians["BF16x9"] < f32)
assert np.all(medians["3xTF32"] > 2 * f32)
assert np.all(np.diff(medians["3xTF32"]) > 0)
assert medians["3xTF32"][-1] > 40 * medians["BF16x9"][-1]

# %% [markdown]
# ## All operands
#
# Random numbers promise nothing. For 64 products, these are the largest error that a search found, and a bound that no operands exceed.

# %%
rows = mmasmt.compare(["3xtf32", "cutlass-9xbf16"], on=["blackwell"], lengths=[64], samples=100)
rows += mmasmt.compare(["_"], on=["ieee:K=1,in=f32"], lengths=[64], samples=100)
bounds = dict(zip(WAYS, rows))

figure, axes = plt.subplots(figsize=(7.2, 2.6))
for place, row in enumerate(rows):
    axes.plot([row.worst, row.bound], [place, place], color="#bbbbbb", linewidth=5, solid_capstyle="butt", zorder=1)
axes.scatter([row.worst for row in rows], range(len(rows)), marker="s", s=45, label="worst found")
axes.scatter([row.bound for row in rows], range(len(rows)), marker="|", s=250, label="proved bound")
axes.set_yticks(range(len(rows)), bounds)
axes.set_ylim(2.6, -0.6)
axes.set_xscale("log")
axes.set(title="The largest errors of 64 products", xlabel="error / sum of magnitudes")
axes.legend(loc="lower right", fontsize=9)
plt.show()

for name, row in bounds.items():
    print(f"{name:30} worst found {row.worst:.2e}, proved {row.bound:.2e}")

# %% [markdown]
# The order is the same: what was found for 3xTF32 is larger than what is proved for either of the others.

# %%
assert bounds["3xTF32"].worst > max(bounds["BF16x9"].bound, bounds["f32, one FMA after the other"].bound)
assert bounds["BF16x9"].bound < bounds["f32, one FMA after the other"].worst

# %% [markdown]
# ## Neither is always better
#
# That is about the largest errors. Is BF16x9 closer to the exact result for every operand, at least for one product? It is not. `prove` with
# `better-than` finds operands for which the one is strictly closer, and others for which the other is.

# %%
ONE = {name: mmasmt.composition(WAYS[name][1], 1, scheme=WAYS[name][0]) for name in ("3xTF32", "BF16x9")}
for name, other in (("3xTF32", "BF16x9"), ("BF16x9", "3xTF32")):
    answer = mmasmt.prove(f"better-than={ONE[other]}", ONE[name], assume="finite, factors exp -4..4")
    assert answer.verdict == "proved"
    operands = answer.witness.operands
    exact = mmasmt.exact(**operands, model=ONE[name])
    closer, farther = (abs(float(mmasmt.dot(**operands, model=ONE[one])) - exact) for one in (name, other))
    print(f"{name}: error {float(closer):.1e}, {other}: {float(farther):.1e}")
    print("    for", *operands["a"], "*", *operands["b"], "+", operands["c"])
    assert closer < farther

# %% [markdown]
# What the choice costs: BF16x9 asks the unit for 9 products where 3xTF32 asks for 3. On a unit whose bf16 rate is twice its TF32 rate that is half as
# much time again.

# %%
TF32_RATE, BF16_RATE = 1, 2
assert (9 / BF16_RATE) / (3 / TF32_RATE) == 1.5
