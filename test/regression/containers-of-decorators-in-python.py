# RUN: %python %s
# A function of which Python runs parts, which change a list and a dict outside of it, had held what was in them, and stores in a dict that it held raised
# TypeError.
import functools

import npcc


def retry(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            last = None
            for attempt in range(1, times + 1):
                try:
                    result = function(*args, **kwargs)
                    wrapper.attempts.append(attempt)
                    return result
                except ValueError as error:
                    last = error
            wrapper.attempts.append(-1)
            raise RuntimeError(f"{function.__name__} failed {times} times: {last}")
        wrapper.attempts = []
        return wrapper
    return decorate


calls = {"n": 0}


@retry(3)
def fragile(x):
    calls["n"] += 1
    if calls["n"] % 3:
        raise ValueError(f"bad {x} in call {calls['n']}")
    return x * x


def tried(n):
    results = [fragile(x) for x in (2, n)]
    return results, list(fragile.attempts), dict(calls)


def logged(function):
    results = []

    def wrapper(x):
        result = function(x)
        results.append(result)
        return result
    wrapper.results = results
    return wrapper


@logged
def double(x):
    return x * 2


@logged
def half(x):
    return x / 2


def total(x, rules):
    return sum(rule(x) for rule in rules)


compiled = npcc.jit(target="cpu")(tried)
assert compiled(8) == ([4, 64], [3, 3], {"n": 6}), (fragile.attempts, calls)
assert compiled(3) == ([4, 9], [3, 3, 3, 3], {"n": 12}), (fragile.attempts, calls)

# Of functions that come as arguments.
compiled = npcc.jit(target="cpu")(total)
assert [compiled(k, [double, half]) for k in (1, 2)] == [2.5, 5.0]
assert (double.results, half.results) == ([2, 4], [0.5, 1.0])
