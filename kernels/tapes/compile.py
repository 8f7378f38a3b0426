"""Compiles the tapes of models (`mmasmt export --to tape-cuda`) with NVRTC for GPUs that need not be here, and prints what they became.

With --products the kernels of products of matrices (`--to matrix-cuda`), and the limit that follows from their machine code.
"""

import argparse
import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import sass

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGETS = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_120"]
MODELS = ["hopper/HMMA.16816.F32", "fda:F=13,K=32,in=e4m3", "gfdrda:K=16"]
OF_PRODUCTS = [
    "hopper/HMMA.16816.F32",
    "hopper/HMMA.16816.F32.BF16",
    "fda:F=13,K=32,in=e4m3",
    "fda:F=25,K=8,in=tf32",
    "fda:F=25,K=32,in=e2m1,scale=ue8m0,block=32",
    "gfdrda:K=16",
    "fdrda:K=8",
    "gdfs:F=35",
]
NVRTC = "nvidia/cuda_nvrtc/lib/libnvrtc.so.12"
CUOBJDUMP = "nvidia/cu13/bin/cuobjdump"
INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")


class Unavailable(Exception):
    """A tool or a text that cannot be had."""


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise Unavailable(f"{command[0]}: {lines[-1]}")
    return done.stdout + done.stderr


def install(home):
    """A virtual environment with the pinned packages, unless it is there; where its packages are."""
    wanted, stamp = HERE / "requirements.txt", home / "installed.txt"
    if not stamp.is_file() or stamp.read_text() != wanted.read_text():
        run([sys.executable, "-m", "venv", "--clear", str(home)])
        run([str(home / "bin/pip"), "install", "-q", "--no-deps", "-r", str(wanted)])
        stamp.write_text(wanted.read_text())
    packages = list(home.glob("lib/python*/site-packages"))
    if not packages:
        raise Unavailable(f"no packages in {home}")
    return packages[0]


class Compiler:
    """NVRTC of an installed package."""

    def __init__(self, packages):
        self.library = ctypes.CDLL(str(packages / NVRTC))

    def text(self, program, kind):
        """The log of a program, or its machine code."""
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{kind}")(program, buffer)
        return buffer.raw

    def cubin(self, source, target):
        """The machine code of a text for a target."""
        program = ctypes.c_void_p()
        create = self.library.nvrtcCreateProgram
        if create(ctypes.byref(program), source.encode(), b"tape.cu", 0, None, None) != 0:
            raise Unavailable("NVRTC makes no program")
        options = [f"--gpu-architecture={target}", "--std=c++17", "-device-int128", "-ftz=false"]
        options = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        failed = self.library.nvrtcCompileProgram(program, len(options), options) != 0
        text = self.text(program, "ProgramLog" if failed else "CUBIN")
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        if failed:
            raise Unavailable(f"{target}: {text.decode().strip()}")
        return text


def read(packages, cubin, function=None):
    """The use of registers and the machine code of a kernel, or of all of them."""
    tool = packages / CUOBJDUMP
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        # nvdisasm, which it calls, lies beside it.
        path = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
        own = ["-fun", function] if function else []
        use = run([str(tool), "-res-usage", file.name], env=path)
        use = use[use.find(f"Function {function}:") :] if function else use
        return use, run([str(tool), "-sass", *own, file.name], env=path)


def measured(packages, cubin):
    """Registers, bytes of stack, instructions, and those among them that compute in floats of 64 bits."""
    use, code = read(packages, cubin)
    registers, stack = [re.search(rf"{name}:(\d+)", use) for name in ("REG", "STACK")]
    opcodes = [opcode.split(".")[0] for opcode in INSTRUCTION.findall(code)]
    opcodes = [opcode for opcode in opcodes if opcode not in ("NOP", "BRA")]
    doubles = sum(opcode in ("DADD", "DMUL", "DFMA") for opcode in opcodes)
    number = lambda found: found[1] if found else "?"
    return [number(registers), number(stack), str(len(opcodes)), str(doubles)]


def measured_product(packages, cubin, text, target):
    """Registers, bytes of stack, instructions and cycles a product, what takes them, and the limit in TMAC/s."""
    use, code = read(packages, cubin, "tape_chain")
    registers, stack = [re.search(rf"{name}:(\d+)", use)[1] for name in ("REG", "STACK")]
    rows, columns = re.search(r" state\[(\d+)\]\[(\d+)\];", text).groups()
    products = int(re.search(r"first \+ link\) \* (\d+)", text)[1])
    # Each sum has its loop twice, for GPUs with many units of f64 and for others.
    text = re.sub(r"#else\n(.*?)#endif", "", text[text.find("tape_chain(") :], flags=re.S)
    trips = [int(count) // 2 for count in re.findall(r"for \(int k = 0; k < (\d+); k\+\+\)", text)]
    counted = sass.Loop(code).weights(trips)
    if counted is None:
        return [registers, stack, "?", "?", "?", "?"]
    of_product, cycles, pipe, most = sass.limit(counted, target, products * int(rows) * int(columns))
    return [registers, stack, f"{of_product:.1f}", f"{cycles:.1f}", pipe, f"{most:.2f}"]


def printed(program, model, form):
    """The text of the model's tape."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tape.cu"
        run([program, "export", model, "--to", form, "--name", "tape", "-o", str(path)])
        return path.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", help="models, by default some")
    parser.add_argument("--products", action="store_true", help="kernels of products of matrices, and the limit that follows")
    parser.add_argument("--program", default=str(ROOT / "target/release/mmasmt"), help="mmasmt")
    parser.add_argument("--cache", default=ROOT / "target/tapes", type=Path, help="where packages are installed")
    parser.add_argument("--targets", default=",".join(TARGETS), help="architectures, with commas between")
    arguments = parser.parse_args()
    try:
        packages = install(arguments.cache)
        compiler = Compiler(packages)
        whole = "instructions a product\tcycles\twhat takes them\tlimit, TMAC/s"
        print("model\ttarget\tregisters\tstack\t" + (whole if arguments.products else "instructions\tof f64"))
        for model in arguments.models or (OF_PRODUCTS if arguments.products else MODELS):
            text = printed(arguments.program, model, "matrix-cuda" if arguments.products else "tape-cuda")
            for target in arguments.targets.split(","):
                cubin = compiler.cubin(text, target)
                found = measured_product(packages, cubin, text, target) if arguments.products else measured(packages, cubin)
                print("\t".join([model, target, *found]), flush=True)
    except (Unavailable, OSError) as error:
        sys.exit(f"error: {error}")


main()
