// Loops in which each row of all arrays goes its own way: rows are elements of the first axis, such as the members of
// an ensemble.
//
//   scf.for %k {                                         np.kernel steps (%i) = (%n) {
//     np.kernel (%i, %j) = (%n, %m) { y[i, j] <- x }       scf.for %k {
//     np.kernel (%i, %j) = (%n, %m) { x[i, j] <- y }  ->     scf.parallel (%j) = 0 to %m { y[i, j] <- x }
//   }                                                        scf.parallel (%j) = 0 to %m { x[i, j] <- y } } }
#include "compiler/gpu/StepLoop.h"
#include "compiler/memory/Aliasing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
namespace npcc {

std::optional<unsigned> StepLoop::getRowAxis(np::KernelOp kernel, const KernelAccess &access) {
  Term row{kernel.getInductionVars()[0], Value(), 1};
  for (auto [axis, terms] : llvm::enumerate(access.stream->terms))
    if (terms.size() == 1 && terms[0] == row && access.constants[axis] == 0)
      return axis;
  return std::nullopt;
}

/// Whether some rows may come to the operation and others not, or more often: a branch or a loop around it goes by what
/// the kernel computes, and so by the row's own elements.
static bool isOnOneSide(Operation *op, np::KernelOp kernel) {
  for (Operation *parent = op->getParentOp(); parent != kernel; parent = parent->getParentOp()) {
    bool agrees = !isa<scf::WhileOp>(parent) &&
                  (!isa<scf::IfOp, scf::ForOp>(parent) ||
                   llvm::all_of(parent->getOperands(), [&](Value operand) { return isInvariant(operand, kernel); }));
    if (!agrees)
      return true;
  }
  return false;
}

/// Whether the kernel has a barrier that some rows of a block would not come to, so that the others wait for ever.
/// There are barriers around stores, whose elements the row's other threads may read, and around loops that these
/// share.
static bool waitsOnOneSide(np::KernelOp kernel) {
  if (kernel.getNumLoops() > 1) // its body is a loop's, which threads go through without waiting
    return false;
  return kernel.getBody()
      ->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!isa<memref::StoreOp, scf::ParallelOp, np::FoldOp>(op))
          return WalkResult::advance();
        return isOnOneSide(op, kernel) ? WalkResult::interrupt() : WalkResult::skip();
      })
      .wasInterrupted();
}

bool StepLoop::hasOwnRows() {
  bool isGeneral = loop->getParentOfType<func::FuncOp>()->hasAttr("np.general");
  auto isFirstFixed = [&](np::KernelOp kernel) { return !kernel.isUnit() && isFixed(kernel.getExtents()[0]); };
  if (!llvm::all_of(kernels, isFirstFixed) || llvm::any_of(kernels, waitsOnOneSide))
    return false;
  llvm::SmallSetVector<Value, 8> written;
  loop->walk([&](memref::StoreOp store) { written.insert(getRoot(store.getMemRef())); });
  for (np::CallMatmulOp product : products)
    written.insert(getRoot(product.getResult()));
  // What a `while` makes before its condition has another name in its body. Arrays that go round take elements when an
  // iteration ends, under whichever of their names.
  auto getName = [&](Value root) { return getMade(root) ? getMade(root).getResult() : root; };
  auto isStored = [&](Value root) { return written.contains(getName(root)) || getNext(root); };
  // An array's elements, under whatever name: arrays that are made in the loop and those that go round have one only.
  auto isWritten = [&](Value root) {
    return isStored(root) || (!isOwn(root) && llvm::any_of(written, [&](Value other) {
                                return !isOwn(other) && mayAlias(root, other, isGeneral);
                              }));
  };
  // Numbers of an iteration are the same for all rows.
  bool isFine = !loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
                       if (isa<np::KernelOp>(op))
                         return WalkResult::skip();
                       auto load = dyn_cast<memref::LoadOp>(op);
                       bool isOfRow = isa<memref::StoreOp>(op) || (load && isWritten(getRoot(load.getMemRef())));
                       return isOfRow ? WalkResult::interrupt() : WalkResult::advance();
                     })
                     .wasInterrupted();
  llvm::DenseMap<Value, unsigned> axes;
  auto goesAlong = [&](Value memref, Value root, std::optional<unsigned> axis) {
    return axis && memref == root && isStored(root) && axes.try_emplace(getName(root), *axis).first->second == *axis;
  };
  // A row of a product is the left matrix's row times all of the right one; they may be one matrix.
  for (np::CallMatmulOp product : products) {
    for (Value matrix : {product.getLhs(), product.getResult(), product.getAddend()})
      if (Value root = matrix ? getRoot(matrix) : Value(); root && isWritten(root))
        isFine &= goesAlong(matrix, root, 0);
    for (Value whole : {product.getRhs(), product.getBias()})
      isFine &= !whole || !isWritten(getRoot(whole));
  }
  for (np::KernelOp kernel : kernels) {
    KernelAccesses accesses(kernel);
    for (Operation *op : accesses.getOps()) {
      const KernelAccess &access = accesses.lookup(op);
      Value memref = access.stream->memref, root = getRoot(memref);
      if (!isWritten(root))
        continue;
      std::optional<unsigned> axis = getRowAxis(kernel, access);
      isFine &= goesAlong(memref, root, axis);
      // Those that go round are copied along their first axis.
      isFine &= axis != 0u ? !getNext(root) && !llvm::is_contained(getYielded(), root) : true;
    }
  }
  // No other name for what the loop writes.
  for (Value root : written)
    isFine &= isOwn(root) || llvm::none_of(written, [&](Value other) {
                return other != root && !isOwn(other) && mayAlias(root, other, isGeneral);
              });
  return isFine;
}

Value StepLoop::emitRowCount() { return *emitBound(kernels.front().getExtents()[0]); }

Value StepLoop::emitRowsAgree() {
  IndexMath m = math();
  Value rows = emitRowCount(), agree = m.truth(true);
  for (np::KernelOp kernel : ArrayRef(kernels).drop_front())
    if (Value others = *emitBound(kernel.getExtents()[0]); others != rows)
      agree = m.both(agree, m.compare(arith::CmpIPredicate::eq, others, rows));
  for (np::CallMatmulOp product : products)
    agree = m.both(agree, m.compare(arith::CmpIPredicate::eq, emitExtent(product.getResult(), 0), rows));
  for (Value argument : getCarried())
    if (np::AllocOp next = getNext(argument))
      agree = m.both(agree, m.compare(arith::CmpIPredicate::eq, emitExtent(next, 0), rows));
  return agree;
}

} // namespace npcc
