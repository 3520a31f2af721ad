# RUN: %python %s
"""explain() with the arguments of a call whose function has parts that Python runs was the error of compiling it without them."""
import decimal
import pickle

import numpy as np

import npcc


def copied(generator):
    other = pickle.loads(pickle.dumps(generator))
    return generator.random(3), other.random(3)


def scaled(x, factor):
    return np.sin(x) * float(factor)


for function, arguments in ((copied, [np.random.default_rng(3)]), (scaled, [np.ones(3), decimal.Decimal("0.5")])):
    compiled = npcc.jit(target="cpu")(function)
    before = str(compiled.explain(*arguments))
    assert "a part that Python runs" in before, before
    compiled(*arguments)
    assert before == str(compiled.explain(*arguments))


def refused(x):
    x.tofile("elements")


try:
    npcc.jit(target="cpu")(refused).explain(np.ones(3))
except npcc.CompileError as error:
    assert "ndarray.tofile cannot be compiled" in str(error), error
else:
    raise AssertionError
