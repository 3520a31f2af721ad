# RUN: %python %s
"""A list of many tuples of numbers was taken apart into numbers: code for each tuple, which took minutes to compile, anew for each length."""
import random

import npcc


def lengths(edges, n):
    total, degrees = 0.0, [0] * n
    for u, v, w in edges:
        total += w
        degrees[u] += 1
        degrees[v] += 1
    middle = edges[len(edges) // 2]
    near = {}
    for k, (u, v, _) in enumerate(edges):
        near.setdefault(u, []).append((v, k))
    return total, degrees, middle, edges[2:5], [w for u, _, w in edges if u == 0], near, (1, 2, 3.0) in edges, max(edges, key=lambda e: e[2])


def itself(edges):
    return edges


def sorted_away(edges):
    edges.sort(key=lambda e: e[2])
    return edges[0]


def appended(edges, n):
    for k in range(n):
        edges.append((k, k, 0.5))
    return len(edges)


def replaced(edges):
    edges[3] = (7, 7, 7.0)
    edges.reverse()
    del edges[0]
    return edges.pop()


def of_set(points, n):
    points.add((n, n))
    return sum(x for x, _ in points), (1, 1) in points


def made(n):
    draw = random.Random(n)
    return [(draw.randrange(8), draw.randrange(8), draw.random()) for _ in range(n)]


for target in ("cpu", "debug"):
    for function, rest in ((lengths, (8,)), (itself, ()), (sorted_away, ()), (appended, (3,)), (replaced, ())):
        compiled = npcc.jit(target=target)(function)
        for n in (40, 41, 300):
            given, expected = made(n), made(n)
            got = compiled(given, *rest)
            assert got == function(expected, *rest) and given == expected, (function.__name__, n, got)
            assert function is not itself or got is given
    compiled, points, expected = npcc.jit(target=target)(of_set), {(k, 2 * k) for k in range(30)}, {(k, 2 * k) for k in range(30)}
    assert compiled(points, 1) == of_set(expected, 1) and points == expected
    assert npcc.jit(target=target)(lengths)(made(3) + [(1, 2, 3)], 8) == lengths(made(3) + [(1, 2, 3)], 8)
