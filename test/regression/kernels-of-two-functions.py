# RUN: env NPCC_TIERS=0 NPCC_CACHE=1 %python %s
"""A kernel whose arguments are taken apart got the code of another one of the same name on disk."""
import os
import tempfile

os.environ["NPCC_CACHE_DIR"] = tempfile.mkdtemp()
import numpy as np

from npcc import cuda


def launched(function):
    @cuda.jit(target="cpu")
    def kernel(pair, out):
        out[0] = function(pair)

    out = np.zeros(1)
    kernel[1, 1]((1.5, 2.5), out)
    return out[0]


assert launched(lambda pair: pair[0]) == 1.5
assert launched(lambda pair: pair[1]) == 2.5
