# RUN: %python %s
"""A loop over the keys of a dict of more than 16 keys made a dict with computed keys of it, by code for each of them: 200 keys took 18 seconds to
compile. Where such a dict is needed, numbers are put into it by a loop."""
import time

import numpy as np

import npcc


def by_keys(p):
    total = 0.0
    for key in p:
        total += p[key]
    return total


def of_arrays(p):
    total = 0.0
    for key in sorted(p):
        total = total * 0.5 + p[key].sum()
    return total


def asked(p, names):
    return [p[name] for name in names] + [p.get("none", -1.0)]


def changed(p, name):
    p[name] = p[name] * 2
    p["new" + name] = 1.0
    return len(p)


keys = [f"k{i}" for i in range(200)]
numbers = {key: i * 0.5 for i, key in enumerate(keys)}
began = time.time()
assert npcc.jit(by_keys, target="cpu")(numbers) == by_keys(numbers)
assert npcc.jit(asked, target="cpu")(numbers, ["k7", "k199"]) == asked(numbers, ["k7", "k199"])
mine, other = dict(numbers), dict(numbers)
assert npcc.jit(changed, target="cpu")(mine, "k5") == changed(other, "k5")
assert mine == other and list(mine) == list(other)
arrays = {key: np.arange(3.0) + i for i, key in enumerate(keys[:40])}
assert np.isclose(npcc.jit(of_arrays, target="cpu")(arrays), of_arrays(arrays))
assert time.time() - began < 60
