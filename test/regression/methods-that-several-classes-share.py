# RUN: %python %s
"""A method of a base class that calls itself for an object of another class (a network that calls its layers) was taken for a function that calls itself
without end: what the objects hold had to be of one type, and the function was refused."""
import numpy as np

import npcc


class Layer:
    def __call__(self, x):
        return self.forward(x)


class Dense(Layer):
    def __init__(self, size):
        self.weights = np.full(size, 2.0)

    def forward(self, x):
        self.x = x
        return x * self.weights

    def backward(self, gradient):
        return gradient * self.x


class Positive(Layer):
    def forward(self, x):
        self.mask = x > 0
        return np.where(self.mask, x, 0)

    def backward(self, gradient):
        return gradient * self.mask


class Network(Layer):
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def backward(self, gradient):
        for layer in reversed(self.layers):
            gradient = layer.backward(gradient)
        return gradient


def trained(x, steps):
    network = Network(Dense(3), Positive(), Dense(3))
    total = 0.0
    for _ in range(steps):
        total += network.backward(network(x)).sum()
    return total


# One that does not end with the classes.
class Node(Layer):
    def __init__(self, value, inner):
        self.value, self.inner = value, inner

    def forward(self, x):
        return x + self.value if self.inner is None else self.inner(x) * self.value


def nested(x, depth):
    node = Node(1.0, None)
    for k in range(depth):
        node = Node(float(k + 1), node)
    return node(x)


x = np.array([1.0, -2.0, 3.0])
imports = npcc.counters()["imports"]
assert npcc.jit(trained, target="cpu")(x, 4) == trained(x, 4)
assert npcc.counters()["imports"] - imports == 1
assert npcc.jit(nested, target="cpu")(2.0, 4) == nested(2.0, 4)
