# RUN: %python %s
"""Whether a dict has a key, or an object an attribute, that a loop's body adds was answered as before the loop: get(), in, setdefault(), pop(), len(),
hasattr() and attributes of the class gave the same in every iteration."""
import numpy as np

import npcc


def jit(function):
    return npcc.jit(target="cpu")(function)


class Momentum:
    steps = 0

    def __init__(self, beta):
        self.beta = beta
        self.v = {}

    def update(self, params, grads):
        self.steps += 1
        for k in params:
            self.v[k] = self.beta * self.v.get(k, 0.0) - 0.5 * grads[k]
            params[k] = params[k] + self.v[k]


@jit
def trained(n):
    momentum = Momentum(0.9)
    params = {"w": np.zeros(2), "b": np.zeros(1)}
    for _ in range(n):
        momentum.update(params, {"w": np.ones(2), "b": np.ones(1)})
    return params["w"], params["b"], momentum.steps


for n in (0, 1, 4):
    w, b, steps = trained(n)
    same_w, same_b, same_steps = trained.py_func(n)
    assert np.allclose(w, same_w) and np.allclose(b, same_b) and steps == same_steps


@jit
def asked(n):
    seen, kept, counted = {}, {}, {}
    new = 0
    for i in range(n):
        if "a" not in seen:
            seen["a"] = i
            new += 1
        kept.setdefault("a", i)
        counted["n"] = counted.get("n", 0) + 1
    return seen, kept, counted, new


@jit
def changed(n):
    removed, lengths = {}, []
    d = {}
    for i in range(n):
        removed["b"] = removed.pop("b", 10) + 1
        lengths.append(len(d))
        d["x"] = i
        for key in d:
            lengths.append(d[key])
    return removed, lengths, d


@jit
def on_one_path(n):
    d = {"x": 1}
    if n > 2:
        d["y"] = 2
    return d, "y" in d, d.get("y", 9), len(d)


class Cache:
    pass


@jit
def cached(n):
    cache, made = Cache(), 0
    for i in range(n):
        if not hasattr(cache, "value"):
            cache.value = i + 10
            made += 1
        made += getattr(cache, "other", 0)
        cache.other = 100
    return made


for function in (asked, changed, on_one_path, cached):
    for n in (1, 2, 5):
        assert function(n) == function.py_func(n), (function, n)
