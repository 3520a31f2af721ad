# RUN: %python %s
"""A tuple that holds what is one of several sets was refused where another path gave something else."""
import npcc


def choose(s, n):
    if n > 5:
        return 1, "a", "b"
    return n, s - {1}


def text(s, n):
    return (n, s | {n}) if n < 5 else "none"


for f in choose, text:
    for n in 3, 7:
        assert npcc.jit(f)({1, 2}, n) == f({1, 2}, n)
