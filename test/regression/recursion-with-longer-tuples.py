# RUN: %python %s
"""A function that calls itself with ever longer tuples was imported for each length, each of them many times: that took minutes. They are tuples of run-time
length. Tuples of several lengths that come to an end keep their types."""
import npcc


def paths(n):
    found = []

    def place(row, path):
        if row == n:
            found.append(path)
            return
        for column in range(2):
            place(row + 1, path + (column,))

    place(0, ())
    return found


def value(node):
    if node[0] == "number":
        return node[1]
    if node[0] == "-":
        return -value(node[1])
    return value(node[1]) + value(node[2])


def of_a_tree(n):
    return value(("+", ("number", n), ("-", ("+", ("number", 1.5), ("number", n)))))


for function in (paths, of_a_tree):
    assert npcc.jit(target="cpu")(function)(3) == function(3)
