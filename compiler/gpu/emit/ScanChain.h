#ifndef NPCC_COMPILER_GPU_EMIT_SCANCHAIN_H
#define NPCC_COMPILER_GPU_EMIT_SCANCHAIN_H
#include "compiler/gpu/emit/HostSide.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace npcc::cuda {

/// How blocks that run parts of long lines hand on totals, while all of them are under way (a chained scan): each
/// publishes the total of its part, and learns the total of all parts of its line that come before.
///
///   T(p) = total of part p, published by the block that has it
///   G(g) = total of group g, 32 neighbouring parts, published by the last of them
///   B(s) = total of all before section s, 32 neighbouring groups, published by the last part before it
///
/// A part waits for T of the parts of its group before it, for G of the groups of its section before its own, and for B
/// of its section. A block publishes all three as soon as it has the total of its part, before it makes running totals.
/// What is combined with what depends on the number of the part only, never on which block comes first, so the totals
/// have the same bits in every run.
///
/// A total is published in words of 64 bits: 32 bits of the total, and a mark that says that they are there. The device
/// stores and loads a word as a whole, so no thread sees half of one, and no fence is needed. Blocks take the numbers
/// of parts in order, when they run. A block waits for earlier parts only, and each of those has a block that runs, so
/// there is always one block that does not wait.
class ScanChain {
public:
  static bool canHold(mlir::Type type) { return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64; }

  /// Host code before the kernel: memory for the totals of `parts` parts of each of `lines` lines, without marks.
  ScanChain(HostSide &host, mlir::Type type, mlir::Value lines, mlir::Value parts);

  /// Before any device code.
  void begin(mlir::OpBuilder &builder, mlir::gpu::LaunchOp launch);

  // Device code. All threads of the block come here.

  /// Takes the next number of a part of any line (i64), for the first thread. Others have it from `share`.
  mlir::Value take();
  mlir::Value share(mlir::Value taken);
  /// Whether there is a part of the number (index).
  mlir::Value isPart(mlir::Value number);
  void setPart(mlir::Value number);
  mlir::Value line, part;

  /// Publishes the part's total, and that of its group and all before its section where it is the last of them.
  /// `neutral` combines to what it is combined with.
  void publishTotal(np::FoldOp fold, mlir::Value total, mlir::Value neutral);
  /// The total of all parts before this one.
  mlir::Value emitBefore(np::FoldOp fold, mlir::Value neutral);

  /// Host code behind the launch.
  void release(mlir::gpu::LaunchOp launch);

private:
  IndexMath math() { return {*device, loc}; }
  mlir::Value isFirstThread();
  mlir::Value isInFirstWarp();
  mlir::Value getShared(mlir::Type type);
  mlir::Value getPlace(mlir::Value number, int64_t word);
  /// The numbers of the first words of totals: T, G and B.
  mlir::Value ofPart(mlir::Value part) { return math().add(firstWord, math().mul(part, words)); }
  mlir::Value ofGroup(mlir::Value group) { return ofPart(math().add(parts, group)); }
  mlir::Value beforeSection(mlir::Value section) { return ofPart(math().add(math().add(parts, groups), section)); }
  void publish(mlir::Value total, mlir::Value first);
  /// Waits for totals whose words begin at `firsts`, where `isNeeded` holds; elsewhere gives anything.
  llvm::SmallVector<mlir::Value> await(llvm::ArrayRef<mlir::Value> firsts, llvm::ArrayRef<mlir::Value> isNeeded);
  void emitIf(mlir::Value condition, llvm::function_ref<void()> emit);
  mlir::Value isLast(mlir::Value number);
  mlir::Value emitSum(np::FoldOp fold, mlir::Value value, mlir::Value isThere, mlir::Value neutral);
  llvm::SmallVector<mlir::Value> emitTotals(np::FoldOp fold, mlir::Value neutral, bool inGroup, bool beforeGroup);

  mlir::Location loc;
  mlir::Type type, bits;
  int64_t words; // of a total
  mlir::Value memory, pointer, lines, parts, groups, wordsOfLine;
  mlir::OpBuilder *device = nullptr;
  mlir::gpu::LaunchOp launch;
  mlir::Value firstWord; // of the line at hand
  mlir::Value sharedNumber, sharedTotal;
};

} // namespace npcc::cuda
#endif
