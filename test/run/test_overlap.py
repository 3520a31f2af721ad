"""Calls that return before their copies are over (npcc.overlap), and page-locked arrays."""
import copy
import gc
import json
import os
import tempfile
import threading
import unittest

import numpy as np

import npcc
from harness import TARGET, jit


def accumulate(x, out):
    out += np.sin(x) * 2


def three_times(x):
    return x * 3


def total(x):
    return x.sum()


def first_and_rest(x):
    return x[0], x[1:] + 1


def at(x, k):
    return x[k]


def sort_rows(x, out, width):
    zero = 0.0
    for k in range(len(x)):
        row = np.sort(x[k, :width] + zero)  # not one call for all iterations: it needs the iteration before
        out[k, :width] = row * 2
        zero = -zero


def sort_batches(x, out, width, batch):
    for k in range(0, len(x), batch):
        out[k:k + batch, :width] = np.sort(x[k:k + batch, :width]) * 2


def sort_twice(x, out, width):
    for turn in range(2):
        for k in range(len(x)):
            out[k, :width] = np.sort(x[k, :width]) + turn * out[k, :width]


def sort_until(x, out, width, last):
    for k in range(len(x)):
        row = np.sort(x[k, :width])
        if k == last:
            raise ValueError("enough")
        out[k, :width] = row + 1


def sort_from_the_last(x, width):
    for k in range(len(x) - 1, 0, -1):
        x[k, :width] = np.sort(x[k, :width]) + x[k - 1, :width]


class Overlap(unittest.TestCase):
    def setUp(self):
        self.x = np.random.default_rng(1).random((11, 700))

    def test_batches_written_in_place(self):
        f, out = jit(accumulate), np.ones_like(self.x)
        with npcc.overlap():
            for _ in range(2):
                for batch, place in zip(self.x, out):
                    f(batch, place)
        np.testing.assert_allclose(out, 1 + 4 * np.sin(self.x), rtol=1e-14)

    def test_results_are_there_at_the_end(self):
        f = jit(three_times)
        with npcc.overlap():
            results = [f(batch) for batch in self.x]
            small = [f(batch[:3]) for batch in self.x]
        self.assertTrue(all(type(result) is np.ndarray for result in results + small))
        np.testing.assert_array_equal(results, self.x * 3)
        np.testing.assert_array_equal(small, self.x[:, :3] * 3)

    def test_numbers_are_there_at_once(self):
        f, g = jit(total), jit(first_and_rest)
        with npcc.overlap():
            for batch in self.x:
                self.assertAlmostEqual(f(batch), batch.sum(), places=10)
                first, rest = g(batch)
                self.assertEqual(first, batch[0])
        np.testing.assert_array_equal(rest, batch[1:] + 1)

    def test_a_call_takes_what_an_earlier_one_gives(self):
        f, x = jit(three_times), self.x
        with npcc.overlap():
            for _ in range(7):
                x = f(x)
        np.testing.assert_allclose(x, self.x * 3**7, rtol=1e-14)

    def test_arrays_that_nobody_holds(self):
        f = jit(accumulate)
        with npcc.overlap():
            for k in range(30):
                f(np.full(50000 if TARGET != "debug" and k == 7 else 500, k, np.float64), np.zeros(50000 if TARGET != "debug" and k == 7 else 500))
            gc.collect()
            last = np.zeros(500)
            f(np.ones(500), last)
        np.testing.assert_allclose(last, 2 * np.sin(1.0))

    def test_views_that_are_not_contiguous(self):
        f, out = jit(accumulate), np.zeros((20, 30))
        with npcc.overlap():
            for k in range(3):
                f(self.x[k, :600].reshape(20, 30)[:, ::2], out[:, ::2])
        np.testing.assert_allclose(out[:, ::2], 2 * np.sin(self.x[:3, :600].reshape(3, 20, 30)[:, :, ::2]).sum(axis=0), rtol=1e-13)
        self.assertEqual(out[:, 1::2].any(), False)

    def test_lists_hold_their_items_when_the_call_returns(self):
        def fill(items, x):
            items[0] = x[0] + x[1]

        f, items = jit(fill), [0.0, 1.0]
        with npcc.overlap():
            f(items, self.x[0])
            self.assertEqual(items, [self.x[0, 0] + self.x[0, 1], 1.0])

    def test_errors(self):
        f = jit(at)
        with self.assertRaisesRegex(IndexError, "index 800 is out of bounds for axis 0 with size 700"):
            with npcc.overlap():
                f(self.x[0], 800)
        with self.assertRaisesRegex(KeyError, "mine"):  # what the program raises is not lost
            with npcc.overlap():
                jit(three_times)(self.x[0])
                raise KeyError("mine")
        self.assertEqual(f(self.x[0], 5), self.x[0, 5])

    def test_threads_overlap_each_on_their_own(self):
        f, out = jit(accumulate), np.zeros_like(self.x)
        f(self.x[0], np.zeros(700))

        def work(first):
            with npcc.overlap():
                for k in range(first, len(out), 3):
                    f(self.x[k], out[k])

        threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_allclose(out, 2 * np.sin(self.x), rtol=1e-14)

    def test_as_a_decorator(self):
        f, out = jit(accumulate), np.zeros_like(self.x)

        @npcc.overlap()
        def run():
            for batch, place in zip(self.x, out):
                f(batch, place)

        run()
        np.testing.assert_allclose(out, 2 * np.sin(self.x), rtol=1e-14)

    def test_only_what_is_written_comes_back(self):
        if TARGET != "cuda":
            self.skipTest("copies are made to and from GPUs")
        f, out = jit(accumulate), np.zeros(700)
        f(self.x[0], out)
        before = npcc.counters()
        f(self.x[0], out)
        after = npcc.counters()
        self.assertEqual(after["bytes_host_to_device"] - before["bytes_host_to_device"], 2 * out.nbytes)
        self.assertEqual(after["bytes_device_to_host"] - before["bytes_device_to_host"], out.nbytes)


class Pinned(unittest.TestCase):
    def test_arrays(self):
        for order in "CF":
            values = np.asarray(np.arange(12.0).reshape(3, 4), order=order)
            copy = npcc.pinned(values)
            self.assertIsInstance(copy, np.ndarray)
            np.testing.assert_array_equal(copy, values)
            self.assertEqual(copy.strides, values.strides)
            self.assertFalse(np.shares_memory(copy, values))
        empty = npcc.pinned((2, 3), np.int32)
        self.assertEqual((empty.shape, empty.dtype), ((2, 3), np.int32))
        self.assertEqual(npcc.pinned(5).dtype, np.float64)
        self.assertEqual(npcc.pinned((0, 3)).shape, (0, 3))

    def test_as_arguments(self):
        f, x, out = jit(accumulate), npcc.pinned(np.arange(300000.0) if TARGET != "debug" else np.arange(3.0)), None
        out = npcc.pinned(np.zeros_like(x))
        f(x, out)
        with npcc.overlap():
            f(x, out)
            f(x[:1000], out[:1000])
        expected = 4 * np.sin(x)
        expected[:1000] += 2 * np.sin(x[:1000])
        np.testing.assert_allclose(out, expected, rtol=1e-13)


class Parts(unittest.TestCase):
    """One call with a loop over parts of its arguments: they come and go beside the kernels. Calls of a library keep the loop on the host."""

    WIDTH = 300  # of what is computed of a row

    def setUp(self):
        self.x = np.random.default_rng(2).random((5, 300000 if TARGET == "cuda" else 500))  # 2.4 MB a row

    def compare(self, program, *arguments, most_went):
        """The same arrays as in NumPy, the last of which is written. `most_went`: how often its bytes went to the host, at most."""
        expected, given, error = copy.deepcopy(arguments), copy.deepcopy(arguments), None
        try:
            program(*expected)
        except ValueError as caught:
            error = str(caught)
        compiled, before = jit(program), npcc.counters()
        try:
            compiled(*given)
        except ValueError as caught:
            self.assertEqual(str(caught), error)
        else:
            self.assertIsNone(error)
        for ours, right in zip(given, expected):
            np.testing.assert_allclose(ours, right, rtol=1e-14)
        if TARGET == "cuda":
            came, went = (npcc.counters()[name] - before[name] for name in ("bytes_host_to_device", "bytes_device_to_host"))
            arrays = [array for array in arguments if isinstance(array, np.ndarray)]
            numbers = 1024  # bytes that the host and the device tell each other
            self.assertEqual(came // numbers, sum(array.nbytes for array in arrays) // numbers)
            self.assertGreaterEqual(went, arrays[-1].nbytes)
            self.assertLessEqual(went, most_went * arrays[-1].nbytes + numbers)

    def test_rows(self):
        self.compare(sort_rows, self.x, np.zeros_like(self.x), self.WIDTH, most_went=1)

    def test_batches_that_do_not_come_out_even(self):
        self.compare(sort_batches, self.x, np.zeros_like(self.x), self.WIDTH, 2, most_went=1)

    def test_rows_that_are_written_again(self):
        self.compare(sort_twice, self.x, np.zeros_like(self.x), self.WIDTH, most_went=2)

    def test_rows_in_place_from_the_last_one(self):
        self.compare(sort_from_the_last, self.x, self.WIDTH, most_went=1)

    def test_errors_leave_what_was_written(self):
        self.compare(sort_until, self.x, np.zeros_like(self.x), self.WIDTH, 3, most_went=1)

    def test_page_locked_arrays(self):
        x, out, expected = npcc.pinned(self.x), npcc.pinned(np.zeros_like(self.x)), np.zeros_like(self.x)
        jit(sort_rows)(x, out, self.WIDTH)
        sort_rows(self.x, expected, self.WIDTH)
        np.testing.assert_array_equal(out, expected)

    def test_calls_that_overlap(self):
        f, outs, expected = jit(sort_rows), [np.zeros_like(self.x) for _ in range(3)], np.zeros_like(self.x)
        with npcc.overlap():
            for out in outs:
                f(self.x, out, self.WIDTH)
        sort_rows(self.x, expected, self.WIDTH)
        for out in outs:
            np.testing.assert_array_equal(out, expected)

    def test_rows_leave_while_the_loop_goes_on(self):
        f, out = jit(sort_rows), np.zeros_like(self.x)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.json")
            with npcc.profile(path):
                f(self.x, out, self.WIDTH)
            with open(path) as file:
                events = [event for event in json.load(file)["traceEvents"] if event.get("ph") == "X"]
        if TARGET == "cuda":
            counts = {category: sum(event["cat"] == category for event in events) for category in ("copy to device", "copy to host")}
            self.assertEqual(counts["copy to host"], len(out))  # each row by itself
            self.assertGreaterEqual(counts["copy to device"], 2 * len(out))
