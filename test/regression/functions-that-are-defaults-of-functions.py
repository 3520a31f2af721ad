# RUN: %python %s
"""A function that is a default of another one of the same code was taken for the one that calls it: it called itself for ever."""
import npcc


@npcc.jit(target="cpu")
def defaults(x):
    f = lambda v: v + 0.5
    for k in (1, 2, 3):
        g = f
        f = lambda v, g=g, k=k: g(v) * 10 + k
    return f(x)


@npcc.jit(target="cpu")
def of_keywords(x):
    def first(v):
        return v - 0.25
    for k in (0, 1, 2):
        def step(v, *, then=first, k=k):
            return then(v * 2 + k)
        first = step
    return first(x)


for function in (defaults, of_keywords):
    assert function(1.25) == function.py_func(1.25), (function(1.25), function.py_func(1.25))
