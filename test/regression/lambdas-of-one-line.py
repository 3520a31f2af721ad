# RUN: rm -rf %t.cache && env NPCC_TIERS=0 NPCC_CACHE=1 NPCC_CACHE_DIR=%t.cache %python %s
"""Lambdas that stand on one line with the same parameters could not be told apart; nor could the cache tell them apart."""
import npcc

RATES = [(lambda t: t > 100, 0.1), (lambda t: t > 10 if t else False, 0.05), (lambda t: True, lambda t: 0)]
PAIR = (lambda x: x, lambda x: 2 * x)


@npcc.jit(target="cpu")
def rate(t):
    for test, value in RATES[:2]:
        if test(t):
            return value
    return 0.0


@npcc.jit(target="cpu")
def both(x):
    first, second = PAIR
    return first(x), second(x), [f(x) for f in (lambda y: y + 1, lambda y: y - 1)]


assert [rate(t) for t in (500, 50, 5, 0)] == [0.1, 0.05, 0.0, 0.0]
assert both(3) == (3, 6, [4, 2])
assert npcc.jit(target="cpu")(PAIR[1])(4) == 8
doubled, halved, squared = [npcc.jit(target="cpu")(f) for f in (lambda x: x * 2, lambda x: x / 2, lambda x: x**2)]
assert (doubled(6), halved(6), squared(6)) == (12, 3, 36)
