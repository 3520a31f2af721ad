# RUN: %python %s
"""An object that has any attribute, as stand-ins for modules of plots are, may be a global: what it makes is not looked at without end."""

from unittest import mock

import numpy as np

import npcc


class Anything:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *args, **kwargs):
        return self


new_each_time, kept = Anything(), mock.MagicMock()
shows = False


def total(x):
    s = 0.0
    for k in range(len(x)):
        s += x[k]
        if shows:
            new_each_time.gcf().canvas.connect("key", lambda event: None)
            kept.gcf.canvas.connect.canvas("key")
    return s


compiled = npcc.jit(total, target="cpu")
assert compiled(np.arange(4.0)) == 6.0 and compiled(np.arange(5.0)) == 10.0
