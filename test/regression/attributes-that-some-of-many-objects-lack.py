# RUN: %python %s
"""Objects in a list got an attribute in another order than they were made in, or only some of them did: AttributeError."""
import copy

import numpy as np

import npcc


class Layer:
    scale = 1.0
    slope = None

    def __init__(self, k):
        self.k = k
        if k % 2:
            self.extra = k * 10


class Tree:
    def __init__(self, depth, tag):
        self.kids = []
        if depth > 0:
            self.kids.append(Tree(depth - 1, 2 * tag))
            self.kids.append(Tree(depth - 1, 2 * tag + 1))
        self.value = tag

    def total(self):
        return self.value + sum(kid.total() for kid in self.kids)


class Base:
    def __init__(self, k):
        self.prepare(k)

    def prepare(self, k):
        self.first, (self.second, *_) = k, (k + 1, 0)
        if k > 1:
            self.third = "large"
        else:
            self.third = "small"


class Derived(Base):
    def __init__(self, k):
        super().__init__(k)
        if k == 0:
            return
        self.fourth = [k]


def layers(n):
    made = []
    for k in range(n):
        made.append(Layer(k))
    return made


def backward(n):
    made = layers(n)
    for layer in reversed(made):
        layer.slope = np.ones(2) * layer.k
        layer.w = layer.k
    return sum(layer.w for layer in made), [layer.slope for layer in made]


def some(n):
    return sum(layer.extra for layer in layers(n) if layer.k % 2), [hasattr(layer, "extra") for layer in layers(n)]


def otherwise(n):
    return [getattr(layer, "extra", -1) for layer in layers(n)]


def lacking(n):
    return [layer.extra for layer in layers(n)]


def of_the_class(n):
    made = layers(n)
    for layer in made[::-1]:
        if layer.k > 1:
            layer.scale = layer.k * 0.5
            layer.slope = layer.k
    return [layer.scale for layer in made], [layer.slope is None for layer in made], [layer.slope or 0 for layer in made]


def tree(n):
    return Tree(n, 1).total()


def derived(n):
    made = []
    for k in range(n):
        made.append(Derived(k))
    return made, [len(one.fourth) for one in made if one.first]


def given(layers):
    every = []
    for layer in layers:
        every.append(layer)
    for k in range(3):
        every.append(Layer(k + 10))
    for layer in every[::-1]:
        if layer.k > 0:
            layer.w = layer.k + 1
    return [layer.w for layer in every if layer.k > 0]


def seen(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(seen, value))
    return vars(value) if hasattr(value, "__dict__") else repr(value)


def outcome(f, argument):
    try:
        return seen(f(argument)), seen(argument)
    except AttributeError as error:
        return str(error)


for f, argument in (
    (backward, 4),
    (some, 5),
    (otherwise, 5),
    (lacking, 2),
    (layers, 5),
    (of_the_class, 4),
    (tree, 3),
    (derived, 3),
    (given, [Layer(0), Layer(1)]),
):
    expected = outcome(f, copy.deepcopy(argument))
    found = outcome(npcc.jit(target="cpu")(f), argument)
    assert expected == found, (f.__name__, expected, found)
