"""Fourier transforms by cuFFT: of the last axis, and of both axes of a matrix."""
from __future__ import annotations

import ctypes

from .library import Library, address, empty, opened

KINDS = {"complex64": (0x29, "cufftExecC2C"), "complex128": (0x69, "cufftExecZ2Z"), "float32": (0x2A, "cufftExecR2C"), "float64": (0x6A, "cufftExecD2Z")}
BACK = (0x2C, "cufftExecC2R")  # of complex64
FORWARD = -1


class Fourier(Library):
    def __init__(self):
        super().__init__(opened("NPCC_CUFFT", "libcufft.so.12", "libcufft.so.11"))

    def plan(self, kind, lengths, in_last, out_last, batch):
        """Of lines, or planes, that lie one behind the other; the last axis has `in_last` elements before and `out_last` behind."""
        handle, bytes_ = ctypes.c_int(), ctypes.c_size_t()
        self.ask("cufftCreate", ctypes.byref(handle))
        self.ask("cufftSetAutoAllocation", handle, 0)
        numbers = ctypes.c_longlong * len(lengths)
        before, behind = numbers(*lengths[:-1], in_last), numbers(*lengths[:-1], out_last)
        distances = [ctypes.c_longlong(last * (lengths[0] if len(lengths) > 1 else 1)) for last in (in_last, out_last)]
        one = ctypes.c_longlong(1)
        self.ask("cufftMakePlanMany64", handle, len(lengths), numbers(*lengths), before, one, distances[0], behind, one, distances[1], kind,
                 ctypes.c_longlong(batch), ctypes.byref(bytes_))
        work = empty(max(bytes_.value, 1), "u1")
        self.ask("cufftSetWorkArea", handle, address(work))
        return handle, work

    def transform(self, x, axes=1):
        kind, function = KINDS[str(x.dtype)]
        n = x.shape[-1]
        is_real = str(x.dtype).startswith("float")
        out_last = n // 2 + 1 if is_real else n
        handle, work = self.plan(kind, x.shape[-axes:], n, out_last, x.size // (n * (x.shape[-2] if axes > 1 else 1)))
        out = empty((*x.shape[:-1], out_last), {"float32": "complex64", "float64": "complex128"}.get(str(x.dtype), x.dtype))
        arguments = (handle, address(x), address(out)) if is_real else (handle, address(x), address(out), FORWARD)

        def call():
            self.ask(function, *arguments)
            return work.size and out

        return call

    def plane(self, x):
        return self.transform(x, axes=2)

    def there_and_back(self, x, response):
        """The two transforms of a smoothing, without the product between them."""
        forward = self.transform(x)
        n = x.shape[-1]
        handle, work = self.plan(BACK[0], (n,), n // 2 + 1, n, x.shape[0])
        out = empty(x.shape, x.dtype)

        def call():
            self.ask(BACK[1], handle, address(forward()), address(out))
            return work.size and None

        return call
