# RUN: %python %s
"""An integer of more than 64 bits that was given to a function that calls itself crashed the compiler."""
import npcc


def euclid(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = euclid(b, a % b)
    return g, y, x - a // b * y


def key(message):
    p, q = 2**61 - 1, 2**89 - 1
    return pow(message, euclid(65537, (p - 1) * (q - 1))[1] % 1000, 97)


try:
    assert npcc.jit(target="cpu")(key)(12) == key(12)
except npcc.CompileError as error:
    assert "internal" not in str(error), error
