#ifndef NPCC_COMPILER_MEMORY_ACCESSES_H
#define NPCC_COMPILER_MEMORY_ACCESSES_H
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>

namespace npcc {

/// The memref that a memref.load or memref.store accesses, and the position in it.
std::pair<mlir::Value, mlir::ValueRange> getAccess(mlir::Operation *access);

/// One addend of a position: factor * leaf, or factor * scale * leaf with a scale from outside the kernel: the step of a slice, or a switch
/// (0 or 1) for an axis of which the host decides whether it is broadcast.
struct Term {
  mlir::Value leaf;  // a loop's position, a value from outside the kernel, or anything else computed inside
  mlir::Value scale; // null, or defined outside the kernel
  int64_t factor;
  enum Kind { Number, OneIfTrue, OneIfFalse } kind = Number; // of the scale: an index, or the i1 of a switch
  bool isSwitch() const { return scale && kind != Number; }
  bool operator==(const Term &other) const = default;
};

/// A position as the sum of its terms and a constant. Every index is one: at worst a single term with itself as the leaf.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallVector<Term, 2> terms;
};
LinearForm getLinearForm(mlir::Value index, mlir::Operation *kernel);
/// By how much the second is more, if they differ by a constant.
std::optional<int64_t> getDistance(const LinearForm &a, const LinearForm &b);
/// form += factor * addend
void addScaled(LinearForm &form, const LinearForm &addend, int64_t factor);

/// The accesses to one memref at positions that differ by constants only: they share an address computation, and what one of them has
/// loaded the others need not load again.
struct Stream {
  unsigned id;
  mlir::Value memref;
  llvm::SmallVector<llvm::SmallVector<Term, 2>> terms; // of each axis of the memref
  bool loaded = false, stored = false;

  mlir::MemRefType getType() const { return llvm::cast<mlir::MemRefType>(memref.getType()); }
  int64_t getRank() const { return terms.size(); }
  /// The axis along which `leaf` moves one element at a time and nothing else moves with it: the last axis of the memref with the
  /// leaf as one of its terms and no other use. -1 if there is none. Whether the last axis' stride is 1 is known
  /// for contiguous memrefs only (see isStaticallyUnit), and switches are taken to be 1: see emitAlignmentTest.
  int64_t getUnitAxis(mlir::Value leaf) const;
  bool isStaticallyUnit() const;
  bool uses(mlir::Value leaf) const;
};

struct KernelAccess {
  mlir::Operation *op;
  Stream *stream;
  llvm::SmallVector<int64_t> constants; // of each axis of the memref
  bool isStore;
};

/// Every memory access of a kernel.
class KernelAccesses {
public:
  explicit KernelAccesses(mlir::Operation *kernel);
  const KernelAccess &lookup(mlir::Operation *op) const { return accesses.at(op); }
  std::deque<Stream> &getStreams() { return streams; }
  llvm::ArrayRef<mlir::Operation *> getOps() const { return order; }
  /// An operation that the emitters cannot turn into a pointer access: a memref made inside the kernel.
  mlir::Operation *getUnsupported() const { return unsupported; }

private:
  std::deque<Stream> streams;
  llvm::DenseMap<mlir::Operation *, KernelAccess> accesses;
  llvm::SmallVector<mlir::Operation *> order;
  mlir::Operation *unsupported = nullptr;
};

/// Which way the inner loops of a kernel run through memory: how many of their accesses lie side by side along the loop's own last axis (a row of
/// threads), and how many along the kernel's (a column of threads each).
struct Directions {
  int64_t along = 0, across = 0;
  bool areColumns() const { return across > 0 && across >= along; }
};
Directions getDirections(np::KernelOp kernel, const KernelAccesses &accesses);

/// The least position that a loop may begin at, where that is known: a number, or where a loop around it, whose position it begins at, begins.
std::optional<int64_t> getLeastStart(mlir::scf::ForOp loop);
/// Whether `value` comes from outside `kernel`.
bool isInvariant(mlir::Value value, mlir::Operation *kernel);
/// The positions of the parallel and sequential loops inside `kernel`, itself included, are its loop positions.
bool isLoopPosition(mlir::Value value);

} // namespace npcc
#endif
