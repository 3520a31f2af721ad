# RUN: %python %s
# An assignment to an item beyond a list's end raised the error of one that is read.
import npcc


def numbers(n):
    items = [0] * n
    items[n] = 1


def rows(n):
    items = [[0] * 3 for _ in range(n)]
    items[1][5] = 1


def tuples(n):
    items = []
    for k in range(n):
        items.append((k, "a"))
    items[n] = (3, "b")


def read(n):
    items = [0] * n
    return items[n]


for function in numbers, rows, tuples, read:
    words = []
    for called in function, npcc.jit(target="cpu")(function):
        try:
            called(3)
        except IndexError as error:
            words.append(str(error))
    assert words[0] == words[1], words
