# RUN: env NPCC_TIERS=0 NPCC_CACHE=1 NPCC_CACHE_DIR=%t %python %s
"""A function that reaches a decorated helper depends on what the decorator wraps."""
import functools

import npcc


def twice(function):
    @functools.wraps(function)
    def call(x):
        return 2 * function(x)

    return call


@twice
def increased(x):
    return x + 1


def program(x):
    return increased(x)


assert npcc.jit(target="cpu")(program)(3) == 8
