"""Numba's own tests of its CUDA kernels, run through npcc.cuda: see run.py."""
