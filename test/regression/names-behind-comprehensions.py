# RUN: %python %s
"""A name that paths had set held the last item of a comprehension behind it whose target has the same name, where nothing had read it before: both lay in one
slot."""
import npcc


def left_in_the_middle(n):
    i = n
    while i > 0:
        i -= 3
        if i == 4:
            continue
        if i < 2:
            break
    else:
        i = 100
    return [[i * j for j in range(i)] for i in range(n)], i


def chosen(n):
    if n > 5:
        k = n * 2
    else:
        k = n - 1
    doubled = {k: 2 * k for k in range(n)}
    total = sum(k for k in range(n) if k % 2)
    return k, doubled, total


def pairs(n):
    a, b = (1, n) if n > 5 else (n, 2)
    swapped = [(b, a) for a, b in zip(range(n), range(n, 0, -1))]
    return a, b, swapped


for function in (left_in_the_middle, chosen, pairs):
    for n in (10, 3, 6):
        assert npcc.jit(function, target="cpu")(n) == function(n), (function.__name__, n, npcc.jit(function, target="cpu")(n), function(n))
