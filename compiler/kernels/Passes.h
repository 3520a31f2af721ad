#ifndef NPCC_COMPILER_KERNELS_PASSES_H
#define NPCC_COMPILER_KERNELS_PASSES_H
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
#include "compiler/kernels/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/kernels/Passes.h.inc"

/// Adds a pass on functions that offers alternatives, and plans them at once: what is not compiled is not worked on any
/// further, and no other pass meets an offer.
void addOffering(mlir::OpPassManager &pm, std::unique_ptr<mlir::Pass> pass);
} // namespace npcc
#endif
