# RUN: %python %s
# A sequence times something else than an int raised a TypeError of other words than Python's, or named the other one's type.
import npcc


def product(a, b):
    return a * b


values = ["a", [1], (1.5,), [[1], [2]], 2.5, None, {}, 1j]
compiled = npcc.jit(product, target="cpu")
for a in values:
    for b in values:
        words = []
        for function in (product, compiled):
            try:
                words.append(repr(function(a, b)))
            except TypeError as error:
                words.append(str(error))
        assert words[0] == words[1], (a, b, words)
