"""The step of a game as PTX, made from the very code that Numba compiles for the CPU; no GPU and no CUDA is needed.

Numba types the kernel and writes it down for LLVM; LLVM knows NVIDIA's processors as well as ours. So an entry point is
caught before it is optimised for the CPU, given a CUDA entry that lends each thread its scratch, and compiled for the
GPU. Large functions stay functions: with everything copied into its callers, the assembler alone takes minutes.
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import tempfile
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

from branchline.kernel import backend
from branchline.mechanics.composed import Position, Work
from branchline.training.observation import SOURCES
from branchline.training.record import Observation, Paths

TRIPLE = "nvptx64-nvidia-cuda"
LAYOUT = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
PROCESSOR = "sm_90"
FEATURES = "+ptx80"
LARGE = 12  # basic blocks of a function that is called rather than copied into its callers


class Program(NamedTuple):
    """An entry point for the GPU: a function of a game's number, of how many there are, of other numbers, and of the
    addresses of its scratch. It is named, not given: a machine that has it in the cache needs no Numba."""

    name: str
    module: str
    entry: str
    calls: tuple[str, ...]  # the kernel functions it calls
    scratch: tuple[int, ...]  # sizes
    sources: tuple[Path, ...]  # the files beside the kernel's that it depends on
    registers: int = 64  # few leave room for many threads, which hide the latency of memory


STEP = Program(
    "branchline_step",
    "branchline.training.compiled",
    "_step",
    ("set_up", "apply_action", "play_defaults", "score_game", "observe", "see_menu", "held_tickets"),
    (Position.SIZE, Work.SIZE, Observation.SIZE, Paths.SIZE),
    (*SOURCES, *(Path(__file__).with_name(name) for name in ("compiled.py", "ptx.py"))),
)


class _Caught(Exception):
    """The module of the entry point, taken before it is optimised."""


def kernel_code(program: Program = STEP) -> bytes:
    """Code for the GPU: a cubin where an assembler is there, else PTX, from the cache if this version is in it."""
    folder = Path(os.environ.get("BRANCHLINE_CACHE") or backend.cache_folder())
    folder.mkdir(parents=True, exist_ok=True)
    key = _source_key(program.sources)
    for kind in ("cubin", "ptx"):
        kept = folder / f"{program.name}-{key}.{kind}"
        if kept.exists():
            return kept.read_bytes()
    text = make_ptx(program)
    code = assemble(text, program.registers)
    kept = folder / f"{program.name}-{key}.{'ptx' if code is None else 'cubin'}"
    kept.write_bytes(text.encode() if code is None else code)
    return kept.read_bytes()


def _source_key(more: tuple[Path, ...]) -> str:
    """A digest of the sources alone: a cubin made elsewhere serves a machine that has no Numba."""
    import hashlib

    digest = hashlib.sha256()
    for path in sorted([*backend.kernel_sources(), *more]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def make_ptx(program: Program) -> str:
    """PTX of a program."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    name, text = _catch(program)
    module = llvm.parse_assembly(_for_gpu(text) + _entry(program, name))
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=PROCESSOR, features=FEATURES, opt=3)
    for function in module.functions:
        if not function.is_declaration and function.name != program.name:
            function.linkage = "internal"
            if sum(1 for _ in function.blocks) > LARGE:
                function.add_function_attribute("noinline")
    _optimise(llvm, module, machine)
    return str(machine.emit_assembly(module))


def _optimise(llvm: Any, module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def assemble(text: str, registers: int) -> bytes | None:
    """The machine code by ptxas, or nothing where there is none: then the driver assembles."""
    tool = which("ptxas")
    if tool is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "step.ptx", Path(folder) / "step.cubin"
        source.write_text(text)
        command = [tool, f"-arch={PROCESSOR}", f"-maxrregcount={registers}", str(source), "-o", str(target)]
        subprocess.run(command, check=True, capture_output=True)
        return target.read_bytes()


def _catch(program: Program) -> tuple[str, str]:
    """The name of the compiled entry point and the module it stands in, not optimised."""
    from numba import njit
    from numba.core.codegen import CPUCodeLibrary

    from branchline.kernel import machine

    optimise = CPUCodeLibrary._optimize_final_module

    def catch(library: Any) -> None:
        if f"{program.entry}[" in library.name or library.name == program.entry:
            raise _Caught(str(library._final_module))

    CPUCodeLibrary._optimize_final_module = catch
    entry = _entry_point(program)
    try:
        calls = machine.functions_called(program.calls)
        twins = backend.compile_kernel(machine.compile_function, machine.MACHINE, calls)
        entry.__globals__.update({f"_{name}": twins[name] for name in program.calls})
        arguments = ",".join(["int64"] * entry.__code__.co_argcount)
        options = machine.OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        njit(f"int64({arguments})", **options)(entry)
    except _Caught as caught:
        text = str(caught)
    else:
        raise AssertionError("the entry point was compiled without being optimised")
    finally:
        CPUCodeLibrary._optimize_final_module = optimise
    found = re.search(rf"define\b[^@]*@(\"?[^\s(]*{len(program.entry)}{program.entry}[^\s(]*\"?)\(", text)
    if found is None:
        raise AssertionError("the entry point has an unknown name")
    return found[1], text


def _entry_point(program: Program) -> Any:
    return getattr(importlib.import_module(program.module), program.entry)


def _for_gpu(text: str) -> str:
    """The module with the GPU's layout in the place of the CPU's."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{LAYOUT}"', text, flags=re.M)
    return re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.M)


def _entry(program: Program, name: str) -> str:
    """A CUDA kernel that calls the entry point for its own game, with scratch of its own."""
    taken = _entry_point(program).__code__
    arguments = taken.co_varnames[1 : taken.co_argcount - len(program.scratch)]
    scratch = "\n".join(
        f"  %room{k} = alloca [{size} x i8], align 8\n  %at{k} = ptrtoint ptr %room{k} to i64"
        for k, size in enumerate(program.scratch)
    )
    rooms = (f"at{k}" for k in range(len(program.scratch)))
    given = ", ".join(f"i64 %{a}" for a in ("i", *(f"given.{a}" for a in arguments), *rooms))
    return f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define void @{program.name}({", ".join(f"i64 %given.{a}" for a in arguments)}) {{
entry:
  %result = alloca i64, align 8
  %fault = alloca ptr, align 8
{scratch}
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %width
  %game = add i32 %before, %thread
  %i = sext i32 %game to i64
  %inside = icmp slt i64 %i, %given.{arguments[0]}
  br i1 %inside, label %play, label %end
play:
  %status = call i32 @{name}(ptr %result, ptr %fault, {given})
  br label %end
end:
  ret void
}}

!nvvm.annotations = !{{!9000}}
!9000 = !{{ptr @{program.name}, !"kernel", i32 1}}
"""


if __name__ == "__main__":  # compile now, so that nobody waits on the machine with the GPU
    print(f"{len(kernel_code())} bytes for {PROCESSOR}")
