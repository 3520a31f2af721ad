# RUN: %python %s
"""vars(object) and object.__dict__ were left to Python, or refused in generators: they are the object itself, as a dict."""
import npcc


class Parameter:
    def __init__(self, value):
        self.value = value


class Module:
    def parameters(self):
        for name, held in vars(self).items():
            if isinstance(held, Parameter):
                yield name, held


class Linear(Module):
    def __init__(self, k, **more):
        self.weight, self.bias, self.count = Parameter(k), Parameter(k + 1), 0
        self.__dict__.update(more)


class Net(Module):
    def __init__(self):
        self.layers = [Linear(1), Linear(5, extra=Parameter(9))]

    def parameters(self):
        for k, layer in enumerate(self.layers):
            for name, parameter in layer.parameters():
                yield f"{k}.{name}", parameter


def collected(n):
    net = Net()
    for _, parameter in net.parameters():
        parameter.value += n
    return [(name, parameter.value) for name, parameter in net.parameters()]


def changed(n):
    layer = Linear(n, extra=2)
    attributes = vars(layer)
    attributes["count"] = 7
    layer.extra += n
    return layer.count, attributes["extra"], sorted(attributes), "other" in attributes, len(layer.__dict__), vars(layer).get("other", "none")


def given(layer):
    vars(layer)["count"] = 3
    return [name for name in vars(layer)]


def made_in_loops(n):
    layers = [Linear(k) for k in range(n)]
    return [[(name, parameter.value) for name, parameter in layer.parameters()] for layer in layers]


for function in (collected, changed, made_in_loops):
    for n in (1, 3):
        assert npcc.jit(function, target="cpu")(n) == function(n), (function.__name__, npcc.jit(function, target="cpu")(n), function(n))
layer = Linear(2)
assert npcc.jit(given, target="cpu")(layer) == ["weight", "bias", "count"] and layer.count == 3
