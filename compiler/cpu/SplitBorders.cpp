// npcc-split-borders: where a vectorised loop asks in each iteration whether it is at a border (a gradient, a stencil
// that keeps its border, a region of a new array), the part inside becomes a loop of its own that does not ask.
//
//   for %j = %lo to %hi {
//     %first = arith.cmpi eq, %j, %c0                      // false inside
//     %inside = arith.cmpi ult, (%j - 1), %m_2             // true inside
//     scf.if ... }
// becomes
//   %from, %to = the part of [%lo, %hi) behind 0, in [1, %m_2 + 1)      // empty if a condition on the row, not on %j,
//   says "border" for %side = 0 to 2 { for %j = (%side ? %to : %lo) to (%side ? %hi : %from) { as before } } for %j =
//   %from to %to { with false for %first, true for %inside }
// Which end of the loop a single position `%j == %p`, or a range of a few (%j - %p ult 3), is at is decided at run
// time.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/PositionSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc;
using arith::CmpIPredicate;

namespace npcc {
#define GEN_PASS_DEF_SPLITBORDERS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {

// A range of positions this long is a border.
constexpr int64_t mostBorder = 8;

/// What is known inside the part without borders.
struct Interior {
  llvm::DenseMap<Operation *, bool> conditions; // by comparison
  SmallVector<Value> from, to;                  // the part lies in all [from, to)
  SmallVector<std::pair<Value, Value>> excluded; // short ranges [begin, end), at either end
  SmallVector<Value> rows;                      // conditions on the row, all true inside
};

class Splitter {
public:
  explicit Splitter(scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  void split() {
    learn(*loop.getBody());
    if (interior.conditions.empty())
      return;
    auto max = [&](Value x, Value y) -> Value { return arith::MaxSIOp::create(builder, loc, x, y); };
    auto min = [&](Value x, Value y) -> Value { return arith::MinSIOp::create(builder, loc, x, y); };
    auto select = [&](Value c, Value x, Value y) -> Value { return arith::SelectOp::create(builder, loc, c, x, y); };
    auto compare = [&](CmpIPredicate predicate, Value x, Value y) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, x, y);
    };
    Value lo = loop.getLowerBound(), hi = loop.getUpperBound(), from = lo, to = hi, zero = index(0), one = index(1);
    for (Value bound : interior.from)
      from = max(from, bound);
    for (Value bound : interior.to)
      to = min(to, bound);
    for (auto [begin, end] : interior.excluded) {
      Value before = arith::SubIOp::create(builder, loc, begin, from),
            behind = arith::SubIOp::create(builder, loc, to, end);
      Value inside = arith::AndIOp::create(builder, loc, compare(CmpIPredicate::sgt, end, from),
                                           compare(CmpIPredicate::slt, begin, to));
      Value early = compare(CmpIPredicate::slt, before, behind);
      from = select(arith::AndIOp::create(builder, loc, inside, early), end, from);
      Value late = arith::XOrIOp::create(builder, loc, early,
                                         arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
      to = select(arith::AndIOp::create(builder, loc, inside, late), begin, to);
    }
    // An empty part lies at the end: all is border then.
    Value some = compare(CmpIPredicate::slt, from, to);
    for (Value row : interior.rows)
      some = arith::AndIOp::create(builder, loc, some, row);
    from = select(some, from, hi);
    to = select(some, to, hi);

    auto sides = scf::ForOp::create(builder, loc, zero, index(2), one);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(sides.getBody());
      Value left = compare(CmpIPredicate::eq, sides.getInductionVar(), zero);
      copy(select(left, lo, to), select(left, from, hi), /*inside=*/false);
    }
    copy(from, to, /*inside=*/true);
    loop.erase();
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  void copy(Value from, Value to, bool inside) {
    IRMapping map;
    auto made = scf::ForOp::create(builder, loc, from, to, loop.getStep());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(made.getBody());
    map.map(loop.getInductionVar(), made.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, map);
    if (inside)
      for (auto [compare, value] : interior.conditions) {
        Operation *copied = map.lookup(compare);
        builder.setInsertionPoint(copied);
        copied->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value)));
        copied->erase();
      }
    // A border that is a single position is short; a region may leave out half of an array.
    if (inside || interior.excluded.empty())
      annotateMap(made);
    else
      annotateShort(made);
  }

  /// How often the loop's position is in a sum, which is left without it; nothing where other values of the loop are.
  std::optional<int64_t> takePosition(PositionSum &sum) {
    int64_t times = sum.factors.lookup(loop.getInductionVar());
    sum.addTerm(loop.getInductionVar(), -times);
    bool isOutside =
        llvm::all_of(sum.factors, [&](const auto &term) { return loop.isDefinedOutsideOfLoop(term.first); });
    return isOutside ? std::optional(times) : std::nullopt;
  }

  /// The sum of what is known before the loop.
  Value build(const PositionSum &sum) {
    IndexMath m{builder, loc};
    Value total = index(sum.constant);
    for (auto [value, factor] : sum.factors) {
      if (!value.getType().isIndex())
        value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
      total = factor < 0 ? m.sub(total, m.mul(value, -factor)) : m.add(total, m.mul(value, factor));
    }
    return total;
  }

  /// Adds what the comparisons of positions are inside. What is asked only at a border (the other end of a roll, say)
  /// is not inside at all.
  void learn(Block &block) {
    for (Operation &op : block) {
      if (auto compare = dyn_cast<arith::CmpIOp>(op))
        learn(compare);
      std::optional<unsigned> taken; // of the regions
      if (auto branch = dyn_cast<scf::IfOp>(op))
        if (auto known = interior.conditions.find(branch.getCondition().getDefiningOp());
            known != interior.conditions.end())
          taken = known->second ? 0 : 1;
      for (Region &region : op.getRegions())
        if (!taken || region.getRegionNumber() == *taken)
          for (Block &inner : region)
            learn(inner);
    }
  }

  /// Adds what a comparison of positions is inside, and where that holds.
  void learn(arith::CmpIOp compare) {
    if (!compare.getLhs().getType().isIndex())
      return;
    CmpIPredicate predicate = compare.getPredicate();
    std::optional<PositionSum> lhs = getDifference(compare.getLhs(), {}), rhs = getDifference(compare.getRhs(), {});
    std::optional<int64_t> timesLeft = lhs ? takePosition(*lhs) : std::nullopt,
                           timesRight = rhs ? takePosition(*rhs) : std::nullopt;
    // The position stands on one side, once.
    if (!timesLeft || !timesRight || *timesLeft < 0 || *timesRight < 0 || *timesLeft + *timesRight > 1)
      return;
    bool hasPosition = *timesLeft || *timesRight;
    if (*timesRight) {
      std::swap(lhs, rhs);
      predicate = swap(predicate);
    }
    // At a border it is equal, outside of a range, or in a range of a few positions (what a roll brings from the other
    // end).
    bool value = predicate != CmpIPredicate::eq && predicate != CmpIPredicate::uge && predicate != CmpIPredicate::ugt;
    std::optional<int64_t> length = getRangeLength(predicate, *lhs, *rhs);
    bool isFew = length && *length <= mostBorder;
    if (isFew)
      value = !value;
    Value offset = build(*lhs), bound = build(*rhs);
    interior.conditions[compare] = value;
    if (!hasPosition) {
      Value holds = arith::CmpIOp::create(builder, loc, predicate, offset, bound);
      if (!value)
        holds = arith::XOrIOp::create(builder, loc, holds,
                                      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
      interior.rows.push_back(holds);
      return;
    }
    Value limit = arith::SubIOp::create(builder, loc, bound, offset),
          next = arith::AddIOp::create(builder, loc, limit, index(1));
    Value first = arith::SubIOp::create(builder, loc, index(0), offset);
    switch (predicate) {
    case CmpIPredicate::eq:
    case CmpIPredicate::ne:
      interior.excluded.push_back({limit, next});
      break;
    case CmpIPredicate::ult: // position + offset in [0, bound)
    case CmpIPredicate::uge:
    case CmpIPredicate::ule:
    case CmpIPredicate::ugt: {
      bool isOpen = predicate == CmpIPredicate::ult || predicate == CmpIPredicate::uge;
      if (isFew) {
        interior.excluded.push_back({first, isOpen ? limit : next});
        break;
      }
      interior.from.push_back(first);
      interior.to.push_back(isOpen ? limit : next);
      break;
    }
    case CmpIPredicate::slt:
      interior.to.push_back(limit);
      break;
    case CmpIPredicate::sle:
      interior.to.push_back(next);
      break;
    case CmpIPredicate::sgt:
      interior.from.push_back(next);
      break;
    case CmpIPredicate::sge:
      interior.from.push_back(limit);
      break;
    }
  }

  /// How many positions an unsigned comparison names, if that is a constant.
  static std::optional<int64_t> getRangeLength(CmpIPredicate predicate, const PositionSum &offset,
                                               const PositionSum &bound) {
    bool isUnsigned = predicate == CmpIPredicate::ult || predicate == CmpIPredicate::uge ||
                      predicate == CmpIPredicate::ule || predicate == CmpIPredicate::ugt;
    if (!isUnsigned || !bound.factors.empty())
      return std::nullopt;
    bool isOpen = predicate == CmpIPredicate::ult || predicate == CmpIPredicate::uge;
    return isOpen ? bound.constant : bound.constant + 1;
  }

  /// The predicate for exchanged operands.
  static CmpIPredicate swap(CmpIPredicate predicate) {
    switch (predicate) {
    case CmpIPredicate::slt:
      return CmpIPredicate::sgt;
    case CmpIPredicate::sle:
      return CmpIPredicate::sge;
    case CmpIPredicate::sgt:
      return CmpIPredicate::slt;
    case CmpIPredicate::sge:
      return CmpIPredicate::sle;
    case CmpIPredicate::ult:
      return CmpIPredicate::ugt;
    case CmpIPredicate::ule:
      return CmpIPredicate::uge;
    case CmpIPredicate::ugt:
      return CmpIPredicate::ult;
    case CmpIPredicate::uge:
      return CmpIPredicate::ule;
    default:
      return predicate;
    }
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Interior interior;
};

struct SplitBorders : npcc::impl::SplitBordersBase<SplitBorders> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      bool asks = !loop.getBody()->getOps<scf::IfOp>().empty();
      if (asks && loop.getInitArgs().empty() && loop->hasAttr("llvm.loop_annotation"))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      Splitter(loop).split();
  }
};
} // namespace
