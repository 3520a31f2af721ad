# RUN: %python %s
"""What is appended is chosen on two paths, behind which the names are bound anew."""
import npcc
import numpy as np


def chosen(n):
    made = []
    for k in range(n):
        made.append((k, k if k > 2 else -k))
        made.append((k, n if n > 3 else k))
    return made


assert npcc.jit(chosen, target="cpu")(np.int64(5)) == chosen(5)
