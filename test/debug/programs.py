# RUN: %python %s
"""target="debug" from Python: the values are the same, and each error names the line of the program."""
import traceback

import numpy as np

import npcc


def debug(function, **options):
    return npcc.jit(function, target="debug", cache=False, **options)


def line_of(function, text):
    import inspect
    lines, first = inspect.getsourcelines(function)
    return first + next(k for k, line in enumerate(lines) if text in line)


def raises(kind, words, line, function, *args):
    try:
        function(*args)
    except kind as error:
        assert str(error) == words, str(error)
        place = traceback.extract_tb(error.__traceback__)[-1]
        assert (place.lineno, place.name) == (line, "compiled code"), (line, place)
    else:
        raise AssertionError("no error")


def heat(u, steps):
    for _ in range(steps):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u = new
    return u, u.sum(), np.cumsum(u, 1), u @ u.T, np.sort(u, axis=None)


u = np.random.default_rng(1).random((7, 9))
for got, want in zip(debug(heat)(u, 3), heat(u, 3)):
    np.testing.assert_allclose(got, want, rtol=1e-12)


# Sums of many numbers are as near to the exact one as NumPy's, and what is special among them shows.
tenths = np.full(100003, 0.1)
assert abs(debug(lambda a: a.sum())(tenths) - 10000.3) < 2e-9
assert np.signbit(debug(lambda a: a.sum())(np.full(3, -0.0))) == np.signbit(np.full(3, -0.0).sum())
assert debug(lambda a: a.sum())(np.array([np.inf] * 40 + [1.0])) == np.inf


def partly(n):
    a = np.empty(n)
    for k in range(1, n):
        a[k] = k
    b = a * 2.0  # a[0] is what the memory had
    return b


raises(RuntimeError, "an element is read that was never written", line_of(partly, "b = a"), debug(partly), 5)


def product(n):
    a = np.empty((n, n))
    a[1:] = 1.0
    return a @ a


raises(RuntimeError, "an element is read that was never written", line_of(product, "a @ a"), debug(product), 3)


def borders(u):
    out = np.empty(u.shape[0])  # becomes a value of the compiler's: there is no memory to be looked at
    out[1:-1] = u[1:-1] * 2.0
    flags = np.empty(u.shape[0], np.bool_)
    flags[1:-1] = True
    inner = (out * 3.0)[1:-1]
    return out, flags, inner


def borders_read(u):
    out = np.empty(u.shape[0])
    out[1:-1] = u[1:-1] * 2.0
    total = out.sum()
    return total


def borders_copied(u):
    out = np.empty(u.shape[0])
    out[1:-1] = u[1:-1] * 2.0
    a = np.zeros(4)
    for k in range(2):
        a[k] = out[k]
    b = a + 1.0
    return out, b


def all_of_it(n, k):
    a = np.empty(n)
    b = a * 2.0 + k
    c = b + 1.0
    return c.sum()


def nowhere(a):
    a[[]] //= 2  # positions of float64, as NumPy has an empty list, are cast
    return a


def grown(u):
    a = np.empty(u.shape[0])
    a += u
    return a


# Where there are no elements, none is read.
assert debug(all_of_it)(0, 1.0) == 0
assert debug(nowhere)(np.array([[1]])).tolist() == [[1]]
raises(RuntimeError, "an element is read that was never written", line_of(all_of_it, "return"), debug(all_of_it), 4, 1.0)
raises(RuntimeError, "an element is read that was never written", line_of(grown, "a += u"), debug(grown), np.arange(4.0))

# To be left as it is harms nobody, nor does what is never computed.
out, flags, inner = debug(borders)(np.arange(6.0))
assert out[1:-1].tolist() == [2, 4, 6, 8] and flags[1:-1].all() and inner.tolist() == [6, 12, 18, 24]
raises(RuntimeError, "an element is read that was never written", line_of(borders_read, "total ="), debug(borders_read), np.arange(6.0))
raises(RuntimeError, "an element is read that was never written", line_of(borders_copied, "b = a"), debug(borders_copied), np.arange(6.0))


def position(a, p):
    total = 0.0
    for k in range(p.shape[0]):
        total += a[p[k]]
    return total


raises(IndexError, "index 7 is out of bounds for axis 0 with size 4", line_of(position, "a[p[k]]"), debug(position), np.ones(4), np.array([0, 7]))


def invalid(x):
    y = x - 1.0
    z = np.sqrt(y)
    return z * 2.0


checked = debug(invalid, nan=True)
raises(FloatingPointError, "NaN made of operands without one", line_of(invalid, "np.sqrt"), checked, np.array([3.0, 0.5]))
with np.errstate(invalid="ignore"):
    np.testing.assert_array_equal(debug(invalid)(np.array([3.0, 0.5])), invalid(np.array([3.0, 0.5])))
# A NaN that was there before is not made here.
np.testing.assert_array_equal(checked(np.array([np.nan, 5.0])), [np.nan, 4.0])


def guarded(x, out):
    """Neither a NaN nor an element that was never written is on the side that is taken."""
    kept = np.empty_like(x)
    for i in range(len(x)):
        s = x[i].sum()
        out[i] = x[i] / s if s > 0 else x[i]
        out[i] += kept[i] if s > 9 else x[i]
    return out


rows = np.array([[0.0, 0.0], [1.0, 3.0]])
np.testing.assert_array_equal(debug(guarded, nan=True)(rows, np.zeros((2, 2))), guarded(rows, np.zeros((2, 2))))



def drawn(seed):
    generator = np.random.default_rng(seed)
    return generator.normal(size=3) + 1, generator.choice([-1.0, 1.0], size=(2, 5)) * 2, generator.exponential(np.arange(3.0)) / 2


for got, want in zip(debug(drawn)(3), drawn(3)):
    np.testing.assert_array_equal(got, want)

for options in dict(nan=True), dict(target="cpu", nan=True):
    try:
        npcc.jit(heat, **options)
    except ValueError as error:
        assert str(error) == "nan=True is for target='debug'"
    else:
        raise AssertionError("accepted")
