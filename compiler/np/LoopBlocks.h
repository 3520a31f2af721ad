#ifndef NPCC_COMPILER_NP_LOOPBLOCKS_H
#define NPCC_COMPILER_NP_LOOPBLOCKS_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// The loops of a function, those inside of others before them.
llvm::SmallVector<mlir::scf::ForOp> getLoops(mlir::func::FuncOp function);

/// Whether the positions of a loop are numbers that follow each other.
bool countsByOne(mlir::scf::ForOp loop);

/// Makes the loop count its iterations, from 0 on, where it goes in steps of any length: its positions are computed.
void countIterations(mlir::scf::ForOp loop);

/// The iterations of one block: from the first to behind the last.
struct LoopBlock {
  mlir::Value begin, end;
};
/// Makes a loop that counts by one run in blocks of `length` iterations: there is a loop over blocks around it. The
/// builder stands before the loop, and inside the loop over blocks afterwards.
LoopBlock splitIntoBlocks(mlir::scf::ForOp loop, mlir::Value length, mlir::OpBuilder &builder);
/// The elements that a block of iterations may have in memory.
constexpr int64_t mostOfBlock = int64_t(1) << 24;
/// The same, in blocks that bound the memory of what all their iterations have: `elements` is how many of them one has,
/// of `most` in a block.
LoopBlock splitByElements(mlir::scf::ForOp loop, mlir::Value elements, int64_t most, mlir::OpBuilder &builder);

/// What one iteration has of an array or value of all iterations: what lies at `position` along the first axes, as an
/// array or value of that type and those extents.
mlir::Value emitPartOfAll(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value all, mlir::Type type,
                          mlir::ValueRange position, mlir::ValueRange extents);

/// Whether an operation makes a number of numbers, Python's among them (h // cell), and has no effects.
bool isArithmetic(mlir::Operation *op);

} // namespace npcc
#endif
