#ifndef NPCC_COMPILER_GPU_EMIT_PASSES_H
#define NPCC_COMPILER_GPU_EMIT_PASSES_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace npcc {
#define GEN_PASS_DECL
#include "compiler/gpu/emit/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/gpu/emit/Passes.h.inc"
} // namespace npcc
#endif
