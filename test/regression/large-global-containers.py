# RUN: %python %s
"""Looking something up in a dict, list or set of the module compared it with item after item in code of its own: some thousand items took minutes, or
ended the process."""
import numpy as np

import npcc

SQUARES = {k: k * k for k in range(1000)}
HALVES = {k / 2: k for k in range(100)}
WORDS = {f"w{k}": k for k in range(200)}
PRIMES = [k for k in range(2, 600) if all(k % j for j in range(2, k))]
SET_OF_PRIMES = set(PRIMES)
NAMES = [f"n{k}" for k in range(100)]
SOMETIMES = {k: ("a" if k % 2 else None) for k in range(50)}


def of_numbers(x):
    return [SQUARES[int(k)] for k in x], int(x[0]) in SQUARES, int(x[0]) + 5000 in SQUARES, [HALVES[float(k)] for k in x]


def among(x):
    return [int(k) in PRIMES for k in x], [int(k) in SET_OF_PRIMES for k in x]


def of_words(words):
    return [WORDS[k] for k in words if k in WORDS], [k in WORDS for k in words], [k in NAMES for k in words]


def values_of_several_types(x):
    return [SOMETIMES[int(k)] for k in x]


def missing(x):
    return SQUARES[int(x[0]) + 9000]


x = np.array([3, 17, 4])
for function, argument in (of_numbers, x), (among, x), (of_words, ["w3", "n4", "w7"]), (values_of_several_types, x):
    result, expected = npcc.jit(function, target="cpu", cache=False)(argument), function(argument)
    assert repr(result) == repr(expected), (function.__name__, result, expected)

try:
    npcc.jit(missing, target="cpu", cache=False)(x)
except KeyError as error:
    assert error.args == (9003,), error.args
else:
    raise AssertionError("no KeyError")
