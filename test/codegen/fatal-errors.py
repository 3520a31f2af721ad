# RUN: %python %s
"""A compilation that finds no memory or crashes ends with an error, not the process; one that recurses deeply has the stack for it."""
import ctypes
import signal as signals
import subprocess
import sys

from loops import library

library.npcc_test_guard.restype = ctypes.c_char_p
library.npcc_test_guard.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
for _ in range(3):
    assert library.npcc_test_guard(2**62, 0) == b"LLVM: out of memory"
    assert library.npcc_test_guard(100, 0).startswith(b"came back from 0")
assert library.npcc_test_guard(0, 100000).startswith(b"came back from 100000")  # 100 MB of frames

library.npcc_test_crash.restype = ctypes.c_char_p
for on_this_thread in (False, True):
    for kind, signal in enumerate([b"SIGSEGV", b"SIGABRT", b"SIGSEGV"]):
        if not (on_this_thread and kind == 2):  # whose stack Python has used some of
            assert library.npcc_test_crash(kind, on_this_thread) == b"the compiler crashed (" + signal + b")"

# What is not the compiler's crash ends the process as before.
crash = "import ctypes, sys; library = ctypes.CDLL(sys.argv[1]); library.npcc_test_crash(0, True); ctypes.string_at(0)"
assert subprocess.run([sys.executable, "-c", crash, library._name], capture_output=True).returncode == -signals.SIGSEGV
