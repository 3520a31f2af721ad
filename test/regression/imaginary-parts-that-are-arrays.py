# RUN: %python %s
"""complex(x, y) takes a complex number as its imaginary part, and no complex array of no axes."""

import numpy as np

import npcc


def made(x, y):
    return complex(x, y)


for dtype in ("c8", "c16"):
    number = np.dtype(dtype).type(2 + 1j)
    for x in (1.0, 1j, number, np.array(number)):
        assert npcc.jit(made, target="cpu")(x, number) == complex(x, number), (x, number)
        try:
            npcc.jit(made, target="cpu")(x, np.array(number))
        except TypeError as error:
            assert "float() argument must be a string or a real number, not 'complex'" in str(error)
        else:
            raise AssertionError((x, number))
assert npcc.jit(made, target="cpu")(1.0, np.array(2.0)) == 1 + 2j
