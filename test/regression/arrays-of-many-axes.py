# RUN: %python %s
"""More axes than the runtime describes were written beyond its tables, which ended the process."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def ones():
    return np.ones((1,) * 64)


@npcc.jit(target="cpu")
def expanded(a):
    return np.expand_dims(a, tuple(range(40)))


@npcc.jit(target="cpu")
def beside(a):
    a[0] = 1
    return np.zeros((1,) * 40)


for function, arguments in ((ones, ()), (expanded, (np.arange(3.0),)), (beside, (np.arange(3.0),)), (npcc.jit(target="cpu")(lambda: np.zeros((1,) * 40)), ())):
    try:
        function(*arguments)
    except npcc.CompileError as error:
        assert "npcc supports at most 32" in error.msg, error.msg
    else:
        raise AssertionError("too many axes were taken")

assert npcc.jit(target="cpu")(lambda: np.ones((1,) * 32))().shape == (1,) * 32
