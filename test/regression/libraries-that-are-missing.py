# RUN: %python %s
"""What asks for a library that is not there says so: cuFFT (on the fake driver, where the build has it) and LAPACK. A file that is named and cannot be
opened, or that is another library or too old a one, is named in the error."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import npcc


def transform(a):
    return np.fft.fft(a)


def singular_values(a):
    return np.linalg.svdvals(a)


def main(what):
    if what == "cufft":
        function, target, argument = transform, "cuda", np.ones(4, complex)
    else:
        function, target, argument = singular_values, "cpu", np.ones((3, 3))
    try:
        npcc.jit(function, target=target)(argument)
    except NotImplementedError as error:
        print(error)


def said(what, **environment):
    return subprocess.run([sys.executable, __file__, what], env={**os.environ, **environment}, capture_output=True, text=True, check=True).stdout


if len(sys.argv) > 1:
    main(sys.argv[1])
else:
    assert "no LAPACK for svdvals: no OpenBLAS is found" in said("lapack", NPCC_BLAS="none")
    fake = Path(npcc.__file__).parents[2] / "test" / "runtime" / "fake-cuda"
    if fake.exists():
        for named, words in (
            ("none", "need cuFFT, and neither libcufft.so.12 nor libcufft.so.11 is found"),
            ("/nowhere/libcufft.so", "need cuFFT: NPCC_CUFFT names /nowhere/libcufft.so, which cannot be opened"),
            ("libm.so.6", "need cuFFT: libm.so.6 has no cufftCreate: it is too old, or another library"),
        ):
            text = said("cufft", LD_LIBRARY_PATH=str(fake), NPCC_CUFFT=named, NPCC_CUBLAS="none", NPCC_KERNEL_ARCH="compute_90")
            assert words in text, text
