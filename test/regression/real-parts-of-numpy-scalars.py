# RUN: %python %s
# int() and float() of a complex number of NumPy's leave the imaginary part out; of Python's, and of an array, they are errors.
import warnings

import numpy as np

import npcc

warnings.simplefilter("ignore")


def of_scalars(z):
    return int(z[0]), float(z[0]), int(z[0] * 2), float(z.sum()), int(np.complex64(2 + 1j))


def of_python(x):
    return int(complex(x, 1.0))


def of_array(z):
    return float(z[0:1].reshape(()))


z = np.array([2.5 - 1j, 3 + 2j])
for dtype in ("c8", "c16"):
    want, got = of_scalars(z.astype(dtype)), npcc.jit(of_scalars)(z.astype(dtype))
    assert want == got and list(map(type, want)) == list(map(type, got)), (want, got)
for function, argument in ((of_python, 1.0), (of_array, z)):
    messages = []
    for call in (function, npcc.jit(function)):
        try:
            call(argument)
        except TypeError as error:
            messages.append(str(error))
    assert len(messages) == 2 and messages[0] == messages[1], messages
