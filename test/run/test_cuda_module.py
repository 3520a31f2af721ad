"""npcc.cuda: devices, arrays, memory of the host, events. What streams do to the order is in test_streams.py."""
import contextlib
import io
import unittest

import numpy as np

import npcc
from inputs import uniform
from npcc import cuda
from own_kernels import OnGpu, OtherLibrary, on_gpu

TWICE = 'extern "C" __global__ void twice(double *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }'


class Cuda(OnGpu):
    def test_devices(self):
        self.assertTrue(cuda.is_available())
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertTrue(cuda.detect())
        self.assertIn(cuda.gpus[0].name, printed.getvalue())
        self.assertEqual(len(cuda.gpus), len(npcc.devices()) - 1)
        self.assertEqual(cuda.select_device(0), cuda.get_current_device())
        with cuda.gpus[len(cuda.gpus) - 1] as device:
            self.assertEqual(cuda.get_current_device().id, device.id)
            self.assertEqual(cuda.device_array(3).device, f"cuda:{device.id}")
        self.assertEqual(cuda.gpus.current.id, 0)
        with self.assertRaisesRegex(ValueError, "there is no CUDA device 99"):
            cuda.select_device(99)
        major, minor = cuda.get_current_device().compute_capability
        self.assertEqual(10 * major + minor, npcc.devices()[1]["capability"])

    def test_memory_info(self):
        context = cuda.current_context()
        before = context.get_memory_info()
        self.assertLessEqual(before.free, before.total)
        array = cuda.device_array(1 << 20)
        self.assertLess(context.get_memory_info().free, before.total - (8 << 20) + 1)
        del array
        cuda.close()
        free, total = context.get_memory_info()
        self.assertLessEqual(free, total)
        self.check(on_gpu(np.arange(3.0)), np.arange(3.0))  # it goes on
        with cuda.defer_cleanup():
            pass

    def test_what_a_device_has(self):
        device = cuda.get_current_device()
        self.assertEqual((device.WARP_SIZE, device.MAX_THREADS_PER_BLOCK), (32, 1024))
        self.assertGreater(device.MULTIPROCESSOR_COUNT, 0)
        self.assertGreaterEqual(device.MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10)
        self.assertEqual(device.COMPUTE_CAPABILITY_MAJOR, device.compute_capability[0])
        with self.assertRaisesRegex(AttributeError, "'Device' object has no attribute 'warp_size'"):
            device.warp_size

    def test_device_arrays(self):
        array = cuda.device_array((3, 4), np.int16)
        self.assertEqual((array.shape, array.dtype, array.strides), ((3, 4), np.int16, (8, 2)))
        self.assertEqual(cuda.device_array((3, 4), np.int16, order="F").strides, (2, 6))
        self.assertEqual(cuda.device_array((3, 4), np.int16, strides=(2, 6)).strides, (2, 6))
        self.assertEqual(cuda.device_array(5).shape, (5,))
        for values in (uniform((3, 4)), np.asfortranarray(uniform((3, 4))), uniform(()), uniform((0, 2)), np.arange(5, dtype=np.complex64)):
            like = cuda.device_array_like(values)
            self.assertEqual((like.shape, like.dtype, like.strides if like.size else ()), (values.shape, values.dtype, values.strides if values.size else ()))
            self.check(cuda.to_device(values), values)
        self.check(cuda.to_device([1, 2, 3]), np.array([1, 2, 3]))
        foreign = OtherLibrary(cuda.to_device(np.arange(4)), None)
        self.check(cuda.to_device(foreign), np.arange(4))
        self.assertNotEqual(cuda.to_device(foreign).ptr, foreign.array.ptr)
        with self.assertRaisesRegex(ValueError, "strides"):
            cuda.device_array((3, 4), np.int16, strides=(2, 2))
        with self.assertRaises(TypeError):
            cuda.device_array(3, np.dtype([("a", object)]))

    def test_what_the_interface_says(self):
        whole, empty = cuda.to_device(np.arange(12.0).reshape(3, 4)), cuda.device_array((0, 3))
        self.assertEqual([whole[part].__cuda_array_interface__["strides"] for part in (slice(None), slice(1, 2), (slice(None), slice(2)))], [None, None, (32, 8)])
        self.assertEqual((whole.T.__cuda_array_interface__["strides"], empty.__cuda_array_interface__["data"][0]), ((8, 32), 0))
        for array in (whole, whole[:, ::2], whole[::-1], empty):
            self.check(cuda.as_cuda_array(OtherLibrary(array, None)), array.get())

    def test_copies(self):
        values = uniform((4, 6))
        array = cuda.to_device(values)
        out = np.empty((4, 6))
        self.assertIs(array.copy_to_host(out), out)
        self.check(out, values)
        view = array[1:, ::2]
        self.check(view.copy_to_host(), values[1:, ::2])
        self.check(array[2].copy_to_host(), values[2])
        view.copy_to_device(np.zeros((3, 3), np.float32))
        values[1:, ::2] = 0
        self.check(array, values)
        array.copy_to_device(cuda.to_device(values * 2))
        self.check(array, values * 2)
        array.copy_to_device(OtherLibrary(cuda.to_device(values * 3), None))
        self.check(array, values * 3)
        self.assertIs(cuda.to_device(values, to=array), array)
        self.check(array, values)
        for wrong in (np.empty((4, 5)), np.empty((4, 6), np.float32)):
            with self.assertRaisesRegex(ValueError, "an array of float64 with shape"):
                array.copy_to_host(wrong)
        with self.assertRaisesRegex(ValueError, "cannot be copied"):
            array.copy_to_device(np.zeros(6))

    def test_shapes(self):
        values = uniform((4, 6))
        array = cuda.to_device(values)
        self.check(array.reshape(3, 8), values.reshape(3, 8))
        self.check(array.reshape((2, -1)), values.reshape(2, -1))
        self.check(array.ravel(), values.ravel())
        self.assertTrue(array.is_c_contiguous() and array.T.is_f_contiguous() and not array.T.is_c_contiguous())
        for attempt in (lambda: array.reshape(5, 5), lambda: array.T.reshape(24)):
            with self.assertRaises(ValueError):
                attempt()

    def test_interfaces(self):
        array = cuda.to_device(uniform((3, 4)))
        interface = array[:, 1:].__cuda_array_interface__
        self.assertEqual((interface["shape"], interface["strides"], interface["typestr"], interface["version"]), ((3, 3), (32, 8), "<f8", 3))
        self.assertEqual(interface["data"], (array.ptr + 8, False))
        self.assertEqual(interface["stream"], int(cuda.default_stream()))
        stream = cuda.stream()
        with npcc.stream(stream):
            self.assertEqual(array.__cuda_array_interface__["stream"], int(stream))
        again = npcc.from_dlpack(array)
        self.assertEqual(again.ptr, array.ptr)
        self.assertEqual(cuda.as_cuda_array(OtherLibrary(array, int(stream))).ptr, array.ptr)
        self.assertTrue(cuda.is_cuda_array(array))

    def test_host_memory(self):
        for make in (cuda.pinned_array, cuda.mapped_array, cuda.managed_array):
            array = make((3, 4), np.float32)
            self.assertEqual((type(array), array.shape, array.dtype, array.flags.c_contiguous), (np.ndarray, (3, 4), np.float32, True))
            array[...] = 1
            self.assertEqual(array.sum(), 12)
            self.assertTrue(make((3, 4), order="F").flags.f_contiguous)
            self.assertEqual(make((3, 2), np.int16, strides=(8, 2)).strides, (8, 2))
            self.assertEqual(make(0).shape, (0,))
            record = make(2, np.dtype([("a", np.int32), ("b", np.float64)]))
            record["b"] = 3
            self.assertEqual(record["b"].tolist(), [3, 3])
            with self.assertRaises(TypeError):
                make(3, object)
            with self.subTest(make=make.__name__):
                del array  # views keep the memory
                part = make(1000)[990:]
                part[:] = 5
                self.assertEqual(part.sum(), 50)
        for like in (cuda.pinned_array_like, cuda.mapped_array_like):
            for order in "CF":
                original = np.ones((3, 4), np.int16, order=order)
                self.assertEqual((like(original).strides, like(original).dtype), (original.strides, original.dtype))
        with cuda.pinned(np.ones(100), np.ones((3, 4))) as (a, b):
            self.check(cuda.to_device(a), np.ones(100))
        with self.assertRaisesRegex(ValueError, "only contiguous arrays"):
            with cuda.pinned(np.ones((4, 4))[::2, ::2]):
                pass

    def test_kernels_work_on_device_arrays(self):
        values = uniform((40,))
        array = cuda.to_device(values)
        npcc.RawKernel(TWICE, "twice")(2, 32, (array, 40))
        self.check(array, values * 2)

    def test_events(self):
        stream, kernel, array = cuda.stream(), npcc.RawKernel(TWICE, "twice"), on_gpu(np.ones(1000))
        start, end = cuda.event(), cuda.event()
        start.record(stream)
        kernel(32, 32, (array, 1000), stream=stream)
        end.record(stream)
        end.synchronize()
        self.assertTrue(end.query() and start.query())
        self.assertGreaterEqual(cuda.event_elapsed_time(start, end), 0)
        self.assertGreaterEqual(start.elapsed_time(end), 0)
        untimed = cuda.event(timing=False)
        untimed.record()
        with self.assertRaisesRegex(ValueError, "timing=False"):
            start.elapsed_time(untimed)
        untimed.wait(stream)
        stream.synchronize()
        self.assertTrue(stream.query())


if __name__ == "__main__":
    unittest.main()
