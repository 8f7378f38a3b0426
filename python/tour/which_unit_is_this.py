# %% [markdown]
# # Which unit is this?
#
# You can run a matrix instruction, but nobody tells you what is inside: a cloud instance, a new driver, a vendor's simulator. Which of
# the known units is it, or is it none of them?
#
# All that `mmasmt` needs is a function that takes operands and returns results. Here the function hides one of the models, so that this
# page runs without a GPU. Put a call of your own machine in its place.

# %%
import matplotlib.pyplot as plt
import mmasmt
import numpy as np

plt.style.use("./tour.mplstyle")
HIDDEN = "A100/HMMA.16816.F32"


def machine(a, b, c):
    """16 products of f16 and an f32 each, as the machine sums them: shapes (n, 16), (n, 16) and (n,)."""
    return mmasmt.dot(a, b, c, model=HIDDEN)


# %% [markdown]
# The candidates are all units in the tables that multiply f16 and add in f32. Those that take fewer than 16 products at a time are asked
# several times in a row. Instructions with the same arithmetic are one candidate.

# %%
arithmetic = {}
for row in mmasmt.models():
    kinds = row.signature
    formats = [kind.format for kind in (kinds.a, kinds.b, kinds.c, kinds.d)]
    if formats == ["f16", "f16", "f32", "f32"] and 16 % kinds.products == 0:
        repeat = 16 // kinds.products
        name = row.name if repeat == 1 else f"{row.name}:repeat={repeat}"
        arithmetic.setdefault(mmasmt.signature(name).canonical, []).append(name)

candidates = {same[0]: same for same in arithmetic.values()}
print(sum(map(len, candidates.values())), "instructions,", len(candidates), "candidates")
assert len(candidates) >= 20

# %% [markdown]
# `identify` draws inputs that are hard for such units, asks the machine, and compares its answers with every candidate.

# %%
found = mmasmt.identify(machine, candidates, count=4000)
for one in found.matches:
    print(one, "and the same:", *candidates[one][1:])
matching = [name for one in found.matches for name in candidates[one]]
assert any(name.startswith("ampere/") for name in matching)
assert not any(name.startswith(("volta/", "hopper/", "cdna3/")) for name in matching)

# %%
ranked = sorted(found.candidates, key=lambda one: -one.disagreed)
figure, axes = plt.subplots(figsize=(7.6, 5.6))
percent = [100 * one.disagreed / found.inputs for one in ranked]
axes.barh(range(len(ranked)), percent, color=["#0072b2" if share else "#009e73" for share in percent])
for place, share in enumerate(percent):
    if share == 0:
        axes.text(1, place, "agrees on every input", va="center", fontsize=8.5, color="#009e73")
axes.set_yticks(range(len(ranked)), [one.model for one in ranked], fontsize=7.5)
axes.grid(axis="y", visible=False)
axes.set(title="Candidates against the machine", xlabel="inputs with another result (%)", xlim=(0, 100))
plt.show()

# %% [markdown]
# More than one candidate is left. Is one of them wrong, and were the inputs too easy? That question has a proof for an answer: no inputs at all
# tell them apart.

# %%
for other in found.matches[1:]:
    verdict = mmasmt.distinguish(found.matches[0], other).verdict
    print(found.matches[0], "and", other, "are", verdict)
    assert verdict == "equal"

# %% [markdown]
# ## Details need inputs that are found
#
# Units of different families are easy to tell apart. Details are not: whether a product of zeros takes part in the alignment, how many carry
# bits the sum has, whether a sum of zeros can be -0, whether tiny results become zero. Here are 6 machines, an H100 and what it would be with one
# such detail changed, and 2000 ordinary random inputs, after which all 6 are left. `distinguish` finds an input for each detail: 5 inputs, and one
# machine is left.

# %%
H100 = "fda:K=16,F=25"
assert mmasmt.model("H100/HMMA.16816.F32").specification == H100
DETAILS = ["zero=raw", "zero=min", "carry=4", "negzero=minus", "results=after"]
machines = [H100, *(f"{H100},{detail}" for detail in DETAILS)]

rng = np.random.default_rng(0)
COUNT = 2000
random = {
    "a": rng.standard_normal((COUNT, 16)).astype(np.float16),
    "b": rng.standard_normal((COUNT, 16)).astype(np.float16),
    "c": rng.standard_normal(COUNT).astype(np.float32),
}
witnesses = [mmasmt.distinguish(H100, other).witness for other in machines[1:]]
directed = {key: np.stack([getattr(one, key) for one in witnesses]) for key in ("a", "b", "c")}


def left_after(inputs):
    """How many machines agree with the H100 on the first n inputs, for every n."""
    agree = [mmasmt.dot(**inputs, model=one).view(np.uint32) == mmasmt.dot(**inputs, model=H100).view(np.uint32) for one in machines]
    return [len(machines), *np.sum(np.logical_and.accumulate(agree, axis=1), axis=0)]


curves = {"random numbers": left_after(random), "inputs that distinguish finds": left_after(directed)}
figure, axes = plt.subplots()
for (label, left), style in zip(curves.items(), ("-", "o-")):
    axes.plot(np.arange(len(left)), left, style, drawstyle="steps-post", label=label)
axes.set_xscale("symlog", linthresh=10, linscale=1)
axes.set_xticks([0, 1, 2, 3, 4, 5, 10, 100, 1000], ["0", "1", "2", "3", "4", "5", "10", "100", "1000"])
axes.set(title="Machines that cannot be told from an H100", xlabel="inputs asked", ylabel="machines left", ylim=(0, 6.6))
axes.legend(loc="lower right")
plt.show()

print({label: int(left[-1]) for label, left in curves.items()})
assert curves["random numbers"][-1] == 6
assert curves["inputs that distinguish finds"][-1] == 1 and len(witnesses) == 5

# %% [markdown]
# ## A machine that nobody knows
#
# Now a machine whose sum keeps 22 fraction bits, which no unit in the tables does. No candidate is left, and for each there is an input that
# shows it. It goes straight into `explain`, beside the answer of the machine.

# %%
def stranger(a, b, c):
    """No unit that is in the tables."""
    return mmasmt.dot(a, b, c, model="fda:K=16,F=22")


unknown = mmasmt.identify(stranger, candidates, count=4000)
nearest = min(unknown.candidates, key=lambda one: one.disagreed)
print("matches:", unknown.matches)
print("nearest:", nearest.model, "differs on", nearest.disagreed, "of", unknown.inputs)
assert unknown.matches == ()
first = nearest.first.operands
assert stranger(first["a"], first["b"], first["c"]) != mmasmt.dot(**first, model=nearest.model)
mmasmt.explain(**first, model=nearest.model)
