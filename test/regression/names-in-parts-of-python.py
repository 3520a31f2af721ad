# RUN: %python %s
"""A name of the program that Python's part of it has for itself, too: `part` was the function that Python runs."""
import npcc


def sets(text):
    found = []
    for part in text.split("."):
        found.append(frozenset(int(c) - 1 for c in part))
    return found


def made(make):
    found = []
    for k in range(2):
        found.append(frozenset(v + k for v in make))
    return found


for function, argument in (sets, "16.12"), (made, (1, 2)):
    assert npcc.jit(function, target="cpu", cache=False)(argument) == function(argument)
