"""Launches on a GPU with the arrays of an earlier one, of which the host remembers what it found out then."""
import os
import threading
import unittest

import numpy as np

import npcc
from harness import TARGET
from kernels_of_threads import kernel
from npcc import cuda

FACTOR = 2


def shift(x, out, by):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + by


def scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= FACTOR


def pick(x, at, out):
    out[0] = x[at]


@unittest.skipUnless(TARGET == "cuda", "the host's launches cost nothing to speak of")
class Repeated(unittest.TestCase):
    def test_arrays_that_change_places(self):
        a, b, launch = cuda.to_device(np.zeros(100)), cuda.to_device(np.zeros(100)), kernel(shift)[4, 32]
        for k in range(20):
            launch(a, b, k)
            a, b = b, a
        self.assertTrue((a.copy_to_host() == 190).all())

    def test_numbers_are_new_each_time(self):
        x, out, launch = cuda.to_device(np.arange(8)), cuda.device_array(8, np.int64), kernel(shift)[1, 32]
        for by in (1, 2, 2, -5, 2**40, True, np.int64(7), np.int8(3), 1):
            launch(x, out, by)
            self.assertEqual(out.copy_to_host().tolist(), (np.arange(8) + int(by)).tolist(), by)
        y, launch = cuda.device_array(8), kernel(shift)[1, 32]
        for by in (0.5, 1, 2.5, np.float32(0.25), 3):
            launch(x, y, by)
            self.assertEqual(y.copy_to_host().tolist(), (np.arange(8) + float(by)).tolist(), by)

    def test_other_extents_of_the_same_memory(self):
        whole = cuda.to_device(np.arange(64.0))
        launch, out = kernel(shift)[2, 32], cuda.to_device(np.zeros(64))
        for count, step in ((64, 1), (10, 1), (64, 1), (32, 2), (10, 1), (1, 1), (32, -1), (64, 1)):
            part = whole[:32][::-1] if step < 0 else whole[::step][:count]
            launch(part, out[:part.size], 1)
            self.assertEqual(out.copy_to_host()[:part.size].tolist(), (part.copy_to_host() + 1).tolist())

    def test_memory_that_is_another_array_by_now(self):
        launch = kernel(shift)[1, 32]
        for k in range(6):
            x, out = cuda.to_device(np.full(16, float(k))), cuda.device_array(16)
            launch(x, out, 1)
            self.assertEqual(out.copy_to_host().tolist(), [k + 1.0] * 16)
            del x, out

    def test_one_array_as_both(self):
        x, launch = cuda.to_device(np.arange(8.0)), kernel(shift)[1, 32]
        out = cuda.device_array(8)
        launch(x, out, 1)
        for _ in range(3):
            launch(x, x, 1)
        self.assertEqual(x.copy_to_host().tolist(), (np.arange(8.0) + 3).tolist())

    def test_globals_that_change(self):
        global FACTOR
        x, launch = cuda.to_device(np.ones(4)), kernel(scale)[1, 4]
        for FACTOR in (2, 2, 3, 3, 5):
            launch(x)
        self.assertEqual(x.copy_to_host().tolist(), [180.0] * 4)

    def test_host_arrays_between_them(self):
        x, launch = cuda.to_device(np.arange(4.0)), kernel(shift)[1, 4]
        out, there = np.zeros(4), cuda.device_array(4)
        for k in range(3):
            launch(x, there, k)
            launch(x, out, k)
            self.assertEqual(out.tolist(), there.copy_to_host().tolist())

    def test_on_streams(self):
        first, second = cuda.stream(), cuda.stream()
        x, out, compiled = cuda.to_device(np.zeros(32)), cuda.device_array(32), kernel(shift)
        for k in range(4):  # each is behind the one before: they share the arrays
            compiled[1, 32, first](x, out, 1)
            compiled[1, 32, second](out, x, 1)
        self.assertEqual(x.copy_to_host().tolist(), [8.0] * 32)

    def test_beside_compiled_functions(self):
        @npcc.jit(target="cuda")
        def halve(x):
            x *= 0.5

        x, out, launch = cuda.to_device(np.full(8, 16.0)), cuda.device_array(8), kernel(shift)[1, 32]
        for _ in range(3):
            halve(x)
            launch(x, out, 0)
        self.assertEqual(out.copy_to_host().tolist(), [2.0] * 8)

    def test_errors_come_again(self):
        x, out, launch = cuda.to_device(np.arange(4.0)), cuda.device_array(4), kernel(shift)[1, 4]
        launch(x, out, 1)
        for _ in range(3):
            with self.assertRaises(TypeError):
                launch(x, out)
            with self.assertRaises(npcc.CompileError):
                launch(x, out, "1")
            launch(x, out, 2)
        checked = kernel(debug=True)(pick)[1, 1]
        for at in (1, 2, 4, 3, -1, 5):
            try:
                checked(x, at, out)
                cuda.synchronize()
                self.assertTrue(-4 <= at < 4)
            except IndexError as error:
                self.assertEqual(str(error), f"index {at} is out of bounds for axis 0 with size 4")

    def test_in_a_process_that_was_forked(self):
        x, out, launch = cuda.to_device(np.arange(4.0)), cuda.device_array(4), kernel(shift)[1, 4]
        for _ in range(2):
            launch(x, out, 1)
        child = os.fork()
        if not child:
            try:
                launch(x, out, 1)
            except RuntimeError as error:
                os._exit(0 if "before this process was forked" in str(error) else 2)
            os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(out.copy_to_host().tolist(), [1, 2, 3, 4])

    def test_many_threads_of_the_host(self):
        x, compiled = cuda.to_device(np.arange(16.0)), kernel(shift)
        launch, outs, errors = compiled[1, 32], [cuda.device_array(16) for _ in range(4)], []

        def work(out):
            try:
                for k in range(50):
                    launch(x, out, k)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(out,)) for out in outs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        for out in outs:
            self.assertEqual(out.copy_to_host().tolist(), (np.arange(16.0) + 49).tolist())


if __name__ == "__main__":
    unittest.main()
