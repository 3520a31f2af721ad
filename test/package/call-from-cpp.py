# RUN: rm -rf %t && mkdir -p %t
# RUN: npcc %npcc_src/examples/heat.py -o %t/heat.so
# RUN: %cxx -std=c++17 -Wall -Werror -I %t %npcc_src/examples/call_from_cpp/main.cpp %t/heat.so %t/libnpcc_rt.so -o %t/call_heat -Wl,-rpath,%t
# RUN: %t/call_heat > %t/out.txt
# RUN: %python %s %t/out.txt %npcc_src/examples
"""A C++ program that links against a module computes what NumPy does."""
import sys

sys.path.insert(0, sys.argv[2])
import numpy as np

import heat

plate = np.zeros((64, 64))
plate[21:42, 21:42] = 100
expected = heat.diffuse(plate, 0.2, 100)
first, second = open(sys.argv[1]).read().splitlines()
assert first == f"centre {expected[32, 32]:.6f}, mean {expected.mean():.6f}", first
assert second.startswith("error 3: diffuse(float64[:,:], float, int): argument u is not a float64 array of rank 2"), second
