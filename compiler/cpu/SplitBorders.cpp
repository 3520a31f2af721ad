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
//
// An array that is put together of several parts (np.concatenate) asks for one after the other:
//
//   for %j = %lo to %hi { if %j - %n ult %m { %b[%j - %n] } else if %j ult %n { %a[%j] } else { ... } }
//
// Outside of a part nobody has to ask for it any more, so that each part gets a loop of its own.
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
// Loops are nested as deeply as there are parts.
constexpr size_t mostParts = 16;

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

  /// The same of a loop that asks for parts. False if it does not.
  bool splitParts() {
    SmallVector<Value> lengths;
    Block *block = loop.getBody();
    for (scf::IfOp branch = getOnlyBranch(*block); branch; branch = block ? getOnlyBranch(*block) : nullptr) {
      std::optional<Part> part = getPart(branch);
      if (!part)
        break;
      lengths.push_back(part->length);
      block = branch.elseBlock();
    }
    if (lengths.size() < 2 || lengths.size() > mostParts)
      return false;
    // Of a length below zero, which no array has, the comparison is true almost everywhere.
    Value areLengths = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    for (Value length : lengths)
      areLengths = arith::AndIOp::create(builder, loc, areLengths,
                                         arith::CmpIOp::create(builder, loc, CmpIPredicate::sge, length, index(0)));
    auto versions = scf::IfOp::create(builder, loc, areLengths, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(versions.thenBlock());
    auto parts = cast<scf::ForOp>(builder.clone(*loop));
    loop->moveBefore(versions.elseBlock(), versions.elseBlock()->begin());
    Splitter(loop).split();
    Splitter(parts).splitPart();
    return true;
  }

private:
  /// The positions [first, end) for which a branch is taken.
  struct Part {
    Value first, end, length;
  };

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  static scf::IfOp getOnlyBranch(Block &block) {
    scf::IfOp only;
    for (Operation &op : block)
      if (op.getNumRegions() > 0) {
        auto branch = dyn_cast<scf::IfOp>(op);
        if (only || !branch)
          return nullptr;
        only = branch;
      }
    return only && only.elseBlock() ? only : nullptr;
  }

  std::optional<Part> getPart(scf::IfOp branch) {
    auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != CmpIPredicate::ult || !compare.getLhs().getType().isIndex())
      return std::nullopt;
    std::optional<PositionSum> offset = getDifference(compare.getLhs(), {}),
                               length = getDifference(compare.getRhs(), {});
    if (!offset || !length || takePosition(*offset) != 1 || takePosition(*length) != 0)
      return std::nullopt;
    Part part;
    part.length = build(*length);
    part.first = arith::SubIOp::create(builder, loc, index(0), build(*offset));
    part.end = arith::AddIOp::create(builder, loc, part.first, part.length);
    return part;
  }

  /// Gives the first part that the loop asks for a loop of its own, and so those that it asks for elsewhere.
  void splitPart() {
    scf::IfOp branch = getOnlyBranch(*loop.getBody());
    std::optional<Part> part = branch ? getPart(branch) : std::nullopt;
    if (!part)
      return;
    Value lo = loop.getLowerBound(), hi = loop.getUpperBound();
    Value from = arith::MaxSIOp::create(builder, loc, lo, part->first),
          to = arith::MinSIOp::create(builder, loc, hi, part->end);
    Value some = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt, from, to);
    from = arith::SelectOp::create(builder, loc, some, from, hi);
    to = arith::SelectOp::create(builder, loc, some, to, hi);
    Splitter(copyTaken(from, to, branch, /*isPart=*/true)).split();
    auto sides = scf::ForOp::create(builder, loc, index(0), index(2), index(1));
    annotateShort(sides);
    builder.setInsertionPointToStart(sides.getBody());
    Value isLeft = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, sides.getInductionVar(), index(0));
    Value begin = arith::SelectOp::create(builder, loc, isLeft, lo, to),
          end = arith::SelectOp::create(builder, loc, isLeft, from, hi);
    Value isAny = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt, begin, end);
    builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, isAny).thenBlock());
    Splitter(copyTaken(begin, end, branch, /*isPart=*/false)).splitPart();
    loop.erase();
  }

  /// The loop over a part, or over what lies outside of it, without the branch.
  scf::ForOp copyTaken(Value from, Value to, scf::IfOp branch, bool isPart) {
    IRMapping map;
    auto made = scf::ForOp::create(builder, loc, from, to, loop.getStep());
    OpBuilder inside(made.getBody()->getTerminator());
    map.map(loop.getInductionVar(), made.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (&op != branch) {
        inside.clone(op, map);
        continue;
      }
      Block *taken = isPart ? branch.thenBlock() : branch.elseBlock();
      for (Operation &one : taken->without_terminator())
        inside.clone(one, map);
      for (auto [result, yielded] : llvm::zip(branch.getResults(), taken->getTerminator()->getOperands()))
        map.map(result, map.lookupOrDefault(yielded));
    }
    annotateMap(made);
    return made;
  }

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
      if (Splitter splitter(loop); !splitter.splitParts())
        splitter.split();
  }
};
} // namespace
