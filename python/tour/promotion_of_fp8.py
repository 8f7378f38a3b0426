# %% [markdown]
# # How often must FP8 be promoted on Hopper?
#
# The FP8 instruction of an H100 adds 32 products at a time to a sum that is declared as a 32-bit float. Inside, it keeps far fewer bits than a
# float has. So libraries do not let it add up long sums: every few instructions they take the sum out, add it to a real float outside of the
# unit, and let the unit begin again at zero. This is called promotion, and every promotion costs time. How often is often enough?

# %%
import matplotlib.pyplot as plt
import ml_dtypes
import mmasmt
import numpy as np

plt.style.use("./tour.mplstyle")

HOPPER = "hopper/wgmma.m64nNk32.f32.e4m3.e4m3"
BLACKWELL = "blackwell/tcgen05.mma.mMnNk32.f32.e4m3.e4m3"
print("fraction bits kept:", {name: mmasmt.model(name).params["F"] for name in (HOPPER, BLACKWELL)})
assert mmasmt.model(HOPPER).params["F"] == "13"
assert mmasmt.model(BLACKWELL).params["F"] == "25"

# %% [markdown]
# Hopper keeps 13 bits behind the leading bit of the largest term, Blackwell 25. What that means shows in a sum of a 1 and 32 small products of
# 2^-14 each, which come with the next instruction. Together they are 2^-9, but each alone is cut away beside the 1.

# %%
a = np.zeros((1, 64), ml_dtypes.float8_e4m3fn)
a[0, 0], a[0, 32:] = 1, 2**-7
assert float(a[0, 32]) ** 2 == 2**-14 and 32 * 2**-14 == 2**-9

alone = mmasmt.gemm(a, a.T, model=HOPPER)[0, 0]
promoted = mmasmt.gemm(a, a.T, model=HOPPER, promote=1)[0, 0]
print(f"one sum: {alone}, promoted after each instruction: {promoted}")
assert alone == 1
assert promoted == 1 + 2**-9

# %%
mmasmt.explain(a[0, 32:], a[0, 32:], 1, model=HOPPER)

# %% [markdown]
# ## Errors for every interval
#
# Now sums of 1024 products. Four numbers say how good an interval is, all relative to the sum of the magnitudes of the products:
#
# - the median error and the 99.9th percentile of random operands, with exponents from -6 to 8;
# - the largest error that a search could find, with operands that show it;
# - a bound that is proved: no operands at all have a larger error.

# %%
LENGTH = 1024
INTERVALS = [1, 2, 4, 8, 16]
rows = mmasmt.compare(
    [f"promote:every={every}" for every in INTERVALS] + ["_"], on=[HOPPER], lengths=[LENGTH], exponents="-6..8", samples=500
)
[blackwell] = mmasmt.compare(["_"], on=[BLACKWELL], lengths=[LENGTH], exponents="-6..8", samples=500)

figure, axes = plt.subplots()
lines = {"bound": "proved for all operands", "worst": "worst found", "p999": "random: 99.9th percentile", "median": "random: median"}
for (key, label), marker in zip(lines.items(), "sovd"):
    axes.plot(range(len(rows)), [getattr(row, key) for row in rows], marker=marker, label=label)
axes.axhline(blackwell.bound, color="#555555", linestyle="--", linewidth=1.2)
axes.text(5.2, blackwell.bound * 0.85, "Blackwell without promotion, proved", color="#555555", fontsize=9, ha="right", va="top")
axes.set_yscale("log")
axes.set_xticks(range(len(rows)), [*map(str, INTERVALS), "never"])
axes.set(
    title="FP8 on Hopper: 1024 products, by promotion interval",
    xlabel="instructions of 32 products between promotions",
    ylabel="error / sum of magnitudes",
)
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown]
# Random operands make promotion look unimportant: the typical error is a few thousandths of a percent, and it grows little with the interval. A
# guarantee rests on the proved bound, and that doubles whenever the interval does. Without promotion it is 14 % of the sum of magnitudes. The bound
# is no exaggeration: the operands in the line below it come close, within a factor of 1.3.

# %%
for every, row in zip([*INTERVALS, "never"], rows):
    print(f"{every!s:>5}  median {row.median:.1e}  proved {row.bound:.2%}  proved / worst found {row.bound / row.worst:.2f}")
assert all(1e-5 < row.median < 5e-5 for row in rows)
assert all(1.95 < after.bound / before.bound < 2.1 for before, after in zip(rows, rows[1:]))
assert round(100 * rows[-1].bound) == 14
assert max(row.bound / row.worst for row in rows) < 1.3

# %% [markdown]
# ## Which interval does a tolerance allow?
#
# Read from the bounds: within 2 % of the sum of magnitudes an interval of 4 will do, which is what DeepSeek-V3 and cuBLAS take; within 1 % it has
# to be 2, within 0.5 % it has to be 1. Nothing below 0.4 % can be promised at any interval, since a single instruction loses that much.

# %%
allowed = {}
for tolerance in (0.02, 0.01, 0.005, 0.004):
    good = [every for every, row in zip(INTERVALS, rows) if row.bound <= tolerance]
    allowed[tolerance] = max(good, default=None)
    print(f"{tolerance:.1%}: {allowed[tolerance]}")
assert allowed == {0.02: 4, 0.01: 2, 0.005: 1, 0.004: None}
assert rows[0].worst > 0.0037

# %% [markdown]
# ## The operands that are behind it
#
# Each row comes with operands that have the largest error that was found. They go straight back in, and the exact sum says that the error is what
# it is said to be.

# %%
row = rows[INTERVALS.index(4)]
operands = row.witness.operands
d = float(mmasmt.dot(**operands, model=row.model))
exact = float(mmasmt.exact(**operands, model=row.model))
magnitudes = np.sum(np.abs(operands["a"].astype(float) * operands["b"].astype(float))) + abs(float(operands["c"]))
print(f"result {d}, exact {exact}, error {abs(d - exact) / magnitudes:.3%} of the sum of magnitudes")
assert np.isclose(abs(d - exact) / magnitudes, row.worst, rtol=1e-6)
