# RUN: %python %s
"""f(**mapping) where the mapping is one of several dicts, or one whose keys are known at run time only: the function's parameters and the format's names
say what is taken of it, and what Python raises where they do not fit is raised."""
import npcc

BODIES = {"inner": dict(a=1, e=0.5), "outer": dict(a=3, e=0.25)}


def product(a, e, scale=1.0):
    return a * e * scale


def one_of_several(n):
    total = 0.0
    for name in sorted(BODIES, key=lambda key: -BODIES[key]["a"]):
        total += product(**BODIES[name]) * n
    return total


def rows(n):
    found = []
    for k in range(n):
        found.append({"a": k, "e": 0.5 * k})
    return [product(**row) for row in found], [product(scale=2, **row) for row in found], ["{a} {e:.2f}".format(**row) for row in found]


class Body:
    def __init__(self, a, e=0.125):
        self.a, self.e = a, e


def objects(n, key):
    found = []
    for k in range(n):
        found.append({"a": k, key: k + 1})
    return [(body.a, body.e) for body in [Body(**row) for row in found]]


def missing(n, key):
    found = []
    for k in range(n):
        found.append({key: k})
    return product(**found[0])


def unknown(n, key):
    found = []
    for k in range(n):
        found.append({"a": k, "e": 1, key: k})
    return product(**found[0])


def twice(n, key):
    found = []
    for k in range(n):
        found.append({"a": k, key: k})
    return product(2, **found[0])


def twice_by_name(n, key):
    return product(a=n, **{"a": 2, "e": 3})


def unknown_name(n, key):
    found = []
    for k in range(n):
        found.append({"a": k, key: k})
    return "{a} {b}".format(**found[0])


def outcome(function, *args):
    try:
        return repr(function(*args))
    except Exception as error:
        return type(error).__name__, str(error)


CALLS = ((one_of_several, 2), (rows, 3), (objects, 3, "e"), (missing, 2, "e"), (unknown, 2, "z"), (twice, 2, "e"), (twice_by_name, 2, "e"),
         (unknown_name, 2, "e"))
for function, *args in CALLS:
    want, got = outcome(function, *args), outcome(npcc.jit(function), *args)
    assert want == got, (function, want, got)
