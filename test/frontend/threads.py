# RUN: npcc %s --emit=import | FileCheck %s
# RUN: npcc %s --emit=kernels | FileCheck %s --check-prefix=LOOPS
"""Thread-level kernels: a launch is np.launch of a function of its own, which reads and stores elements one by one."""
import numpy as np

from npcc import cuda

WEIGHTS = np.array([1.0, 2.0, 3.0])


# Python's ints wrap in threads and nothing is checked; a position below zero counts from the end.
# CHECK-LABEL: func.func private @smooth.threads0
# CHECK-SAME:    (%arg0: !np.array<?xf64>, %arg1: f64) attributes {{{.*}}np.thread = "smooth"}
# CHECK-NOT:     np.check_index
# CHECK-NOT:     np.fits
# CHECK:         gpu.block_dim x
# CHECK:         gpu.block_id x
# CHECK:         gpu.thread_id x
# CHECK:         np.thread_array "shared" [32] : !np.array<?xf64>
# CHECK:         np.thread_array "constant" [3] {values = dense<{{.*}}> : tensor<3xf64>}
# CHECK:         %[[PLACE:.*]] = np.view %arg0 offsets[%{{.*}}]
# CHECK:         %[[ELEMENT:.*]] = np.read_element %[[PLACE]] : !np.array<f64> -> f64
# CHECK:         np.write_element %{{.*}}, %{{.*}} : f64, !np.array<f64>
# CHECK:         np.thread "syncthreads"() : () -> ()
# CHECK:         np.atomic "add" %{{.*}}[], %{{.*}} : !np.array<f64>, f64 -> f64
# CHECK:         return

# LOOPS-LABEL: func.func private @smooth.threads0
# LOOPS-SAME:    (%[[X:.*]]: memref<?xf64>, %{{.*}}: f64)
# LOOPS:         %[[OWN:.*]] = np.thread_array "shared" [32] : memref<32xf64>
# LOOPS:         memref.load %[[X]][%{{.*}}] : memref<?xf64>
# LOOPS:         memref.store
# LOOPS:         np.thread "syncthreads"()
# LOOPS-NOT:     np.kernel
# LOOPS:         scf.for
# LOOPS:         np.atomic "add" %[[X]][%{{.*}}], %{{.*}} : memref<?xf64>, f64 -> f64
@cuda.jit
def smooth(x, factor):
    i, t = cuda.grid(1), cuda.threadIdx.x
    own = cuda.shared.array(32, np.float64)
    weights = cuda.const.array_like(WEIGHTS)
    own[t] = x[i] * factor
    cuda.syncthreads()
    total = 0.0
    for k in range(3):
        total += weights[k] * own[(t + k) % 32]
    cuda.atomic.add(x, 0, total)


# CHECK-LABEL: func.func @launch
# CHECK:         np.launch @smooth.threads0 grid(%{{.*}}, %{{.*}}, %{{.*}}) block(%{{.*}}, %{{.*}}, %{{.*}}) shared(%{{.*}})(%arg0, %arg1) : !np.array<?xf64>, f64
# npcc export launch(float64[:], float)
def launch(x, factor):
    smooth[x.size // 32, 32](x, factor)
