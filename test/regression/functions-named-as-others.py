# RUN: %python %s
"""A decorator with functools.wraps on a function that the compiled function defines was refused."""
import functools

import npcc


def remembered(f):
    known = {}

    @functools.wraps(f)
    def inner(n):
        if n not in known:
            known[n] = f(n)
        return known[n]

    return inner


@npcc.jit(target="cpu")
def fibonacci(n):
    @remembered
    def numbers(k):
        return k if k < 2 else numbers(k - 1) + numbers(k - 2)

    return numbers(n), numbers.__name__


assert fibonacci(30) == fibonacci.py_func(30) == (832040, "numbers")
fibonacci.inspect("np", "int")  # raises what is refused: no part of it is left to Python
