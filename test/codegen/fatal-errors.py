# RUN: %python %s
"""A compilation that finds no memory ends with an error, not the process; one that recurses deeply has the stack for it."""
import ctypes

from loops import library

library.npcc_test_guard.restype = ctypes.c_char_p
library.npcc_test_guard.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
for _ in range(3):
    assert library.npcc_test_guard(2**62, 0) == b"LLVM: out of memory"
    assert library.npcc_test_guard(100, 0).startswith(b"came back from 0")
assert library.npcc_test_guard(0, 100000).startswith(b"came back from 100000")  # 100 MB of frames
