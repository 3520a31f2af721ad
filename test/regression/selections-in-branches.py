# RUN: %python %s
"""What a mask selects was an array wherever a name was read in a branch, its spread was asked for, or a part of each row was changed in place."""
import numpy as np

import npcc


def spread(x, labels, n):
    out = np.full(n, -1.0)
    for k in range(n):
        group = x[labels == k]
        if len(group) > 1:
            out[k] = group.std(ddof=1) / np.sqrt(len(group))
    return out


def centred(x, labels, n):
    y = x.copy()
    for k in range(n):
        chosen = labels == k
        y[chosen] -= x[chosen].mean(axis=0)
    return y


def largest_rows(x, chosen):
    return (x[chosen] ** 2).sum(axis=1).max()


def replaced(x, chosen, values):
    x[chosen] = values
    return x


def sorted_too(x, chosen):
    group = x[chosen]
    return np.sort(group), group.sum() if group.size else 0.0


def compared(function, *arguments):
    expected = function(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    got = npcc.jit(function, target="cpu", cache=False)(*(a.copy() if isinstance(a, np.ndarray) else a for a in arguments))
    for one, other in zip(got if isinstance(got, tuple) else (got,), expected if isinstance(expected, tuple) else (expected,)):
        np.testing.assert_allclose(one, other, rtol=1e-12)
        assert np.shape(one) == np.shape(other)


rng = np.random.default_rng(5)
x, rows, labels = rng.random(300), rng.random((300, 4)), rng.integers(0, 7, 300)
compared(spread, x, labels, 9)
compared(centred, rows, labels, 7)
compared(largest_rows, rows, labels == 3)
compared(replaced, x, labels == 3, np.arange(float((labels == 3).sum())))
compared(replaced, rows, labels == 3, rng.random(((labels == 3).sum(), 4)))
compared(replaced, rows, rows > 0.5, rng.random((rows > 0.5).sum()))
compared(replaced, rows, labels == 8, np.empty((0, 4)))
compared(replaced, rows, labels == 3, np.empty((1, 4)))
compared(sorted_too, x, labels == 3)
compared(sorted_too, x, labels == 8)
for function, arguments in (spread, (x, labels, 9)), (centred, (rows, labels, 7)), (largest_rows, (rows, labels == 3)):
    assert "np.scatter" not in npcc.jit(function, target="cpu").inspect("np", arguments=arguments), function
try:
    npcc.jit(replaced, target="cpu")(rows.copy(), labels == 3, rng.random((2, 4)))
except ValueError as error:
    assert str(error).startswith("shape mismatch: value array of shape (2,4) could not be broadcast to indexing result of shape"), error
else:
    raise AssertionError("two rows cannot come to all that are chosen")
