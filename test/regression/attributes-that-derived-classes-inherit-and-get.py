# RUN: %python %s
# `type(self).made += 1` raised AttributeError where the class has the attribute from a base and gets one of its own by it.
import npcc


def classes():
    class Base:
        made = 0
        limit = 3

        def __init__(self):
            type(self).made += 1

    class Middle(Base):
        pass

    class Leaf(Middle):
        pass

    return Base, Middle, Leaf


BASE, MIDDLE, LEAF = classes()


def own(n):
    for _ in range(n):
        MIDDLE()
    LEAF()
    return BASE.made, MIDDLE.made, LEAF.made


def passed_on(n):
    for k in range(n):
        BASE.limit += k  # which the others inherit
        if k == 2:
            MIDDLE.limit = 20  # and from here on LEAF inherits this one
        if k == 4:
            LEAF.limit = 40
    return BASE.limit, MIDDLE.limit, LEAF.limit


def afresh(function, *arguments):
    """What it gives for new classes, and which of them have attributes of their own then."""
    global BASE, MIDDLE, LEAF
    BASE, MIDDLE, LEAF = classes()
    result = function(*arguments)
    return result, [sorted((name, vars(cls)[name]) for name in ("made", "limit") if name in vars(cls)) for cls in (BASE, MIDDLE, LEAF)]


for function in own, passed_on:
    compiled = npcc.jit(target="cpu")(function)
    for n in 0, 1, 2, 3, 5, 7:
        assert afresh(compiled, n) == afresh(function, n), (function, n)
    assert not compiled.fallbacks
