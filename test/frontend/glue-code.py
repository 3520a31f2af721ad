# REQUIRES: x86
# RUN: env NPCC_CACHE=0 %python %s
"""Code that only calls what the runtime has to do is emitted without a search for good registers, apart from kernels and from loops that do the work
themselves. Each way of allocating registers is a pass, which NPCC_TIME=passes names. Kernels are made in one tier here: in the first of two, they are
emitted as such code is."""
import os
import subprocess
import sys

import numpy as np

import npcc


def kernels(a, n):
    for _ in range(n):
        a[1:-1] = 0.5 * (a[2:] + a[:-2])
        a[2:-2] -= a[4:] * a[:-4]
    return a + 1


def recurrence(a):
    s = 0.0
    for x in a:
        s = s * 0.5 + x
    return s


def growing(a):
    found = []
    for x in a:
        if x > 0.5:
            found.append(x * x)
    return np.array(found)


def scalars(x, y):
    return x * y + x / y


functions = {"kernels": (kernels, np.ones(1000), 3), "recurrence": (recurrence, np.ones(100)), "growing": (growing, np.ones(100)),
             "scalars": (scalars, 2.0, 4.0)}
if sys.argv[1:]:
    function, *arguments = functions[sys.argv[1]]
    npcc.jit(target="cpu")(function)(*arguments)
    sys.exit()
for name, tiers, fast, greedy in (("kernels", "0", True, True), ("kernels", "first", True, False), ("recurrence", "0", None, True),
                                  ("growing", "0", None, True), ("scalars", "0", True, False)):
    environment = dict(os.environ, NPCC_TIME="passes", NPCC_TIERS=tiers)
    done = subprocess.run([sys.executable, __file__, name], env=environment, capture_output=True, text=True, check=True)
    assert fast is None or ("Fast Register Allocator" in done.stderr) == fast, name
    assert ("Greedy Register Allocator" in done.stderr) == greedy, name
