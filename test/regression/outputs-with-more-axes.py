# RUN: %python %s
"""An output that cannot hold what a ufunc computes: the error names the shape that all operands broadcast to, and the output is one of them."""
import numpy as np

import npcc


def larger(x, out):
    np.maximum(x, x, out=out)


def squares(x, out):
    np.square(x, out)


for function in (larger, squares):
    compiled = npcc.jit(target="cpu")(function)
    for x, out in ((np.ones(2), np.ones((1, 1))), (np.ones((3, 2)), np.ones((1, 2))), (np.ones(2), np.ones((3, 2))), (np.ones((2, 1)), np.ones((1, 2)))):
        said = []
        for call in (function, compiled):
            given = out.copy()
            try:
                call(x, given)
                said.append(given.tolist())
            except ValueError as error:
                said.append(str(error))
        assert said[0] == said[1], (function.__name__, x.shape, out.shape, said)
