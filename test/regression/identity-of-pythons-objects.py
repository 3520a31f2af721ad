# RUN: %python %s
"""`is` between objects of Python's own was no operator of the part that Python runs: a SyntaxError at the call."""
import npcc


class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        return self.size


class Square(Shape):
    def area(self):
        return self.size**2


def largest(shapes):
    best = None
    for shape in shapes:
        if best is None or shape.area() > best.area():
            best = shape
    return best


def compared():
    shapes = [Shape(2.0), Square(3.0)]
    best = largest(shapes)
    return best is shapes[1], best is not shapes[0], best.area(), largest([]) is None


assert npcc.jit(target="cpu")(compared)() == compared()
