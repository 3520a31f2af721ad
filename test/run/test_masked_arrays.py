"""Arrays of numpy.ma in compiled functions: made there, given and returned, in arithmetic and reductions; what is masked throughout is left to Python."""
import unittest

import numpy as np

import npcc
from harness import TARGET

NUMBERS = np.arange(6.0).reshape(2, 3) - 1
ARRAYS = [np.arange(4.0), NUMBERS, NUMBERS.T, NUMBERS[:, ::-1], np.zeros((0, 3)), NUMBERS.astype(np.float32), np.arange(6).reshape(3, 2)]


def masked_arrays():
    """Of several dtypes: some elements masked, a whole row, none, and without a mask."""
    for dtype in (np.float64, np.float32, np.int64, np.complex128)[:4 if TARGET == "cpu" else 1]:
        data = np.arange(1, 7).reshape(2, 3).astype(dtype)
        yield np.ma.masked_array(data.copy(), mask=data == 2)
        if dtype is np.float64:
            yield np.ma.masked_array(data.copy(), mask=[[True] * 3, [False] * 3])
            yield np.ma.masked_array(data.copy(), mask=data == 0)
            yield np.ma.masked_array(data.copy())
    yield np.ma.masked_array(np.arange(4.0), mask=[0, 1, 0, 1], fill_value=-5)


def by_conditions(a):
    return (np.ma.masked_where(a > 1, a), np.ma.masked_greater(a, 1), np.ma.masked_greater_equal(a, 1), np.ma.masked_less(a, 1),
            np.ma.masked_less_equal(a, 1), np.ma.masked_equal(a, 2), np.ma.masked_not_equal(a, 2), np.ma.masked_inside(a, 2, 1),
            np.ma.masked_outside(a, 1, 2), np.ma.masked_invalid(a / 1.0))


def by_masks(a):
    return (np.ma.masked_array(a), np.ma.masked_array(a, mask=a > 2), np.ma.array(a, mask=True), np.ma.array(a, mask=False, fill_value=3),
            np.ma.MaskedArray(a, a < 1),
            np.ma.masked_array(np.ma.masked_less(a, 0), mask=a > 2), np.ma.array(a, mask=a == 1, dtype=np.float64, copy=True))


def asked(m):
    return (m.mask.sum(), m.data, m.shape, m.ndim, m.size, len(m), m.count(), m.compressed(), m.filled(), m.filled(7), m.fill_value,
            np.ma.getmaskarray(m), np.ma.getdata(m), np.ma.is_masked(m), np.ma.filled(m, 1), np.ma.compressed(m),
            np.ma.count(m), np.ma.count(m, axis=0))


def operators(m):
    return m + 1, 2 - m, m * m, m / 3, 1 / m, -m, abs(m), m**2, m + m.data, (m + m).filled(0), m / (m - 3)


def comparisons(m):
    return m == 2, m != 2, (m == 2).filled(False), (m != 2).any(), (m == m).all()


def order(m):
    return m > 1, (m > 1) & (m < 5), ~(m >= 2), (m <= 2).sum(), m.max(), m.min(), m.argmax(), m.argmin(), m.max(axis=0), m.min(axis=-1), m.ptp(axis=0)


def reductions(m):
    return (m.sum(), m.prod(), m.sum(axis=0), m.prod(axis=-1), m.count(axis=0), m.cumsum(axis=0), m.cumsum(), m.sum(axis=0, keepdims=True),
            m.any(axis=0), m.all())


def means(m):
    return m.mean(), m.var(), m.std(), m.mean(axis=0), m.var(axis=0), m.std(axis=-1), m - m.mean(axis=0), np.ma.mean(m), np.ma.std(m), np.ma.sum(m, axis=0)


def forms(m):
    return m.T, m.ravel(), m.reshape(-1, 1), m.copy(), m.flatten(), m[1:], m[..., 0], m[::-1], m[m.data > 2], m.astype(np.complex64), m.transpose()


def changed(m):
    m[m > 2] = np.ma.masked
    m[0] = 5
    m += 1
    return m.sum(), m.count()


def scaled(m):
    m *= 2
    m -= m
    return m


def functions(m):
    return np.ma.sqrt(m), np.ma.log(m), np.ma.exp(m), np.ma.median(m), np.ma.max(m), np.ma.min(m), np.ma.prod(m), np.ma.var(m)


def medians(m):
    return np.ma.median(m, axis=0), np.ma.median(m, axis=-1)


def numpys(m):
    return (np.mean(m), np.sum(m, axis=0), np.std(m), np.max(m), np.sqrt(m), np.log(m), np.exp(m), np.ravel(m), np.sum(m), np.var(m, axis=0),
            np.cumsum(m, axis=0))


def over_elements(m):
    total = 0.0
    for x in m.compressed():
        total += x
    for k in range(len(m)):
        if not m.mask[k]:
            total += m[k]
    return total


def without_numbers(a):
    """All of it masked: NumPy gives its constant `masked`."""
    m = np.ma.masked_where(a > -10, a)
    return m.sum() is np.ma.masked, m.count()


def element(m):
    return m[1]


class MaskedArraysTest(unittest.TestCase):
    def compare(self, function, *arguments):
        def copied(value):
            return value.copy() if isinstance(value, np.ndarray) else value

        mine, theirs = [copied(a) for a in arguments], [copied(a) for a in arguments]
        with np.errstate(all="ignore"):
            self.same(npcc.jit(function, target=TARGET)(*mine), function(*theirs), function.__name__)
        self.same(mine, theirs, function.__name__)

    def same(self, mine, theirs, where):
        if isinstance(theirs, (tuple, list)):
            self.assertEqual(len(mine), len(theirs), where)
            for number, (x, y) in enumerate(zip(mine, theirs)):
                self.same(x, y, f"{where} {number}")
            return
        self.assertIs(type(mine), type(theirs), (where, mine, theirs))
        if theirs is np.ma.masked:
            self.assertIs(mine, theirs, where)
            return
        if not isinstance(theirs, (np.ndarray, np.generic)):
            self.assertEqual(mine, theirs, where)
            return
        self.assertEqual((mine.dtype, mine.shape), (theirs.dtype, theirs.shape), where)
        if isinstance(theirs, np.ma.MaskedArray):
            self.assertEqual(mine.mask is np.ma.nomask, theirs.mask is np.ma.nomask, (where, mine, theirs))
            np.testing.assert_array_equal(np.ma.getmaskarray(mine), np.ma.getmaskarray(theirs), where)
            self.assertEqual(mine.fill_value, theirs.fill_value, where)
            mine, theirs = mine.compressed(), theirs.compressed()
        np.testing.assert_allclose(mine, theirs, rtol=1e-5 if theirs.dtype.itemsize == 4 else 1e-12, err_msg=where)

    def test_arrays(self):
        for function in (by_conditions, by_masks):
            for a in ARRAYS:
                self.compare(function, a)

    def test_masked(self):
        for function in (asked, operators, comparisons, reductions, means, forms):
            for m in masked_arrays():
                self.compare(function, m)

    def test_order(self):
        for function in (order, functions, numpys, changed, scaled):
            for m in masked_arrays():
                if m.dtype.kind != "c" and (function not in (functions, numpys) or m.dtype == np.float64):
                    self.compare(function, m)

    def test_medians(self):
        some, numbers = NUMBERS > 1, NUMBERS.astype(int)
        for m in (np.ma.masked_array(NUMBERS, mask=some), np.ma.masked_array(numbers, mask=some), np.ma.masked_invalid(np.where(some, np.nan, NUMBERS))):
            self.compare(medians, m)
        self.compare(medians, np.ma.masked_array(np.where(NUMBERS == 0, np.nan, NUMBERS), mask=some))

    def test_elements(self):
        m = np.ma.masked_array(np.arange(4.0), mask=[0, 1, 0, 1])
        self.compare(over_elements, m)
        self.compare(element, np.ma.masked_array(np.arange(4.0), mask=[1, 0, 0, 1]))
        if TARGET == "cpu":  # left to Python
            self.compare(element, m)
            self.compare(without_numbers, NUMBERS)

    def test_left_to_python(self):
        for function in (lambda a: np.histogram(np.ma.masked_less(a, 1)), lambda a: np.histogram(np.ma.masked_less(a, 1))[0] + a.sum()):
            for own, numpys in zip(npcc.jit(function, target=TARGET)(np.arange(4.0)), function(np.arange(4.0))):
                np.testing.assert_array_equal(own, numpys)

    def test_errors(self):
        for function, words in ((lambda a: np.ma.masked_where(a[:2] > 1, a), "Inconsistent shape between the condition and the input (got (2,) and (4,))"),
                                (lambda a: np.ma.masked_array(a, mask=[True, False]), "Mask and data not compatible: data size is 4, mask size is 2.")):
            with self.assertRaises((ValueError, IndexError)) as caught:
                npcc.jit(function, target=TARGET)(np.arange(4.0))
            self.assertIn(words, str(caught.exception))
        with self.assertRaisesRegex(npcc.CompileError, "a masked array cannot be printed from compiled code"):
            npcc.jit(lambda a: str(np.ma.masked_less(a, 1)), target=TARGET)(np.arange(4.0))


if __name__ == "__main__":
    unittest.main()
