"""What changes the arguments of launches: Kernel.extensions, by the names of numba.cuda.args.

An extension has `prepare_args(type, value, stream, retr)`, which gives a type and the value that the kernel gets; its type is that of the value as npcc writes
it ("float32[:]"), or None."""
import numpy as np

from ..kernels import In, InOut, Out

ArgHint = (In, Out, InOut)


def wrap_arg(value, default=InOut):
    """A NumPy array in `default` (In: nothing comes back from the GPU), unless it is in one of In, Out and InOut; anything else as it is."""
    return default(value) if isinstance(value, (np.ndarray, np.void)) else value
