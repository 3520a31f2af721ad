"""Draws in Python and compiled: the same numbers to the last bit, and the same state of the generator behind them."""
import sys
import unittest
import warnings

import numpy as np

import executed
import lines
import npcc
from harness import copies, jit

ARGUMENTS = {
    "a": np.array([0.5, 1.5, 3.0, 7.25]), "b": np.array([[1.0], [2.5], [4.0]]), "f": np.array([0.5, 2.0], "f4"), "i": np.array([1, 5, 9]),
    "u": np.array([3, 200], "u1"), "q": np.array([2**63, 2**64 - 5], "u8"), "p": np.array([0.1, 0.2, 0.3, 0.4]), "m": np.arange(12.0).reshape(3, 4),
    "e": np.zeros((0, 3)), "z": np.array(3.5), "k": np.int32(7), "x": 2.5, "n": 12, "c": np.array([[2.0, 0.3], [0.3, 1.0]]),
}
GENERATOR, LEGACY = "PCG64", "RandomState"


def fresh(kind):
    """A new generator: numpy.random.RandomState, or numpy.random.Generator over the bit generator of that name."""
    return np.random.RandomState(11) if kind == LEGACY else np.random.Generator(getattr(np.random, kind)(11))


def classes_of(kind):
    """Whose methods a row calls."""
    return (np.random.RandomState if kind == LEGACY else np.random.Generator, np.random.BitGenerator, np.random.SeedSequence)


def state(generator):
    return repr(generator.get_state(legacy=False) if isinstance(generator, np.random.RandomState) else generator.bit_generator.state)


def run(function, kind, names):
    """(error, value), the generator's state and the arguments after a call."""
    generator, arguments = fresh(kind), copies([ARGUMENTS[name] for name in names])
    try:
        outcome = None, function(generator, *arguments)
    except npcc.CompileError as error:  # "TypeError: its words"
        outcome = tuple(error.msg.splitlines()[0].split(": ", 1)), None
    except Exception as error:
        outcome = (type(error).__name__, str(error)), None
    return outcome, state(generator), arguments


class Draws(unittest.TestCase):
    def setUp(self):
        filters = warnings.catch_warnings()
        filters.__enter__()
        self.addCleanup(filters.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def rows(self, text, *kinds, fails=False):
        """Rows `names of arguments | body`, in which g is the generator."""
        rows = [[part.strip() for part in line.split("|", 1)] for line in text.strip().splitlines()]
        place = f"{type(self).__module__}.{self._testMethodName}"
        functions = lines.functions(place, [(", ".join(["g", *names.split()]), body) for names, body in rows])
        for (names, body), function in zip(rows, functions):
            compiled = jit(function)
            for kind in kinds:
                with self.subTest(body, generator=kind):
                    self.agree(function, compiled, kind, names.split(), fails)

    def agree(self, function, compiled, kind, names, fails):
        (error, value), left, arguments = run(function, kind, names)
        self.assertEqual(error is not None, fails, error)
        (own_error, own_value), own_left, own_arguments = run(compiled, kind, names)
        self.assertEqual(own_error, error)
        self.same(own_value, value)
        self.same(own_arguments, arguments)
        self.assertEqual(own_left, left)
        if not fails:
            executed.note(sys.modules[type(self).__module__].__file__, function, classes_of(kind))

    def same(self, got, expected):
        self.assertIs(type(got), type(expected))
        if isinstance(expected, (tuple, list)):
            self.assertEqual(len(got), len(expected))
            for one, other in zip(got, expected):
                self.same(one, other)
        elif expected is not None:
            self.assertEqual((np.asarray(got).dtype, np.shape(got)), (np.asarray(expected).dtype, np.shape(expected)))
            np.testing.assert_array_equal(got, expected)
