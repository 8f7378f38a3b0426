"""Asks the heuristic of cuBLASLt which algorithm a product gets, with the descriptors that PyTorch makes (`aten/src/ATen/cuda/CUDABlas.cpp`).

`described` says these descriptors as data, and needs no GPU. `Heuristic` asks the library.
"""

import ctypes
import ctypes.util
from pathlib import Path

# Numbers of library_types.h, cublas_api.h and cublasLt.h.
TYPES = {"f32": 0, "f64": 1, "f16": 2, "bf16": 14, "e4m3": 28, "e5m2": 29}
COMPUTE = {"f32": 68, "f64": 70, "tf32": 77}
OF_PRODUCT = {
    "transa": (3, ctypes.c_int32), "transb": (4, ctypes.c_int32), "epilogue": (7, ctypes.c_uint32), "bias": (8, ctypes.c_void_p),
    "scale_a": (17, ctypes.c_void_p), "scale_b": (18, ctypes.c_void_p), "fast": (25, ctypes.c_int8), "bias_type": (26, ctypes.c_int32),
}  # fmt: skip
EPILOGUE_BIAS = 4
OF_PREFERENCE = {
    "workspace": (1, ctypes.c_uint64), "align_a": (5, ctypes.c_uint32), "align_b": (6, ctypes.c_uint32), "align_c": (7, ctypes.c_uint32),
    "align_d": (8, ctypes.c_uint32),
}  # fmt: skip
# The nine fields of an algorithm, by the names that tables of plans have for them.
FIELDS = {
    "algo": (0, ctypes.c_int32), "tile": (1, ctypes.c_uint32), "S": (2, ctypes.c_int32), "reduction": (3, ctypes.c_uint32),
    "swizzle": (4, ctypes.c_uint32), "custom": (5, ctypes.c_int32), "stages": (6, ctypes.c_uint32), "inner": (7, ctypes.c_uint16),
    "cluster": (8, ctypes.c_uint16),
}  # fmt: skip
# What PyTorch's allocator gives at least; PyTorch counts an alignment up to 256.
ALIGNMENT = 256


class Algorithm(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64 * 8)]


class Result(ctypes.Structure):
    _fields_ = [
        ("algorithm", Algorithm), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int), ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    ]  # fmt: skip


def described(case, workspace):
    """The descriptors of a product: a row of PyTorch is a column of cuBLASLt, so that its A is `mat2`, and its m is N."""
    m, n, k = case["N"], case["M"], case["K"]
    transa, transb = (letter == "t" for letter in case["layout"])
    is_scaled, out = case["op"] == "_scaled_mm", TYPES[case["out"]]
    precision = "f64" if case["a"] == "f64" else "tf32" if case["tf32"] and case["a"] == "f32" else "f32"
    product = {"transa": int(transa), "transb": int(transb)}
    c_type = out
    if is_scaled:
        # PyTorch gives C the type of the bias, f16 for results in FP8.
        bias_type = TYPES["f16"] if case["out"] in ("e4m3", "e5m2") else out
        c_type = bias_type
        product |= {"scale_a": True, "scale_b": True, "fast": int(case["fast"])}
    if case["bias"]:
        product |= {"bias": True, "epilogue": EPILOGUE_BIAS}
        if is_scaled:
            product["bias_type"] = bias_type
    preference = {"workspace": workspace}
    if not is_scaled:
        preference |= dict.fromkeys(("align_a", "align_b", "align_c", "align_d"), ALIGNMENT)
    return {
        "compute": COMPUTE[precision],
        "scale": TYPES["f64" if precision == "f64" else "f32"],
        "product": product,
        # Type, rows, columns, and the step from one column to the next.
        "layouts": [
            (TYPES[case["b"]], *((k, m, k) if transa else (m, k, m))),
            (TYPES[case["a"]], *((n, k, n) if transb else (k, n, k))),
            (c_type, m, n, m),
            (out, m, n, m),
        ],
        "preference": preference,
    }


def library():
    """The path of the library: the one that this process has loaded already, as PyTorch does, or the system's."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().splitlines() if maps.exists() else []
    loaded = [line.split(maxsplit=5)[5] for line in lines if "/libcublasLt.so" in line]
    path = loaded[0] if loaded else ctypes.util.find_library("cublasLt")
    if path is None:
        raise RuntimeError("expected libcublasLt, found none in this process or of the system")
    return path


def call(function, *arguments):
    status = function(*arguments)
    if status != 0:
        raise RuntimeError(f"{function.__name__}: status {status}")


class Heuristic:
    """The heuristic of a library. It reads the addresses of scales and of a bias as values only, `pointer` being one of them."""

    def __init__(self, path=None, pointer=ALIGNMENT):
        self.library = ctypes.CDLL(path or library())
        self.pointer = pointer
        self.handle = None

    def version(self):
        """As `12.8.3`."""
        found = ctypes.c_int()
        parts = []
        for number in range(3):
            call(self.library.cublasLtGetProperty, number, ctypes.byref(found))
            parts.append(str(found.value))
        return ".".join(parts)

    def descriptors(self, case, workspace, made):
        """Descriptors of the library; each is put into `made` with the function that ends it."""
        said = described(case, workspace)

        def new(name, *arguments):
            found = ctypes.c_void_p()
            call(getattr(self.library, f"cublasLt{name}Create"), ctypes.byref(found), *arguments)
            made.append((getattr(self.library, f"cublasLt{name}Destroy"), found))
            return found

        def fill(name, on, attributes, values):
            for key, value in values.items():
                number, of = attributes[key]
                value = of(self.pointer if value is True else value)
                call(getattr(self.library, f"cublasLt{name}SetAttribute"), on, number, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(of)))

        product = new("MatmulDesc", said["compute"], said["scale"])
        fill("MatmulDesc", product, OF_PRODUCT, said["product"])
        layouts = [
            new("MatrixLayout", of, ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(step))
            for of, rows, columns, step in said["layouts"]
        ]
        preference = new("MatmulPreference")
        fill("MatmulPreference", preference, OF_PREFERENCE, said["preference"])
        return product, layouts, preference

    def fields(self, result):
        """The nine fields of an algorithm."""
        found = {}
        for name, (number, of) in FIELDS.items():
            value, size = of(), ctypes.c_size_t()
            function = self.library.cublasLtMatmulAlgoConfigGetAttribute
            # A library before 11.8 knows no clusters.
            asked = (ctypes.byref(result.algorithm), number, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(of)), ctypes.byref(size))
            found[name] = value.value if function(*asked) == 0 else None
        return found

    def ask(self, case, workspace):
        """What the library would run: the nine fields, its own workspace in bytes, and the status, 0 if there is an algorithm."""
        if self.handle is None:
            handle = ctypes.c_void_p()
            call(self.library.cublasLtCreate, ctypes.byref(handle))
            self.handle = handle
        made = []
        try:
            product, layouts, preference = self.descriptors(case, workspace, made)
            result, count = Result(), ctypes.c_int()
            status = self.library.cublasLtMatmulAlgoGetHeuristic(
                self.handle, product, *layouts, preference, 1, ctypes.byref(result), ctypes.byref(count)
            )
            if status != 0 or count.value < 1:
                return {"status": status or -1}
            return {"status": result.state, **self.fields(result), "workspace": result.workspace}
        finally:
            for end, one in reversed(made):
                end(one)
