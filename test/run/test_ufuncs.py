"""Every elementwise function over the dtypes that NumPy takes it for: value, dtype, shape; contiguous, strided, empty and 0-d."""
import sys
import unittest
import warnings

import numpy as np

import executed
import lines
import npcc
from harness import TARGET
from rows import ARGUMENTS, Rows

UNARY = [np.abs, np.absolute, np.acos, np.acosh, np.arccos, np.arccosh, np.arcsin, np.arcsinh, np.arctan, np.arctanh, np.asin, np.asinh, np.atan,
         np.atanh, np.cbrt, np.ceil, np.conj, np.conjugate, np.cos, np.cosh, np.exp, np.exp2, np.expm1, np.fabs, np.floor, np.invert,
         np.bitwise_not, np.bitwise_invert, np.isfinite, np.isinf, np.isnan, np.log, np.log10, np.log1p, np.log2, np.logical_not, np.negative, np.positive,
         np.reciprocal, np.rint, np.sign, np.signbit, np.sin, np.sinh, np.sqrt, np.square, np.tan, np.tanh, np.trunc]
BINARY = [np.add, np.arctan2, np.atan2, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.copysign, np.divide, np.equal,
          np.float_power, np.floor_divide, np.fmax,
          np.fmin, np.fmod, np.greater, np.greater_equal, np.heaviside, np.hypot, np.left_shift, np.bitwise_left_shift, np.less, np.less_equal,
          np.logical_and, np.logical_or, np.logical_xor, np.maximum, np.minimum, np.mod, np.multiply, np.not_equal, np.power, np.pow, np.remainder,
          np.right_shift, np.bitwise_right_shift, np.subtract, np.true_divide]
REDUCTIONS = [np.sum, np.prod, np.max, np.min, np.amax, np.amin, np.any, np.all, np.argmax, np.argmin, np.count_nonzero, np.mean, np.cumsum, np.cumprod]
DTYPES = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
# Relative, by the precision of the result; the functions' own errors are in docs/accuracy.md.
TOLERANCE = {2: 2e-3, 4: 2e-6, 8: 4e-14}


def operands(dtype, seed):
    """Small numbers of both signs and zero; exponents and shifts stay in range."""
    random = np.random.default_rng(seed)
    values = random.integers(0 if dtype in "?u2u8" else -3, 6, (4, 6))
    if np.dtype(dtype).kind in "fc":
        values = values + random.random((4, 6))
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.random((4, 6))
    return values.astype(dtype)


GROUP = 8  # functions that are compiled as one: much of a compilation is the same for one and for many


class Ufuncs(unittest.TestCase):
    def each(self, place, functions, arity, layouts):
        functions = list(dict.fromkeys(functions))  # two names of one function are one test
        for dtype in DTYPES:
            arguments = [operands(dtype, seed) for seed in range(arity)]
            taken = [f for f in functions if not error_of(f, arguments)]
            groups = [taken[k:k + GROUP] for k in range(0, len(taken), GROUP)] + [[f] for f in functions if f not in taken]
            self.groups(f"{place} functions of {dtype}", groups, arguments, layouts)

    accumulates = False

    def groups(self, place, groups, arguments, layouts):
        parameters = ", ".join("ab"[:len(arguments)])
        rows = [(parameters, ", ".join(f"np.{f.__name__}({parameters})" for f in group)) for group in groups]
        for group, (_, body), function in zip(groups, rows, lines.functions(place, rows)):
            compiled = npcc.jit(function, target=TARGET)
            for layout in layouts:
                with self.subTest(body, layout=layout.__name__, of=place):
                    given = [layout(a) for a in arguments]
                    error = error_of(compiled, given)
                    if isinstance(error, npcc.CompileError) and len(group) > 1:  # of one of them: which?
                        self.groups(f"{place}, {body}", [[f] for f in group], arguments, layouts)
                        break
                    self.compare(function, compiled, given, error)

    def compare(self, function, compiled, arguments, error):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                expected = function(*arguments)
            except (TypeError, ValueError) as wanted:
                # NumPy's own classes for what a ufunc does not take are private, and derived from TypeError.
                kind = next(c for c in type(wanted).__mro__ if not c.__module__.startswith("numpy._core"))
                self.assertIsInstance(error, (kind, npcc.CompileError))
                return
            if isinstance(error, npcc.CompileError):
                self.assertIn("complex", str(error))  # refused, in so many words
                return
            results = compiled(*arguments)
        for want, got in zip(expected, results, strict=True) if isinstance(expected, tuple) else [(expected, results)]:
            self.compare_values(np.asarray(want), np.asarray(got))
        executed.note(__file__, function)

    def compare_values(self, expected, given):
        self.assertEqual((expected.dtype, expected.shape), (given.dtype, given.shape))
        if expected.dtype.kind in "fc":
            part = expected.real.dtype.itemsize
            largest = np.abs(expected[np.isfinite(expected)]).max(initial=1) if self.accumulates else 1
            with np.errstate(all="ignore"):
                np.testing.assert_allclose(given, expected, rtol=TOLERANCE[part], atol=TOLERANCE[part] * float(largest))
        else:
            np.testing.assert_array_equal(given, expected)

    def test_unary(self):
        self.each("unary", UNARY, 1, [contiguous, strided])

    def test_binary(self):
        self.each("binary", BINARY, 2, [contiguous, strided])

    def test_reductions(self):
        self.accumulates = True  # what is rounded is as large as the largest total
        self.each("reducing", REDUCTIONS, 1, [contiguous, strided])


def error_of(function, arguments):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            function(*arguments)
        except (TypeError, ValueError, npcc.CompileError) as error:
            return error
    return None


def keywords(functions, operands, types):
    """A row for each function: out=, where= with out=, and dtype=, of the first operands that NumPy takes."""
    for function in dict.fromkeys(functions):
        for names in operands:
            try:
                with np.errstate(all="ignore"):
                    result = function(*(ARGUMENTS[n] for n in names.split()))
            except TypeError:
                continue
            call = f"np.{function.__name__}({', '.join('ab'[:len(names.split())])}"
            yield f"{names} | {call}, out=np.zeros_like({call}))), {call}, where=a > 1, out=np.ones_like({call}))), {call}, dtype='{types[result.dtype.kind]}')"
            break


class Keywords(Rows):
    def test_unary(self):
        self.results("\n".join(keywords(UNARY, ["A", "I"], {"b": "?", "f": "f4", "i": "i4"})))

    def test_binary(self):
        self.results("\n".join(keywords(BINARY, ["A B", "I I"], {"b": "?", "f": "f4", "i": "i4"})))


def contiguous(a):
    return a


def strided(a):
    return a[::-1, ::2]


if __name__ == "__main__":
    sys.exit(unittest.main())
