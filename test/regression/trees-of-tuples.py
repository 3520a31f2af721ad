# RUN: %python %s
"""Tuples of tuples of their own kind, which recursive functions and loops make, had no end of types: they are rows of a table."""
import npcc


def tree(n):
    def build(low, high):
        if low >= high:
            return None
        middle = (low + high) // 2
        return (middle, build(low, middle), build(middle + 1, high))

    return build(0, n)


def complete(depth):
    def build(d):
        return () if d == 0 else (build(d - 1), build(d - 1))

    return build(depth)


def measured(n):
    def build(low, high):
        if low >= high:
            return None
        middle = (low + high) // 2
        return (f"n{middle}", build(low, middle), build(middle + 1, high))

    def depth(node):
        return 0 if node is None else 1 + max(depth(node[1]), depth(node[2]))

    def in_order(node, names):
        if node is not None:
            name, left, right = node
            in_order(left, names)
            names.append(name)
            in_order(right, names)
        return names

    root = build(0, n)
    return depth(root), in_order(root, []), root


def linked(n):
    head = None
    for k in range(n):
        head = (k * 0.5, head)
    total, node = 0.0, head
    while node is not None:
        value, node = node
        total += value
    return total, head


for function, arguments in (tree, (0, 1, 7, 12)), (complete, (0, 3)), (measured, (0, 9)), (linked, (0, 1, 6, 40)):
    compiled = npcc.jit(function, target="cpu")
    compiled.inspect("np", "int")  # raises what is refused: no part of it is left to Python
    for n in arguments:
        want, got = function(n), compiled(n)
        assert repr(got) == repr(want), (function.__name__, n, got, want)
deep = npcc.jit(linked, target="cpu")(5000)[1]  # made from its end, so its depth is no matter
while deep is not None:
    last, deep = deep
assert last == 0


def compared(n):
    def build(low, high):
        if low >= high:
            return None
        middle = (low + high) // 2
        return (middle, build(low, middle), build(middle + 1, high))

    one, other = build(0, n), build(0, n)
    longer = build(0, n + 1)
    return one == other, one != longer, f"{one}", repr(longer)


assert npcc.jit(compared, target="cpu")(6) == compared(6)
