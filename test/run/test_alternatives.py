"""Which alternatives are compiled: those of the first call and of a few others, then all of them; and a call gives the same bits whichever code runs it."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import npcc
from harness import TARGET, Comparison


def norms(a):
    return np.sqrt(np.sum(a**2, -1))


def softmax(x):
    e = np.exp(x - np.max(x, -1, keepdims=True))
    return e / np.sum(e, -1, keepdims=True)


def running(a):
    return np.cumsum(a)


def total(a):
    return np.sum(a)


def counts(a):
    return np.bincount(a)


def smooth(a, n):
    b = np.zeros(a.shape)
    for i in range(1, n - 1):
        b[i] = 0.5 * (a[i - 1] + a[i + 1])
    return b


def steps(a, n):
    """Small arrays are one block's for all steps, large ones are launches."""
    for _ in range(n):
        b = a.copy()
        a[1:-1] = 0.5 * (b[:-2] + b[2:])
    return a


def columns(a):
    return np.sum(a, axis=0)


def weighted(a, b, n):
    """Slices that are clamped to the array, and extents that meet or are stretched."""
    inside = a[1:n + 1, 1:] - 0.5 * (a[0:n, 1:] + a[2:n + 2, :-1])
    return inside * b[:n] + np.where(inside[:, 1:] > inside[:, :-1], 1.0, 2.0).sum()


def bits(values):
    """Of an array or a number, wherever it is."""
    return np.asarray(values.get() if isinstance(values, npcc.ndarray) else values).tobytes()


class Counting:
    """A compiled function that is not taken from the cache, and how much was compiled and launched in each of its calls."""

    def __init__(self, function):
        self.function = npcc.jit(target=TARGET, cache=False)(function)

    def __call__(self, *arguments):
        copy = npcc.asarray if TARGET == "cuda" else np.copy
        arguments = [copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        before = npcc.counters()
        try:
            return bits(self.function(*arguments))
        finally:
            after = npcc.counters()
            self.compilations = after["compilations"] - before["compilations"]
            self.launches = after["launches"] - before["launches"]


class Alternatives(Comparison):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(7)

    @unittest.skipUnless(TARGET in ("cpu", "cuda"), "the code of this target has all alternatives")
    def test_compilations(self):
        """(a function, arguments of several calls, what each call compiles): of the class of the first call, of others, of the first again."""
        r = self.random.random
        few, many = (r((2, 66_000)), ), (r((2100, 16)), )
        cases = [
            (norms, [(r((100, 64)), ), (r((200, 64)), ), few, many, (r((100, 64)), ), (r((7, 5)), )]),
            (softmax, [(r((1100, 32)), ), (r((1200, 32)), ), few, (r((1100, 32)), ), many]),
            (total, [(r(100), ), (r(200), ), (r(100_000), ), (r(100), )]),
            (columns, [(r((300, 256)), ), (r((500, 256)), ), (r((500, 3)), ), (r((7, 1000)), )]),
            (running, [(r(100), ), (r(33_000), ), (r(99), )]),
            (counts, [(self.random.integers(0, 5, 33_000), ), (self.random.integers(0, 9_000, 33_000), )]),
            (smooth, [(r(100), 100), (r(50), 50), (r(50), 20)]),
            (steps, [(r(100), 3), (r(90), 5), (r(50_000), 2), (r(100), 3)]),
            (weighted, [(r((9, 9)), r((7, 8)), 7), (r((20, 7)), r((20, 6)), 18), (r((3, 9)), r((9, 8)), 1), (r((2, 9)), r((9, 8)), 0), (r((9, 9)), r((7, 8)), 7)]),
        ]
        for function, calls in cases:
            counting, compilations = Counting(function), []
            for arguments in calls:
                counting(*arguments)
                compilations.append(counting.compilations)
            self.assertEqual(compilations[0], 1, function.__name__)
            self.assertLessEqual(sum(compilations), 4, (function.__name__, compilations))
            if function is weighted and TARGET == "cpu":  # in all of these calls the slices lie inside the arrays
                self.assertEqual(sum(compilations), 1, compilations)

    @unittest.skipUnless(TARGET in ("cpu", "cuda"), "the code of this target has all alternatives")
    def test_bits_and_launches(self):
        """A call is the same as the first one and behind others; and as in code with all alternatives, which may launch more: small kernels that follow each
        other are one where the call is known."""
        r = self.random.random
        calls = {
            norms: [(r((100, 64)), ), (r((2, 66_000)), ), (r((2100, 16)), ), (r((5, 7)), )],
            softmax: [(r((1100, 32)), ), (r((2, 66_000)), ), (r((3, 5000)), )],
            total: [(r(100), ), (r(100_003), )],
            columns: [(r((300, 256)), ), (r((20_000, 3)), ), (r((7, 1000)), )],
            running: [(r(100), ), (r(33_000), )],
            counts: [(self.random.integers(0, 5, 33_000), ), (self.random.integers(0, 9_000, 33_000), ), (self.random.integers(0, 5, 6), )],
            smooth: [(r(100), 100), (r(50), 7)],
            steps: [(r(100), 3), (r(50_000), 2), (r(2), 2)],
        }
        for function, several in calls.items():
            os.environ["NPCC_ALTERNATIVES"] = "all"
            whole = Counting(function)
            expected = [(whole(*arguments), whole.launches) for arguments in several]
            del os.environ["NPCC_ALTERNATIVES"]
            later, first = Counting(function), [Counting(function) for _ in several]
            for functions in ([later] * len(several), [later] * len(several), first):
                for f, arguments, (wanted, most) in zip(functions, several, expected):
                    self.assertEqual(f(*arguments), wanted, function.__name__)
                    self.assertLessEqual(f.launches, most, function.__name__)

    def test_views_and_misaligned_arrays(self):
        """What alignment decides, and arrays for which the general version is needed."""
        base = self.random.random(4001)
        for start in (0, 1, 2, 3):
            self.compare(norms, [base[start:start + 3600].reshape(60, 60)])
        self.compare(norms, [base[:3600].reshape(60, 60)[:, ::2]])
        self.compare(columns, [base[:3600].reshape(60, 60).T])

    def test_errors_of_the_other_alternative(self):
        """A loop that is compiled without its checks, called with an array that is too short."""
        for function in (smooth, ):
            compiled = npcc.jit(target=TARGET)(function)
            compiled(np.ones(10), 10)
            with self.assertRaisesRegex(IndexError, "index 10 is out of bounds for axis 0 with size 10"):
                compiled(np.ones(10), 12)
            compiled(np.ones(10), 10)

    def test_extents_of_other_calls(self):
        """What the first call's slices and broadcasts do is taken for granted, in calls where it is so."""
        r = self.random.random
        calls = [(r((9, 5)), r((7, 4)), 7), (r((12, 3)), r((9, 2)), 9), (r((9, 5)), r((1, 4)), 7), (r((9, 5)), r((9, 1)), 20), (r((3, 5)), r((9, 4)), 1),
                 (r((9, 5)), r((7, 4)), 0), (r((0, 5)), r((0, 4)), 3), (r((2, 1)), r((7, 4)), 2), (r((9, 5)), r((7, 3)), 7), (r((9, 5)), r((6, 4)), 7), (r((9, 5)), r((7, 4)), -2)]

        def outcome(function, arguments):
            try:
                return np.asarray(function(*arguments)).tolist()
            except ValueError as error:
                return str(error)
        expected = [outcome(weighted, arguments) for arguments in calls]
        for first in range(len(calls)):
            compiled = npcc.jit(target=TARGET)(weighted)
            outcome(compiled, calls[first])
            for arguments, wanted in zip(calls, expected):
                self.assertEqual(outcome(compiled, arguments), wanted, (first, [np.shape(a) for a in arguments]))

    @unittest.skipUnless(TARGET == "cpu", "once is enough")
    def test_processes(self):
        """What an earlier process compiled serves a later one: the alternatives of its first call, then all."""
        program = ("import sys, numpy as np, npcc\n"
                   "from test_alternatives import norms\n"
                   "compiled = npcc.jit(target='cpu')(norms)\n"
                   "compiled(np.ones(eval(sys.argv[1])))\n"
                   "print(npcc.counters()['compilations'])\n")
        with tempfile.TemporaryDirectory() as cache:
            def run(shape):
                environment = dict(os.environ, NPCC_CACHE_DIR=cache, PYTHONPATH=os.pathsep.join([str(Path(__file__).parent), *sys.path]))
                return int(subprocess.run([sys.executable, "-c", program, shape], env=environment, check=True, capture_output=True, text=True).stdout)

            self.assertEqual([run(shape) for shape in ("(100, 64)", "(90, 64)", "(3, 100_000)", "(100, 64)", "(3, 100_000)")], [1, 0, 1, 0, 0])


if __name__ == "__main__":
    unittest.main()
