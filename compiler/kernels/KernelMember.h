#ifndef NPCC_COMPILER_KERNELS_KERNELMEMBER_H
#define NPCC_COMPILER_KERNELS_KERNELMEMBER_H
#include "compiler/memory/Accesses.h"

namespace npcc {

/// A kernel that may become part of another one, and what it touches.
class KernelMember {
public:
  struct Access {
    mlir::Value memory;
    llvm::SmallVector<LinearForm> positions; // along each axis
    bool isStore;
    bool isAside; // of a reduction: in front of its loop or behind it
  };

  explicit KernelMember(np::KernelOp kernel);

  /// Takes a kernel without loops that threads share.
  bool collect() { return collectAll(); }
  /// Takes a kernel with one such loop, which reduces: its space are the kernel's positions and the loop's.
  bool collectReduction();

  /// Whether all stores are to arrays that the function has made: nobody sees those when an error is raised.
  bool losesStores() const;
  /// Stores that stay: not those to arrays that only this kernel and the other one use, whose elements are registers of
  /// the kernel that both become.
  size_t countStores(np::KernelOp other) const;

  np::KernelOp kernel;
  mlir::scf::ParallelOp loop; // of a reduction
  llvm::SmallVector<mlir::Value> space, extents;
  llvm::SmallVector<Access> accesses;
  bool hasChecks = false, hasLoops = false;

private:
  bool collectAll();
};

/// Two kernels that follow each other in a block and may become one.
class KernelPair {
public:
  /// `axes`: which position of the first kernel's space each of the second one's is; `shifts`: by how much it is more.
  KernelPair(KernelMember &first, KernelMember &second, llvm::ArrayRef<unsigned> axes, bool general,
             llvm::ArrayRef<int64_t> shifts = {})
      : first(first), second(second), axes(axes), shifts(shifts), general(general) {}

  /// The second access' position along an axis less the first one's, in positions of the first kernel.
  LinearForm getDifference(const LinearForm &one, const LinearForm &other) const;

  /// Whether both are to the same element.
  bool isSameElement(const KernelMember::Access &a, const KernelMember::Access &b) const;
  /// Whether both are to elements that no other position touches in these accesses: along some axes they are the same
  /// element, and these tell the position. An iteration does the second kernel's accesses behind the first one's.
  bool isOwnElement(const KernelMember::Access &a, const KernelMember::Access &b) const;
  /// Whether the second kernel may run before what stands between the two, once what it needs of that has moved.
  bool canPass();
  /// Moves what the second kernel needs before the first one.
  void moveNeeded();
  /// Whether the first kernel may run behind what stands between the two.
  bool canWait() const;

private:
  KernelMember &first, &second;
  llvm::SmallVector<unsigned> axes;
  llvm::SmallVector<int64_t> shifts;
  bool general;
  llvm::SmallVector<mlir::Operation *> needed;
};

} // namespace npcc
#endif
