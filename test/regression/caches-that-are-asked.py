# RUN: %python %s
"""cache_info() of a function under functools.lru_cache gave what the cache had counted when the function was compiled, and cache_clear() was refused: calls in
compiled code did not go through that cache. Now they do where the code asks."""
import functools

import npcc


@functools.lru_cache(maxsize=None)
def ways(n, k):
    if k == 0 or k == n:
        return 1
    return ways(n - 1, k - 1) + ways(n - 1, k)


@functools.cache
def square(n):
    return n * n


def recursive(n):
    ways.cache_clear()
    found = ways(n, n // 2)
    info = ways.cache_info()
    return found, info.hits, info.misses, info.currsize


def plain(n):
    square.cache_clear()
    total = 0
    for k in range(n):
        total += square(k % 3)
    return total, square.cache_info()


for function in (recursive, plain):
    compiled = npcc.jit(function, target="cpu")
    for n in (6, 9):
        assert compiled(n) == function(n), (function.__name__, compiled(n), function(n))
