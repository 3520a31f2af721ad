# RUN: %python %s
"""numpy.printoptions was refused. Its options hold for the texts of arrays that are made in its body, also in functions that this calls."""
import contextlib
import io

import numpy as np

import npcc


def printed(a):
    with np.printoptions(precision=3):
        print(a)
        return str(a)


def nested(a):
    texts = []
    with np.printoptions(precision=2, suppress=True):
        texts.append(str(a))
        with np.printoptions(linewidth=20, threshold=5):
            texts += [repr(a * 100), f"{a}"]
        texts.append(np.array2string(a, separator=", "))
        for k in range(2):
            texts.append(str(a[k:]))
    with np.printoptions(threshold=np.inf, floatmode="fixed", sign="+"):
        texts.append(str(a))
    return texts + [str(a)]


def text_of(a):
    return str(a)


def in_helpers(a):
    with np.printoptions(precision=1):
        text = text_of(a)
    return text, text_of(a)


def left(a, n):
    for k in range(n):
        with np.printoptions(precision=1):
            if a[k] > 0.3:
                return str(a), k
            if a[k] < 0.1:
                continue
            print(a)
    return str(a), -1


def failing(a):
    try:
        with np.printoptions(precision=1):
            a[10] = 1
    except IndexError as error:
        return str(error), str(a)


def wrong(a):
    with np.printoptions(precision=-1):
        return str(a)


def outcome(function, *arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            return function(*arguments), text.getvalue()
        except ValueError as error:
            return str(error)


a = np.arange(8.0) / 7
for function, *more in ((printed,), (nested,), (in_helpers,), (left, 8), (left, 1), (failing,), (wrong,)):
    expected, mine = outcome(function, a.copy(), *more), outcome(npcc.jit(function, target="cpu"), a.copy(), *more)
    assert expected == mine, (function.__name__, expected, mine)
assert np.get_printoptions()["precision"] == 8


@npcc.jit(target="cpu", fallback=False)
def computed(a):
    with np.printoptions(precision=a.shape[0]):
        return str(a)


try:
    computed(a)
except npcc.CompileError as error:
    assert "numpy.printoptions" in str(error), error
else:
    raise AssertionError
