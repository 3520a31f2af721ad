# RUN: %python %s
# RUN: env NPCC_NVRTC=none %python %s
# UNSUPPORTED: cuda
"""Without a GPU, and without NVRTC: what is asked for says what is missing."""
import os

import numpy as np

import npcc
from npcc import cuda

assert cuda.is_available() is False and cuda.detect() is False
assert len(cuda.gpus) == 0 and list(cuda.gpus) == []
cuda.close()
with cuda.defer_cleanup():
    pass
for attempt in (cuda.stream, cuda.default_stream, cuda.event, cuda.synchronize, lambda: cuda.device_array(3), lambda: cuda.to_device(np.ones(3)),
                lambda: cuda.select_device(0), cuda.current_context, lambda: cuda.pinned_array(3), lambda: cuda.mapped_array(3), lambda: cuda.managed_array(3),
                lambda: cuda.external_stream(1), cuda.get_current_device, lambda: npcc.stream(1).__enter__(), lambda: cuda.pinned(np.ones(3)).__enter__()):
    try:
        attempt()
    except RuntimeError as error:
        assert str(error).startswith("no GPU can be used: ") and len(str(error)) > 25, str(error)
    else:
        raise AssertionError("ran")
kernel = npcc.RawKernel('extern "C" __global__ void f(int n) {}', "f")
elementwise = npcc.ElementwiseKernel("T x", "T y", "y = x", "copy")
for attempt in (lambda: kernel(1, 1, (3,)), lambda: kernel.attributes, lambda: elementwise(3.0)):
    try:
        attempt()
    except RuntimeError as error:
        missing = "own kernels are compiled by NVRTC, which was not found: none" if os.environ.get("NPCC_NVRTC") else ""
        assert missing in str(error) or "CUDA is not available" in str(error) or "no GPU can be used" in str(error), str(error)
        if "NVRTC" in str(error):
            assert "pip install nvidia-cuda-nvrtc" in str(error)
    else:
        raise AssertionError("ran")
# Arrays that are no argument for a kernel are refused before anything is compiled.
for value, text in ((np.ones(3), "kernel 'f': argument 1 is a NumPy array"), (npcc.ones(3, device="cpu"), "kernel 'f': argument 1 is an array on the CPU")):
    try:
        kernel(1, 1, (value,))
    except TypeError as error:
        assert text in str(error), str(error)
    else:
        raise AssertionError("ran")
# npcc.ndarray has its methods on the CPU too.
array = npcc.array(np.arange(6.0).reshape(2, 3), device="cpu")
array.copy_to_device(np.ones((2, 3), np.float32))
assert array.copy_to_host().tolist() == [[1, 1, 1], [1, 1, 1]] and array.reshape(3, 2).shape == (3, 2)
