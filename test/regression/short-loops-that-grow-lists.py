# RUN: %python %s
"""Loops of few iterations that append numbers were imported once for each iteration, to see whether these are arrays: loops in loops took too long."""
import npcc


def walk(seed):
    history, seen = [], set()
    for t in range(12):
        row = []
        for y in range(10):
            cells = []
            for x in range(10):
                seed = (seed * 1103515245 + 12345) % 2**31
                key = ((y + seed) % 7, (x + t) % 5)
                if key not in seen:
                    seen.add(key)
                    cells.append(seed % 100)
            row.append(sum(cells))
        history.append(max(row))
    return history, len(seen)


assert npcc.jit(target="cpu")(walk)(7) == walk(7)
