"""Multiplies the same matrices by mmasmt, mmaemu and MMA-Sim, compares all bits, and prints the processor time of each.

python3 -m venv peers && . peers/bin/activate
pip install torch numpy ninja setuptools mmaemu==0.1.0 mmasim==2.1.1
cargo build --release
OMP_NUM_THREADS=1 python3 benches/peers/peers.py target/release/mmasmt

MMA-Sim compiles a part of itself when it is imported, and finds ninja only where the environment is active.
Without a program the script measures mmasmt's own package, `pip install ./python`. All of it takes about two minutes; MMA-Sim is not
asked for products that take it longer than two seconds, and a product that no peer is asked for has no row.
The status is 1 if a bit differs.
"""

import argparse
import ctypes
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import mmaemu
import numpy as np
import torch
from mmasim import MMAOperation
from products import PRODUCTS, Product, ScaledMm, rows

# The least time of so many runs counts; there are no more of them when they have taken so many seconds.
RUNS, LONG = 3, 1.0
# Of two factors.
MOST_PRODUCTS_OF_MMA_SIM = 1 << 24
# The last is a layer of a network and a few tokens.
SHAPES = ["256,256,256", "512,512,512", "64,512,2048"]
HEAD = ["rows,columns,k", "operands", "mmasmt s", "M/s"]
HEAD += [f"{peer} {what}" for peer in ["mmaemu", "MMA-Sim"] for what in ["s", "M/s", "ratio", "differ"]]
Measured = tuple[torch.Tensor, float]


def keep_memory() -> None:
    """Keeps freed memory in this process, for the peers' sake: else page faults take up to two thirds of PyTorch's time."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        most_mapped, trim_threshold = -4, -1
        library.mallopt(most_mapped, 0)
        library.mallopt(trim_threshold, 2**31 - 1)


def processor_time() -> float:
    """Seconds of all threads of this process and of the programs that it has run: the time of others is not in it."""
    usages = map(resource.getrusage, [resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN])
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measured(work: Callable[[], torch.Tensor]) -> Measured:
    times: list[float] = []
    while len(times) < RUNS and sum(times) < LONG:
        start = processor_time()
        result = work()
        times.append(processor_time() - start)
    return result, min(times)


def registers(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.view({1: torch.uint8, 2: torch.int16, 4: torch.int32}[tensor.dtype.itemsize])


def by_program(program: Path, product: Product, a: torch.Tensor, b: torch.Tensor) -> Measured:
    """The time has the start of the program, its files, and the making of its list of operations in it."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / file for file in ["a.npy", "b.npy", "d.npy"]]
        for path, factors in zip(paths, [a, b]):
            # Floats where NumPy has them, unsigned registers where it has not.
            kind = {torch.float16: np.float16, torch.bfloat16: np.uint16}.get(factors.dtype, np.uint8)
            np.save(path, registers(factors).numpy().view(kind))
        model = product.model.format(k=len(b))
        line: list[str | Path] = [program, "matmul", *paths[:2], "--on", model, "-o", paths[2], "--threads", "1"]

        def run() -> torch.Tensor:
            subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
            return torch.from_numpy(np.load(paths[2]).view({2: np.int16, 4: np.int32}[product.result.itemsize]))

        return measured(run)


def by_package(product: Product, a: torch.Tensor, b: torch.Tensor) -> Measured:
    """The time is that of a call: tensors in, a tensor out."""
    import mmasmt

    found, time = measured(lambda: mmasmt.matmul(a, b, model=product.model.format(k=len(b)), threads=1))
    return registers(found), time


def by_mma_sim(instruction: MMAOperation, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return registers(instruction(a, b, torch.zeros(len(a), b.shape[1])))


def by_mmaemu(call: ScaledMm, result: torch.dtype, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    # mmaemu has no other back end for a processor.
    options = {"profile": call.profile, "splitk": call.split, "backend": "reference"}
    return registers(mmaemu.scaled_mm(a, b, *call.scales, out_dtype=result, use_fast_accum=call.fast, **options))


def cells(ours: Measured, work: Callable[..., torch.Tensor] | None, a: torch.Tensor, b: torch.Tensor) -> list[str]:
    """What the table says of a peer: seconds, million products a second, seconds for each of ours, and results that differ."""
    if work is None:
        return ["–"] * 4
    # A package does some things once in a process: they do not count.
    work(a[:16], b[:, :16])
    found, time = measured(partial(work, a, b))
    differ = int((found != ours[0]).sum())
    return [f"{time:.3f}", speed(a, b, time), f"{time / ours[1]:.2f}", str(differ)]


def speed(a: torch.Tensor, b: torch.Tensor, time: float) -> str:
    return f"{a.numel() * b.shape[1] / time / 1e6:.0f}"


def row(first: str, *others: str) -> None:
    """One of a table in Markdown, in columns for a terminal too."""
    print("|", first.ljust(39), "|", " | ".join(text.rjust(len(head)) for text, head in zip(others, HEAD)), "|", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares mmasmt, mmaemu and MMA-Sim.")
    parser.add_argument("program", nargs="?", type=Path, help="mmasmt; its package for Python if it is not given")
    parser.add_argument("--shape", action="append", help=f"rows, columns and k, once or more [default: {' '.join(SHAPES)}]")
    parser.add_argument("--only", default="", help="products whose name has this text")
    options = parser.parse_args()
    keep_memory()
    torch.set_num_threads(1)
    compute = partial(by_program, options.program.resolve()) if options.program else by_package
    print("Seconds of processor time, million products of two factors a second, ratio to mmasmt, and results that differ from its.\n")
    row("product", *HEAD)
    row("---", *["---"] * len(HEAD))
    total = 0
    for shape in options.shape or SHAPES:
        m, n, k = map(int, shape.split(","))
        for product in PRODUCTS:
            emulate = product.mmaemu and partial(by_mmaemu, product.mmaemu, product.result)
            simulate = product.mma_sim and m * n * k <= MOST_PRODUCTS_OF_MMA_SIM and partial(by_mma_sim, product.mma_sim)
            is_asked = options.only in product.name and (emulate or simulate)
            generator = torch.Generator().manual_seed(1)
            for kind in ["normal", "any"] if is_asked else []:
                a = rows(kind, (m, k), product.factors[0], generator)
                # `_scaled_mm` wants each column of B in one piece.
                b = rows(kind, (n, k), product.factors[1], generator).t()
                ours = compute(product, a, b)
                numbers = torch.isfinite(ours[0].view(product.result)).double().mean().item()
                assert numbers > 0.5, f"{product.name}: {numbers:.0%} of the results are numbers, too few to compare"
                peers = [*cells(ours, emulate or None, a, b), *cells(ours, simulate or None, a, b)]
                row(product.name, shape, kind, f"{ours[1]:.3f}", speed(a, b, ours[1]), *peers)
                total += sum(int(differ) for differ in peers[3::4] if differ != "–")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
