# RUN: %python %s
"""A list, a heap or an attribute could hold objects of one class only: those of several were left to Python. A comprehension with a condition over a
known list of objects was refused, and so were two lists of different items that are added."""
import heapq

import npcc


def jit(function):
    return npcc.jit(target="cpu")(function)


class Circle:
    def __init__(self, r):
        self.r = r

    def area(self):
        return 3 * self.r * self.r


class Square:
    def __init__(self, a, name):
        self.a, self.name = a, name

    def area(self):
        return self.a * self.a


class Cube(Square):
    def area(self):
        return 6 * self.a * self.a


def made(k):
    if k % 3 == 0:
        return Circle(k)
    if k % 3 == 1:
        return Square(k, "s" * k)
    return Cube(k, "c")


def shown(value):
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    return (type(value).__name__, {k: shown(v) for k, v in vars(value).items()}) if hasattr(value, "__dict__") else value


def check(function, *arguments):
    got, wanted = function(*arguments), function.py_func(*arguments)
    assert shown(got) == shown(wanted), (function.__name__, shown(got), shown(wanted))
    if isinstance(arguments[0], int):
        function.inspect("np", "int")  # raises what is refused: no part of it is left to Python


@jit
def areas(n):
    shapes = [made(k) for k in range(n)]
    largest = max(shapes, key=lambda s: s.area())
    total = 0
    for shape in shapes:
        total += shape.area()
        if isinstance(shape, Square):
            shape.name += "!"
    return total, largest, sum(isinstance(s, Square) for s in shapes), shapes


@jit
def appended(n):
    things = []
    for k in range(n):
        things.append(Circle(k))
        things.append(None)
        things.append(Square(k, "x"))
        things.append(k)
    things[0], things[-1] = things[2], things[0]
    return things


class Node:
    def __init__(self, left, right):
        self.left, self.right = left, right


@jit
def tree(counts):
    heap = []
    for k, count in enumerate(counts):
        heapq.heappush(heap, (count, k, Circle(k)))
    number = len(heap)
    while len(heap) > 1:
        a, _, left = heapq.heappop(heap)
        b, _, right = heapq.heappop(heap)
        heapq.heappush(heap, (a + b, number, Node(left, right)))
        number += 1
    return heap[0][2]


@jit
def chosen(n):
    few = [Circle(k + n) for k in range(3)]
    squares = [Square(k, "y") for k in range(n)]
    return [c for c in few if c.r > n] + [s for s in squares if s.a % 2]


class Holder:
    def __init__(self):
        self.held = None


@jit
def held(n):
    holders = [Holder() for _ in range(n)]
    for k, holder in enumerate(holders):
        if k % 4:
            holder.held = made(k)
    total = 0
    for holder in holders:
        if holder.held is not None:
            total += holder.held.area()
    return holders, total


@jit
def mixed_sums(n):
    a = [k for k in range(n)] + [k / 2 for k in range(n)]
    b = a + [None]
    return a, b, ["x" * k for k in range(n)] + b


check(areas, 7)
check(appended, 2)
check(tree, [5, 2, 7, 1])
check(chosen, 4)
check(held, 9)
check(mixed_sums, 3)
