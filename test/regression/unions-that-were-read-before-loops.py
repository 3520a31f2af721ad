# RUN: %python %s
"""A name that holds None or a string, and was looked at before a loop that binds it, was carried by that loop as it had been when it was looked at."""
import npcc


def found(n):
    word = None
    for _ in range(n):
        if isinstance(word, tuple):
            n = 3
        for _ in range(n):
            word = "text"
    return word


def compared(n):
    word = None
    for _ in range(n):
        if word == 4:
            pass
        else:
            for _ in range(n):
                word = "text"
    return word, n


for function in (found, compared):
    for n in (0, 1, 2):
        assert npcc.jit(target="cpu")(function)(n) == function(n)
