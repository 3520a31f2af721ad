# RUN: %python %s
"""functools.lru_cache of global functions that call themselves: what they gave is kept, so that few calls are made."""
import functools

import npcc


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.cache
def ways(n, k):
    if n == 0:
        return 1
    if n < 0 or k == 0:
        return 0
    return ways(n - k, k) + ways(n, k - 1)


def helper(n):
    return fibonacci(n) + 1


def all_of_them(n):
    return [fibonacci(k) for k in range(n)], helper(n), ways(n, n)


assert npcc.jit(all_of_them, target="cpu")(80) == all_of_them(80)
