# RUN: %python %s
# What would fail while a list is still empty was raised when the function was called, and not in the `if` where it stands; of a name that may be None, before
# anything that the function prints.
import contextlib
import io

import npcc


class Node:
    def __init__(self, x, below):
        self.x, self.below = x, below


def chain(n):
    return None if n == 0 else Node(n, chain(n // 2))


def largest(n, most):
    kept = []

    def visit(node):
        if node is None:
            return
        if len(kept) < most:
            kept.append(node.x)
        elif node.x > kept[0]:
            kept[0] = node.x
        visit(node.below)
    visit(chain(n))
    return kept


def second(items):
    print("second of", items)
    return items[1]


def shown(n):
    return second((n, 2) if n > 1 else (n,))


compiled = npcc.jit(target="cpu")(largest)
assert compiled(20, 2) == largest(20, 2)
for function, arguments in ((compiled, (20, 0)), (npcc.jit(target="cpu")(shown), (1,))):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            raise AssertionError(function(*arguments))
        except IndexError as error:
            print(error)
    assert text.getvalue() == ("list index out of range\n" if function is compiled else "second of (1,)\ntuple index out of range\n"), text.getvalue()
