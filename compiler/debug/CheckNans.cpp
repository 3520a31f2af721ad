// npcc-check-nans: an operation that makes a NaN of operands without one ends the call. See Passes.td.
#include "compiler/debug/Debug.h"
#include "dialects/Np/Checks.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_CHECKNANS
#include "compiler/debug/Passes.h.inc"

using namespace mlir;

namespace {
bool holdsFloats(Type type) { return isa<FloatType, ComplexType>(type); }

/// What computes numbers of numbers; loads give what memory has.
bool isArithmetic(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() && !isa<complex::ConstantOp>(op);
}

struct CheckNans : impl::CheckNansBase<CheckNans> {
  void runOnOperation() override {
    SmallVector<Operation *> results;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && holdsFloats(op->getResult(0).getType()) && isArithmetic(op) &&
          leavesExpression(op))
        results.push_back(op);
    });
    for (Operation *op : results)
      check(op);
  }

  /// Is this what the expression it is a part of gives?
  static bool leavesExpression(Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      bool carries = isa<scf::YieldOp>(user) && isa<LoopLikeOpInterface>(user->getParentOp());
      return carries || user->getLoc() != op->getLoc() || !(isArithmetic(user) || isa<scf::YieldOp>(user));
    });
  }

  /// The numbers that the expression takes: what its operations use and none of them computes.
  static void findOperands(Operation *op, llvm::SetVector<Value> &operands) {
    SmallVector<Operation *> work{op};
    llvm::SmallPtrSet<Operation *, 8> seen{op};
    while (!work.empty()) {
      Operation *next = work.pop_back_val();
      auto visit = [&](Value value) {
        Operation *def = value.getDefiningOp();
        if (def && def->getLoc() == op->getLoc() && (isArithmetic(def) || isa<scf::IfOp>(def))) {
          if (seen.insert(def).second)
            work.push_back(def);
        } else if (holdsFloats(value.getType())) {
          operands.insert(value);
        }
      };
      for (Value operand : next->getOperands())
        visit(operand);
      for (Region &region : next->getRegions())
        region.walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (Region *from = operand.getParentRegion(); !region.isAncestor(from))
              visit(operand);
        });
    }
  }

  static Value isNan(OpBuilder &builder, Location loc, Value value) {
    auto differs = [&](Value x) -> Value {
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
    };
    auto type = dyn_cast<ComplexType>(value.getType());
    if (!type)
      return differs(value);
    Value re = complex::ReOp::create(builder, loc, type.getElementType(), value),
          im = complex::ImOp::create(builder, loc, type.getElementType(), value);
    return arith::OrIOp::create(builder, loc, differs(re), differs(im));
  }

  static void check(Operation *op) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Location loc = op->getLoc();
    llvm::SetVector<Value> operands;
    findOperands(op, operands);
    // Nothing at all, or none of the operands may be one already.
    Value good = arith::XOrIOp::create(builder, loc, isNan(builder, loc, op->getResult(0)),
                                       arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    for (Value operand : operands)
      good = arith::OrIOp::create(builder, loc, good, isNan(builder, loc, operand));
    np::AssertOp::create(builder, loc, good, "FloatingPointError", "NaN made of operands without one", ValueRange{});
  }
};
} // namespace
} // namespace npcc
