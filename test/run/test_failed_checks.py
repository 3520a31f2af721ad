"""Behind a check that has failed nothing happens that the caller could see. A GPU is sent the kernels behind it before anybody knows."""
import threading
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, count_launches, jit


def rows_behind_a_loop(y):
    for i in range(4):
        y[i, i:i] -= 2
    y[1] -= 2


def elements_behind(y, x, p):
    z = x[p] * 2
    y += np.cumsum(z)


def total_behind(y, x, p):
    z = x[p] * 2
    y += z.sum()
    return z


def element_of_the_host_behind(y, x, p):
    z = x[p]
    y[3] = 5
    return z


def stored_at_once(y, x, p):
    y[:] = x[p] * 2


def part_stored(y, x, p):
    z = x[p]
    y[2:] = z[2:]
    return z[:1]


def product_behind(y, x, p):
    z = np.outer(x[p], x)
    np.matmul(z, z, out=y)


def sort_behind(y, x, p):
    z = x[p]
    y.sort()
    return z


def copy_behind(y, x, p):
    z = x[p]
    y[:] = x
    return z


def print_behind(y, x, p):
    z = x[p]
    print("behind")
    return z


def iterations_behind(y, x, p):
    z = np.zeros(len(y))
    for k in range(3):
        z = z + x[p - k]
        y += k
    return z


def branch_behind(y, x, p, n):
    z = x
    if n > 2:
        z = x[p]
    y *= 2
    return z


def steps_behind(y, x, p):
    n = 1
    while n > 0:
        n -= 1
        x[p[0]] = 1
        y /= 2
        if np.prod(y[:1].astype(np.int16)) < 0:
            break
    p += 1


def draws_behind(y, x, p, generator):
    z = x[p]
    y[0] = generator.random()
    return z


def elements_of_a_loop(y, x, p):
    for i in range(len(p)):
        y[i] = x[p[i]]


def elements_of_two_loops(y, x, p):
    z = y.reshape(3, 4)
    q = p.reshape(3, 4)
    for i in range(3):
        for k in range(4):
            z[i, k] = x[q[i, k]] * 2


def statements_of_a_loop(y, x, p):
    for i in range(len(p)):
        y[i] = 7
        first = x[p[i]]
        y[i] += first
        y[i] += x[p[11 - i]]


def branch_of_a_loop(y, x, p):
    for i in range(len(p)):
        if x[i] > 2:
            y[i] = x[p[i]]


def loops_behind_loops(y, x, p):
    for i in range(len(p)):
        y[i] += x[p[i]]
    for i in range(len(p)):
        y[i] *= x[p[11 - i] - 1]


def rows_of_a_loop(y, x, p):
    q = p.reshape(3, 4)
    for i in range(3):
        y[i] = 7
        total = 0.0
        for k in range(4):
            total += x[q[i, k]]
        y[i + 3] = total
        y[i + 6] = x[p[11 - i]]


def sparse_rows(y, x, p):
    for i in range(3):
        total = 0.0
        for k in range(i * i, (i + 1) * (i + 1)):
            total += x[p[k]]
        y[i] = total


def own_elements_of_a_loop(x, p):
    y = np.zeros(len(p))
    for i in range(len(p)):
        y[i] = x[p[i]]
    return y


class FailedChecks(Comparison):
    def test_behind_a_loop(self):
        self.compare(rows_behind_a_loop, [np.arange(4).reshape(2, 2)])
        self.compare(rows_behind_a_loop, [np.arange(16).reshape(4, 4)])

    def test_behind_positions(self):
        for function in (elements_behind, total_behind, element_of_the_host_behind, sort_behind, copy_behind, print_behind, iterations_behind, stored_at_once,
                         part_stored):
            compiled = jit(function)
            for wrong in (None, 0, 7, 11):
                with self.subTest(function=function.__name__, wrong=wrong):
                    p = np.arange(12)[::-1].copy()
                    if wrong is not None:
                        p[wrong] = 77
                    self.compare(function, [np.arange(12.0)[::-1].copy(), np.arange(12.0) - 3, p], compiled)

    def test_iterations_behind(self):
        """Of a loop whose iterations are threads, those behind the check store nothing, and those before it do."""
        for function in (elements_of_a_loop, elements_of_two_loops, statements_of_a_loop, branch_of_a_loop, loops_behind_loops, rows_of_a_loop,
                         sparse_rows):
            compiled = jit(function)
            for wrong in ((), (0,), (7,), (11,), (9, 4)):
                with self.subTest(function=function.__name__, wrong=wrong):
                    p = np.arange(12)[::-1].copy()
                    p[list(wrong)] = 77 - np.arange(len(wrong))
                    self.compare(function, [np.arange(12.0)[::-1].copy(), np.arange(12.0) - 3, p], compiled)

    def test_behind_a_branch(self):
        p = np.array([0, 2, 9])
        for n in (1, 3):
            self.compare(branch_behind, [np.arange(3.0), np.arange(3.0), p, n])

    def test_behind_a_loop_in_one_kernel(self):
        compiled = jit(steps_behind)
        for first in (0, 5):
            self.compare(steps_behind, [np.ones((1, 8, 2)), np.zeros(2), np.array([first, 1])], compiled)

    def test_library_behind(self):
        compiled = jit(product_behind)
        for last in (2, 40):
            self.compare(product_behind, [np.ones((3, 3)), np.arange(3.0), np.array([0, 1, last])], compiled)

    def test_draws_behind(self):
        p = np.array([0, 2, 9])
        states = []
        for function in (draws_behind, jit(draws_behind)):
            generator = np.random.default_rng(5)
            with self.assertRaises(IndexError):
                function(np.zeros(3), np.arange(3.0), p, generator)
            states.append(generator.bit_generator.state)
        self.assertEqual(states[0], states[1])

    def test_threads(self):
        """What one thread has got wrong does not keep another one's kernels from their work."""
        if TARGET != "cuda":
            self.skipTest("arrays of a device")
        y, other, x, good, bad, twos = (npcc.asarray(np.array(a)) for a in ([0.0] * 3, [0.0] * 3, [0.0, 1.0, 2.0], [0, 1, 2], [0, 1, 9], [2, 2, 2]))
        compiled = jit(total_behind)
        compiled(y, x, good)
        compiled(other, x, bad)  # nobody waits for it
        errors = []

        def note(function, *arguments):
            try:
                function(*arguments)
            except IndexError as error:
                errors.append(str(error))

        thread = threading.Thread(target=note, args=(compiled, y, x, twos))
        thread.start()
        thread.join()
        note(npcc.synchronize)  # whoever waits first is told
        self.assertEqual(errors, ["index 9 is out of bounds for axis 0 with size 3"])
        np.testing.assert_array_equal(y.get(), [6 + 12] * 3)

    def test_launches(self):
        """To ask costs no launch, but for the checks of a loop that stores into what the caller sees."""
        if TARGET != "cuda":
            self.skipTest("launches of a GPU")
        y, x, p = (npcc.asarray(a) for a in (np.arange(12.0), np.arange(12.0), np.arange(12)))
        self.assertEqual(count_launches(jit(copy_behind), [y, x, p]), 2)
        self.assertEqual(count_launches(jit(elements_of_a_loop), [y, x, p]), 2)
        self.assertEqual(count_launches(jit(own_elements_of_a_loop), [x, p]), 1)


if __name__ == "__main__":
    unittest.main()
