# RUN: %python %s
"""The order of tuples of numbers in tuples was looked for in arrays with an axis for the inner ones."""
import npcc


def ordered(pairs):
    counts = {}
    for x, y in pairs:
        counts[(int(x), int(y))] = counts.get((int(x), int(y)), 0.5) + 1
    items = sorted(counts.items())
    return items, sorted(counts.items(), reverse=True), sorted(((y, (x, (n,))) for (x, y), n in items), key=lambda one: (one[1], one[0]))


pairs = [(2, 1), (0, 3), (2, 1), (0, -1), (1, 7)]
for target in ("cpu", "debug"):
    assert npcc.jit(target=target)(ordered)(pairs) == ordered(pairs)
