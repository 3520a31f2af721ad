"""Tables of functions: a row names its arguments and what is returned. `*` is every array of EVERY in turn."""
import warnings

import numpy as np

import lines
import npcc
from harness import Comparison, jit

rng = np.random.default_rng(0)
A, B = rng.random((4, 5)), rng.random((4, 5))
ARGUMENTS = {
    "A": A, "B": B, "F": A.astype("f4"), "H": A.astype("f2"), "C": A + 1j * B, "D": (B + 1j * A).astype("c8"), "P": A > 0.5, "N": np.where(A > 0.9, np.nan, A),
    "I": rng.integers(0, 9, (4, 5)), "J": rng.integers(-100, 100, (4, 5)).astype("i1"),
    "U": rng.integers(0, 200, (4, 5)).astype("u1"), "L": rng.integers(0, 9, (4, 5)).astype("u8"),
    "V": rng.random(6), "W": rng.random(6), "V4": rng.random(4), "V5": rng.random(5), "X": np.array([0.0, 1, 3, 4, 7]), "Y": rng.random(3),
    "Z": rng.integers(0, 9, 6), "K": rng.random((2, 3)), "M": rng.random((4, 3)), "Q": rng.random((4, 3)), "R": rng.random((3, 3)),
    "S": rng.random((4, 4)), "T": rng.random((3, 3, 3)), "E": np.zeros((0, 3)), "O": np.array(2.5), "G": np.zeros((5, 3)),
    "n": 5, "m": -3, "x": 0.375, "y": 2.5, "z": 1.5 - 2j, "t": True,
}
EVERY = [*(ARGUMENTS[k] for k in "AFHCIJLP"), A[::-1, ::2], A.T, ARGUMENTS["V"], ARGUMENTS["T"], ARGUMENTS["E"], ARGUMENTS["O"]]


def rows_of(text):
    rows = [[part.strip() for part in line.split("|", 1)] for line in text.strip().splitlines() if line.strip()]
    return [(names.split(), body) for names, body in rows]


class Rows(Comparison):
    def setUp(self):
        filters = warnings.catch_warnings()
        filters.__enter__()
        self.addCleanup(filters.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def each(self, text, check):
        rows = rows_of(text)
        place = f"{type(self).__module__}.{self._testMethodName}"
        for (names, body), function in zip(rows, lines.functions(place, [(", ".join("abcdef"[:len(names)]), body) for names, body in rows])):
            compiled = jit(function)
            for first in EVERY if names[0] == "*" else [ARGUMENTS[names[0]]]:
                arguments = [first, *(ARGUMENTS[name] for name in names[1:])]
                with self.subTest(body, of=[f"{a.dtype}{a.shape}" if isinstance(a, np.ndarray) else a for a in arguments]):
                    check(function, compiled, arguments)

    def results(self, text, scale=1):
        """Each row gives what NumPy gives; where NumPy refuses an array, so does npcc."""
        self.each(text, lambda function, compiled, arguments: self.compare(function, arguments, compiled, scale=scale))

    def errors(self, text):
        """Each row raises NumPy's error, in its words."""
        def check(function, compiled, arguments):
            with self.assertRaises(Exception):
                function(*arguments)
            self.compare(function, arguments, compiled)

        self.each(text, check)

    def compare_identity(self, expected, got):
        """A view that is all of an argument (`a.T` of one axis) is the argument itself when it is compiled, in NumPy another object."""
        super().compare_identity(expected, [k if wanted is not None else None for wanted, k in zip(expected, got)])

    def compare_errors(self, expected, got):
        """What is known at compile time is a CompileError that says what NumPy says."""
        if expected is not None and isinstance(got, npcc.CompileError):
            self.assertIn(str(expected), str(got))
        elif isinstance(expected, np._core._exceptions.UFuncTypeError):  # a class of NumPy's own
            self.assertIsInstance(got, TypeError)
            self.assertEqual(str(expected), str(got))
        else:
            super().compare_errors(expected, got)
