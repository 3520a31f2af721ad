# RUN: %python %s
"""A list of known numbers that takes an array made the compiler read an axis that its items do not have."""
import numpy as np

import npcc


def optional_key(flag, x):
    found = {"z": 1}
    if flag:
        found["a"] = x
    if "a" not in found:
        found["a"] = 3 * x
    return found


def appended(flag, x):
    items = [1]
    if flag:
        items.append(x)
    return items


def of_several_ranks(flag, x):
    items = [x]
    items.append(2.5)
    if flag:
        items.append(np.ones((2, 2)))
    return items, len(items)


for f in (optional_key, appended, of_several_ranks):
    for flag in (True, False):
        compiled = npcc.jit(target="cpu", fallback=False)(f)
        assert repr(f(flag, np.arange(3.0))) == repr(compiled(flag, np.arange(3.0))), (f.__name__, flag)
