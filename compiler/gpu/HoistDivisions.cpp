// npcc-hoist-divisions: a division in a kernel whose operands the host knows is the same in all threads. The host
// divides once, before the launch, and the kernel gets the result as a parameter.
//
//   gpu.launch ... {                                   %safe = arith.maxui %stride, %c1
//     %rounds = arith.divui %n, %stride                %rounds = arith.divui %n, %safe
//     %end = arith.muli %rounds, %stride          ->   %end = arith.muli %rounds, %stride
//     scf.for %i = %id to %end ...                     gpu.launch ... {
//   }                                                    scf.for %i = %id to %end ...
//
// A GPU has no instruction for it. A division of 64-bit numbers is about a hundred instructions, half of which are a
// shorter division for operands that happen to fit into 32 bits, and every thread executes them. What the dividend and
// the divisor are computed from moves with a division, and so does what is computed from its result; other arithmetic
// stays, because a parameter costs a load. The host divides where the kernel may not have come to it, so a divisor that
// could be 0 is at least 1 there: the kernel does not use the result then.
#include "compiler/gpu/Gpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_HOISTDIVISIONS
#include "compiler/gpu/Passes.h.inc"
namespace {

bool isDivision(Operation *op) { return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op); }

/// Integer arithmetic that the host does as well as a thread.
bool isArithmetic(Operation *op) {
  return isDivision(op) ||
         (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::MinSIOp, arith::MaxSIOp,
              arith::MinUIOp, arith::MaxUIOp, arith::IndexCastOp>(op) &&
          op->getResult(0).getType().isIntOrIndex());
}

class Launch {
public:
  explicit Launch(gpu::LaunchOp launch) : launch(launch), builder(launch) {
    gpu::KernelDim3 grid = launch.getGridSize(), block = launch.getBlockSize();
    gpu::KernelDim3 gridOutside = launch.getGridSizeOperandValues(), blockOutside = launch.getBlockSizeOperandValues();
    for (auto [inside, outside] :
         {std::pair(block.x, blockOutside.x), {block.y, blockOutside.y}, {block.z, blockOutside.z}})
      onHost.map(inside, outside);
    // The runtime gives some launches fewer blocks than the host asks for: as many as run at once.
    if (!launch->hasAttr("npcc.fitted"))
      for (auto [inside, outside] :
           {std::pair(grid.x, gridOutside.x), {grid.y, gridOutside.y}, {grid.z, gridOutside.z}})
        onHost.map(inside, outside);
  }

  void hoist() {
    SmallVector<Operation *> arithmetic;
    launch.getBody().walk([&](Operation *op) {
      if (isArithmetic(op))
        arithmetic.push_back(op);
    });
    for (Operation *op : arithmetic)
      if (isWorthIt(op) && llvm::any_of(op->getUsers(), [&](Operation *user) { return !isWorthIt(user); }))
        op->getResult(0).replaceUsesWithIf(emitOnHost(op->getResult(0)), [&](OpOperand &use) {
          return launch->isProperAncestor(use.getOwner()) && !isWorthIt(use.getOwner());
        });
    for (Operation *op : llvm::reverse(arithmetic))
      if (isOpTriviallyDead(op))
        op->erase();
  }

private:
  enum Kind { Stays, Moves, MovesWithDivision };

  /// Whether the host can compute a value, and whether that takes a division.
  Kind classify(Value value) {
    if (onHost.contains(value) || !launch.getBody().isAncestor(value.getParentRegion()))
      return Moves;
    Operation *op = value.getDefiningOp();
    if (!op)
      return Stays;
    if (op->hasTrait<OpTrait::ConstantLike>())
      return Moves;
    auto [known, isNew] = kinds.try_emplace(op, Stays);
    if (!isNew || !isArithmetic(op))
      return known->second;
    Kind kind = isDivision(op) && !matchPattern(op->getOperand(1), m_Constant()) ? MovesWithDivision : Moves;
    for (Value operand : op->getOperands()) {
      Kind of = classify(operand);
      kind = of == Stays ? Stays : std::max(kind, of);
      if (kind == Stays)
        break;
    }
    return kinds[op] = kind;
  }

  bool isWorthIt(Operation *op) { return isArithmetic(op) && classify(op->getResult(0)) == MovesWithDivision; }

  Value emitOnHost(Value value) {
    if (Value known = onHost.lookupOrNull(value))
      return known;
    if (!launch.getBody().isAncestor(value.getParentRegion()))
      return value;
    Operation *op = value.getDefiningOp();
    IRMapping operands;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      Value moved = emitOnHost(operand);
      if (isDivision(op) && number == 1 && !matchPattern(moved, m_Constant())) {
        Value one = arith::ConstantOp::create(builder, op->getLoc(), builder.getIntegerAttr(moved.getType(), 1));
        moved = arith::MaxUIOp::create(builder, op->getLoc(), moved, one);
      }
      operands.map(operand, moved);
    }
    Value result = builder.clone(*op, operands)->getResult(0);
    onHost.map(value, result);
    return result;
  }

  gpu::LaunchOp launch;
  OpBuilder builder;
  IRMapping onHost; // values of the kernel -> of the host
  llvm::DenseMap<Operation *, Kind> kinds;
};

struct HoistDivisions : impl::HoistDivisionsBase<HoistDivisions> {
  void runOnOperation() override {
    getOperation().walk([](gpu::LaunchOp launch) { Launch(launch).hoist(); });
  }
};

} // namespace
} // namespace npcc
