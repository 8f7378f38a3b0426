"""Compiles the tapes of models (`mmasmt export --to tape-cuda`) with NVRTC for GPUs that need not be here, and prints what they became."""

import argparse
import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGETS = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_120"]
MODELS = ["hopper/HMMA.16816.F32", "fda:F=13,K=32,in=e4m3", "gfdrda:K=16"]
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


def measured(packages, cubin):
    """Registers, bytes of stack, instructions, and those among them that compute in floats of 64 bits."""
    tool = packages / CUOBJDUMP
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        # nvdisasm, which it calls, lies beside it.
        path = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
        use = run([str(tool), "-res-usage", file.name], env=path)
        code = run([str(tool), "-sass", file.name], env=path)
    registers, stack = [re.search(rf"{name}:(\d+)", use) for name in ("REG", "STACK")]
    opcodes = [opcode.split(".")[0] for opcode in INSTRUCTION.findall(code)]
    opcodes = [opcode for opcode in opcodes if opcode not in ("NOP", "BRA")]
    doubles = sum(opcode in ("DADD", "DMUL", "DFMA") for opcode in opcodes)
    number = lambda found: found[1] if found else "?"
    return [number(registers), number(stack), str(len(opcodes)), str(doubles)]


def printed(program, model):
    """The text of the model's tape."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tape.cu"
        run([program, "export", model, "--to", "tape-cuda", "--name", "tape", "-o", str(path)])
        return path.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=MODELS, help="models, by default three")
    parser.add_argument("--program", default=str(ROOT / "target/release/mmasmt"), help="mmasmt")
    parser.add_argument("--cache", default=ROOT / "target/tapes", type=Path, help="where packages are installed")
    parser.add_argument("--targets", default=",".join(TARGETS), help="architectures, with commas between")
    arguments = parser.parse_args()
    try:
        packages = install(arguments.cache)
        compiler = Compiler(packages)
        print("model\ttarget\tregisters\tstack\tinstructions\tof f64")
        for model in arguments.models:
            text = printed(arguments.program, model)
            for target in arguments.targets.split(","):
                found = measured(packages, compiler.cubin(text, target))
                print("\t".join([model, target, *found]), flush=True)
    except (Unavailable, OSError) as error:
        sys.exit(f"error: {error}")


main()
