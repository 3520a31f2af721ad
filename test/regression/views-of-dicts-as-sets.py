# RUN: %python %s
"""d.keys() & other was a TypeError: the views of dicts were what they hold, and no sets."""
import npcc


def known(a, b):
    return a.keys() & b.keys(), a.keys() | b.keys(), b.keys() - a, a.keys() ^ {"x"}, {"x"} & a.keys(), a.keys() == {"x", "y"}, \
        b.keys() < a.keys(), a.keys() & ["x"]


def computed(numbers):
    squares, next_ones = {}, {}
    for number in numbers:
        squares[number] = number * number
        next_ones[number + 1] = number
    both = sum(squares[key] * next_ones[key] for key in squares.keys() & next_ones.keys())
    return both, squares.keys() - next_ones.keys(), squares.items() & {(1, 1)}, set(squares) & next_ones.keys(), \
        squares.items() == squares.items(), len(squares.keys())


for function, arguments in ((known, ({"x": 1.0, "y": 2.0}, {"y": 3.0})), (computed, ([3, 1, 2, 70, 200],))):
    got, wanted = npcc.jit(function, target="cpu")(*arguments), function(*arguments)
    assert got == wanted and list(map(type, got)) == list(map(type, wanted)), (function.__name__, got, wanted)
