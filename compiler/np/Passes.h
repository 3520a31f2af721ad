#ifndef NPCC_COMPILER_NP_PASSES_H
#define NPCC_COMPILER_NP_PASSES_H
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"

namespace npcc {
#define GEN_PASS_DECL
#include "compiler/np/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/np/Passes.h.inc"
} // namespace npcc
#endif
