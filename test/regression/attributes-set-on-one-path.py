# RUN: %python %s
"""An attribute of an argument that the function had set on one path, or deleted, was read where it was not: AttributeError."""
import npcc


class Train:
    def __init__(self):
        self.position = 0


def set_late(train, n):
    train.position = 1
    if n > 0:
        return 1
    train.extra = [n, 2.5]
    return 2


def delete(train, n):
    if n > 0:
        del train.position
    return n


for f in set_late, delete:
    for n in 0, 1:
        expected, found = Train(), Train()
        assert f(expected, n) == npcc.jit(target="cpu")(f)(found, n)
        assert vars(expected) == vars(found), (f.__name__, n, vars(expected), vars(found))
