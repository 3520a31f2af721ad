# RUN: %python %s
"""A comprehension took all items of an iterator before it made the first of its own: next() in it found nothing left."""
import npcc


def pairs(numbers):
    rest = iter(numbers)
    return [(a, next(rest, None)) for a in rest]


def of_run_time(n):
    rest = iter(range(n))
    return [a * 10 + next(rest, 0) for a in rest if a != 4], next(rest, -1)


def keyed(words):
    rest = iter(words)
    return {word: next(rest, "") for word in rest}


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        while self.n > 0:
            self.n -= 1
            yield self.n


def left(n):
    count = Countdown(n)
    return [(k, count.n) for k in count], sum(a * count.n for a in Countdown(3))


for function, argument in (pairs, [1, 2, 3]), (pairs, [4, 5]), (of_run_time, 9), (of_run_time, 0), (keyed, ["a", "b", "c"]), (left, 4):
    result, expected = npcc.jit(function, target="cpu", cache=False)(argument), function(argument)
    assert repr(result) == repr(expected), (function.__name__, argument, result, expected)
