"""Records what the libraries of a GPU of NVIDIA make of products of matrices, by way of PyTorch; `name_plans.py` finds their plans.

    python3 kernels/libraries/record_plans.py RECORDS.jsonl 100x2560x9728 64x4096x14336 --case '{"op": "addmm", "a": "bf16"}'
    python3 kernels/libraries/record_plans.py RECORDS.jsonl --list PRODUCTS.jsonl

A product is MxNxK, or a line of JSON with M, N, K, and any of op, a, b, out, layout, fast, tf32, bias, alpha, kind and seed
(`plan_records.py` has what they may be). Each gets a line in RECORDS.jsonl: the nine fields that the heuristic of cuBLASLt answers with the
descriptors of PyTorch, the names of the kernels, hashes of operands and result, and some of its rows and columns. Records are added to those
that the file has. `--on MODEL` computes the result by a model of mmasmt in place of a GPU.
"""

import argparse
import ctypes
import json
import os
import sys

import numpy as np
from cublaslt import Heuristic
from plan_records import FORMAT, case_of, kept, operands

TORCH = {"e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def driver():
    """The version of CUDA that the driver has, as 13000; None if it does not say."""
    version = ctypes.c_int()
    try:
        status = ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except OSError:
        return None
    return version.value if status == 0 else None


class Gpu:
    """The GPU of this machine, by PyTorch, and the heuristic of the library that PyTorch has loaded."""

    def __init__(self, workspace):
        # Both PyTorch and the question to the heuristic have this workspace, in KiB.
        os.environ["CUBLASLT_WORKSPACE_SIZE"] = str(workspace >> 10)
        os.environ["TORCH_CUBLASLT_UNIFIED_WORKSPACE"] = "0"
        import torch

        if not torch.cuda.is_available():
            raise RuntimeError("expected a GPU of NVIDIA, found none; --on MODEL takes a model in its place")
        self.torch, self.workspace, self.device = torch, workspace, "cuda"
        one = torch.ones(256, device="cuda")
        # The first product loads the library.
        torch.mm(one[None], one[:, None])
        torch.cuda.synchronize()
        self.scale, self.pointer = one, one.data_ptr()
        self.heuristic = Heuristic(pointer=self.pointer)

    def machine(self):
        torch = self.torch
        of = torch.cuda.get_device_properties(0)
        return {
            "name": of.name,
            "capability": f"{of.major}.{of.minor}",
            "sms": of.multi_processor_count,
            "library": f"cuBLASLt {self.heuristic.version()}",
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "driver": driver(),
        }

    def tensor(self, bits, name):
        signed = bits.view(f"i{bits.dtype.itemsize}") if bits.dtype.itemsize > 1 else bits
        return self.torch.from_numpy(signed).view(getattr(self.torch, TORCH[name])).to(self.device)

    def product(self, case):
        """A function that runs the product, with operands that lie in memory as the case says."""
        torch, out = self.torch, getattr(self.torch, TORCH[case["out"]])
        made = {name: self.tensor(one.whole(), one.format) for name, one in operands(case).items()}
        of_mat2, of_mat1 = case["layout"]
        a = made["a"] if of_mat1 == "n" else made["a"].t().contiguous().t()
        b = made["b"].t() if of_mat2 == "t" else made["b"].t().contiguous()
        bias = made["bias"][0] if case["bias"] else None
        torch.backends.cuda.matmul.allow_tf32 = case["tf32"]
        if case["op"] == "_scaled_mm":
            scale_a, scale_b = (torch.tensor(scale, device=self.device, dtype=torch.float32) for scale in (case["alpha"], 1.0))
            return lambda: torch._scaled_mm(a, b, scale_a, scale_b, bias=bias, out_dtype=out, use_fast_accum=case["fast"])
        if case["op"] == "addmm":
            return lambda: torch.addmm(bias, a, b)
        return (lambda: torch.mm(a, b)) if out == a.dtype else (lambda: torch.mm(a, b, out_dtype=out))

    def run(self, case):
        """The bits of the result, and what else is known of how it was computed."""
        torch = self.torch
        product = self.product(case)
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        first = product()
        with torch.profiler.profile(activities=activities) as profile:
            second = product()
            torch.cuda.synchronize()
        events = [event.name for event in profile.events() if event.device_type == torch.autograd.DeviceType.CUDA]
        integers = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[first.element_size()]
        first, second = (one.contiguous().view(integers).cpu().numpy() for one in (first, second))
        return first.view(f"u{first.dtype.itemsize}"), {
            "heuristic": self.heuristic.ask(case, self.workspace),
            "kernels": [name for name in events if not name.startswith(("Memcpy", "Memset"))],
            "repeats": bool(np.array_equal(first, second)),
        }


class Model:
    """A model in place of a GPU."""

    def __init__(self, text, capability):
        self.text, self.capability, self.workspace = text, capability, 1 << 20

    def machine(self):
        return {"name": f"model {self.text}", "capability": self.capability, "sms": 0, "library": "mmasmt", "torch": "none"}

    def run(self, case):
        import mmasmt
        from name_plans import numbers

        made = {name: numbers(one.whole(), one.format) for name, one in operands(case).items()}
        b, c = np.ascontiguousarray(made["b"].T), made.get("bias")
        c = None if c is None else np.broadcast_to(c, (case["M"], case["N"]))
        result = np.asarray(mmasmt.matmul(made["a"], b, c, model=self.text))
        return result.view(f"u{result.dtype.itemsize}"), {"heuristic": None, "kernels": [], "repeats": True}


def record(device, case, most):
    """The record of a product."""
    result, known = device.run(case)
    return {
        "format": FORMAT,
        "case": case,
        "machine": device.machine(),
        "workspace": device.workspace,
        **known,
        **kept(case, result, most),
    }


def cases(shapes, path, given):
    """The products that are asked for."""
    for shape in shapes:
        yield case_of({**case_of(shape), "b": None, "out": None, **given})
    if path:
        with open(path) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    try:
                        yield case_of({**given, **json.loads(line)})
                    except (ValueError, TypeError) as error:
                        raise ValueError(f"{path}: line {number}: {error}") from None


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("records", help="the file that records are added to")
    parser.add_argument("shapes", nargs="*", metavar="MxNxK", help="products")
    parser.add_argument("--list", help="a file with a product a line, as JSON")
    parser.add_argument("--case", type=json.loads, default={}, help="what all products have, as JSON")
    parser.add_argument("--kinds", default="near,cancel", help="kinds of operands: near, cancel, far, ones (default near,cancel)")
    parser.add_argument("--most", type=int, default=64, help="the most rows and the most columns that are kept (default 64)")
    parser.add_argument("--workspace", type=int, default=1 << 20, help="bytes that cuBLASLt may use (default 1 MiB)")
    parser.add_argument("--on", help="a model in place of a GPU")
    parser.add_argument("--capability", default="9.0", help="compute capability that the model stands for (default 9.0)")
    options = parser.parse_args(arguments)
    failed = 0
    try:
        asked = list(cases(options.shapes, options.list, options.case))
        asked = [case_of({**case, "kind": kind}) for case in asked for kind in options.kinds.split(",")]
        device = Model(options.on, options.capability) if options.on else Gpu(options.workspace)
        with open(options.records, "a") as file:
            for case in asked:
                name = f"{case['op']} {case['M']}x{case['N']}x{case['K']} {case['kind']}"
                try:
                    line = record(device, case, options.most)
                except (RuntimeError, TypeError, ValueError, NotImplementedError) as error:
                    failed += 1
                    print(f"{name}: {(str(error).splitlines() or [repr(error)])[0]}", file=sys.stderr)
                    continue
                file.write(json.dumps(line) + "\n")
                file.flush()
                print(name, *line["kernels"], "" if line["repeats"] else "two runs differ", sep="\t", flush=True)
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        sys.exit(f"error: {error}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
