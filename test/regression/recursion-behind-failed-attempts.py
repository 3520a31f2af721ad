# RUN: %python %s
"""A function that calls itself in a loop was imported in an attempt at the loop that had failed, where values do not reach their places, and the next attempt
took it as it was: a search that collects paths found none."""
import npcc


def paths(n):
    found = []

    def place(row, path):
        if row == n:
            found.append(path)
            return 1
        count = 0
        for column in range(n):
            if column not in path:
                count += place(row + 1, path + [column])
        return count

    return place(0, []), found


def collect(found, n, row, path):
    found.append(path)
    if row == n:
        return
    for column in range(2):
        collect(found, n, row + 1, path + [column])


def prefixes(n):
    found = []
    collect(found, n, 0, [])
    return found


for function in (paths, prefixes):
    for target in ("cpu", "debug"):
        assert npcc.jit(target=target)(function)(3) == function(3)
