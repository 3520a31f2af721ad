# RUN: %python %s
"""np.rot90 named axes that are out of bounds before it said that two are the same, in words of its own."""
import numpy as np

import npcc


def turned(a):
    return np.rot90(a)


def beyond(a):
    return np.rot90(a, axes=(0, 2))


def three(a):
    return np.rot90(a, axes=(0, 1, 2))


for function, shape in ((turned, (3,)), (beyond, (3, 2)), (beyond, (1,)), (three, (1, 1))):
    words = []
    for each in (function, npcc.jit(target="cpu")(function)):
        try:
            each(np.ones(shape))
        except ValueError as error:
            words.append(str(error))
        except npcc.CompileError as error:
            words.append(error.msg.removeprefix("ValueError: "))
    assert len(words) == 2 and words[0] == words[1], words
