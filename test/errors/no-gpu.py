# RUN: %python %s
# UNSUPPORTED: cuda
"""target="cuda" without a GPU says why there is none; the text of a phase needs no GPU."""
import numpy as np

import npcc


@npcc.jit(target="cuda", cache=False)
def double(x):
    return x * 2


for attempt in (lambda: double(np.ones(3)), lambda: npcc.zeros(3, device="cuda")):
    try:
        attempt()
    except RuntimeError as error:
        assert "no GPU can be used: " in str(error) and len(str(error)) > len("target='cuda': no GPU can be used: "), str(error)
    else:
        raise AssertionError("ran")
try:
    npcc.jit(double.__wrapped__, target="gpu")
except ValueError as error:
    assert str(error) == "target is 'cpu', 'cuda' or 'debug', not 'gpu'"
else:
    raise AssertionError("accepted")
