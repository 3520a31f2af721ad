# RUN: rm -rf %t && mkdir -p %t
# RUN: npcc %npcc_src/examples/heat.py -o %t/heat.so --target cpu
# RUN: cd %t && %python -I %s %t
"""A module's functions refuse wrong dtypes, ranks and counts, and name what they accept."""
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np

import heat

accepted = "Accepted:\n  diffuse(float64[:,:], float, int)\n  diffuse(float32[:,:], float, int)"
calls = [
    ((np.ones((3, 3), int), 0.2, 1), f"no signature of diffuse accepts diffuse(int64[:,:], float, int). {accepted}"),
    ((np.ones(3), 0.2, 1), f"no signature of diffuse accepts diffuse(float64[:], float, int). {accepted}"),
    ((np.ones((3, 3)), 0.2, 1.5), f"no signature of diffuse accepts diffuse(float64[:,:], float, float). {accepted}"),
    ((np.ones((3, 3)), 0.2), "diffuse() missing 1 required positional argument: 'steps'"),
    ((np.ones((3, 3)), 0.2, 1, 2), "diffuse() takes 3 positional arguments but 4 were given"),
]
for arguments, message in calls:
    try:
        heat.diffuse(*arguments)
    except TypeError as error:
        assert str(error) == message, str(error)
    else:
        raise AssertionError(message)
assert heat.diffuse(np.ones((3, 3)), 1, True).shape == (3, 3), "int for float and bool for int lose nothing"
