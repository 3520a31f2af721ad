// NumPy's own distributions in C (numpy/random/distributions.h of the installed package, BSD), which libnpcc_rt is
// linked with: their streams are NumPy's, bit for bit, because they are NumPy's. Python is needed for the header alone.
#ifndef NPCC_RUNTIME_RANDOM_NUMPYRANDOM_H
#define NPCC_RUNTIME_RANDOM_NUMPYRANDOM_H

#include <Python.h>
#include <cstdint>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/npy_common.h>
#include <numpy/npy_math.h>
#include <numpy/random/distributions.h>
#undef MIN
#undef MAX

#endif
