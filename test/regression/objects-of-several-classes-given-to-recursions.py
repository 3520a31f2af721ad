# RUN: %python %s
# A list display with objects of several classes, which a function that calls itself is given, was made by Python, with all that the function did with it.
import npcc


class Matte:
    def __init__(self, color):
        self.color = color

    def light(self):
        return self.color


class Lamp(Matte):
    def light(self):
        return 10 * self.color


class Ball:
    def __init__(self, size, material):
        self.size, self.material = size, material

    def seen(self):
        return self.size * self.material.light()


class Floor:
    material = None

    def __init__(self, size, even):
        self.size, self.even = size, even

    def seen(self):
        self.material = self.even
        return self.size


def trace(scene, depth):
    if depth == 0:
        return 0.0
    total, largest = 0.0, None
    for thing in scene:
        total += thing.seen() * depth
        if largest is None or thing.size > largest.size:
            largest = thing
    return total + trace(scene, depth - 1) + largest.material.light()


def brightness(n):
    matte = Matte(2.0)
    scene = [Ball(1.0, matte), Ball(2.0, Lamp(3.0)), Floor(1.5, matte)]
    return sum([trace(scene, k) for k in range(n)]), [type(thing).__name__ for thing in scene]


def shared(n):
    return trace([Floor(5.0, Lamp(0.5)), Ball(1.0, Matte(2.0))], n)


for function in brightness, shared:
    compiled = npcc.jit(target="cpu")(function)
    assert compiled(4) == function(4), function
    assert not compiled.inspect.__self__.with_python  # all of it is compiled
