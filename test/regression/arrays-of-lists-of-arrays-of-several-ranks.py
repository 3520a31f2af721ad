# RUN: %python %s
"""numpy.array() of a list that may hold arrays of several dtypes and numbers of axes: those that are there decide."""
import numpy as np

import npcc


def put_together(kinds):
    items = []
    for kind in kinds:
        if kind == 0:
            items.append(np.ones(2))
        elif kind == 1:
            items.append(np.ones((2, 2)))
        else:
            items.append(np.arange(2))
    return np.array(items)


def largest(kinds):
    items = [np.ones((2, 2))]
    for kind in kinds:
        items.append(np.arange(4).reshape(2, 2) if kind else np.zeros((2, 2)))
    return np.max(items, axis=0), np.array(items[1:], dtype=np.float32)


def outcome(function, kinds):
    try:
        return function(np.array(kinds))
    except ValueError as error:
        return str(error).split(" shape")[0]


compiled = npcc.jit(put_together)
for kinds in ([0, 0], [1], [2, 2, 2], [0, 2], [2, 0], [0, 1], [1, 2]):
    want, got = outcome(put_together, kinds), outcome(compiled, kinds)
    assert type(want) is type(got), (kinds, want, got)
    if isinstance(want, str):
        assert want == got
    else:
        assert want.dtype == got.dtype and want.shape == got.shape and np.array_equal(want, got), (kinds, want, got)

compiled = npcc.jit(largest)
for kinds in ([0, 1], [1, 1], [0]):
    for want, got in zip(largest(np.array(kinds)), compiled(np.array(kinds))):
        assert want.dtype == got.dtype and want.shape == got.shape and np.array_equal(want, got), (kinds, want, got)
