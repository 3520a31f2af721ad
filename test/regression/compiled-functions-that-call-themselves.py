# RUN: %python %s
"""The lists that a function gave to itself by the name of the compiled one were copies: it was left to Python. A refusal in the middle of such a
run was taken for one of the whole call, which began again behind what had been done."""
import npcc


@npcc.jit(target="cpu")
def choose(first, last, count, chosen, found):
    if count == 0:
        found.append(chosen[:])
        return
    for k in range(first, last - count + 2):
        chosen.append(k)
        choose(k + 1, last, count - 1, chosen, found)
        chosen.pop()


for _ in range(2):
    found = []
    choose(1, 4, 2, [], found)
    assert found == [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]], found
assert not choose.explain.__self__.with_python  # all of it is compiled


@npcc.jit(target="cpu")
def refused(a):
    return a.flags.nothing


@npcc.jit(target="cpu")
def caller(steps, path):
    steps.append(1)
    open(path).close()  # which Python runs
    return refused_there()


def refused_there():
    return eval("refused(numbers)", {"refused": refused, "numbers": float})


steps = []
try:
    caller(steps, __file__)
    assert False
except (npcc.CompileError, TypeError, AttributeError):
    pass
assert steps == [1], steps


@npcc.jit(target="cpu")
def failing(steps, path):
    steps.append(1)
    open(path).close()


steps = []
try:
    failing(steps, __file__ + " is not there")
    assert False
except FileNotFoundError:
    assert steps == [1], steps  # what was done before Python raised stays done
