// npcc-narrow-positions: positions of elements are numbers of 32 bits in kernels that are launched with small ones
// (np.small_positions): a GPU's registers hold 32 bits, so that numbers of 64 take two of them, and two to four
// instructions each.
//
//   gpu.func @f_map_0(%n: index) {np.small_positions}      gpu.func @f_map_0(%n: index) {np.small_positions}
//     %x = gpu.thread_id x                                   %m = arith.index_cast %n : index to i32
//     %p = arith.addi %x, %n : index                  ->     %x = gpu.thread_id x    %y = arith.index_cast %x : .. i32
//     %i = arith.index_cast %p : index to i64                %p = arith.addi %y, %m : i32
//     %q = llvm.getelementptr %a[%i]                         %i = arith.extsi %p : i32 to i64
//                                                            %q = llvm.getelementptr %a[%i]
//
// Who sets the attribute has seen to it that all positions of the kernel, and what they are computed from, fit. What
// comes from memory as an index (of a gather) may be any number, and stays one of 64 bits, as does what is computed
// from it. Numbers of data have types of their own and are none of this pass's.
#include "compiler/gpu/Gpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_NARROWPOSITIONS
#include "compiler/gpu/Passes.h.inc"
namespace {

/// Arithmetic whose results and index operands are of one type.
bool isArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
             arith::RemUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::MinSIOp,
             arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ShLIOp,
             arith::ShRSIOp, arith::ShRUIOp, arith::SelectOp>(op);
}

/// Numbers that the device has as such, and parameters.
bool isGiven(Operation *op) { return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op); }

class Narrower {
public:
  explicit Narrower(gpu::GPUFuncOp kernel) : kernel(kernel), narrow(IntegerType::get(kernel.getContext(), 32)) {}

  void run() {
    collect();
    for (bool changed = true; changed;) // what is not narrow makes others not narrow
      changed = positions.remove_if([&](Value value) { return !canBeNarrow(value); });
    SmallVector<Value> wide;
    for (Value value : positions) {
      Operation *op = value.getDefiningOp();
      bool isParameter = !op && cast<BlockArgument>(value).getOwner() == &kernel.getBody().front();
      if (isParameter || (op && isGiven(op)))
        wide.push_back(value);
      else
        value.setType(narrow);
    }
    for (Value value : wide)
      cutShort(value);
    for (Value value : positions)
      if (value.getType() == narrow)
        rewrite(value);
    for (Value half : halves)
      widenUses(half);
    for (Operation *cast : casts) {
      OpBuilder builder(cast);
      Value number = cast->getOperand(0);
      if (number.getType() != narrow)
        number = arith::ExtSIOp::create(builder, cast->getLoc(), narrow, number);
      cast->getResult(0).replaceAllUsesWith(number);
      cast->erase();
    }
  }

private:
  void collect() {
    auto add = [&](Value value) {
      if (value.getType().isIndex())
        positions.insert(value);
    };
    for (Block &block : kernel.getBody())
      llvm::for_each(block.getArguments(), add);
    kernel.walk([&](Operation *op) { llvm::for_each(op->getResults(), add); });
  }

  bool isNarrow(Value value) const { return positions.contains(value); }

  bool canBeNarrow(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner()->isEntryBlock())
      return argument.getOwner()->getParentOp() == kernel;
    if (argument)
      return llvm::all_of(argument.getOwner()->getPredecessors(), [&](Block *before) {
        auto branch = dyn_cast<BranchOpInterface>(before->getTerminator());
        if (!branch)
          return false;
        for (auto [number, next] : llvm::enumerate(before->getSuccessors()))
          if (next == argument.getOwner()) {
            Value handed = branch.getSuccessorOperands(number)[argument.getArgNumber()];
            if (!handed || !isNarrow(handed))
              return false;
          }
        return true;
      });
    Operation *op = value.getDefiningOp();
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.isSignedIntN(32);
    if (auto cast = dyn_cast<arith::IndexCastOp>(op))
      return cast.getIn().getType().getIntOrFloatBitWidth() <= 32;
    if (isArithmetic(op))
      return llvm::all_of(op->getOperands(),
                          [&](Value operand) { return !operand.getType().isIndex() || isNarrow(operand); });
    return isGiven(op);
  }

  /// A value of 64 bits that small code knows by its lower half.
  void cutShort(Value value) {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfterValue(value);
    auto half = arith::IndexCastOp::create(builder, value.getLoc(), narrow, value);
    value.replaceAllUsesExcept(half, half);
    halves.push_back(half);
  }

  void rewrite(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op)) {
      int64_t number = cast<IntegerAttr>(constant.getValue()).getInt();
      constant.setValueAttr(IntegerAttr::get(narrow, number));
    } else if (isa_and_nonnull<arith::IndexCastOp>(op)) {
      casts.push_back(op);
    }
    widenUses(value);
  }

  /// What knows positions by other types gets them.
  void widenUses(Value value) {
    OpBuilder builder(kernel.getContext());
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *user = use.getOwner();
      builder.setInsertionPoint(user);
      if (auto cast = dyn_cast<arith::IndexCastOp>(user)) {
        Type to = cast.getType();
        Value other = value;
        if (to.getIntOrFloatBitWidth() > 32)
          other = arith::ExtSIOp::create(builder, user->getLoc(), to, value);
        else if (to != narrow)
          other = arith::TruncIOp::create(builder, user->getLoc(), to, value);
        cast.getResult().replaceAllUsesWith(other);
        cast.erase();
      } else if (!takesNarrow(use)) {
        use.set(arith::IndexCastOp::create(builder, user->getLoc(), builder.getIndexType(), value));
      }
    }
  }

  bool takesNarrow(OpOperand &use) const {
    Operation *user = use.getOwner();
    if (isArithmetic(user))
      return user->getResult(0).getType() == narrow;
    if (isa<arith::CmpIOp>(user))
      return llvm::all_of(user->getOperands(), [&](Value operand) { return operand.getType() == narrow; });
    if (auto branch = dyn_cast<BranchOpInterface>(user)) {
      std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
      return argument && argument->getType() == narrow;
    }
    return false;
  }

  gpu::GPUFuncOp kernel;
  Type narrow;
  llvm::SetVector<Value> positions;
  SmallVector<Value> halves;
  SmallVector<Operation *> casts; // from narrow numbers
};

struct NarrowPositions : impl::NarrowPositionsBase<NarrowPositions> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (kernel->hasAttr("np.small_positions"))
        Narrower(kernel).run();
  }
};

} // namespace
} // namespace npcc
