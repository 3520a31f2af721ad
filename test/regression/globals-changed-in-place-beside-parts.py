# RUN: %python %s
"""A global that a function assigns to is Python's where Python runs a part of the function: `W += 1` made another array of it then, so that its other names
kept what they had (silently), and a part that changes a global itself, `T += d`, could not read it (UnboundLocalError)."""
import datetime

import numpy as np

import npcc

T = datetime.timedelta(1)
U = np.zeros((6, 6))
u = U[1:-1, 1:-1]
W = np.arange(4.0)
COUNT = 0
seen = bytearray()


def views(k):
    global u, U
    for _ in range(2):
        u += U[:-2, 1:-1] + k
    seen.append(k)
    return u.sum()


def whole(k):
    global W
    W *= k
    W -= 1
    seen.append(k)
    return W is not None


def objects(k):
    global T, COUNT
    T += datetime.timedelta(k)
    if seen:
        COUNT = T.days
    return str(T)


def made(k):
    global MADE
    MADE = datetime.timedelta(k)
    MADE += MADE
    return MADE


def state():
    return U.tolist(), W.tolist(), T, COUNT, MADE, list(seen)


def reset():
    global U, u, W, T, COUNT, MADE
    U = np.zeros((6, 6))
    u = U[1:-1, 1:-1]
    W = np.arange(4.0)
    T, COUNT, MADE = datetime.timedelta(1), 0, None
    seen.clear()


def run(f):
    reset()
    names = u, W
    results = [f(function)(2) for function in (views, whole, objects, made)]
    return results, state(), u is names[0], W is names[1]


expected = run(lambda function: function)
found = run(npcc.jit)
assert found == expected, (found, expected)
assert expected[2:] == (True, True)
