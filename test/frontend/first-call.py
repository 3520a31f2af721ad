# RUN: env NPCC_CACHE=0 %python %s
"""How much a first call does: modules imported, kernels made, lines of code. Counts, for clocks differ."""
import inspect
import subprocess
import sys
import tokenize

import numpy as np

import npcc
from npcc import parameters


def norms(a):
    return np.sqrt(np.sum(a**2, axis=-1))


def started(a):
    return np.zeros(3) + a


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def running(a):
    return np.cumsum(a, axis=-1)


def total(a):
    return np.sum(a)


def counts(a):
    return np.bincount(a)


def weighted(data, radius, count):
    return np.histogram(radius, count, weights=data)[0] / np.histogram(radius, count)[0]


# What a function in C says of its parameters is read without Python's tokenizer, whose regular expressions take longer to compile than a small function.
if sys.argv[1:] == ["tokens"]:
    npcc.jit(target="cpu")(started)(1.0)
    print(tokenize._compile.cache_info().currsize)
    sys.exit()

# Of the library a process imports what it needs, and what kernels of threads need only where there are some.
if sys.argv[1:] == ["modules"]:
    npcc.jit(target="cpu")(norms)(np.ones((3, 4)))
    print(*sorted(name for name in sys.modules if name.startswith(("npcc.library.", "npcc.threads.kernel", "numpy.polynomial", "npcc.generators",
                                                                            "npcc.with_statements", "npcc.private_names", "dataclasses"))))
    sys.exit()
imported = subprocess.run([sys.executable, __file__, "modules"], capture_output=True, text=True, check=True).stdout.split()
assert imported == [], imported

assert subprocess.run([sys.executable, __file__, "tokens"], capture_output=True, text=True, check=True).stdout.split() == ["0"]
for function in (np.zeros, np.array, np.arange, np.empty, np.asarray, np.frombuffer, np.fromiter, np.promote_types, np.mean, len):
    assert parameters.signature_of(function) == inspect.signature(function), function
for function in (max, np.add):  # without a text that is Python: what inspect says
    outcomes = []
    for find in (parameters.signature_of, inspect.signature):
        try:
            outcomes.append(find(function))
        except ValueError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1], outcomes

# With the extents of the call, only the alternatives that it takes: lines of the form "gpu", at most, and launches.
# Four lines wait for the argument, some ten ask whether positions fit 32 bits, and eleven how many blocks a sum is worth.
rows, elements = np.zeros((1000, 1000)), np.zeros(100_000, np.int64)
for function, array, lines, launches in ((norms, rows, 145, 1), (softmax, rows, 353, 1), (running, rows, 245, 1), (total, rows, 263, 2),
                                         (counts, elements, 500, 5)):
    text = npcc.jit(target="cuda")(function).inspect("gpu", arguments=(array, ))
    assert text.count("gpu.launch ") == launches, (function.__name__, text.count("gpu.launch "))
    assert len(text.splitlines()) <= lines, (function.__name__, len(text.splitlines()))

# What stands in a program twice is one function of the image: the kernels of the second histogram that are those of the first.
histograms = npcc.jit(target="cuda")(weighted)
arguments = np.zeros(100_000), np.zeros(100_000), 100
launched, kernels = (histograms.inspect(phase, arguments=arguments).count(word) for phase, word in (("gpu", "gpu.launch "), ("ptx", ".entry")))
assert (launched, kernels) == (13, 11), (launched, kernels)
