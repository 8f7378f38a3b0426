"""Why a trainer and a rollout do not agree on log-probabilities: one cause after the other, on AntiBERTy in bf16.

    pip install './python[torch]' && pip install --no-deps antiberty==0.1.3
    python python/examples/rollout.py

The trainer is an H100 whose library sums all of k in one chain. Each rollout has the same weights and the same tokens, and one difference.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import mmasmt.torch as mt
import torch
from antiberty import AntiBerty, loaded, masked
from fp8_widths import Sums, in_fp8


def split(**keys: Any) -> dict[str, Any]:
    """Linear layers whose k is cut in four parts."""
    return {"plans": mt.Rule(mt.Plan("", parts=4, tile=64, source="an example", **keys), "addmm")}


CAUSES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "the instruction: A100": {"machine": "A100"},
    "the instruction: MI300X": {"machine": "MI300X"},
    "k in 4 parts, added in f32": split(),
    "k in 4 parts, stored in bf16": split(partial="out"),
    "attention by products and a softmax": {"attention": "math"},
    "linear layers in FP8": {"fp8": True},
}


def run(
    model: AntiBerty, ids: torch.Tensor, machine: str = "H100", fp8: bool = False, **options: Any
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The log-probability of each token, and what each block gave."""
    kept: list[torch.Tensor] = []
    hooks = [block.register_forward_hook(lambda block, given, found: kept.append(found)) for block in model.blocks]
    with torch.no_grad(), in_fp8(model, Sums(machine, is_measured=False)) if fp8 else nullcontext():
        with mt.emulate(machine, unknown="ignore", threads=1, **options):
            _, logits = model(ids)
    for hook in hooks:
        hook.remove()
    return logits.double().log_softmax(-1)[0].gather(1, ids[0, :, None])[:, 0], kept


def main() -> None:
    torch.set_num_threads(1)
    model, words = loaded()
    ids, _ = masked(words)
    model.bfloat16()
    trainer, blocks = run(model, ids)
    print(f"{len(trainer)} tokens; log-probabilities beside those of the trainer, and hidden values with other bits after blocks 1, 4, 8")
    for cause, options in CAUSES.items():
        found, own = run(model, ids, **options)
        apart = (found - trainer).abs()
        shares = [100 * float((x != y).double().mean()) for x, y in zip(own, blocks)]
        print(
            f"{cause:36} mean {float(apart.mean()):.5f}, largest {float(apart.max()):.4f}, other bits "
            + ", ".join(f"{shares[block]:.2f} %" for block in (0, 3, 7)),
            flush=True,
        )


if __name__ == "__main__":
    main()
