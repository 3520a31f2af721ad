// npcc-enclose-routines: factors and solutions of the small matrices of a stack are a part of the kernels around them.
//
//   np.kernel (%i, %r, %c) = (%n, %c8, %c8) { store 2 * %a[%i, %r, %c], %m[%i, %r, %c] }
//   np.routine "cholesky"() to(%m)
//   np.kernel (%i, %r, %c) = (%n, %c8, %c8) { store 3 * %m[%i, %c, %r], %l[%i, %r, %c] }
// becomes
//   np.kernel rows (%i) = (%n) {
//     %t = memref.alloca() : memref<8x8xf64, shared>                              // the team's
//     scf.parallel (%r, %c) = to (%c8, %c8) { store 2 * %a[%i, %r, %c], %t[%r, %c] }
//     %good = np.factor "cholesky"(%t)
//     np.assert %good, "LinAlgError" ...
//     scf.parallel (%r, %c) = to (%c8, %c8) { store 3 * %t[%c, %r], %l[%i, %r, %c] }
//   }
//
// One launch instead of three, and matrices that nobody else reads are never in memory. A kernel is taken in where its
// first axis numbers the matrices and it has to do with what belongs to one of them alone (RoutineGroup.h). Extents
// that are known for the first call only become conditions of the calls that run this code. Errors are those that
// npcc-record-failures has left to the device: a routine that the host waits for stays. Other routines of the same
// matrices (R and Q of qr) are in the kernel, too, unless two of them may fail.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/RoutineGroup.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_ENCLOSEROUTINES
#include "compiler/gpu/Passes.h.inc"
namespace {

struct EncloseRoutines : impl::EncloseRoutinesBase<EncloseRoutines> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || function.isDeclaration())
      return;
    bool general = function->hasAttr("np.general");
    SmallVector<np::RoutineOp> routines;
    function.walk([&](np::RoutineOp routine) { routines.push_back(routine); });
    llvm::SmallPtrSet<Operation *, 8> enclosed;
    for (np::RoutineOp routine : routines)
      // All routines together, unless a multiprocessor has no room for their matrices.
      for (bool together : {true, false}) {
        if (enclosed.contains(routine))
          break;
        FirstCall first(function); // operations were erased
        cuda::RoutineGroup group(routine, first, general);
        if (!group.isSmall())
          break;
        group.grow(together);
        SmallVector<Operation *> members = llvm::to_vector(group.getMembers());
        if (!group.isAlone() && group.enclose())
          enclosed.insert_range(members);
      }
  }
};

} // namespace
} // namespace npcc
