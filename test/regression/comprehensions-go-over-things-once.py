# RUN: %python %s
"""A comprehension whose items are objects, strings or tuples evaluated twice what it goes over: numbers were drawn twice."""
import numpy as np

import npcc


class Runner:
    def __init__(self, number):
        self.number, self.time = number, float(number % 4)


def chosen(count, generator, calls):
    def numbers(n):
        calls.append(n)
        return range(n)

    runners = [Runner(k) for k in range(count)]
    first = [runners[k] for k in generator.integers(0, count, 3)]
    names = [str(k) for k in numbers(count)]
    pairs = [(k, None)[k % 2] for k in numbers(count)]
    return min(first, key=lambda runner: runner.time).number, [runner.number for runner in first], names, pairs, generator.random()


for target in ("cpu", "debug"):
    calls, expected = [], []
    got = npcc.jit(target=target)(chosen)(6, np.random.default_rng(5), calls)
    assert got == chosen(6, np.random.default_rng(5), expected) and calls == expected, (got, calls)


def numbers(n, calls):
    calls.append(n)
    return range(n)


def counted(n):
    calls = []
    return [k * 2 for k in numbers(n, calls)], {k: k for k in numbers(n, calls)}, {k for k in numbers(n, calls)}, [str(k) for k in numbers(n, calls)], calls


for target in ("cpu", "debug"):
    assert npcc.jit(target=target)(counted)(4) == counted(4)
