# RUN: %python %s
"""The operators of sets took whatever gives items, as the methods do; Python's take sets alone, and raise a TypeError beside other things."""
import npcc

calls = [lambda n: {n, 1} | [2], lambda n: [1, 2] - {n}, lambda n: (1, n) & {n}, lambda n: {n} <= [n], lambda n: {n} < (n, 2), lambda n: {n} ^ "a",
         lambda n: {n, 2} - {2}, lambda n: {n} | frozenset([3]), lambda n: {n, 5} & {5: 1}.keys(), lambda n: {n} <= {n, 2}, lambda n: {n} == [n]]


def in_place(n):
    s = {n}
    s |= {2}
    s -= frozenset([n])
    s ^= {7}
    s &= {7, 2}
    return s


def in_place_beside_a_list(n):
    s = {n}
    s |= [2]
    return s


def outcome(function, n):
    try:
        return function(n)
    except TypeError as error:
        return str(error)


for k, function in enumerate([*calls, in_place, in_place_beside_a_list]):
    got, expected = outcome(npcc.jit(function, target="cpu"), 1), outcome(function, 1)
    assert got == expected and type(got) is type(expected), (k, got, expected)
