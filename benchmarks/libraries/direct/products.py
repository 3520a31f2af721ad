"""Products of two matrices, or of two stacks of them, by cuBLASLt."""
from __future__ import annotations

import ctypes
import math

from .library import TYPES, Library, address, empty, opened

IN_FLOAT32, IN_FLOAT64 = 68, 70  # cublasComputeType_t
MOST_WORKSPACE = 1  # CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
BATCH, DISTANCE = 5, 6  # cublasLtMatrixLayoutAttribute_t
WORKSPACE_BYTES = 64 << 20


class Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""
    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


class Products(Library):
    def __init__(self):
        super().__init__(opened("NPCC_CUBLASLT", "libcublasLt.so.13", "libcublasLt.so.12"))
        self.handle = self.made("cublasLtCreate")

    def set(self, function, thing, attribute, value):
        self.ask(function, thing, attribute, ctypes.byref(value), ctypes.sizeof(value))

    def layout(self, dtype, rows, columns, stack):
        made = self.made("cublasLtMatrixLayoutCreate", TYPES[dtype], ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(rows))
        if stack > 1:
            self.set("cublasLtMatrixLayoutSetAttribute", made, BATCH, ctypes.c_int32(stack))
            self.set("cublasLtMatrixLayoutSetAttribute", made, DISTANCE, ctypes.c_int64(rows * columns))
        return made

    def product(self, a, b):
        """Of row-major a and b: the column-major product of their transposes, b first. Sums are float32, those of float64 float64."""
        dtype, stack = str(a.dtype), math.prod(a.shape[:-2])
        (m, k), n = a.shape[-2:], b.shape[-1]
        is_double = dtype == "float64"
        number = ctypes.c_double if is_double else ctypes.c_float
        operation = self.made("cublasLtMatmulDescCreate", IN_FLOAT64 if is_double else IN_FLOAT32, TYPES["float64" if is_double else "float32"])
        right, left, result = self.layout(dtype, n, k, stack), self.layout(dtype, k, m, stack), self.layout(dtype, n, m, stack)
        preference = self.made("cublasLtMatmulPreferenceCreate")
        self.set("cublasLtMatmulPreferenceSetAttribute", preference, MOST_WORKSPACE, ctypes.c_size_t(WORKSPACE_BYTES))
        found, count = Heuristic(), ctypes.c_int()
        self.ask("cublasLtMatmulAlgoGetHeuristic", self.handle, operation, right, left, result, result, preference, 1, ctypes.byref(found), ctypes.byref(count))
        out, work = empty((*a.shape[:-1], n), a.dtype), empty(WORKSPACE_BYTES, "u1")
        one, zero = number(1), number(0)
        a_at, b_at, out_at, work_at = map(address, (a, b, out, work))

        def call():
            self.ask("cublasLtMatmul", self.handle, operation, ctypes.byref(one), b_at, right, a_at, left, ctypes.byref(zero), out_at, result, out_at, result,
                     ctypes.byref(found.algorithm), work_at, ctypes.c_size_t(WORKSPACE_BYTES), None)
            return out

        return call
