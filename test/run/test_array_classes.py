"""Arrays of CuPy and PyTorch are read without the dict of their interface once their class is known. Here are classes that have what those are read by."""
import ctypes
import sys
import types
import unittest
from unittest import mock

import numpy as np

import npcc
from kernels_of_threads import kernel
from npcc import cuda
from own_kernels import OnGpu, on_gpu

STREAM_TYPE = ctypes.CFUNCTYPE(ctypes.c_ssize_t)
capsule_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))


def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


def multiply(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


class Library:
    """What a library has beside its arrays: the stream that it works on."""

    def __init__(self, stream):
        self.stream = stream


class Foreign:
    """An array by the interface, of a library that works on a stream of its own. `asked`: how often any such array was."""
    asked = 0

    def __init__(self, array, library):
        self.array, self.library = array, library

    @property
    def __cuda_array_interface__(self):
        type(self).asked += 1
        return dict(self.array.__cuda_array_interface__, stream=int(self.library.stream))


def cupy_class(library, wrong=False):
    """A class like cupy.ndarray, and the modules that it is known with. wrong: its attributes do not say what its interface says."""
    class ndarray(Foreign):
        __module__ = "cupy"
        data = property(lambda self: types.SimpleNamespace(ptr=self.array.ptr + 8 * wrong, device_id=0))
        dtype = property(lambda self: self.array.dtype)
        shape = property(lambda self: self.array.shape)
        strides = property(lambda self: self.array.strides)
        _c_contiguous = property(lambda self: self.array.strides == np.empty(self.array.shape, self.array.dtype).strides)

    current = STREAM_TYPE(lambda: int(library.stream))
    module = types.ModuleType("cupy_backends.cuda.stream")
    module.current, module.name = current, b"intptr_t (void)"
    module.__pyx_capi__ = {"get_current_stream_ptr": capsule_new(ctypes.cast(current, ctypes.c_void_p), module.name, None)}
    return ndarray, {"cupy_backends.cuda.stream": module}


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


TENSOR_TYPE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
WORK_STREAM_TYPE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class ExchangeApi(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("older", ctypes.c_void_p), ("others", ctypes.c_void_p * 3),
                ("read", TENSOR_TYPE), ("stream", WORK_STREAM_TYPE)]


def tensor_class(library):
    """A class with DLPack's C exchange API, as torch.Tensor has it."""
    class Tensor(Foreign):
        requires_grad = False

    def read(tensor, out):
        array = tensor.array
        extents = ctypes.c_int64 * max(array.ndim, 1)
        tensor.kept = extents(*array.shape), extents(*(stride // array.itemsize for stride in array.strides))
        out[0] = DLTensor(array.ptr, 2, 0, array.ndim, {"i": 0, "u": 1, "f": 2, "c": 5}[array.dtype.kind], 8 * array.itemsize, 1, *tensor.kept, 0)
        return 0

    def stream(device_type, device, out):
        out[0] = int(library.stream)
        return 0

    Tensor.api = ExchangeApi(1, 3, None, (ctypes.c_void_p * 3)(), TENSOR_TYPE(read), WORK_STREAM_TYPE(stream))
    Tensor.name = b"dlpack_exchange_api"
    Tensor.__dlpack_c_exchange_api__ = capsule_new(ctypes.addressof(Tensor.api), Tensor.name, None)
    return Tensor, {}


class ArrayClasses(OnGpu):
    def classes(self):
        for make in (cupy_class, tensor_class):
            with self.subTest(make.__name__):
                library = Library(cuda.stream())
                foreign, modules = make(library)
                with mock.patch.dict(sys.modules, modules):
                    yield foreign, library

    def test_the_interface_is_asked_once(self):
        for foreign, library in self.classes():
            launch, values = kernel(add)[4, 32], [np.random.default_rng(k).random((2, 100)) for k in range(3)]
            for _ in range(5):
                arrays = [on_gpu(a) for a in values]
                x, y, out = (foreign(array[0], library) for array in arrays)
                launch(x, y, out)
                launch(foreign(arrays[0][1, ::-1], library), foreign(arrays[1][1], library), foreign(arrays[2][1], library))
                self.check(arrays[2], np.stack([values[0][0] + values[1][0], values[0][1, ::-1] + values[1][1]]))
            self.assertLessEqual(foreign.asked, 6)  # of the first launch, before the class is known

    def test_other_calls(self):
        @npcc.jit(target="cuda")
        def twice(a, b):
            a += b
            return 2 * a

        raw = npcc.RawKernel('extern "C" __global__ void negate(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = -x[threadIdx.x]; }', "negate")
        for foreign, library in self.classes():
            for dtype in (np.float32, np.int64, np.complex64, np.bool_) if foreign.__name__ == "ndarray" else (np.float32, np.int64, np.uint8, np.complex64):
                a, b = (np.arange(24).reshape(4, 6).astype(dtype) for _ in range(2))
                ours, theirs = on_gpu(a), on_gpu(b)
                for _ in range(3):
                    result = twice(foreign(ours.T, library), foreign(theirs.T, library))
                    a += b
                    self.check(result, (2 * a).T)
                    self.check(ours, a)
            x = on_gpu(np.arange(8, dtype=np.float32))
            foreign.asked = 0
            raw((1,), (32,), (foreign(x, library), 8))
            self.assertEqual(foreign.asked, 0)
            library.stream.synchronize()
            self.check(x, -np.arange(8, dtype=np.float32))
            self.assertEqual(npcc.asarray(foreign(x, library)).ptr, x.ptr)

    def test_order(self):
        """A launch goes to their stream, or waits for it and is waited for where it cannot."""
        host = [cuda.mapped_array(1000, np.int64) for _ in range(2)]  # that the host sees: what was not waited for shows

        class Memory:
            ndim, itemsize, dtype, shape, strides = 1, 8, np.dtype(np.int64), (1000,), (8,)

            def __init__(self, array):
                self.ptr = array.ctypes.data
                self.__cuda_array_interface__ = dict(shape=(1000,), typestr="<i8", data=(self.ptr, False), strides=None, version=3)

        for foreign, library in self.classes():
            first, second = library.stream, cuda.stream()
            theirs, launch = foreign(Memory(host[0]), library), kernel(multiply)[8, 128]
            host[0][:] = expected = 1
            for k in range(12):
                library.stream = (first, second)[k // 6]
                launch(theirs, 3)
                if k % 3 == 0:
                    library.stream.synchronize()
                elif k % 3 == 1:
                    cuda.synchronize()
                else:
                    cuda.event().record().synchronize()  # of npcc's own stream
                expected *= 3
                self.check(host[0], np.full(1000, expected))
                # With an array of npcc's, and with a stream that is said.
                mine, out = on_gpu(np.ones(1000, np.int64)), foreign(Memory(host[1]), library)
                kernel(add)[8, 128](theirs, mine, out)
                kernel(add)[8, 128](theirs, mine, out)
                library.stream.synchronize()
                self.check(host[1], np.full(1000, expected + 1))
                kernel(multiply)[8, 128, second](out, 2)
                kernel(multiply)[8, 128, second](out, 2)
                second.synchronize()
                self.check(host[1], np.full(1000, 4 * expected + 4))

    def test_what_is_refused(self):
        library = Library(cuda.stream())
        tensor, _ = tensor_class(library)
        launch, x = kernel(multiply)[1, 32], on_gpu(np.ones(8))
        for _ in range(3):
            launch(tensor(x, library), 2.0)
        wants_gradients = tensor(x, library)
        wants_gradients.requires_grad = True
        before = tensor.asked
        launch(wants_gradients, 2.0)  # by the interface, which says what is wrong, if anything is
        self.assertGreater(tensor.asked, before)
        self.check(x, np.full(8, 16.0))

    def test_a_class_that_says_something_else(self):
        library = Library(cuda.stream())
        foreign, modules = cupy_class(library, wrong=True)
        with mock.patch.dict(sys.modules, modules):
            x, launch = on_gpu(np.ones(8)), kernel(multiply)[1, 32]
            for k in range(4):
                launch(foreign(x, library), 2.0)
                self.assertGreater(foreign.asked, k)
            self.check(x, np.full(8, 16.0))


if __name__ == "__main__":
    unittest.main()
