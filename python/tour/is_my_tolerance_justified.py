# %% [markdown]
# # Is my tolerance justified?
#
# A test multiplies matrices on a GPU, compares with a reference, and allows some difference. How much? If it is too little, the test fails on
# hardware that is right. If it is too much, it passes kernels that are wrong. Most tolerances are what made the test pass last time.
#
# The tolerance that a machine justifies is the largest error that it can make. Here it is for sums of 1024 products of f16 on four machines,
# relative to the sum of the magnitudes of the products.

# %%
import matplotlib.pyplot as plt
import mmasmt
import numpy as np

plt.style.use("./tour.mplstyle")

LENGTH = 1024
MACHINES = {
    "V100": "V100/HMMA.884.F32.F32",
    "A100": "A100/HMMA.16816.F32",
    "H100": "H100/HMMA.16816.F32",
    "MI300X": "cdna3/v_mfma_f32_32x32x8_f16",
}
found = mmasmt.compare(["_"], on=MACHINES.values(), lengths=[LENGTH], exponents="-14..8", samples=500)
rows = dict(zip(MACHINES, found))

figure, axes = plt.subplots(figsize=(7.2, 3.2))
for place, (name, row) in enumerate(rows.items()):
    axes.plot([row.median, row.bound], [place, place], color="#cccccc", zorder=1)
marks = {"median": ("random: median", "o"), "p999": ("random: 99.9th percentile", "D"), "worst": ("worst found", "s"), "bound": ("proved bound", "|")}
for key, (label, marker) in marks.items():
    size = 180 if key == "bound" else 42
    axes.scatter([getattr(row, key) for row in rows.values()], range(len(rows)), marker=marker, s=size, label=label, zorder=2)
axes.set_yticks(range(len(rows)), rows)
axes.invert_yaxis()
axes.set_xscale("log")
axes.set(title="Errors of sums of 1024 products of f16", xlabel="error / sum of magnitudes")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, -0.62), ncols=4, fontsize=9, handletextpad=0.2, columnspacing=1)
plt.show()

# %% [markdown]
# *Worst found* is an error that the machine really makes: a tolerance below it is wrong. *Proved bound* is exceeded by no operands at all: a
# tolerance above it is too generous. Between them there is not much room, less than a factor of 1.3.
#
# Errors of random operands are another world, more than 30 times smaller: a tolerance that was taken from random tests says little about the
# machine.

# %%
for name, row in rows.items():
    print(f"{name:7} tolerance {row.bound:.1e}  bound / worst found {row.bound / row.worst:.2f}  worst found / random {row.worst / row.p999:.0f}")
assert all(1 <= row.bound / row.worst < 1.3 for row in rows.values())
assert all(row.worst / row.p999 > 30 for row in rows.values())

# %% [markdown]
# The worst operands come with the row. Put them into a test that uses a tolerance from random data, ten times the 99.9th percentile, and a V100
# that is right fails it.

# %%
row = rows["V100"]
operands = row.witness.operands
d = float(mmasmt.dot(**operands, model=row.model))
exact = float(mmasmt.exact(**operands, model=row.model))
magnitudes = np.sum(np.abs(operands["a"].astype(float) * operands["b"].astype(float))) + abs(float(operands["c"]))
error = abs(d - exact) / magnitudes
print(f"error {error:.2e}, tolerance from random data {10 * row.p999:.2e}, proved bound {row.bound:.2e}")
assert 10 * row.p999 < error <= row.bound

# %% [markdown]
# ## Relative to the result, nothing can be promised
#
# `numpy.allclose` compares with a part of the result itself. But terms can cancel, and then the result is as small as you like beside what was
# cut. In this sum, 1 - 1 + 2^-26, an H100 loses the whole result.

# %%
a = np.zeros(16, np.float16)
b = np.zeros(16, np.float16)
a[:3] = 1, -1, 2.0**-13
b[:3] = 1, 1, 2.0**-13
lost = mmasmt.dot(a, b, 0, model=MACHINES["H100"])
assert lost == 0
assert mmasmt.exact(a, b, 0, model=MACHINES["H100"]) == 2.0**-26
mmasmt.explain(a, b, 0, model=MACHINES["H100"])

# %% [markdown]
# ## What a justified tolerance still lets pass
#
# `mmasmt.tolerance` gives the line for a test, and tries the tolerance on wrong kernels: accumulators in a short format, lost products, fewer
# bits in the sum.

# %%
found = {name: mmasmt.tolerance(unit, k=LENGTH) for name, unit in MACHINES.items()}
for name, tolerance in found.items():
    print(f"{name:7} {tolerance.paste[0]}")
    assert tolerance.relative >= rows[name].worst

# %% [markdown]
# Is the bound good enough to catch a wrong kernel? Take one that forgets the last of the 1024 products. Compared with an exact reference and the
# proved bound, a fifth of the wrong results pass on V100, and 2 % on MI300X. Compared with the bits that the model gives for the right
# product, none passes. Where the machine has a model, the best tolerance is 0.

# %%
passed = {}
for name, tolerance in found.items():
    lost = next(kernel for kernel in tolerance.wrong if kernel.name == "last product lost")
    passed[name] = [1 - lost.proved, 1 - lost.bits]
    print(f"{name:7} wrong results that pass: {passed[name][0]:6.1%} by tolerance, {passed[name][1]:5.1%} by bits")
assert 0.17 < passed["V100"][0] < 0.23 and round(100 * passed["MI300X"][0]) == 2
assert all(by_bits == 0 for _, by_bits in passed.values())

figure, axes = plt.subplots(figsize=(7.2, 3.4))
places = np.arange(len(passed))
for shift, (part, label) in zip((-0.2, 0.2), enumerate(["by the proved bound", "by the bits of the model"])):
    bars = axes.bar(places + shift, [100 * shares[part] for shares in passed.values()], width=0.38, label=label)
    axes.bar_label(bars, fmt="%.1f", fontsize=9, padding=2)
axes.set_xticks(places, passed)
axes.grid(axis="x", visible=False)
axes.set(title="A kernel that forgets one product of 1024", ylabel="results that pass (%)")
axes.legend(title="compared")
plt.show()

# %% [markdown]
# And a sum that keeps two bits less than it should? No result of it leaves the proved bound, on any of the machines, but most leave the bits.

# %%
for name, tolerance in found.items():
    fewer = [kernel for kernel in tolerance.wrong if kernel.name.startswith("F = ")][1]
    print(f"{name:7} {fewer.name}: outside of the bound {fewer.proved:.1%}, other bits {fewer.bits:.1%}")
    assert fewer.proved == 0 and fewer.bits > 0.5
