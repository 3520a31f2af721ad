# RUN: %python %s
"""Lists whose items are known where they are made, and change in loops and branches: an item that is stored at a known position is carried as a name is."""
import copy

import numpy as np

import npcc

CASES = []


def case(*arguments):
    def add(function):
        CASES.append((function, arguments))
        return function
    return add


A = np.arange(5.0)


@case(A, 4)
def arrays(a, n):
    s = [a, a + 1, a * 2]
    for _ in range(n):
        s[0] = s[0] + s[1]
        s[-1] = s[2] * 0.5 + s[0]
    return s, a


@case(6)
@case(0)
def counts(n):
    c = [0, 0, 0]
    for k in range(n):
        if k % 2:
            c[1] += k
        else:
            c[0] += 1
    return c, sum(c), len(c)


@case(6)
@case(2)
def mixed(n):
    c = [0, None, "x", 1.5]
    for k in range(n):
        if k == 3:
            c[1] = k
        if k == 4:
            c[0] = 2.5
        c[2] = c[2] + "y"
    return c


@case(6)
def unknown(n):
    c = [0, 0, 0]
    for k in range(n):
        c[k % 3] += k
        c[0] = c[0] + 1
    return c


@case(6)
def unknown2(n):
    c = [0, 0, 0]
    for k in range(n):
        c[0] = c[0] + 1
        c[k % 3] += k
    return c


@case(6)
def readunknown(n):
    c = [0, 0, 0]
    r = []
    for k in range(n):
        c[1] = c[k % 3] + 1
        r.append(c[k % 2])
    return c, r


@case(6)
def aliased(n):
    c = [0, 0, 0]
    d = c
    for k in range(n):
        c[1] = c[1] + 1
    return c, d, c is d


@case(6)
def aliased2(n):
    c = [0, 0, 0]
    for k in range(n):
        c[1] = c[1] + 1
        d = c
        d[0] = d[0] + 2
    return c, d


@case(9)
def breaks(n):
    c = [0, 0]
    for k in range(n):
        c[0] = k
        if k == 5:
            break
        if k % 2:
            continue
        c[1] += c[0]
    else:
        c[1] = -1
    return c


@case(3)
@case(1)
def branch(n):
    c = [1, 2]
    if n > 2:
        c[0] = 5
    else:
        c[1] = 7.5
    c.append(3)
    return c


@case(3)
def grow_after(n):
    c = [1, 2]
    for k in range(n):
        c[0] = k * c[1]
    c.append(9)
    c[1] = 4
    for k in range(n):
        c[k] = k
    c.sort()
    return c


@case(3)
def grow_in(n):
    c = [1, 2]
    for k in range(n):
        c[0] = k * c[1]
        c.append(k)
    return c


@case(3)
def out_of_range(n):
    c = [1, 2]
    for k in range(n):
        c[2] = k
    return c


@case(3)
def caught(n):
    c = [1, 2]
    for k in range(n):
        try:
            c[0] = c[0] + k
            if k == 1:
                raise ValueError("x")
            c[1] = c[0]
        except ValueError:
            c[1] = -1
    return c


@case(10)
def whiles(n):
    p = [1.0, 0.0]
    while p[0] < n:
        p[1] = p[0]
        p[0] = p[0] * 2 + p[1]
    return p


@case(4)
def nested(n):
    m = [[1, 2], [3, 4]]
    for k in range(n):
        m[0][1] = m[0][1] + m[1][0]
        m[1] = [k, k]
    return m


@case(A, 3)
def inplace(a, n):
    s = [a.copy(), a]
    first = s[0]
    for k in range(n):
        s[0] += 1
        s[1] = s[0] * 2
    return s, first


@case(A, 3)
def swap(a, n):
    s = [a, a * 2]
    for k in range(n):
        s[0], s[1] = s[1], s[0] + s[1]
    return s


@case(A, 3)
def shapes(a, n):
    s = [a, a[:2]]
    for k in range(n):
        s[1] = a[:k + 1]
    return s


@case(3)
def helper(n):
    def bump(l):
        l[0] = l[0] + 1
    c = [0, 1]
    for k in range(n):
        bump(c)
        c[1] = c[0] * 2
    return c


@case(3)
def inobject(n):
    d = {"a": [0, 0]}
    for k in range(n):
        d["a"][0] = d["a"][0] + k
    return d


@case(3)
def large(n):
    c = [0] * 100
    for k in range(n):
        c[5] += k
    return c


@case(3)
def two_loops(n):
    c = [0, 0, 0]
    for k in range(n):
        c[0] = k
        for j in range(k):
            c[1] += j
            c[2] = c[0] + c[1]
    return c


@case([1, 2, 3], 3)
def given(c, n):
    for k in range(n):
        c[0] = c[0] + c[1]
    return c[0]


@case([1, 2, 3], 3)
def given2(c, n):
    c = list(c)
    for k in range(n):
        c[0] = c[0] + c[1] * 0.5
    return c


@case([A, A * 2], 3)
def given3(c, n):
    for k in range(n):
        c[0] = c[0] + c[1] * 0.5
    return c


@case(5)
def tuples(n):
    c = [(0, 1.0), (2, 3.0)]
    for k in range(n):
        c[0] = (k, c[1][1] + k)
    return c


@case(5)
def loops_over(n):
    c = [1, 2, 3]
    s = 0
    for k in range(n):
        for x in c:
            s += x
        c[1] = s % 7
        s += sum(c) + max(c)
    return c, s


@case(5)
def comp(n):
    c = [1, 2, 3]
    r = []
    for k in range(n):
        c[2] = k
        r.append([x * 2 for x in c])
    return r, c


@case(5)
def kept(n):
    c = [1, 2, 3]
    r = []
    for k in range(n):
        c[2] = k
        r.append(c)
    return r, r[0] is c


@case(5)
def idx_of_itself(n):
    c = [1, 0, 3]
    for k in range(n):
        c[c[1]] = k
    return c

def described(x):
    if isinstance(x, np.ndarray):
        return str(x.dtype), x.shape, x.tolist()
    if isinstance(x, (tuple, list)):
        return type(x).__name__, [described(item) for item in x]
    if isinstance(x, dict):
        return {key: described(item) for key, item in x.items()}
    return type(x).__name__, x


for function, arguments in CASES:
    mine, others = copy.deepcopy(arguments), copy.deepcopy(arguments)
    try:
        expected = function(*others)
    except IndexError as error:
        expected = str(error)
    try:
        result = npcc.jit(function, target="cpu", cache=False)(*mine)
    except IndexError as error:
        result = str(error)
    assert described(result) == described(expected), (function.__name__, result, expected)
    assert described(mine) == described(others), (function.__name__, mine, others)

# No table of arrays, and no memory for numbers.
for function, types in (arrays, "float64[:], int"), (swap, "float64[:], int"), (two_loops, "int"):
    text = npcc.jit(function, target="cpu").inspect("np", types)
    assert "np.keep" not in text and "np.kept" not in text, text
text = npcc.jit(two_loops, target="cpu").inspect("np", "int")
assert "np.load" not in text, text
