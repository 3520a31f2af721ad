# RUN: %python %s
"""zip() asked a generator behind a shorter range for one item too many, and a generator's StopIteration ended its loop without an error."""
import npcc


def naturals():
    k = 0
    while True:
        yield k
        k += 1


def below(n):
    for k in range(n):
        yield k


def two(source):
    yield next(source)
    yield next(source)


@npcc.jit(target="cpu")
def zipped(n):
    source = naturals()
    return list(zip(range(n), source)), next(source)


@npcc.jit(target="cpu")
def run_out(n):
    return [k for k in two(below(n))]


assert zipped(3) == ([(0, 0), (1, 1), (2, 2)], 3)
assert run_out(2) == [0, 1]
try:
    run_out(1)
except RuntimeError as error:
    assert str(error) == "generator raised StopIteration"
else:
    raise AssertionError
