"""What a kernel's code for a GPU needs: registers, memory, and how many blocks of it run at a time."""
import functools
import math
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .. import _npcc
from ..device_attributes import NUMBERS
from ..kernels import images, nvrtc, symbols
from ..kernels.raw import Kernel as LoadedKernel
from .host import COOPERATIVE_STACK, ON_CPU

NAMES = ("regs_per_thread", "shared_mem_per_block", "const_mem_size", "local_mem_per_thread", "max_threads_per_block")
REGISTERS = 65536  # that a block may have, on every GPU since compute capability 5.0
DEFAULT_ARCH = "sm_90"


def tool(name):
    """The path of a program of the CUDA toolkit, None if it is not installed."""
    for folder in nvrtc.toolkit_folders():
        if (folder / "bin" / name).exists():
            return str(folder / "bin" / name)
    return shutil.which(name)


def assemble(ptx, arch, *options):
    """(machine code, ptxas' report) of PTX. RuntimeError where there is no ptxas, or it refuses the code."""
    ptxas = tool("ptxas")
    if ptxas is None:
        raise RuntimeError("ptxas was not found, which says what a kernel needs where there is no GPU: install the CUDA toolkit")
    with tempfile.TemporaryDirectory(prefix="npcc-ptx-") as folder:
        source, target = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx)
        done = subprocess.run([ptxas, f"-arch={arch}", "-fmad=false", "-v", *options, str(source), "-o", str(target)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"ptxas: {done.stderr.strip() or done.stdout.strip()}")
        return target.read_bytes(), done.stderr + done.stdout


def reported(code, log):
    """The numbers in machine code of one kernel, and in what `ptxas -v` says of it, by NAMES."""
    def number(pattern):
        match = re.search(pattern, log)
        return int(match[1]) if match else 0

    registers = number(r"Used (\d+) registers")
    # Registers are given to warps in portions of 256.
    threads = min(1024, REGISTERS // (-(-registers * 32 // 256) * 256) * 32) if registers else 1024
    return dict(zip(NAMES, (registers, number(r"(\d+) bytes smem"), symbols.sections(code).get(".nv.constant3", 0), number(r"(\d+) bytes stack frame"), threads)))


def threads_of(blockdim):
    return math.prod(map(int, blockdim)) if isinstance(blockdim, tuple) else int(blockdim)


class Compiled:
    """The code of a kernel for one list of types. Attributes of the code for a GPU: `regs_per_thread`, `shared_mem_per_block`, `const_mem_size` and
    `local_mem_per_thread` in bytes, `max_threads_per_block`; `cooperative`: whether its blocks wait for each other, so that they run side by side."""

    def __init__(self, kernel, types):
        self.kernel, self.signature = kernel, types

    def __repr__(self):
        return f"<npcc code of {self.kernel.__name__}({', '.join(map(str, self.signature))})>"

    @functools.cached_property
    def cooperative(self):
        return self.kernel.cooperative or bool(re.search(r"np\.launch .*\) cooperative", self.kernel.inspect("np", self.signature)))

    @property
    def _symbol(self):
        return "npcc_" + re.sub(r"\W", "_", self.kernel.__name__, flags=re.ASCII)  # which no linked code has

    @functools.cached_property
    def _code(self):
        """The code for the GPU, with the kernel under its own name."""
        target = self.kernel.for_types(self.signature, target="cuda", entry=f"kernel:{self._symbol}", use_cache=False, compiles=False)
        return target.inspect("ptx", self.signature)

    @functools.cached_property
    def _arch(self):
        if self.kernel.arch:
            return self.kernel.arch
        return f"sm_{_npcc.device_info(_npcc.selected_device())['capability']}" if _npcc.cuda_device_count() else DEFAULT_ARCH

    @functools.cached_property
    def _machine_code(self):
        return assemble(self._code, self._arch)

    @functools.cached_property
    def _loaded(self):
        """The kernel as the driver has it: ptxas' code, or the driver's own where there is no ptxas, or one that is older than the GPU."""
        def load(data):
            kernel = LoadedKernel()
            kernel._bind(images.Code(data, self.kernel.__name__), self._symbol, self.cooperative, shown=self.kernel.__name__)
            kernel._handle(_npcc.selected_device())
            return kernel

        try:
            return load(self._machine_code[0])
        except RuntimeError:
            return load(self._code.encode() + b"\0")

    @functools.cached_property
    def _numbers(self):
        if not _npcc.cuda_device_count():
            return reported(*self._machine_code)
        found = self._loaded.attributes
        keys = ("num_regs", "shared_size_bytes", "const_size_bytes", "local_size_bytes", "max_threads_per_block")
        return dict(zip(NAMES, (found[key] for key in keys)))

    @functools.cached_property
    def sass(self):
        """The machine code as text."""
        return self._disassembled("-gi")

    @functools.cached_property
    def sass_cfg(self):
        """Its basic blocks as a graph in the language DOT."""
        return self._disassembled("-cfg")

    def _disassembled(self, form):
        disassembler = tool("nvdisasm")
        if disassembler is None:
            raise RuntimeError("nvdisasm has not been found: it is part of the CUDA toolkit")
        with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
            file.write(self._machine_code[0])
            file.flush()
            done = subprocess.run([disassembler, form, file.name], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"nvdisasm: {done.stderr.strip()}")
        return done.stdout

    def occupancy(self, blockdim, dynsmemsize=0):
        """What share of the threads that a multiprocessor of this thread's GPU can hold it does hold with blocks of so many threads (an integer or a tuple), each
        with so many bytes of dynamic shared memory. RuntimeError without a GPU."""
        device = _npcc.selected_device()
        blocks = _npcc.function_blocks(self._loaded._handle(device), threads_of(blockdim), int(dynsmemsize))
        most = _npcc.device_attribute(device, NUMBERS["MAX_THREADS_PER_MULTI_PROCESSOR"]) * _npcc.device_attribute(device, NUMBERS["MULTIPROCESSOR_COUNT"])
        return blocks * threads_of(blockdim) / most

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """The most blocks of so many threads (an integer or a tuple), each with so many bytes of dynamic shared memory, that run side by side on this thread's
        GPU; on the CPU as many as its memory has stacks for."""
        threads = threads_of(blockdim)
        if ON_CPU or not _npcc.cuda_device_count():
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
            return memory // (threads * COOPERATIVE_STACK)
        device = _npcc.selected_device()
        return _npcc.function_blocks(self._loaded._handle(device), threads, int(dynsmemsize))


for _name in NAMES:
    setattr(Compiled, _name, property(lambda self, name=_name: self._numbers[name]))
