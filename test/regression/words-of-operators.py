# RUN: %python %s
"""Operands that do not go together, and keys that are missing: the error's class and words are Python's, and the key is the one asked for, of its type."""
import npcc


def bits(x):
    return x & (x - 1)


def of_range(x):
    return range(x)[0]


def joined(x):
    return "a" + x


def joined_list(x):
    return [1] + x


def less_a_list(x):
    return x - [1]


def shifted(x):
    return x << 2


def counted(x):
    for _ in range(1, x):
        pass
    return x


def unpacked(x):
    a, b = x
    return a + b


def length(x):
    return len(x)


def number_missing(n):
    squares = {}
    for k in range(n):
        squares[k * 2] = k
    return squares[7]


def word_missing(n):
    words = {}
    for k in range(n):
        words[str(k)] = 1
    return words["zz"]


def pair_missing(n):
    pairs = {}
    for k in range(n):
        pairs[(k, k + 1)] = k
    return pairs[(9, 9)]


def given_missing(n):
    raise KeyError(n)


def text_of_key(n):
    squares = {}
    for k in range(n):
        squares[k * 2] = k
    try:
        return str(squares[7])
    except KeyError as error:
        return str(error)


def outcome(function, argument):
    try:
        return function(argument)
    except Exception as error:
        return type(error), error.args


for function, argument in (
    (bits, 1.2), (of_range, 2.5), (joined, 1), (joined_list, 2), (joined_list, (1,)), (less_a_list, 3), (shifted, 2.0), (counted, 2.5), (length, 3),
    (unpacked, 3), (unpacked, 2.5), (number_missing, 3), (word_missing, 3), (pair_missing, 3), (given_missing, 5), (text_of_key, 3),
):  # fmt: skip
    result, expected = outcome(npcc.jit(function, target="cpu", cache=False), argument), outcome(function, argument)
    assert repr(result) == repr(expected), (function.__name__, argument, result, expected)
