# RUN: %python %s
"""`finally` behind a `return` changes the lists, dicts and objects that are returned: Python has given the objects themselves, not what they held."""
import npcc


class Log:
    def __init__(self):
        self.lines = []
        self.count = 0


def listed(n):
    log = []
    try:
        return n, log
    finally:
        log.append(n)


def in_loop(n):
    log, total = [], 0.0
    try:
        while True:
            total += n
            if total > 10.0:
                return log, total
            log.append(total)
    finally:
        for k in range(2):
            log.append(float(k))
        total = 0.0


def known(n):
    pair = [n, 2.0]
    try:
        if n > 1.0:
            return pair
        pair = [0.0, 0.0]
    finally:
        pair[1] = 7.0
    return pair


def nested(n):
    log, counts = Log(), {"a": 0}
    try:
        try:
            return log.lines, log.count, counts
        finally:
            log.lines.append(1.5)
            log.count += 1
    finally:
        counts["a"] += 1
        log.lines.append(n)


def another(n):
    log = [n]
    try:
        return log
    finally:
        log.append(n)
        return [log, 1.0]


def helper(n):
    def inner(log):
        try:
            return log
        finally:
            log.append(n)

    lines = [0.0]
    return inner(lines), lines


for function in (listed, in_loop, known, nested, another, helper):
    for n in (1.0, 3.0):
        found, expected = npcc.jit(function, target="cpu")(n), function(n)
        assert repr(found) == repr(expected), (function.__name__, found, expected)
