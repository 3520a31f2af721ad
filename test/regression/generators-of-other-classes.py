# RUN: %python %s
"""A generator method that goes over that of objects of other classes was taken for one that goes over itself, which keeps its items
in a list of one type: the parameters of a network were refused where its layers hold other things, too."""
import numpy as np

import npcc


class Parameter:
    def __init__(self, data):
        self.data = data


class Module:
    def parameters(self):
        for value in vars(self).values():
            if isinstance(value, Parameter):
                yield value
            elif isinstance(value, list):
                for one in value:
                    yield from one.parameters()


class Scale(Module):
    def __init__(self):
        self.by = Parameter(np.full(3, 2.0))

    def __call__(self, x):
        self.x = x
        return x * self.by.data


class Flat(Module):
    def __init__(self):
        self.plus = Parameter(np.ones(6))

    def __call__(self, x):
        self.x, self.shape = x, x.shape
        return x.reshape(-1) + self.plus.data


class Network(Module):
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def trained(x):
    network = Network(Scale(), Flat())
    y = network(x)
    for parameter in network.parameters():
        parameter.data -= 0.5
    return y, [parameter.data.sum() for parameter in network.parameters()]


x = np.arange(6.0).reshape(2, 3)
assert str(npcc.jit(trained, target="cpu")(x)) == str(trained(x))
