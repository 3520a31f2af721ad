# RUN: %python %s
"""Lists whose length is known at run time: comprehensions, arguments that are changed, results, lists that grow."""
import copy

import numpy as np

import npcc


def squares(n):
    return [i * i for i in range(n)]


def of_floats(n):
    return np.array([i / 2 for i in range(1, n)])


def of_rows(a):
    return np.array([row - a[0] for row in a])


def filtered(a):
    return [k for k in range(len(a)) if a[k] > 3]


def filtered_twice(n, m):
    return [i * 10 + j for i in range(n) for j in range(m) if (i + j) % 2 if i]


def nested(n, m):
    return [[i * 10 + j for j in range(m)] for i in range(n)]


def rows_of_rows(a):
    return np.array([[list(np.eye(3)[w]) for w in s] for s in a])


def reads(n):
    r = [i * 0.5 for i in range(n)]
    s = 0.0
    for x in r:
        s += x
    for k, x in enumerate(r):
        s += k * x
    return s, r[1], r[-1], len(r), r[1:3], 1 if r else 2


def filled(n):
    z = [[0] * n for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(n):
            z[i][j] = i * j
    z[-1][0] = 7
    return z


def with_effects(n):
    seen = np.zeros(n)

    def total(i):
        seen[i] += 1
        t = 0.0
        for j in range(i):
            t += j
        return t
    return np.array([total(i) for i in range(n)]), seen


def carried(n):
    if n > 3:
        x = [i for i in range(n)]
    else:
        x = [2 * i for i in range(n)]
    for k in range(3):
        x = [y + k for y in x]
    return x


def changes(z):
    z[0][1] = 5
    return z


def item(z, i):
    return z[i]


def back_and_forth(z):
    return (np.array(z) + 1).tolist(), np.asarray(z) * 2, len(z)


def total(z):
    s = 0
    for row in z:
        for x in row:
            if x in {2, 3}:
                s += x
    return s


def of_known_numbers(n):
    return [x for x in [1, 2, 3] if x < n], [x * y for x in (1, 2, 3) for y in range(n) if x != y]


def views(a):
    return [row for row in a]


def pairs(n):
    return [(i, i) for i in range(n)]


def numpys(a):
    return [x * 2 for x in a]


def other_type(z):
    z[0] = 0.5


def grows(n):
    r = []
    for i in range(n):
        r.append(i * i)
    return r


def grows_where(a):
    r = []
    for x in a:
        if x > 2:
            r.append(x * 2)
    return np.array(r), len(r)


def grows_until(n):
    r = [7, 8]
    i = 0
    while i < n:
        r.append(i)
        i += 1
        if i == 5:
            break
    return r, r[-1], r[1:3]


def inserted(n):
    x = [1, 2, 3]
    for i in range(n):
        x.insert(1, i)
    for i in range(n):
        x.insert(-1, -i)
    x.append(99)
    return x


def grows_in_branches(n):
    x = [5]
    y = []
    if n > 3:
        x.append(n)
        y.append(1.5)
    else:
        x.append(0)
    for k in range(n):
        x.append(x[k] + x[-1])
    return x, y


def inner_lists(n):
    outer = []
    for i in range(n):
        inner = []
        for j in range(i):
            inner.append(j)
        outer.append(len(inner))
    return outer


def grows_by_rows(a):
    rows = []
    for i in range(len(a)):
        rows.append(a[i] * 2)
    return np.array(rows)


def made_in_calls(n):
    def made(m):
        r = []
        for i in range(m):
            r.append(i)
        return r
    a = made(n)
    b = made(n + 1)
    return a, b, sum(a), max(b), any([x > 2 for x in b]), sum([0.5 * x for x in b], 1)


def another_name(n):
    a = []
    b = a
    for i in range(n):
        a.append(i)
    return b


def name_in_the_loop(n):
    a, c = [], [3]
    for i in range(n):
        a.append(i)
        c = a
    return c


def in_a_tuple(n):
    a = []
    t = (a, 1)
    for i in range(n):
        a.append(i)
    return t[0]


def of_a_caller(n):
    def add(l, i):
        l.append(i)
    a = []
    for i in range(n):
        add(a, i)
    return a


def iterated(n):
    a = [1]
    for x in a:
        if n > x:
            a.append(x + 1)
    return a


def same(mine, theirs):
    if type(mine) is not type(theirs):
        return False
    if isinstance(mine, (list, tuple)):
        return len(mine) == len(theirs) and all(map(same, mine, theirs))
    if isinstance(mine, np.ndarray):
        return mine.dtype == theirs.dtype and mine.shape == theirs.shape and np.array_equal(mine, theirs)
    return mine == theirs


def outcome(function, arguments):
    arguments = copy.deepcopy(arguments)
    try:
        return function(*arguments), arguments
    except IndexError as error:
        return str(error), arguments


table = np.arange(6.0).reshape(2, 3)
for function, *arguments in [
        (squares, 5), (squares, 0), (of_floats, 5), (of_rows, table), (filtered, table.ravel()), (filtered_twice, 3, 4), (nested, 2, 3), (nested, 0, 3),
        (rows_of_rows, np.array([[0, 1], [2, 0]])), (reads, 5), (filled, 3), (with_effects, 5), (carried, 5), (carried, 2), (changes, [[1, 2], [3, 4]]),
        (item, [1, 2, 3], -1), (item, [1, 2, 3], 3), (item, [1.5, 2.5], 0), (item, [True], 0), (back_and_forth, [[1, 2]]), (back_and_forth, [1.5, 2.5]),
        (total, [[1, 2], [3, 4]]), (of_known_numbers, 3), (grows, 0), (grows, 100), (grows_where, np.arange(6.0)), (grows_until, 3), (grows_until, 9), (inserted, 4),
        (grows_in_branches, 5), (grows_in_branches, 2), (inner_lists, 4), (grows_by_rows, table), (grows_by_rows, np.ones((20, 3))), (made_in_calls, 3), (pairs, 3), (numpys, table[0]), (views, table),
        (another_name, 3), (name_in_the_loop, 3), (in_a_tuple, 3), (of_a_caller, 3), (iterated, 3), (other_type, [1, 2])]:
    want, got = outcome(function, arguments), outcome(npcc.jit(function, target="cpu"), arguments)
    assert same(got, want), (function.__name__, got, want)

given = [[1, 2], [3, 4]]
rows = list(given)
assert npcc.jit(changes, target="cpu")(given) is given and all(a is b for a, b in zip(given, rows))
