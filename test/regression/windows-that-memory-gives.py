# RUN: %python %s
"""Windows whose beginnings are elements of an array (averages around events, delays of a beamformer): the host waited for each of them. The ends of all windows
are asked once, and the loop is a kernel. Windows at the array's ends do what they do in NumPy, errors and all."""
import numpy as np

import npcc


def average(x, starts, width):
    total = np.zeros(width)
    for s in starts:
        total += x[s:s + width]
    return total / len(starts)


def beams(signals, delays, weights, n):
    out = np.zeros((delays.shape[0], n))
    for b in range(delays.shape[0]):
        for m in range(signals.shape[0]):
            start = delays[b, m]
            out[b] += weights[m] * signals[m, start:start + n]
    return (out * out).mean(axis=1)


def first(x, starts, width, n):
    total = np.zeros(width)
    for i in range(n):
        s = starts[i]
        total += x[s:s + width]
    return total


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), str(error)


def agree(one, other):
    return one == other if isinstance(one, tuple) or isinstance(other, tuple) else np.allclose(one, other, rtol=1e-13, atol=0)


x = np.random.default_rng(1).random(50)
cases = [np.array(starts) for starts in ([0, 7, 42], [1, -9, 3], [3, 49, 2], [3, 60], [-50, -8], [44])]
for target in ("cpu", "debug"):
    compiled = npcc.jit(target=target)(average)
    for starts in cases:
        assert agree(outcome(compiled, x, starts, 8), outcome(average, x, starts, 8)), (target, starts)
        assert agree(outcome(compiled, x, starts, 1), outcome(average, x, starts, 1)), (target, starts)
    # No element behind the last beginning is asked for, however many iterations there are.
    for count in (3, 4, 300_000_000):
        assert agree(outcome(npcc.jit(target=target)(first), x, cases[0], 8, count), outcome(first, x, cases[0], 8, count)), (target, count)
    signals, delays, weights = x.reshape(2, 25), np.array([[0, 5], [3, 1], [2, 2]]), np.array([0.5, 2.0])
    compiled = npcc.jit(target=target)(beams)
    for shift in (0, 14, -30):
        assert agree(outcome(compiled, signals, delays + shift, weights, 6), outcome(beams, signals, delays + shift, weights, 6)), (target, shift)

for function, arguments in ((average, (np.ones(100_000), np.arange(1000), 256)),
                            (beams, (np.ones((4, 100_000)), np.zeros((24, 4), np.int64), np.ones(4), 90_000))):
    text = str(npcc.jit(target="cuda")(function).explain(*arguments))
    assert text.index("the host waits for a number") < text.index("if ") < text.index("loop of the host"), text
