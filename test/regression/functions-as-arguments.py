# RUN: %python %s
"""A function that is an argument was compiled once for what it is: code did not see that what its closure or its globals hold had changed, and a lambda
that Python makes anew for each call was compiled, or looked for, each time. Partial calls were no functions, and methods were run by Python."""
import functools
import operator

import numpy as np

import npcc

factor = [1.0]


@npcc.jit(target="cpu")
def apply(f, x):
    return f(x) + 1


@npcc.jit(target="cpu")
def until(get, put, n):
    for k in range(n):
        put(get() + k)
    return get()


@npcc.jit(target="cpu")
def through(functions, x, callback=None):
    for k, f in enumerate(functions):
        x = f(x)
        if callback is not None:
            callback(k, x)
    return x


def account(value):
    """Functions that share what they change."""
    log = []

    def get():
        return value

    def put(amount):
        nonlocal value
        value = amount
        log.append(amount)

    return get, put, log


def power(base):
    def of(n):
        return 1 if n <= 0 else base * of(n - 1)
    return of


class Scale:
    def __init__(self, by):
        self.by = by
        self.calls = 0

    def of(self, x):
        self.calls += 1
        return self.by * x


def check_closures():
    for value in (1, 5, 2.5):
        get, put, log = account(value)
        expected = value + 0 + 1 + 2 + 3
        assert until(get, put, 4) == get() == expected and log[-1] == expected and len(log) == 4, log
    assert apply(power(2), 5) == 33 and apply(power(3), 3) == 28
    made = [lambda x, k=k: x + k for k in (1, 2)]
    assert [apply(f, 1) for f in made] == [3, 4]


def check_globals():
    times = lambda x: x * factor[0]
    for value in (2.0, 3.0):
        factor[0] = value
        assert apply(times, 1.0) == value + 1


def check_methods_and_partial_calls():
    one, other = Scale(2), Scale(5)
    assert (apply(one.of, 3), apply(other.of, 3), one.calls, other.calls) == (7, 16, 1, 1)
    one.by = 7
    assert apply(one.of, 3) == 22 and one.calls == 2
    for k in (2, 3):
        assert apply(functools.partial(operator.mul, k), 5) == 5 * k + 1
        assert apply(functools.partial(lambda x, y=1, z=0: x - y - z, y=k), 5) == 6 - k
    steps = (operator.neg, functools.partial(max, 3), lambda x: x - one.by)
    seen = []
    assert through(steps, 1, lambda k, x: seen.append((k, x))) == -4 and seen == [(0, -1), (1, 3), (2, -4)]


@npcc.jit(target="cpu")
def made_inside(x, k):
    double = functools.partial(operator.mul, 2)
    for f in [functools.partial(np.add, 1.0), functools.partial(np.multiply, k), double]:
        x = f(x)
    return x, functools.partial(int, base=2)("101"), double.args


def check_that_code_is_kept():
    x = np.ones(2)
    before = None
    for k in range(5):
        offset, log = k + 0.5, []
        assert apply(lambda y: y * 2, x).tolist() == [3, 3]
        assert apply(lambda y: y * offset, x)[0] == offset + 1
        assert through((lambda y: y + offset,), 1.0, lambda i, y: log.append(y)) == 1 + offset == log[0]
        imports = npcc.counters()["imports"]
        assert before in (None, imports), "code for another lambda of the same place was not used"
        before = imports


check_closures()
check_globals()
check_methods_and_partial_calls()
result, five, arguments = made_inside(np.ones(2), 3.0)
assert result.tolist() == [12, 12] and five == 5 and arguments == (2,)
check_that_code_is_kept()
f, g = lambda x: x, power(2)
assert npcc.jit(lambda h: h, target="cpu")(f) is f and npcc.jit(lambda h: h, target="cpu")(g) is g
