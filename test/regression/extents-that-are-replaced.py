# RUN: %python %s
"""The compiler crashed where the extent that a loop's arrays keep was found equal to another one and gone."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def taking_turns(left, right):
    sums = right[1:0, :] * right[0:0, 0:0]
    count = 3
    while count > 0:
        count -= 1
        sums += left[:][1:]
        sums, right = right, sums
    return np.nansum(right, -1)


assert taking_turns(np.zeros((0, 0)), np.zeros((0, 0))).shape == (0,)
