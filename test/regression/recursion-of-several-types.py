# RUN: %python %s
"""An int that a function gave that calls itself, and may give None and floats too, came out as a float."""
import npcc


def of_numbers(n):
    if n == 0:
        return None
    if n == 1:
        return 1
    if n == 2:
        return 2.5
    return of_numbers(n - 3)


def of_strings(n):
    if n == 0:
        return "s"
    if n == 1:
        return 2.5
    if n == 2:
        return 2
    found = of_strings(n - 3)
    return found


def of_tuples(n):
    if n == 0:
        return None, 1
    if n == 1:
        return 1, 2.5
    if n == 2:
        return 2.5, 3
    return of_tuples(n - 3)


def in_a_list(n):
    found = of_numbers(n)
    return [found, type(found).__name__]


for function in (of_numbers, of_strings, of_tuples, in_a_list):
    compiled = npcc.jit(function, target="cpu")
    for n in range(9):
        assert repr(compiled(n)) == repr(function(n)), (function, n)
