// RUN: npcc-opt %s --npcc-raise-calls --canonicalize --cse | FileCheck %s

// Columns, sorted: all of a block of iterations at once, as rows of an array of which an iteration takes its own. The check stays in the loop, and says up to
// where there are columns.
// CHECK-LABEL: func.func @columns
// CHECK:       scf.for %[[BEGIN:.*]] = %c0 to %arg2 step
// CHECK:         %[[END:.*]] = arith.minsi %{{.*}}, %arg2
// CHECK:         %[[LAST:.*]] = arith.minsi %[[END]], %[[COLUMNS:.*]] : index
// CHECK:         %[[ALL:.*]] = np.empty(%[[COUNT:.*]], %{{.*}}) : !np.array<?x?xf64>
// CHECK:         scf.for %[[K:.*]] = %c0 to %[[COUNT]] step %c1
// CHECK:           %[[I:.*]] = arith.addi %[[BEGIN]], %[[K]]
// CHECK:           np.view %arg0 offsets[%c0, %[[I]]] axes [0]
// CHECK:           np.view %[[ALL]] offsets[%[[K]], %c0] axes [1]
// CHECK:           np.store
// CHECK:         %[[GIVEN:.*]] = np.load %[[ALL]]
// CHECK:         %[[SORTED:.*]] = np.sort %[[GIVEN]] positions false
// CHECK:         scf.for %[[J:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:           np.check_index %[[J]]
// CHECK-NOT:       np.sort
// CHECK:           np.view %[[SORTED]] offsets[%{{.*}}, %c0] axes [1]
func.func @columns(%a: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64>
  %columns = np.dim %a, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %at = np.check_index %i of %columns axis 1
    %column = np.view %a offsets[%c0, %at] axes [0] extents[%rows] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64, strided>
    %x = np.load %column : !np.array<?xf64, strided> -> tensor<?xf64>
    %s = np.sort %x positions false : tensor<?xf64> -> tensor<?xf64>
    %row = np.view %out offsets[%i, %c0] axes [1] extents[%rows] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Matrices of which one may fail: the iteration that has it learns of it.
// CHECK-LABEL: func.func @factors
// CHECK:       scf.for %[[BEGIN:.*]] = %c0
// CHECK:         %[[ALL:.*]] = np.empty(%{{.*}}, %{{.*}}, %{{.*}}) : !np.array<?x?x?xf64>
// CHECK:         np.store
// CHECK:         %[[FAILED:.*]] = scf.if
// CHECK:           np.routine "cholesky"() to(%[[ALL]])
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]]
// CHECK:           %[[K:.*]] = arith.subi %[[I]], %[[BEGIN]]
// CHECK:           np.view %[[ALL]] offsets[%[[K]], %c0, %c0]
// CHECK:           %[[NUMBER:.*]] = arith.addi %{{.*}}, %c1_i64
// CHECK:           %[[IS:.*]] = arith.cmpi {{eq|ne}}, %[[FAILED]], %[[NUMBER]]
// CHECK:           np.assert
// CHECK-NOT:       np.routine
func.func @factors(%a: !np.array<?x?x?xf64>, %out: !np.array<?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %count = np.dim %a, 0 : !np.array<?x?x?xf64>
  %n = np.dim %a, 1 : !np.array<?x?x?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %mine = np.view %a offsets[%i, %c0, %c0] axes [-1, 1, 2] extents[%c1, %n, %n] steps[%c1, %c1, %c1] : !np.array<?x?x?xf64> -> !np.array<1x?x?xf64, strided>
    %x = np.load %mine : !np.array<1x?x?xf64, strided> -> tensor<1x?x?xf64>
    %stack = np.new %x : tensor<1x?x?xf64> -> !np.array<1x?x?xf64>
    %failed = np.routine "cholesky"() to(%stack) : (!np.array<1x?x?xf64>) -> i64
    %is = arith.cmpi eq, %failed, %zero : i64
    np.assert %is, "LinAlgError" "Matrix is not positive definite"()
    %y = np.load %stack : !np.array<1x?x?xf64> -> tensor<1x?x?xf64>
    %place = np.view %out offsets[%i, %c0, %c0] axes [-1, 1, 2] extents[%c1, %n, %n] steps[%c1, %c1, %c1] : !np.array<?x?x?xf64> -> !np.array<1x?x?xf64, strided>
    np.store %y, %place : tensor<1x?x?xf64>, !np.array<1x?x?xf64, strided>
  }
  return
}

// A branch on what is known before the loop, with a sort on one side: two loops.
// CHECK-LABEL: func.func @branch
// CHECK:       scf.if %arg1
// CHECK:         np.sort
// CHECK:         scf.for
// CHECK:       } else {
// CHECK-NOT:     np.sort
// CHECK:         scf.for
func.func @branch(%a: !np.array<?x?xf64>, %is: i1, %out: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64>
  %columns = np.dim %a, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %rows step %c1 {
    %mine = np.view %a offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %mine : !np.array<?xf64> -> tensor<?xf64>
    %s = scf.if %is -> (tensor<?xf64>) {
      %t = np.sort %x positions false : tensor<?xf64> -> tensor<?xf64>
      scf.yield %t : tensor<?xf64>
    } else {
      scf.yield %x : tensor<?xf64>
    }
    %row = np.view %out offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// What is sorted is known after the iteration before only, and so is whether an error has been raised: nothing changes.
// CHECK-LABEL: func.func @one_after_another
// CHECK-NOT:   np.empty
// CHECK:       scf.for
// CHECK:         np.sort
func.func @one_after_another(%a: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64>
  %columns = np.dim %a, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %rows step %c1 {
    %mine = np.view %a offsets[%c0, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %mine : !np.array<?xf64> -> tensor<?xf64>
    %s = np.sort %x positions false : tensor<?xf64> -> tensor<?xf64>
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// A transform of lines: an axis is put in front of them, in views of what it writes into, too.
// CHECK-LABEL: func.func @transforms
// CHECK:       scf.for %[[BEGIN:.*]] = %c0
// CHECK:         %[[LINES:.*]] = np.empty(%[[COUNT:.*]], %{{.*}}, %{{.*}}) : !np.array<?x?x?xcomplex<f64>>
// CHECK:         %[[ALL:.*]] = np.empty(%[[COUNT]], %{{.*}}, %{{.*}}) : !np.array<?x?x?xcomplex<f64>>
// CHECK:         np.store
// CHECK:         %[[TURNED:.*]] = np.view %[[ALL]] offsets[%c0, %c0, %c0] axes [0, 2, 1] extents[%[[COUNT]],
// CHECK:         np.routine "fft"(%[[LINES]]) to(%[[TURNED]])
// CHECK:         scf.for
// CHECK-NOT:       np.routine
// CHECK:           np.view %[[ALL]] offsets[%{{.*}}, %c0, %c0] axes [1, 2]
func.func @transforms(%a: !np.array<?x?x?xcomplex<f64>>, %out: !np.array<?x?x?xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = np.dim %a, 0 : !np.array<?x?x?xcomplex<f64>>
  %n = np.dim %a, 1 : !np.array<?x?x?xcomplex<f64>>
  %m = np.dim %a, 2 : !np.array<?x?x?xcomplex<f64>>
  scf.for %i = %c0 to %count step %c1 {
    %lines = np.view %a offsets[%i, %c0, %c0] axes [2, 1] extents[%m, %n] steps[%c1, %c1] : !np.array<?x?x?xcomplex<f64>> -> !np.array<?x?xcomplex<f64>, strided>
    %new = np.empty(%n, %m) : !np.array<?x?xcomplex<f64>>
    %turned = np.view %new offsets[%c0, %c0] axes [1, 0] extents[%m, %n] steps[%c1, %c1] : !np.array<?x?xcomplex<f64>> -> !np.array<?x?xcomplex<f64>, strided>
    %failed = np.routine "fft"(%lines) to(%turned) : (!np.array<?x?xcomplex<f64>, strided>, !np.array<?x?xcomplex<f64>, strided>) -> i64
    %y = np.load %new : !np.array<?x?xcomplex<f64>> -> tensor<?x?xcomplex<f64>>
    %place = np.view %out offsets[%i, %c0, %c0] axes [1, 2] extents[%n, %m] steps[%c1, %c1] : !np.array<?x?x?xcomplex<f64>> -> !np.array<?x?xcomplex<f64>>
    np.store %y, %place : tensor<?x?xcomplex<f64>>, !np.array<?x?xcomplex<f64>>
  }
  return
}

// Rows that change in place, each after it has been read: they are read before the loop.
// CHECK-LABEL: func.func @in_place
// CHECK:       np.sort
// CHECK:       scf.for %[[I:.*]] =
// CHECK-NOT:     np.sort
// CHECK:         np.store
func.func @in_place(%a: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64>
  %columns = np.dim %a, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %rows step %c1 {
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %s = np.sort %x positions false : tensor<?xf64> -> tensor<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Where arguments may share memory, another row may be this one.
// CHECK-LABEL: func.func @in_place_of_any
// CHECK:       scf.for
// CHECK:         np.sort
func.func @in_place_of_any(%a: !np.array<?x?xf64, strided>) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64, strided>
  %columns = np.dim %a, 1 : !np.array<?x?xf64, strided>
  scf.for %i = %c0 to %rows step %c1 {
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64, strided> -> !np.array<?xf64, strided>
    %x = np.load %row : !np.array<?xf64, strided> -> tensor<?xf64>
    %s = np.sort %x positions false : tensor<?xf64> -> tensor<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64, strided>
  }
  return
}

// A loop that goes in longer steps counts its iterations first.
// CHECK-LABEL: func.func @steps
// CHECK:       np.sort
// CHECK:       scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK-NEXT:    %[[AT:.*]] = arith.muli %[[I]], %arg2
// CHECK-NOT:     np.sort
// CHECK:         np.view %arg1 offsets[%[[AT]], %c0]
func.func @steps(%a: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64>
  %columns = np.dim %a, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %rows step %step {
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %x = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %s = np.sort %x positions false : tensor<?xf64> -> tensor<?xf64>
    %to = np.view %out offsets[%i, %c0] axes [1] extents[%columns] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %s, %to : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// A matrix that the iteration fills in a loop: the statements that do so run before the call, for all iterations, and
// store where the call finds them. What they check is checked in its iteration, behind the call.
// CHECK-LABEL: func.func @filled
// CHECK:       %[[ALL:.*]] = np.empty(%{{.*}}, %arg2, %arg2)
// CHECK:       scf.for %[[ROW:.*]] =
// CHECK:         %[[MINE:.*]] = np.view %[[ALL]] offsets[%[[ROW]]
// CHECK:         np.store %{{.*}}, %[[MINE]]
// CHECK:         scf.for
// CHECK-NOT:       np.check_index
// CHECK:           np.store
// CHECK:       np.routine "eigvalsh"() to(%[[ALL]]
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:           np.check_index
// CHECK-NOT:   np.routine
// CHECK:       return
func.func @filled(%x: !np.array<?xf64>, %y: !np.array<?x?xf64>, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f64
  %count = np.dim %x, 0 : !np.array<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %zeros = np.full %zero extents[%c1, %n, %n] : f64 -> tensor<1x?x?xf64>
    %m = np.new %zeros : tensor<1x?x?xf64> -> !np.array<1x?x?xf64>
    %given = np.view %x offsets[%i] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %v = np.load %given : !np.array<f64> -> tensor<f64>
    scf.for %k = %c0 to %n step %c1 {
      %column = np.check_index %at of %n axis 1
      %element = np.view %m offsets[%c0, %k, %column] axes [] extents[] steps[] : !np.array<1x?x?xf64> -> !np.array<f64>
      np.store %v, %element : tensor<f64>, !np.array<f64>
    }
    %w = np.empty(%n) : !np.array<1x?xf64>
    %failed = np.routine "eigvalsh"() to(%m, %w) : (!np.array<1x?x?xf64>, !np.array<1x?xf64>) -> i64
    %ok = arith.cmpi eq, %failed, %none : i64
    np.assert %ok, "LinAlgError" "Eigenvalues did not converge"()
    %all = np.reshape %w extents[%n] : !np.array<1x?xf64> -> !np.array<?xf64>
    %values = np.load %all : !np.array<?xf64> -> tensor<?xf64>
    %row = np.view %y offsets[%i, %c0] axes [1] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %values, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// What an iteration stores where another one reads is not known before the loop.
// CHECK-LABEL: func.func @of_the_one_before
// CHECK:       scf.for
// CHECK:         np.routine
func.func @of_the_one_before(%y: !np.array<?x?xf64>, %n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  scf.for %i = %c1 to %count step %c1 {
    %before = arith.subi %i, %c1 : index
    %last = np.view %y offsets[%before, %c0] axes [1] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %values = np.load %last : !np.array<?xf64> -> tensor<?xf64>
    %m = np.empty(%n, %n) : !np.array<1x?x?xf64>
    scf.for %k = %c0 to %n step %c1 {
      %line = np.view %m offsets[%c0, %k, %c0] axes [2] extents[%n] steps[%c1] : !np.array<1x?x?xf64> -> !np.array<?xf64>
      np.store %values, %line : tensor<?xf64>, !np.array<?xf64>
    }
    %w = np.empty(%n) : !np.array<1x?xf64>
    %failed = np.routine "eigvalsh"() to(%m, %w) : (!np.array<1x?x?xf64>, !np.array<1x?xf64>) -> i64
    %ok = arith.cmpi eq, %failed, %none : i64
    np.assert %ok, "LinAlgError" "Eigenvalues did not converge"()
    %all = np.reshape %w extents[%n] : !np.array<1x?xf64> -> !np.array<?xf64>
    %new = np.load %all : !np.array<?xf64> -> tensor<?xf64>
    %row = np.view %y offsets[%i, %c0] axes [1] extents[%n] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %new, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}
