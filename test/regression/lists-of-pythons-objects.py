# RUN: %python %s
"""Lists of Python's own objects were taken for lists of several types, which ended the process, and repr() of one was its number."""
import contextlib
import datetime
import io

import npcc


def day(k):
    return datetime.date(2024, 1, 1 + k)


def shown(n):
    days = [day(k) for k in range(n)]
    more = []
    for k in range(n):
        more.append(day(2 * k))
    for one in more:
        print(repr(one), one)
    print(days, [day(n)], (days[0], n))
    return f"{days} {days[0]}", str(more), days


for target in ("cpu", "debug"):
    printed, results = [], []
    for function in (shown, npcc.jit(target=target)(shown)):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            results.append(function(3))
        printed.append(text.getvalue())
    assert results[0] == results[1] and printed[0] == printed[1], (results, printed)
