"""Which calls the host may run instead of a GPU that nobody has asked for.

The compiler compares what both would take (compiler/gpu/CallTimes.h), and the code of the host is for calls of about that size with arrays that it
can use as they are. `NPCC_PLACEMENT=device` leaves all calls to the GPU."""
import itertools
import os

import numpy as np


def may_move(arguments):
    """Whether code of the host that takes no copies could run the call: all arrays are NumPy's, contiguous, and apart from each other."""
    if os.environ.get("NPCC_PLACEMENT") == "device":
        return False
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    if any(hasattr(a, "__cuda_array_interface__") or hasattr(a, "__dlpack__") for a in arguments if not isinstance(a, (np.ndarray, np.generic))):
        return False
    if not all(a.flags.c_contiguous and a.flags.aligned and a.flags.writeable for a in arrays):
        return False
    return not any(np.may_share_memory(a, b) for a, b in itertools.combinations(arrays, 2))
