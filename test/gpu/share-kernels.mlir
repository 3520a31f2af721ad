// Kernels with the same code become one function; their lines in the program do not count.
// RUN: npcc-opt %s --npcc-share-kernels | FileCheck %s

// CHECK-LABEL: func.func @launches
// CHECK-COUNT-2: gpu.launch_func @kernels::@first {{.*}} args(%{{.*}} : memref<?xf64>)
// CHECK:         gpu.launch_func @kernels::@other_number
// CHECK:         gpu.launch_func @kernels::@named
// CHECK:         gpu.launch_func @kernels::@first
// CHECK:       gpu.module @kernels
// CHECK:         gpu.func @first
// CHECK-NOT:     gpu.func @second
// CHECK:         gpu.func @other_number
// CHECK:         gpu.func @named
// CHECK-NOT:     gpu.func @third
module attributes {gpu.container_module} {
  func.func @launches(%a: memref<?xf64>, %b: memref<?xf64>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf64>)
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<?xf64>)
    gpu.launch_func @kernels::@other_number blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf64>)
    gpu.launch_func @kernels::@named blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf64>)
    gpu.launch_func @kernels::@third blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<?xf64>)
    return
  }
  gpu.module @kernels {
    gpu.func @first(%a: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f64
      memref.store %one, %a[%c0] : memref<?xf64>
      gpu.return
    }
    gpu.func @second(%b: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f64
      memref.store %one, %b[%c0] : memref<?xf64>
      gpu.return
    }
    gpu.func @other_number(%a: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %two = arith.constant 2.0 : f64
      memref.store %two, %a[%c0] : memref<?xf64>
      gpu.return
    }
    gpu.func @named(%a: memref<?xf64>) kernel attributes {passthrough = [["npcc-entry", "scale"]]} {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f64
      memref.store %one, %a[%c0] : memref<?xf64>
      gpu.return
    }
    gpu.func @third(%b: memref<?xf64>) kernel {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f64
      memref.store %one, %b[%c0] : memref<?xf64>
      gpu.return
    }
  }
}
