#ifndef NPCC_COMPILER_KERNELS_INNERLOOPS_H
#define NPCC_COMPILER_KERNELS_INNERLOOPS_H
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace npcc {

/// Puts the code of a kernel at `place`, with these positions, and erases the kernel.
void inlineKernel(np::KernelOp kernel, llvm::ArrayRef<mlir::Value> positions, mlir::Block *block,
                  mlir::Block::iterator place);

/// A kernel that stands in another one: a loop that threads take parts of, or the surrounding code if it has one
/// iteration. `given` are the positions of its first axes, where the surrounding code goes along these.
void makeInnerLoop(np::KernelOp kernel, llvm::ArrayRef<mlir::Value> given = {});

/// Goes through the counted loops of the host, each before those inside it. `take` says whether it has changed the
/// loop, or leaves it as a whole to another pass: then the loops inside it are not asked.
void forEachHostLoop(mlir::func::FuncOp function, llvm::function_ref<bool(mlir::scf::ForOp)> take);

/// Extents and what is computed of them, where they are the same in all iterations of a loop: before it.
void hoistNumbers(mlir::scf::ForOp loop);

/// Whatever an iteration computes of numbers that are the same in all of them: before the loop. What a remainder or a
/// quotient is taken by may be 0 where the loop has no iterations, and is 1 there instead: upstream takes remainders
/// for code that may run at any time, but processors stop at a division by 0.
void hoistInvariants(mlir::LoopLikeOpInterface loop);

} // namespace npcc
#endif
