# RUN: %python %s
# explain() of a call with a list of arrays of several shapes, or an empty list, was a TypeError, though the call itself compiles.
import numpy as np

import npcc


@npcc.jit
def total(arrays, scale=2.0):
    return sum(a.sum() for a in arrays) * scale


@npcc.jit
def grown(items, n):
    for k in range(n):
        items.append(k)
    return len(items)


arrays = [np.ones(3), np.ones((2, 2))]
text = str(total.explain(arrays))  # before the first call, too
assert "reduction of 3" in text and "reduction of 4" in text, text
assert total(arrays) == 14.0
assert str(total.explain(arrays)) == text
assert "grown" in str(grown.explain([1], 2)) and grown([1], 2) == 3
