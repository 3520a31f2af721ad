"""Runs a loop-form module through the CUDA pipeline, but on the CPU (emulator.cpp).

    program = emulate.Program("kernels.mlir", npcc_opt="npcc-opt")
    program.call("saxpy", 2.0, x, y)      # NumPy arrays by reference, any strides; scalars
"""
import ctypes
import itertools
import os
import re
import subprocess
import tempfile

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
# What --npcc-launches-to-images does before PTX.
KERNEL_PASSES = ("builtin.module(npcc-loops-to-launches,npcc-lower-device-checks,npcc-outline-launches,gpu.module(canonicalize,cse,"
                 "npcc-expand-device-math,convert-complex-to-standard,convert-scf-to-cf,convert-gpu-to-nvvm,convert-math-to-llvm,canonicalize,cse,"
                 "reconcile-unrealized-casts))")


def find_tool(name):
    for candidate in (f"/usr/lib/llvm-22/bin/{name}", f"{name}-22", name):
        path = candidate if os.path.isabs(candidate) and os.path.exists(candidate) else None
        path = path or next((os.path.join(folder, candidate) for folder in os.environ["PATH"].split(":")
                             if os.path.exists(os.path.join(folder, candidate))), None)
        if path:
            return path
    raise FileNotFoundError(name)


def run(command, **keywords):
    done = subprocess.run(command, capture_output=True, text=True, **keywords)
    if done.returncode:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr[:4000])
    return done.stdout


def body_of_gpu_module(text):
    """What stands in the gpu.module, as a module of its own."""
    lines, depth, inside = [], 0, False
    for line in text.splitlines():
        if not inside and line.lstrip().startswith("gpu.module"):
            inside, depth = True, len(line) - len(line.lstrip())
            continue
        if inside:
            if line.startswith(" " * depth + "}") and not line.startswith(" " * (depth + 1)):
                return "\n".join(lines)
            lines.append(line)
    return ""


C_TYPES = {"i64": "int64_t", "i32": "int32_t", "i16": "int16_t", "i8": "int8_t", "i1": "bool", "f64": "double", "f32": "float",
           "f16": "_Float16", "!llvm.ptr<1>": "void *", "!llvm.ptr": "void *", "!llvm.struct<(f64, f64)>": "Complex128", "!llvm.struct<(f32, f32)>": "Complex64"}


def split_parameters(text):
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text + ","):
        depth += (character in "(<{[") - (character in ")>}]")
        if character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [part for part in parts if part]


def make_trampolines(body):
    """`call_NAME(void **params)` for each kernel."""
    out = ["#include <stdint.h>", "struct Complex128 { double re, im; }; struct Complex64 { float re, im; };"]
    for match in re.finditer(r"llvm\.func @(\w+)\((.*)\) attributes \{(.*)\}? \{", body):
        name, parameters, attributes = match.groups()
        if "nvvm.kernel" not in attributes:
            continue
        types = [C_TYPES[re.sub(r"\s*\{.*\}$", "", part.split(": ", 1)[1])] for part in split_parameters(parameters)]
        out.append(f'extern "C" void {name}({", ".join(types)});')
        values = ", ".join(f"*({kind} *)p[{number}]" for number, kind in enumerate(types))
        out.append(f'extern "C" __attribute__((visibility("default"))) void call_{name}(void **p) {{ {name}({values}); }}')
    return "\n".join(out)


def to_cpu(ir):
    """NVPTX's LLVM IR as the CPU's."""
    ir = re.sub(r"@llvm\.nvvm\.read\.ptx\.sreg\.(n?(?:cta|t)id|nctaid)\.([xyz])", r"@emu_\1_\2", ir)
    ir = re.sub(r"call void @llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32 0\)", "call void @emu_barrier()", ir)
    ir = re.sub(r"declare void @llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32\).*", "declare void @emu_barrier()", ir)
    ir = ir.replace("@llvm.nvvm.barrier0()", "@emu_barrier()").replace("@llvm.nvvm.exit()", "@emu_exit()")
    for mode, name in (("bfly", "xor"), ("up", "up"), ("idx", "index")):
        ir = ir.replace(f"@llvm.nvvm.shfl.sync.{mode}.i32", f"@emu_shuffle_{name}").replace(f"@llvm.nvvm.shfl.sync.{mode}.f32", f"@emu_shuffle_{name}_f32")
    for theirs, mine in (("match.any.sync.i32", "match_any"), ("vote.ballot.sync", "vote_ballot"), ("vote.any.sync", "vote_any"), ("bar.warp.sync", "warp_barrier"),
                         ("read.ptx.sreg.lanemask.lt", "lanemask_lt"), ("read.ptx.sreg.lanemask.gt", "lanemask_gt")):
        ir = ir.replace(f"@llvm.nvvm.{theirs}(", f"@emu_{mine}(")
    # There are no clusters: a grid is one block here, and so is its barrier.
    ir = ir.replace("@llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()", "@emu_cluster_nctaid_x()").replace("@llvm.nvvm.barrier.cluster.", "@emu_cluster_")
    names = itertools.count()
    ir = re.sub(r'call void asm sideeffect "red\.release[^"]*", "[^"]*"\(ptr addrspace\(1\) (%\w+)\)',
                lambda match: f"%arrive{next(names)} = atomicrmw add ptr {match[1]}, i64 1 monotonic", ir)
    ir = re.sub(r'= call i64 asm sideeffect "ld\.acquire[^"]*", "[^"]*"\(ptr addrspace\(1\) (%\w+)\)', r"= load volatile i64, ptr \1", ir)
    ir = re.sub(r"\s?addrspace\([13]\)", "", ir).replace("addrspacecast", "bitcast").replace("ptx_kernel ", "")
    ir = ir.replace("@llvm.nvvm.sqrt.rn.f(", "@llvm.sqrt.f32(").replace("@llvm.nvvm.sqrt.rn.d(", "@llvm.sqrt.f64(")
    ir = re.sub(r"@__nv_(\w+)", r"@\1", ir)
    return re.sub(r"^attributes .*$", lambda m: re.sub(r"convergent|nocallback", "", m.group(0)), ir, flags=re.M)


class Program:
    def __init__(self, source, npcc_opt="npcc-opt", extra_passes=""):
        self.folder = tempfile.TemporaryDirectory()
        path = lambda name: os.path.join(self.folder.name, name)
        # Each attribute in full: the kernels alone go on, without the names that the module has before them.
        lowered = run([npcc_opt, source, "--pass-pipeline=" + KERNEL_PASSES, "--mlir-print-local-scope"])
        kernels = body_of_gpu_module(lowered)
        host = run([npcc_opt, source, "--npcc-loops-to-cuda"])
        with open(path("kernels.mlir"), "w") as file:
            file.write(kernels)
        with open(path("host.mlir"), "w") as file:
            file.write(host)
        translate = find_tool("mlir-translate")
        with open(path("kernels.ll"), "w") as file:
            file.write(to_cpu(run([translate, "--mlir-to-llvmir", path("kernels.mlir")])) if kernels else "")
        run([translate, "--mlir-to-llvmir", path("host.mlir"), "-o", path("host.ll")])
        with open(path("call.cpp"), "w") as file:
            file.write(make_trampolines(kernels))
        run([find_tool("clang++"), "-O1", "-shared", "-fPIC", "-std=c++20", "-Wno-override-module", "-ffp-contract=off", path("kernels.ll"), path("host.ll"),
             path("call.cpp"), os.path.join(HERE, "emulator.cpp"), "-o", path("program.so"), "-ldl", "-lm"])
        self.library = ctypes.CDLL(path("program.so"))
        self.record = (ctypes.c_int64 * 17)()  # NPCC_RECORD_WORDS

    def launches(self):
        return self.library.emulator_launches()

    def call(self, name, *arguments, results=()):
        """`results` are descriptions of results: "d" (a float scalar), ("f8", rank) (an array, copied out)."""
        slots, keep, returned = [], [], []
        for argument in arguments:
            if isinstance(argument, numpy.ndarray):
                fields = [argument.ctypes.data, argument.ctypes.data, 0, *argument.shape,
                          *(stride // argument.itemsize for stride in argument.strides)]
                value = (ctypes.c_int64 * len(fields))(*fields)
            elif isinstance(argument, bool):
                value = ctypes.c_int8(argument)
            elif isinstance(argument, int):
                value = ctypes.c_int64(argument)
            elif isinstance(argument, float):
                value = ctypes.c_double(argument)
            elif isinstance(argument, complex):
                value = (ctypes.c_double * 2)(argument.real, argument.imag)
            else:
                raise TypeError(type(argument))
            keep.append(value)
            slots.append(ctypes.addressof(value))
        for result in results:
            value = (ctypes.c_int64 * (3 + 2 * (result[1] if isinstance(result, tuple) else 0)))()
            keep.append(value)
            slots.append(ctypes.addressof(value))
            returned.append(value)
        entry = getattr(self.library, name if name.endswith(".entry") else name + ".entry")
        pointers = (ctypes.c_void_p * max(len(slots), 1))(*slots)
        status = self.library.emulator_run(entry, pointers, self.record)
        if status:
            raise RuntimeError("the host code failed")
        values = []
        for result, value in zip(results, returned):
            if isinstance(result, tuple):
                dtype, rank = numpy.dtype(result[0]), result[1]
                shape = tuple(value[3:3 + rank])
                size = int(numpy.prod(shape)) * dtype.itemsize
                values.append(numpy.frombuffer(ctypes.string_at(value[1] + value[2] * dtype.itemsize, size), dtype).reshape(shape))
            else:
                values.append(numpy.frombuffer(bytes(value), result)[0])
        self.library.emulator_free()
        return values[0] if len(values) == 1 else values
