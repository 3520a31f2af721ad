# RUN: %python %s
"""A part that Python runs looked at a global's array as it was before the call, on a GPU, where the function had stored into it before. Here on the driver that
stands in for CUDA's, if the build has it."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import npcc

LARGE, SMALL, FIXED = np.zeros((20, 20)), np.zeros(5), np.arange(300.0)
FIXED.flags.writeable = False
shown = bytearray()


def frame(k):
    LARGE[1:-1] += k
    SMALL[1:3] += k
    shown.append(int(LARGE.sum() / 40))
    shown.extend(SMALL.astype(np.uint8).tobytes())
    LARGE[0] += 1
    shown.extend(bytes(LARGE[:2, 0].astype(np.uint8)))
    shown.append(int(FIXED.max() - 290))


def told(k):
    SMALL[0] = k
    shown.extend([int(one) for one in SMALL])
    shown.extend(map(int, SMALL))
    return len(shown)


def run(f):
    LARGE[...], SMALL[...] = 0, 0
    shown.clear()
    results = [f(frame)(2), f(frame)(1), f(told)(7)]
    return results, list(shown), LARGE.sum(), SMALL.tolist()


expected, found = run(lambda function: function), run(npcc.jit)
assert found == expected, (found, expected)

fake = Path(npcc.__file__).parents[2] / "test" / "runtime" / "fake-cuda"
if fake.exists() and "NPCC_FAKE" not in os.environ:
    environment = dict(os.environ, NPCC_FAKE="1", NPCC_TARGET="cuda", LD_LIBRARY_PATH=str(fake), NPCC_CUBLAS="none", NPCC_KERNEL_ARCH="compute_90")
    subprocess.run([sys.executable, __file__], env=environment, check=True)
