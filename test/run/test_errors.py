"""Errors of running programs: NumPy's exceptions in NumPy's words, and the next call works."""
import unittest

import numpy as np

import npcc
from harness import Comparison, TARGET, device, jit
from inputs import uniform


def add(a, b):
    return a + b


def store(a, b):
    a[:, 1:] = b
    return a


def element(a, i):
    return a[i] * 2


def in_a_loop(a, b, n):
    for i in range(n):
        b[i] = a[i + 1]


def gather(a, indices):
    return a[indices]


def five_numbers(a, n):
    out = np.zeros(n)
    for i in range(n):
        k = i * 3
        if k > 40:
            raise ValueError(f"{i} of {n}: {k}, {i * i}, {2 - i}")
        out[i] = a[i] + k
    return out


def broadcast_in_a_loop(a, n):
    out = np.zeros((n, 4))
    for i in range(n):
        out[i] = np.broadcast_to(a[i:i + 2], (3 - i, 4, n - i))[0, :, 0]
    return out


def double(a):
    return a * 2


class Errors(Comparison):
    def test_extents_that_do_not_broadcast(self):
        for shapes in (((3,), (4,)), ((2, 3), (3, 2)), ((2, 1, 3), (4, 2))):
            with self.subTest(shapes=shapes):
                self.compare(add, [uniform(s) for s in shapes])
        self.compare(store, [uniform((3, 4)), uniform((2, 3))])
        self.compare(store, [uniform((3, 4)), uniform(5)])

    def test_index_out_of_bounds(self):
        for index in (5, -6, 10**9):
            self.compare(element, [uniform(5), index])
            self.compare(gather, [uniform(5), np.array([0, index, 1])])

    def test_index_out_of_bounds_in_a_loop(self):
        self.compare(in_a_loop, [uniform(5), uniform(5), 3])
        compiled = jit(in_a_loop)
        with self.assertRaises(IndexError) as caught:
            compiled(uniform(5), uniform(5), 5)
        self.assertEqual(str(caught.exception), "index 5 is out of bounds for axis 0 with size 5")
        b = np.zeros(5)
        compiled(np.arange(5.0), b, 4)
        self.assertEqual(b.tolist(), [1, 2, 3, 4, 0])

    def test_messages_of_many_numbers(self):
        for function in five_numbers, broadcast_in_a_loop:
            self.compare(function, [uniform(32), 32])

    def test_found_later_on_the_device(self):
        """Work on device arrays is asynchronous: the error comes at the latest with the first read."""
        a = npcc.array(np.arange(5.0), device=device())
        bad, good = npcc.array(np.array([0, 7]), device=device()), npcc.array(np.array([0, 4]), device=device())
        compiled = jit(gather)
        with self.assertRaisesRegex(IndexError, "index 7 is out of bounds for axis 0 with size 5"):
            compiled(a, bad).get()
        self.assertEqual(compiled(a, good).tolist(), [0, 4])

    def test_out_of_memory(self):
        number = 0 if TARGET == "cuda" else -1
        compiled, a = jit(double), npcc.array(np.ones(5000), device=device())
        compiled(a)
        npcc._npcc.trim()
        npcc._npcc.fail_allocation(number, 1)
        try:
            with self.assertRaisesRegex(MemoryError, r"out of memory on \S+: requested 39.06 KiB, in use .*, total "):
                compiled(a)
        finally:
            npcc._npcc.fail_allocation(number, 0)
        self.assertEqual(compiled(a).get().sum(), 10_000)

    def test_read_only_destination(self):
        a = uniform((3, 4))
        a.flags.writeable = False
        self.compare(store, [a, uniform(3)])


if __name__ == "__main__":
    unittest.main()
