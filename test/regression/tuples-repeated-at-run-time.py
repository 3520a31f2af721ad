# RUN: %python %s
"""A tuple times a number that is known at run time only was refused."""
import npcc


def contexts(orders):
    found = {}
    for order in orders:
        context = (-1,) * (order - 1)
        for token in range(4):
            found[context] = found.get(context, 0) + token
            context = context[1:] + (token,)
    return found


def repeated(n):
    return (1.5,) * n, n * ("a", "b"), (0, None) * n, () * n, ((1, 2),) * n


for function, arguments in ((contexts, ([2, 3, 2],)), (repeated, (3,)), (repeated, (0,)), (repeated, (-1,))):
    assert npcc.jit(function, target="cpu")(*arguments) == function(*arguments), function
