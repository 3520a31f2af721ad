# RUN: %python %s
"""A function that calls itself and gives a string of what its calls gave."""
import npcc


def nested(n):
    def show(i, j):
        return f"A{i}" if i == j else f"({show(i, j - 1)} {show(j, j)})"
    return show(0, n)


assert npcc.jit(nested, target="cpu")(3) == nested(3) == "(((A0 A1) A2) A3)"
