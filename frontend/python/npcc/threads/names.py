"""What npcc.cuda has for the code of threads. Each name is an object that the compiler knows (frontend/importer/ThreadFunctions.cpp); called in
Python it says where it belongs. Those that are made of others are functions that it reads."""
import math

import numpy as np



class ThreadName:
    """One of them: `name` says which; `is_value` that it is a number, not a function."""
    __slots__ = ("name", "is_value")

    def __init__(self, name, is_value=False):
        self.name, self.is_value = name, is_value

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"cuda.{self.name} is for functions of threads: @npcc.cuda.jit")

    # As a number in Python, which has none.
    __index__ = __int__ = __float__ = __bool__ = __neg__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __call__
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __lt__ = __le__ = __gt__ = __ge__ = __call__

    def __repr__(self):
        return f"<npcc.cuda.{self.name}>"


class Dim3:
    """Three of them: x, y, z."""

    def __init__(self, name):
        self.name = name
        self.x, self.y, self.z = (ThreadName(f"{name}.{axis}", True) for axis in "xyz")


class Namespace:
    """Names that stand together; `name`: which ones."""

    def __init__(self, name, **members):
        self.name = name
        vars(self).update(members)


class GridGroup:
    """All threads of a grid: `sync()` is a barrier of all of them, for which all blocks must run at a time."""
    sync = ThreadName("grid_sync")


GRID = GridGroup()

threadIdx, blockIdx, blockDim, gridDim = map(Dim3, ("threadIdx", "blockIdx", "blockDim", "gridDim"))
laneid = ThreadName("laneid", True)
warpsize = 32
grid, gridsize = ThreadName("grid"), ThreadName("gridsize")

shared = Namespace("shared", array=ThreadName("shared.array"))
local = Namespace("local", array=ThreadName("local.array"))
const = Namespace("const", array_like=ThreadName("const.array_like"))

syncthreads, syncthreads_count, syncthreads_and, syncthreads_or, syncwarp = map(
    ThreadName, ("syncthreads", "syncthreads_count", "syncthreads_and", "syncthreads_or", "syncwarp"))
threadfence, threadfence_block, threadfence_system = ThreadName("fence_grid"), ThreadName("fence_block"), ThreadName("fence_system")
cg = Namespace("cg", this_grid=ThreadName("this_grid"))

atomic = Namespace("atomic", **{name: ThreadName(f"atomic.{name}") for name in (
    "add", "sub", "max", "min", "nanmax", "nanmin", "exch", "and_", "or_", "xor", "inc", "dec", "cas", "compare_and_swap")})

shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync = map(ThreadName, ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"))
all_sync, any_sync, eq_sync, ballot_sync = map(ThreadName, ("all_sync", "any_sync", "eq_sync", "ballot_sync"))
match_any_sync, match_all_sync = ThreadName("match_any_sync"), ThreadName("match_all_sync")
activemask, lanemask_lt = ThreadName("activemask"), ThreadName("lanemask_lt")

fma, popc, clz, ffs, brev, nanosleep = map(ThreadName, ("fma", "popc", "clz", "ffs", "brev", "nanosleep"))


class fp16:  # a namespace of functions
    """Arithmetic and functions of float16, by Numba's names."""
    def hadd(a, b):
        return a + b

    def hsub(a, b):
        return a - b

    def hmul(a, b):
        return a * b

    def hdiv(a, b):
        return a / b

    def hneg(a):
        return -a

    def habs(a):
        return abs(a)

    def hfma(a, b, c):
        return np.float16(np.float32(a) * np.float32(b) + np.float32(c))

    def heq(a, b):
        return a == b

    def hne(a, b):
        return a != b

    def hge(a, b):
        return a >= b

    def hgt(a, b):
        return a > b

    def hle(a, b):
        return a <= b

    def hlt(a, b):
        return a < b

    def hmax(a, b):
        return np.fmax(a, b)

    def hmin(a, b):
        return np.fmin(a, b)

    def hsin(a):
        return np.sin(a)

    def hcos(a):
        return np.cos(a)

    def hlog(a):
        return np.log(a)

    def hlog2(a):
        return np.log2(a)

    def hlog10(a):
        return np.log10(a)

    def hexp(a):
        return np.exp(a)

    def hexp2(a):
        return np.exp2(a)

    def hexp10(a):
        return np.float16(np.float32(10) ** np.float32(a))

    def hsqrt(a):
        return np.sqrt(a)

    def hrsqrt(a):
        return np.float16(np.float32(1) / np.sqrt(np.float32(a)))

    def hrcp(a):
        return np.float16(np.float32(1) / np.float32(a))

    def hfloor(a):
        return np.floor(a)

    def hceil(a):
        return np.ceil(a)

    def hrint(a):
        return np.rint(a)

    def htrunc(a):
        return np.trunc(a)


def selp(condition, a, b):
    return a if condition else b


def cbrt(x):
    return math.cbrt(x)


__all__ = ["threadIdx", "blockIdx", "blockDim", "gridDim", "laneid", "warpsize", "grid", "gridsize", "shared", "local", "const", "syncthreads",
           "syncthreads_count", "syncthreads_and", "syncthreads_or", "syncwarp", "threadfence", "threadfence_block", "threadfence_system", "cg", "atomic",
           "shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "all_sync", "any_sync", "eq_sync", "ballot_sync", "match_any_sync",
           "match_all_sync", "activemask", "lanemask_lt", "fma", "popc", "clz", "ffs", "brev", "nanosleep", "selp", "cbrt", "fp16"]
