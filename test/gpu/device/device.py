"""Builds a loop-form module for a machine that has a GPU but no LLVM, and runs it there.

    device.build("kernels.mlir", "folder")    here: writes folder/program.so (host code, images, device.cpp)
    program = device.Program("folder")        there: same interface as emulate.Program
"""
import ctypes
import os
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "emulator"))
import emulate


def build(sources, folder, npcc_opt="npcc-opt"):
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "kernels.mlir")
    with open(source, "w") as file:
        file.write("\n".join(open(path).read() for path in sources))
    host, ir = os.path.join(folder, "host.mlir"), os.path.join(folder, "host.ll")
    emulate.run([npcc_opt, source, "--npcc-loops-to-cuda", "-o", host])
    emulate.run([emulate.find_tool("mlir-translate"), "--mlir-to-llvmir", host, "-o", ir])
    emulate.run([emulate.find_tool("clang++"), "-O1", "-shared", "-fPIC", "-std=c++17", "-static-libstdc++", "-Wno-override-module", ir, os.path.join(HERE, "device.cpp"),
                 "-o", os.path.join(folder, "program.so"), "-ldl"])
    os.remove(host)
    os.remove(ir)


class DeviceArray:
    """A NumPy array's copy on the device: contiguous, `offset` elements off the allocation's start."""

    def __init__(self, library, shape, dtype, offset=0):
        self.library, self.shape, self.dtype = library, tuple(shape), numpy.dtype(dtype)
        self.nbytes = int(numpy.prod(self.shape)) * self.dtype.itemsize
        self.base = library.device_new(ctypes.c_int64(self.nbytes + offset * self.dtype.itemsize))
        self.data = self.base + offset * self.dtype.itemsize

    def set(self, values):
        values = numpy.ascontiguousarray(values, self.dtype)
        self.library.npcc_rt_write(ctypes.c_void_p(self.data), ctypes.c_void_p(values.ctypes.data), ctypes.c_int64(values.nbytes))
        self.library.npcc_rt_read(ctypes.byref(ctypes.c_int64()), ctypes.c_void_p(self.base), ctypes.c_int64(1))
        return self

    def get(self):
        values = numpy.empty(self.shape, self.dtype)
        self.library.npcc_rt_read(ctypes.c_void_p(values.ctypes.data), ctypes.c_void_p(self.data), ctypes.c_int64(values.nbytes))
        return values

    def descriptor(self):
        strides = [int(numpy.prod(self.shape[axis + 1:])) for axis in range(len(self.shape))]
        return [self.base, self.data, 0, *self.shape, *strides]

    def __del__(self):
        self.library.device_free(ctypes.c_void_p(self.base))


class Program:
    def __init__(self, folder):
        self.library = ctypes.CDLL(os.path.join(folder, "program.so"))
        self.library.device_new.restype = ctypes.c_void_p
        self.library.device_time.restype = ctypes.c_double
        self.record = (ctypes.c_int64 * 17)()  # NPCC_RECORD_WORDS
        if self.library.device_open():
            raise RuntimeError("no GPU")

    def array(self, values, offset=0):
        return DeviceArray(self.library, values.shape, values.dtype, offset).set(values)

    def slots(self, arguments):
        keep = []
        for argument in arguments:
            if isinstance(argument, DeviceArray):
                fields = argument.descriptor()
                keep.append((ctypes.c_int64 * len(fields))(*fields))
            else:
                keep.append(ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_int64(argument))
        pointers = (ctypes.c_void_p * max(len(keep), 1))(*[ctypes.addressof(value) for value in keep])
        return pointers, keep

    def call(self, name, *arguments):
        """NumPy arrays go to the device (their whole base, so views keep their strides) and come back."""
        copies, given = {}, []
        for argument in arguments:
            if not isinstance(argument, numpy.ndarray):
                given.append(argument)
                continue
            root = argument
            while isinstance(root.base, numpy.ndarray):
                root = root.base
            flat = numpy.zeros(1, numpy.uint8)
            if root.nbytes:
                flat = numpy.frombuffer((ctypes.c_char * root.nbytes).from_address(root.ctypes.data), numpy.uint8)
            # Addresses on the device are congruent to those here modulo 256.
            shift = root.ctypes.data % 256
            if id(root) not in copies:
                whole = numpy.zeros(shift + flat.size, numpy.uint8)
                whole[shift:] = flat
                copies[id(root)] = (self.array(whole), flat, shift, root)
            copy = copies[id(root)][0]
            data = copy.base + shift + argument.ctypes.data - root.ctypes.data
            given.append([copy.base, data, 0, *argument.shape, *(stride // argument.itemsize for stride in argument.strides)])
        keep = []
        for argument in given:
            if isinstance(argument, list):
                keep.append((ctypes.c_int64 * len(argument))(*argument))
            else:
                keep.append(ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_int64(argument))
        pointers = (ctypes.c_void_p * max(len(keep), 1))(*[ctypes.addressof(value) for value in keep])
        if self.library.device_run(getattr(self.library, name + ".entry"), pointers, self.record):
            raise RuntimeError("the host code failed")
        for copy, flat, shift, root in copies.values():
            if root.nbytes:
                flat[...] = copy.get()[shift:]

    def launches(self):
        return 0

    def time(self, name, arguments, repeats=15):
        pointers, keep = self.slots(arguments)
        return self.library.device_time(getattr(self.library, name + ".entry"), pointers, repeats)

    def time_copy(self, to, source, repeats=15):
        pointers = (ctypes.c_void_p * 3)(to.data, source.data, source.nbytes)
        return self.library.device_time(self.library.device_copy, pointers, repeats)
