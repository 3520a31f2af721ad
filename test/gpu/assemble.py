# REQUIRES: ptxas, ptx-library
# RUN: %python %s
"""NVIDIA's compiler of PTX as a library makes the machine code that ptxas makes, byte for byte, and needs no toolkit."""
import os
import re
import struct
import subprocess

SOURCE = """
gpu.module @kernels {
  llvm.func @divide(%p: !llvm.ptr<1>, %f: f64) attributes {gpu.kernel, nvvm.kernel} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %q = llvm.getelementptr %p[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
    %v = llvm.load %q : !llvm.ptr<1> -> f64
    %w = llvm.fdiv %v, %f : f64
    %x = llvm.fadd %w, %f : f64
    llvm.store %x, %q : f64, !llvm.ptr<1>
    llvm.return
  }
}
"""


def cubin(compiler, options):
    """The image that a compiler makes; b"" if there is none."""
    environment = {**os.environ, "NPCC_PTX_COMPILER": compiler}
    text = subprocess.run(["npcc-opt", "-", f"--npcc-compile-kernels=arch=sm_90 {options}"], input=SOURCE, env=environment, capture_output=True, text=True,
                          check=True).stdout
    found = re.search(r'np\.cubin = "((?:[^"\\]|\\.)*)"', text)
    if not found:
        return b""
    return re.sub(rb"\\([0-9A-F]{2}|.)", lambda escape: bytes([int(escape[1], 16)]) if len(escape[1]) == 2 else escape[1], found[1].encode())


def code(image):
    """The sections of an ELF file that hold code, by their names."""
    table, = struct.unpack_from("<Q", image, 0x28)
    count, names = struct.unpack_from("<HH", image, 0x3c)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, table + 64 * k) for k in range(count)]
    start = sections[names][4]
    named = {image[start + s[0]:image.index(0, start + s[0])].decode(): image[s[4]:s[4] + s[5]] for s in sections}
    return {name: bytes for name, bytes in named.items() if name.startswith(".text")}


library, program = cubin("", "cuda-path=/nowhere"), cubin("ptxas", "")
assert list(code(library)) == [".text.divide"], code(library).keys()
assert code(library) == code(program)
assert not cubin("ptxas", "cuda-path=/nowhere")
