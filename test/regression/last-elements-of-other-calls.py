# RUN: %python %s
"""Code that takes for granted that an index counts from the end serves calls in which it does."""
import numpy as np

import npcc


def ends(x, k):
    y = x.copy()
    for _ in range(3):
        y[0] = x[-1] + y[-2]
        y[-1] = y[k]
    return y


compiled = npcc.jit(ends)
for size, k in ((9, -1), (9, 3), (9, -9), (2, 1), (2, -2), (7, 0)):
    x = np.arange(float(size))
    assert compiled(x, k).tolist() == ends(x, k).tolist(), (size, k)
for size, k in ((0, 0), (1, 0), (9, 9), (9, -10), (1, -1)):
    messages = []
    for function in (ends, compiled):
        try:
            function(np.arange(float(size)), k)
        except IndexError as error:
            messages.append(str(error))
    assert len(messages) == 2 and messages[0] == messages[1], messages
