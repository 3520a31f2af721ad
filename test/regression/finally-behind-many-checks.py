# RUN: %python %s
"""More than 32 operations that may fail in one way have one copy of the `finally` clause."""
import npcc


class Table:
    def __init__(self, xs, ys):
        self.xs, self.ys, self.calls = xs, ys, 0

    def at(self, x):
        if not self.xs[0] <= x <= self.xs[-1]:
            raise ValueError("%g is outside of [%g, %g]" % (x, self.xs[0], self.xs[-1]))
        k = 1
        while k < len(self.xs) - 1 and self.xs[k] < x:
            k += 1
        w = (x - self.xs[k - 1]) / (self.xs[k] - self.xs[k - 1])
        return (1 - w) * self.ys[k - 1] + w * self.ys[k]


@npcc.jit
def looked_up(xs, ys, points):
    table, found, refused = Table(xs, ys), [], []
    for x, y in points:
        try:
            found.append(table.at(x) + table.at(y) * table.at(x + y))
        except ValueError as error:
            refused.append(str(error))
            continue
        finally:
            table.calls += 1
    return found, refused, table.calls


@npcc.jit
def failing(xs, k):
    total = 0.0
    try:
        for i in range(k):
            total += xs[i] * xs[i + 1] + xs[i + 2] * xs[i + 3] + xs[i + 4] * xs[i + 5] + xs[i + 6] * xs[i + 7] + xs[i + 8] * xs[i + 9]
            total += xs[i] / xs[i + 1] + xs[i + 2] / xs[i + 3] + xs[i + 4] / xs[i + 5] + xs[i + 6] / xs[i + 7] + xs[i + 8] / xs[i + 9]
            total += xs[i] - xs[i + 1] * xs[i + 2] - xs[i + 3] * xs[i + 4] - xs[i + 5] * xs[i + 6] - xs[i + 7] * xs[i + 8] - xs[i + 9]
    finally:
        print("done", total)
    return total


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


arguments = [0.0, 1.0, 2.0, 4.0], [1.0, 3.0, 2.0, 0.0], [(0.5, 1.5), (3.0, 2.0), (4.0, 0.0), (-1.0, 2.0)]
assert outcome(looked_up, *arguments) == outcome(looked_up.py_func, *arguments)
for xs, k in [([float(k + 1) for k in range(12)], 3), ([float(k + 1) for k in range(12)], 4), ([float(k % 7) for k in range(12)], 2)]:
    assert outcome(failing, xs, k) == outcome(failing.py_func, xs, k)
