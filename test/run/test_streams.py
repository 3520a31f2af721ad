"""What streams do to the order: of own kernels, compiled functions, copies, and memory that is reused."""
import asyncio
import ctypes
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import npcc
from harness import TARGET
from npcc import cuda
from own_kernels import OnGpu, OtherLibrary, on_gpu, uses_fake_driver

# Slow enough for what comes too early to be seen.
SLOW = r"""
extern "C" __global__ void slow_add(long long *x, long long by, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  volatile long long *place = x + i;
  for (int k = 0; k < rounds; ++k)
    *place = *place + 1;
  *place = *place - rounds + by;
}
"""


DRIVER_THAT_RUNS_PYTHON = """
import ctypes, faulthandler, threading, time
import numpy as np
import npcc
from npcc import cuda

faulthandler.dump_traceback_later(100, exit=True)
kernel = npcc.RawKernel('extern "C" __global__ void put(int *x, int value) { x[threadIdx.x] = value; }', "put")

@npcc.jit(target="cuda")
def twice(x):
    return x * 2

def work():
    for k in range(10):
        stream, event = cuda.stream(), cuda.event()
        with npcc.stream(stream):
            array = npcc.zeros(32, np.int32, device="cuda")
            kernel((1,), (32,), (array, k))
            event.record()
            event.query()
            assert twice(array).get().tolist() == [2 * k] * 32
        assert stream.query() in (True, False)
        kernel((1,), (32,), (array, k), stream=stream)
        array.__cuda_array_interface__, array.__dlpack__(), cuda.pinned_array(8, np.int32), cuda.current_context().get_memory_info()

work()
callback = ctypes.CFUNCTYPE(None)(lambda: time.sleep(0.002))
ctypes.CDLL("libcuda.so.1").npccFakeCudaAtLaunch(callback)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("done")
"""


class Streams(OnGpu):
    def setUp(self):
        self.kernel = npcc.RawKernel(SLOW, "slow_add")
        self.n = 2000
        self.rounds = 5 if uses_fake_driver() else 3000

    def add(self, array, by, stream=None, rounds=None):
        self.kernel(-(-self.n // 128), 128, (array, by, self.n, self.rounds if rounds is None else rounds), stream=stream)

    def zeros(self):
        return npcc.zeros(self.n, np.int64, device="cuda")

    def test_kernels_on_several_streams_share_an_array(self):
        streams, array = [cuda.stream() for _ in range(3)], self.zeros()
        for k in range(12):
            self.add(array, 1, streams[k % 3])
        self.check(array, np.full(self.n, 12))

    def test_compiled_functions_wait_and_are_waited_for(self):
        @npcc.jit(target="cuda")
        def double(a):
            return a * 2

        stream, array, expected = cuda.stream(), self.zeros(), 0
        for _ in range(6):
            self.add(array, 1, stream)
            array = double(array)
            expected = (expected + 1) * 2
        self.check(array, np.full(self.n, expected))

    def test_a_stream_waits_for_what_came_before(self):
        @npcc.jit(target="cuda")
        def double(a):
            return a * 2

        stream, array = cuda.stream(), on_gpu(np.arange(self.n))
        double(array)
        for _ in range(5):
            result = double(array)  # under way when the next line is reached
            self.add(result, 1, stream, rounds=1)
            stream.synchronize()
            self.check(result, 2 * np.arange(self.n) + 1)
            with npcc.stream(stream):
                inside = double(result)
            self.check(inside, 4 * np.arange(self.n) + 2)  # made on the stream, read on npcc's own

    def test_with_blocks(self):
        @npcc.jit(target="cuda")
        def increase(a):
            a += 1

        first, second, array = cuda.stream(), cuda.stream(), self.zeros()
        for _ in range(4):
            with npcc.stream(first) as entered:
                self.assertIs(entered, first)
                self.add(array, 1)
                increase(array)
                with npcc.stream(second):
                    self.add(array, 1)
                    increase(array)
                self.assertEqual(int(cuda.default_stream()), int(first))
            increase(array)
        self.check(array, np.full(self.n, 20))
        self.assertNotEqual(int(cuda.default_stream()), int(first))

    def test_memory_is_not_reused_too_early(self):
        stream, kept = cuda.stream(), []
        for k in range(50):
            array = self.zeros()
            self.add(array, k, stream)
            del array  # the kernel may still write there
            fresh = self.zeros()
            kept.append(fresh)
            if len(kept) > 4:
                self.check(kept.pop(0), np.zeros(self.n, np.int64))
        stream.synchronize()
        for array in kept:
            self.check(array, np.zeros(self.n, np.int64))

    def test_temporaries_in_a_block(self):
        @npcc.jit(target="cuda")
        def steps(a):
            b = np.cumsum(a)
            c = np.cumsum(b[::-1])
            return c - b

        values = np.arange(self.n)
        b = np.cumsum(values)
        expected = np.cumsum(b[::-1]) - b
        array, stream = on_gpu(values), cuda.stream()
        for _ in range(5):
            with npcc.stream(stream):
                inside = steps(array)
            outside = steps(array)
            self.check(inside, expected)
            self.check(outside, expected)

    def test_threads_have_streams_of_their_own(self):
        failures = []

        def work():
            try:
                stream = cuda.stream()
                with npcc.stream(stream):
                    for k in range(20):
                        array = self.zeros()
                        self.add(array, k, rounds=3)
                        self.check(array, np.full(self.n, k))
            except BaseException as error:
                failures.append(error)

        self.add(self.zeros(), 1)  # compiled before
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for k in range(20):
            array = self.zeros()
            self.add(array, k, rounds=3)
            self.check(array, np.full(self.n, k))
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    @unittest.skipUnless(TARGET == "cuda" and uses_fake_driver(), "calls back from the fake driver's launches")
    def test_a_driver_that_runs_python(self):
        """Tools behind the driver look at the program with the driver's lock held, so nobody waits for the driver with Python's."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "script.py")
            script.write_text(DRIVER_THAT_RUNS_PYTHON)
            done = subprocess.run([sys.executable, script], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)

    def test_more_streams_than_the_table_holds(self):
        array = self.zeros()
        for _ in range(100):
            self.add(array, 1, cuda.stream(), rounds=3)  # destroyed at once
        self.check(array, np.full(self.n, 100))

    def test_asynchronous_copies(self):
        stream = cuda.stream()
        source, target = cuda.pinned_array(self.n, np.int64), cuda.pinned_array(self.n, np.int64)
        source[:] = np.arange(self.n)
        array = cuda.to_device(source, stream=stream)
        self.add(array, 5, stream)
        array.copy_to_host(target, stream=stream)
        stream.synchronize()
        self.check(target, np.arange(self.n) + 5)
        strided = cuda.to_device(np.arange(2 * self.n)[::2], stream=stream)  # gathered, so it is waited for
        back = strided.copy_to_host(stream=stream)
        stream.synchronize()
        self.check(back, np.arange(2 * self.n)[::2])
        with stream.auto_synchronize():
            self.add(array, 1, stream)
        self.check(array, np.arange(self.n) + 6)

    def test_callbacks(self):
        stream, called, done = cuda.stream(), [], threading.Event()

        def callback(*arguments):
            called.append(arguments)
            done.set()

        stream.add_callback(callback, "argument")
        self.assertTrue(done.wait(20))
        self.assertEqual(called, [(stream, 0, "argument")])

        async def wait():
            return await cuda.stream().async_done(), await asyncio.gather(*(stream.async_done() for _ in range(3)))

        first, others = asyncio.run(wait())
        self.assertNotEqual(first, stream)
        self.assertEqual(others, [stream] * 3)

    def test_events_order_streams(self):
        first, second = cuda.stream(), cuda.stream()
        memory, event = cuda.mapped_array(self.n, np.int64), cuda.event(timing=False)  # which npcc does not order by itself
        memory[:] = 0
        self.add(memory, 1, first)
        event.record(first)
        event.wait(second)
        self.add(memory, 1, second, rounds=0)
        second.synchronize()
        self.check(memory, np.full(self.n, 2))
        self.add(memory, 1, second)
        first.wait_stream(second)
        self.add(memory, 1, first, rounds=0)
        first.synchronize()
        self.check(memory, np.full(self.n, 4))

    def test_streams_of_other_libraries(self):
        stream, array = cuda.stream(), self.zeros()

        class CuPyLike:
            ptr, device_id = int(stream), 0

        class TorchLike:
            cuda_stream, device_index = int(stream), 0

        class Protocol:
            def __cuda_stream__(self):
                return (0, int(stream))

        class NullLike:
            ptr = 0

        for k, other in enumerate((CuPyLike(), TorchLike(), Protocol(), int(stream), cuda.external_stream(int(stream)))):
            with npcc.stream(other):
                self.assertEqual(int(cuda.default_stream()), int(stream))
                self.add(array, 1)
            self.add(array, 1, other)
        self.check(array, np.full(self.n, 10))
        with npcc.stream(NullLike()):
            self.assertEqual(int(cuda.default_stream()), int(cuda.legacy_default_stream()))
            self.add(array, 1)
        self.add(array, 1, cuda.per_thread_default_stream())
        self.check(array, np.full(self.n, 12))
        with self.assertRaisesRegex(TypeError, "'no stream' is no CUDA stream"):
            npcc.stream("no stream")

    def test_independent_kernels_of_a_function(self):
        """They run beside each other, on streams of npcc's own, where they leave most of the GPU idle."""
        def recurrences(a, b, c):
            total = np.zeros(3)
            for i in range(1, a.shape[0]):
                a[i] = a[i] + 0.5 * a[i - 1]
            for i in range(1, b.shape[0]):
                b[i] = b[i] - 0.25 * b[i - 1]
            for i in range(1, c.shape[0]):
                c[i] = c[i] * c[i - 1]
            total[0], total[1], total[2] = a[-1], b[-1], c[-1]
            return a + 1, total

        f = npcc.jit(recurrences, target="cuda")
        given = [np.random.default_rng(k).random(90 + k) for k in range(3)]
        for _ in range(3):
            expected, arrays = [x.copy() for x in given], [on_gpu(x) for x in given]
            with npcc.profile(None) as recording:
                results = f(*arrays)
            for got, wanted in zip((*results, *arrays), (*recurrences(*expected), *expected)):
                self.check(got, wanted, 1e-14)
            tracks = {event["tid"] for event in recording.events if event["ph"] == "X" and event["cat"] == "kernel"}
            self.assertEqual(len(tracks), 3)
            stream = cuda.stream()
            with npcc.stream(stream), npcc.profile(None) as recording:
                f(*arrays)
            self.assertEqual(len({event["tid"] for event in recording.events if event["ph"] == "X" and event["cat"] == "kernel"}), 1)

    def test_a_library_that_does_not_heed_our_stream(self):
        """PyTorch takes arrays by the interface and works on its current stream, which may be CUDA's default one."""
        theirs, driver = cuda.stream(), ctypes.CDLL("libcuda.so.1")
        torch = types.ModuleType("torch.cuda")
        torch.is_initialized = lambda: True
        torch.current_stream = lambda device: types.SimpleNamespace(cuda_stream=int(theirs))
        for modules, stream in (({}, 1), ({"torch.cuda": torch}, 1), ({"torch.cuda": torch}, int(theirs))):
            array, host = self.zeros(), cuda.pinned_array(self.n, np.int64)
            self.add(array, 7)
            with mock.patch.dict(sys.modules, modules):
                address = array.__cuda_array_interface__["data"][0]
            arguments = ctypes.c_void_p(host.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(host.nbytes), ctypes.c_void_p(stream)
            context = ctypes.c_void_p()
            calls = (driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), driver.cuCtxSetCurrent(context),
                     driver.cuMemcpyDtoHAsync_v2(*arguments), driver.cuStreamSynchronize(ctypes.c_void_p(stream)),
                     driver.cuCtxSetCurrent(ctypes.c_void_p()))
            self.assertEqual(calls, (0, 0, 0, 0, 0))
            np.testing.assert_array_equal(host, 7)

    def test_arrays_of_a_library_with_a_stream(self):
        """What it did before is waited for, and what it does next waits."""
        @npcc.jit(target="cuda")
        def increase(a):
            a += 1

        theirs = cuda.stream()
        # PyTorch's interface does not say its stream; PyTorch does.
        torch = types.ModuleType("torch")
        torch.cuda = types.ModuleType("torch.cuda")
        torch.cuda.is_initialized = lambda: True
        torch.cuda.current_stream = lambda device: types.SimpleNamespace(cuda_stream=int(theirs))
        tensor_type = type("Tensor", (OtherLibrary,), {"__module__": "torch"})
        # Memory that the host sees: their stream alone is waited for.
        host, ours = cuda.mapped_array(self.n, np.int64), cuda.stream()
        host[:] = 0
        for make in (lambda i: types.SimpleNamespace(__cuda_array_interface__=dict(i, version=3, stream=int(theirs))),
                     lambda i: type("Tensor", (), {"__module__": "torch", "__cuda_array_interface__": dict(i, version=2)})()):
            foreign = make(dict(shape=host.shape, typestr="<i8", data=(host.ctypes.data, False), strides=None))
            with mock.patch.dict(sys.modules, {"torch": torch, "torch.cuda": torch.cuda}):
                host[:] = 0
                for k in range(1, 4):
                    increase(foreign)
                    theirs.synchronize()
                    self.check(host, np.full(self.n, 4 * k - 3))
                    self.add(foreign, 1, rounds=3)
                    theirs.synchronize()
                    self.check(host, np.full(self.n, 4 * k - 2))
                    self.add(foreign, 1, ours, rounds=3)
                    theirs.synchronize()
                    self.check(host, np.full(self.n, 4 * k - 1))
                    with npcc.stream(ours):
                        increase(foreign)
                    theirs.synchronize()
                    self.check(host, np.full(self.n, 4 * k))
        for wrap in (lambda a: OtherLibrary(a, int(theirs)), lambda a: tensor_type(a, version=2)):
            memory = on_gpu(np.zeros(self.n, np.int64))
            foreign, address = wrap(memory), memory.ptr  # an address alone says nothing of streams
            with mock.patch.dict(sys.modules, {"torch": torch, "torch.cuda": torch.cuda}):
                for _ in range(5):
                    self.kernel(-(-self.n // 128), 128, (address, 1, self.n, self.rounds), stream=theirs)  # their own work
                    increase(foreign)
                    self.kernel(-(-self.n // 128), 128, (address, 1, self.n, 0), stream=theirs)
                    self.add(foreign, 1)
            theirs.synchronize()
            self.check(memory, np.full(self.n, 20))


if __name__ == "__main__":
    unittest.main()
