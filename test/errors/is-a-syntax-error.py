# RUN: %python %s
"""CompileError is caught as what it is: a SyntaxError with its place."""
import numpy as np

import npcc


@npcc.jit(cache=False)
def text(x):
    return np.random.set_state(x)


try:
    text(np.ones(3))
except SyntaxError as error:
    assert isinstance(error, npcc.CompileError)
    assert error.filename == __file__ and error.lineno == 10, (error.filename, error.lineno)
    assert error.text == "    return np.random.set_state(x)\n" and error.offset == 12, (error.text, error.offset)
else:
    raise AssertionError("compiled")
