"""A product of two matrices by a call of cuBLASLt itself, through ctypes: the bound that npcc's products are held against."""
from __future__ import annotations

import ctypes
import os

import npcc

NAMES = ("libcublasLt.so.13", "libcublasLt.so.12", "/usr/local/cuda/lib64/libcublasLt.so")
COMPUTE = {"float32": 68, "float64": 70}  # CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_64F
DTYPE = {"float32": 0, "float64": 1}  # CUDA_R_32F, CUDA_R_64F
MOST_WORKSPACE = 1  # CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
WORKSPACE_BYTES = 64 << 20


class Heuristic(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t."""
    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


def library():
    for name in (os.environ.get("NPCC_CUBLASLT", NAMES[0]), *NAMES):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise ImportError("cuBLASLt is not found")


class Direct:
    """A peer for rows that are a product of two matrices alone."""

    def __init__(self):
        self.lt = library()
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.handle = ctypes.c_void_p()
        self.ask("cublasLtCreate", ctypes.byref(self.handle))

    def ask(self, function, *arguments):
        status = getattr(self.lt, function)(*arguments)
        if status:
            raise RuntimeError(f"{function} gave {status}")

    def put(self, argument):
        return npcc.asarray(argument, device="cuda")

    def prepare(self, row):
        return self.product() if row.is_product else None

    def layout(self, dtype, rows, columns):
        made = ctypes.c_void_p()
        self.ask("cublasLtMatrixLayoutCreate", ctypes.byref(made), DTYPE[dtype], ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(rows))
        return made

    def product(self):
        """Of row-major a and b: the column-major product of their transposes, b first."""
        plan = {}

        def call(a, b):
            if not plan:
                dtype = str(a.dtype)
                (m, k), n = a.shape, b.shape[1]
                number = ctypes.c_float if dtype == "float32" else ctypes.c_double
                operation, preference = ctypes.c_void_p(), ctypes.c_void_p()
                self.ask("cublasLtMatmulDescCreate", ctypes.byref(operation), COMPUTE[dtype], DTYPE[dtype])
                layouts = self.layout(dtype, n, k), self.layout(dtype, k, m), self.layout(dtype, n, m)
                self.ask("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
                size = ctypes.c_size_t(WORKSPACE_BYTES)
                self.ask("cublasLtMatmulPreferenceSetAttribute", preference, MOST_WORKSPACE, ctypes.byref(size), ctypes.sizeof(size))
                found, count = Heuristic(), ctypes.c_int()
                self.ask("cublasLtMatmulAlgoGetHeuristic", self.handle, operation, layouts[0], layouts[1], layouts[2], layouts[2], preference, 1,
                         ctypes.byref(found), ctypes.byref(count))
                out, work = npcc.empty((m, n), a.dtype, device="cuda"), npcc.empty(WORKSPACE_BYTES, "u1", device="cuda")
                address = [ctypes.c_void_p(array.__cuda_array_interface__["data"][0]) for array in (a, b, out, work)]
                plan.update(operation=operation, layouts=layouts, found=found, out=out, work=work, address=address, one=number(1), zero=number(0))
            a_at, b_at, out_at, work_at = plan["address"]
            left, right, result = plan["layouts"]
            self.ask("cublasLtMatmul", self.handle, plan["operation"], ctypes.byref(plan["one"]), b_at, left, a_at, right, ctypes.byref(plan["zero"]), out_at,
                     result, out_at, result, ctypes.byref(plan["found"].algorithm), work_at, ctypes.c_size_t(WORKSPACE_BYTES), None)
            return plan["out"]

        return call

    def wait(self):
        self.driver.cuCtxSynchronize()
