# RUN: %python %s
# join() of a list that may hold other things than strings was a TypeError, whatever it held.
import npcc


def compressed(moves):
    runs = []
    for move in moves:
        if runs and runs[-1][0] == move:
            runs[-1][1] += 1
        else:
            runs.append([move, 1])
    return " ".join(f"{n}{move}" if n > 1 else move for move, n in runs)


def filled(n, count):
    words = [None] * n
    for k in range(count):
        words[k] = "a" * k
    return "-".join(words)


def one_of_them(n):
    return "+".join(["x", n if n > 2 else "y"])


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except TypeError as error:
        return str(error)


for function, calls in [(compressed, [("EESSNWEENNN" * 4,), ("",)]), (filled, [(4, 4), (4, 2)]), (one_of_them, [(1,), (3,)])]:
    compiled = npcc.jit(target="cpu")(function)
    for call in calls:
        given, expected = outcome(compiled, *call), outcome(function, *call)
        assert given == expected, (function.__name__, call, given, expected)
