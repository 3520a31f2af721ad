"""Factors, solutions, eigenvalues and singular values of one matrix of float64 by cuSOLVER, which overwrites the copy of the argument that each call makes."""
from __future__ import annotations

import ctypes

import numpy as np

from .library import TYPES, Library, address, empty, opened

UPPER, NO_VECTORS, NOT_TRANSPOSED = 1, 0, 0
NONE, NO_MATRIX = ctypes.c_byte(ord("N")), ctypes.c_void_p()
DOUBLE = TYPES["float64"]


def extents(*numbers):
    return tuple(map(ctypes.c_int64, numbers))


class Factors(Library):
    def __init__(self):
        super().__init__(opened("NPCC_CUSOLVER", "libcusolver.so.12", "libcusolver.so.11"))
        self.handle = self.made("cusolverDnCreate")
        self.parameters = self.made("cusolverDnCreateParams")
        self.info = empty(1, "i4")

    def copier(self, a):
        """Memory for the elements of an array, and what copies them there."""
        copy = empty(a.shape, a.dtype)
        count = ctypes.c_size_t(a.size * a.dtype.itemsize)

        def fill():
            status = self.driver.cuMemcpyDtoDAsync_v2(address(copy), address(a), count, None)
            if status:
                raise RuntimeError(f"cuMemcpyDtoDAsync gave {status}")

        return copy, fill

    def function(self, name, *arguments, at_call=()):
        """A call of a function of 64-bit sizes with its work areas. `at_call`: what only the call itself is given, before those."""
        on_device, on_host = ctypes.c_size_t(), ctypes.c_size_t()
        self.ask(f"{name}_bufferSize", self.handle, self.parameters, *arguments, DOUBLE, ctypes.byref(on_device), ctypes.byref(on_host))
        work, host = empty(max(on_device.value, 1), "u1"), np.empty(max(on_host.value, 1), "u1")
        return lambda: self.ask(name, self.handle, self.parameters, *arguments, *at_call, DOUBLE, address(work), on_device, ctypes.c_void_p(host.ctypes.data),
                                on_host, address(self.info))

    def cholesky(self, a):
        n, = extents(len(a))
        copy, fill = self.copier(a)
        factor = self.function("cusolverDnXpotrf", UPPER, n, DOUBLE, address(copy), n)

        def call():
            fill()
            factor()

        return call

    def elimination(self, a):
        """The factors by elimination, and their pivots."""
        n, = extents(len(a))
        copy, fill = self.copier(a)
        pivots = empty(len(a), "i8")
        factor = self.function("cusolverDnXgetrf", n, n, DOUBLE, address(copy), n, at_call=(address(pivots),))

        def call():
            fill()
            factor()
            return copy, pivots

        return call

    def solve(self, a, b):
        n, columns = extents(len(a), b.shape[1])
        eliminate = self.elimination(a)
        solution, fill = self.copier(b)

        def call():
            factors, pivots = eliminate()
            fill()
            self.ask("cusolverDnXgetrs", self.handle, self.parameters, NOT_TRANSPOSED, n, columns, DOUBLE, address(factors), n, address(pivots), DOUBLE,
                     address(solution), n, address(self.info))

        return call

    def inverse(self, a):
        return self.solve(a, self.put(np.eye(len(a))))

    def triangle(self, a):
        """Without the orthogonal factor."""
        n, = extents(len(a))
        copy, fill = self.copier(a)
        scales = empty(len(a), "f8")
        factor = self.function("cusolverDnXgeqrf", n, n, DOUBLE, address(copy), n, DOUBLE, address(scales))

        def call():
            fill()
            factor()
            return scales.size and None

        return call

    def eigenvalues(self, a):
        n, = extents(len(a))
        copy, fill = self.copier(a)
        values = empty(len(a), "f8")
        decompose = self.function("cusolverDnXsyevd", NO_VECTORS, UPPER, n, DOUBLE, address(copy), n, DOUBLE, address(values))

        def call():
            fill()
            decompose()
            return values

        return call

    def singular_values(self, a):
        n, = extents(len(a))
        copy, fill = self.copier(a)
        values = empty(len(a), "f8")
        decompose = self.function("cusolverDnXgesvd", NONE, NONE, n, n, DOUBLE, address(copy), n, DOUBLE, address(values), *(DOUBLE, NO_MATRIX, n) * 2)

        def call():
            fill()
            decompose()
            return values

        return call
