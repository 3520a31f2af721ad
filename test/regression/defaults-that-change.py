# RUN: %python %s
"""A function that changed the list or dict that is the default of its own parameter began anew with each call: Python keeps it."""
import npcc


def fibonacci(n, known={}):
    if n in known:
        return known[n]
    if n < 2:
        return n
    known[n] = fibonacci(n - 1, known) + fibonacci(n - 2, known)
    return known[n]


def count(x, seen=[], *, marks={}):
    seen.append(x)
    marks[x] = marks.get(x, 0) + 1
    return len(seen), marks[x]


def extended(x, seen=[]):
    seen += [x]
    return list(seen)


class Log:
    def add(self, text, lines=[]):
        lines.append(text)
        return ", ".join(lines)


def several(n):
    log = Log()
    return [fibonacci(n), fibonacci(5)], [count(k % 2) for k in range(n)], [extended(k) for k in range(2)], [log.add("a"), log.add("b")]


for target in ("cpu", "debug"):
    compiled, results = npcc.jit(target=target)(several), []
    for function in (several, compiled):
        for of in (fibonacci, count, extended, Log.add):
            for default in (*(of.__defaults__ or ()), *(of.__kwdefaults__ or {}).values()):
                default.clear()
        results.append([function(4), function(3), count(0), len(fibonacci.__defaults__[0])])
    assert results[0] == results[1], results
