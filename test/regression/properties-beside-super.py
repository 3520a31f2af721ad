# RUN: %python %s
"""A class with a property and a constructor that calls the base's was taken to have changed at each call, and was compiled again: the name `__init__` led
to the property's own, which Python makes anew at each look."""
import npcc


class Counter:
    def __init__(self):
        self.count = 0


class Steps(Counter):
    def __init__(self, size):
        super().__init__()
        self.size = size

    @property
    def length(self):
        return self.count * self.size


@npcc.jit(target="cpu")
def walked(steps, size):
    walk = Steps(size)
    for _ in range(steps):
        walk.count += 1
    return walk.length


assert walked(3, 0.5) == 1.5
compilations = npcc.counters()["compilations"]
assert walked(4, 0.5) == 2.0
assert npcc.counters()["compilations"] == compilations
