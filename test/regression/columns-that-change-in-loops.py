# RUN: %python %s
"""A list of tuples that a loop replaces by one whose places hold other types, too, ended the process."""
import numpy as np

import npcc


def settled(layers, snow):
    out = []
    if snow:
        out.append((snow, 90.0))
    for thickness, density in layers:
        out.append((thickness * np.exp(-0.1), density))
    return out


def days(n):
    layers = [(0.3, 120), (0.05, 200)]
    for day in range(n):
        layers = settled(layers, 0.25 if day % 2 else 0.0)
    return layers


for n in 1, 3:
    result, expected = npcc.jit(days, target="cpu", cache=False)(n), days(n)
    assert repr(result) == repr(expected), (result, expected)
