"""What npcc.cuda has for the code of threads. Each name is an object that the compiler knows (frontend/importer/ThreadFunctions.cpp); called in
Python it says where it belongs."""


class ThreadName:
    """One of them: `name` says which; `is_value` that it is a number, not a function."""
    __slots__ = ("name", "is_value")

    def __init__(self, name, is_value=False):
        self.name, self.is_value = name, is_value

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"cuda.{self.name} is for functions of threads: @npcc.cuda.jit")

    def __repr__(self):
        return f"<npcc.cuda.{self.name}>"


class Dim3:
    """Three of them: x, y, z."""

    def __init__(self, name):
        self.x, self.y, self.z = (ThreadName(f"{name}.{axis}", True) for axis in "xyz")


class Namespace:
    def __init__(self, **members):
        vars(self).update(members)


class GridGroup:
    """All threads of a grid: `sync()` is a barrier of all of them, for which all blocks must run at a time."""
    sync = ThreadName("grid_sync")


GRID = GridGroup()

threadIdx, blockIdx, blockDim, gridDim = map(Dim3, ("threadIdx", "blockIdx", "blockDim", "gridDim"))
laneid = ThreadName("laneid", True)
warpsize = 32
grid, gridsize = ThreadName("grid"), ThreadName("gridsize")

shared = Namespace(array=ThreadName("shared.array"))
local = Namespace(array=ThreadName("local.array"))
const = Namespace(array_like=ThreadName("const.array_like"))

syncthreads, syncthreads_count, syncthreads_and, syncthreads_or, syncwarp = map(
    ThreadName, ("syncthreads", "syncthreads_count", "syncthreads_and", "syncthreads_or", "syncwarp"))
threadfence, threadfence_block, threadfence_system = ThreadName("fence_grid"), ThreadName("fence_block"), ThreadName("fence_system")
cg = Namespace(this_grid=ThreadName("this_grid"))

atomic = Namespace(**{name: ThreadName(f"atomic.{name}") for name in (
    "add", "sub", "max", "min", "nanmax", "nanmin", "exch", "and_", "or_", "xor", "inc", "dec", "cas", "compare_and_swap")})

shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync = map(ThreadName, ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"))
all_sync, any_sync, eq_sync, ballot_sync = map(ThreadName, ("all_sync", "any_sync", "eq_sync", "ballot_sync"))
match_any_sync, match_all_sync = ThreadName("match_any_sync"), ThreadName("match_all_sync")
activemask, lanemask_lt = ThreadName("activemask"), ThreadName("lanemask_lt")

fma, popc, clz, ffs, brev, nanosleep = map(ThreadName, ("fma", "popc", "clz", "ffs", "brev", "nanosleep"))


def selp(condition, a, b):
    return a if condition else b


def cbrt(x):
    import math
    return math.cbrt(x)


__all__ = ["threadIdx", "blockIdx", "blockDim", "gridDim", "laneid", "warpsize", "grid", "gridsize", "shared", "local", "const", "syncthreads",
           "syncthreads_count", "syncthreads_and", "syncthreads_or", "syncwarp", "threadfence", "threadfence_block", "threadfence_system", "cg", "atomic",
           "shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "all_sync", "any_sync", "eq_sync", "ballot_sync", "match_any_sync",
           "match_all_sync", "activemask", "lanemask_lt", "fma", "popc", "clz", "ffs", "brev", "nanosleep", "selp", "cbrt"]
