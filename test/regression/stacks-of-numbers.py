# RUN: %python %s
"""A number is nothing to stack: NumPy's error says what is. It was that a number has no len()."""
import numpy as np

import npcc

for function in (lambda: np.stack(1), lambda: np.vstack(1.5), lambda: np.hstack(2), lambda: np.dstack(3), lambda: np.column_stack(4)):
    said = []
    for call in (function, npcc.jit(target="cpu")(function)):
        try:
            call()
        except TypeError as error:
            said.append(str(error))
    assert len(said) == 2 and said[0] == said[1], said
