# RUN: %python %s | FileCheck %s
"""Numbers of eight bytes were read and written by halves in thread-level kernels, and arrays of a thread stayed in memory."""
import npcc
from npcc import cuda


@cuda.jit(target="cuda")
def copied(x, y):
    i = cuda.grid(1)
    y[i] = x[i]


# CHECK:     ld.global.b64
# CHECK:     st.global.b64
# CHECK-NOT: .b32 {{.*}}+4]
print(copied.inspect("ptx", "int64[:], int64[:]"))


@cuda.jit(target="cuda")
def gathered(x, y):
    block, own = cuda.shared.array(128, npcc.float32), cuda.local.array(4, npcc.float32)
    t = cuda.threadIdx.x
    block[t] = x[t]
    cuda.syncthreads()
    for i in range(4):
        own[i] = block[t % 32 * 4 + i]
    for i in range(4):
        y[t, 3 - i] = own[i] * own[0]


# CHECK-NOT: .local
# CHECK:     ld.shared.v4
print(gathered.inspect("ptx", "float32[:], float32[:,:]"))
