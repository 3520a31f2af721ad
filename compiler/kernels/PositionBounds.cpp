#include "compiler/kernels/PositionBounds.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc {
namespace {

/// Where a loop inside begins and ends.
struct Span {
  Operation *loop;
  Value from, to; // without `from` it begins at 0
};

std::optional<Span> getSpan(Value position, scf::ForOp outer) {
  auto argument = dyn_cast<BlockArgument>(position);
  Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (!owner || !outer->isAncestor(owner))
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(owner); loop && position == loop.getInductionVar())
    return Span{owner, loop.getLowerBound(), loop.getUpperBound()};
  if (auto kernel = dyn_cast<np::KernelOp>(owner))
    return Span{owner, Value(), kernel.getExtents()[number]};
  if (auto loop = dyn_cast<scf::ParallelOp>(owner); loop && number < loop.getNumLoops())
    return Span{owner, loop.getLowerBound()[number], loop.getUpperBound()[number]};
  if (auto fold = dyn_cast<np::FoldOp>(owner); fold && position == fold.getPosition())
    return Span{owner, Value(), fold.getExtent()};
  return std::nullopt;
}

/// The term that moves with the innermost loop.
std::optional<Term> findInnermost(const LinearForm &form, scf::ForOp outer) {
  std::optional<Term> found;
  Operation *innermost = nullptr;
  for (const Term &term : form.terms) {
    std::optional<Span> span = term.scale ? std::nullopt : getSpan(term.leaf, outer);
    if (span && (!innermost || innermost->isProperAncestor(span->loop))) {
      found = term;
      innermost = span->loop;
    }
  }
  return found;
}

Value stripCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

/// Values that the end of a loop does not exceed (or, of its beginning, does not fall below): the parts of a minimum (a
/// maximum), and itself.
SmallVector<Value> getParts(Value end, bool isLess, bool fromZero) {
  SmallVector<Value> parts, open{end};
  while (!open.empty()) {
    Value value = stripCasts(open.pop_back_val());
    Operation *op = value.getDefiningOp();
    if (isLess ? isa_and_nonnull<arith::MinSIOp>(op) : isa_and_nonnull<arith::MaxSIOp>(op))
      llvm::append_range(open, op->getOperands());
    // A loop from 0 to max(n, 0) has positions only where that is n.
    else if (isLess && fromZero && isa_and_nonnull<arith::MaxSIOp>(op) && matchPattern(op->getOperand(1), m_Zero()))
      open.push_back(op->getOperand(0));
    else
      parts.push_back(value);
  }
  return parts;
}

} // namespace

bool isNotNegative(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto owner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
      return value == owner.getInductionVar() && isNotNegative(owner.getLowerBound());
    return isa<np::KernelOp>(argument.getOwner()->getParentOp());
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<memref::DimOp, np::CheckIndexOp>(op))
    return true;
  if (isa_and_nonnull<arith::MaxSIOp>(op))
    return isNotNegative(op->getOperand(0)) || isNotNegative(op->getOperand(1));
  if (isa_and_nonnull<arith::IndexCastOp, arith::MinSIOp, arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
                      arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
    return llvm::all_of(op->getOperands(), isNotNegative);
  return false;
}

Value stripCheck(Value index) {
  auto check = index.getDefiningOp<np::CheckIndexOp>();
  return check ? check.getPosition() : index;
}

LinearForm getKnownForm(Value index, scf::ForOp outer) {
  LinearForm form = getLinearForm(index, outer), result;
  result.constant = form.constant;
  for (const Term &term : form.terms) {
    auto check = term.leaf.getDefiningOp<np::CheckIndexOp>();
    bool isInside = check && !term.scale && outer->isProperAncestor(check);
    LinearForm position = isInside ? getKnownForm(check.getPosition(), outer) : LinearForm();
    std::optional<int64_t> least = isInside ? getLeast(position, outer) : std::nullopt;
    addScaled(result, least && *least >= 0 ? position : LinearForm{0, {Term{term.leaf, term.scale, 1, term.kind}}},
              term.factor);
  }
  return result;
}

LinearForm getUncheckedForm(Value index, scf::ForOp outer) {
  LinearForm form = getLinearForm(stripCasts(index), outer), result;
  result.constant = form.constant;
  for (const Term &term : form.terms) {
    // Positions of 64 bits are sums, too, of whatever the program computed them from.
    Value leaf = stripCasts(term.leaf);
    auto check = leaf.getDefiningOp<np::CheckIndexOp>();
    if (check && !term.scale && outer->isProperAncestor(check))
      addScaled(result, getUncheckedForm(check.getPosition(), outer), term.factor);
    else if (leaf != term.leaf && !term.scale && !outer.isDefinedOutsideOfLoop(leaf))
      addScaled(result, getUncheckedForm(leaf, outer), term.factor);
    else
      addScaled(result, LinearForm{0, {Term{leaf, term.scale, term.factor, term.kind}}}, 1);
  }
  return result;
}

/// Adds sums that are not negative where the condition holds.
static void addFacts(Value condition, bool holds, scf::ForOp outer, SmallVectorImpl<LinearForm> &facts) {
  Operation *op = condition.getDefiningOp();
  // a && b is `select a, b, false` too.
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  bool isBoth =
      holds && (isa_and_nonnull<arith::AndIOp>(op) || (select && matchPattern(select.getFalseValue(), m_Zero())));
  if (isBoth) {
    addFacts(op->getOperand(0), holds, outer, facts);
    addFacts(op->getOperand(1), holds, outer, facts);
    return;
  }
  // And so is a branch, where the second condition is computed only if the first one holds.
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op); branch && holds) {
    unsigned number = cast<OpResult>(condition).getResultNumber();
    if (!matchPattern(branch.elseYield().getOperand(number), m_Zero()))
      return;
    addFacts(branch.getCondition(), holds, outer, facts);
    addFacts(branch.thenYield().getOperand(number), holds, outer, facts);
    return;
  }
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare)
    return;
  using P = arith::CmpIPredicate;
  P predicate = holds ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
  LinearForm difference = getUncheckedForm(compare.getLhs(), outer), opposite;
  addScaled(difference, getUncheckedForm(compare.getRhs(), outer), -1);
  addScaled(opposite, difference, -1);
  if (predicate == P::sgt || predicate == P::sge || predicate == P::eq) {
    difference.constant -= predicate == P::sgt;
    facts.push_back(difference);
  }
  if (predicate == P::slt || predicate == P::sle || predicate == P::eq) {
    opposite.constant -= predicate == P::slt;
    facts.push_back(opposite);
  }
}

bool isNeverNegative(const LinearForm &form, Operation *place, scf::ForOp outer) {
  if (std::optional<int64_t> least = getLeast(form, outer); least && *least >= 0)
    return true;
  SmallVector<LinearForm> facts;
  for (Operation *op = place; op != outer; op = op->getParentOp())
    if (auto condition = dyn_cast<scf::IfOp>(op->getParentOp()))
      addFacts(condition.getCondition(), op->getParentRegion() == &condition.getThenRegion(), outer, facts);
  return llvm::any_of(facts, [&](const LinearForm &fact) {
    LinearForm rest = form;
    addScaled(rest, fact, -1);
    std::optional<int64_t> least = getLeast(rest, outer);
    return least && *least >= 0;
  });
}

std::optional<int64_t> getLeast(const LinearForm &given, scf::ForOp outer) {
  // One name for a value, whatever casts it went through: then equal terms cancel.
  LinearForm form;
  form.constant = given.constant;
  for (const Term &term : given.terms)
    addScaled(form, LinearForm{0, {Term{stripCasts(term.leaf), term.scale, term.factor, term.kind}}}, 1);
  std::optional<Term> term = findInnermost(form, outer);
  if (!term)
    return form.terms.empty() ? std::optional(form.constant) : std::nullopt;
  Span span = *getSpan(term->leaf, outer);
  bool isEnd = term->factor < 0;
  std::optional<int64_t> first = span.from ? getConstantIntValue(span.from) : std::optional<int64_t>(0);
  SmallVector<LinearForm> bounds;
  if (isEnd || span.from)
    for (Value part : getParts(isEnd ? span.to : span.from, isEnd, first && *first >= 0))
      bounds.push_back(getUncheckedForm(part, outer));
  else
    bounds.push_back({});
  std::optional<int64_t> best;
  for (LinearForm &bound : bounds) {
    bound.constant -= isEnd;
    LinearForm next = form;
    addScaled(next, LinearForm{0, {*term}}, -1);
    addScaled(next, bound, term->factor);
    if (std::optional<int64_t> least = getLeast(next, outer))
      best = best ? std::max(*best, *least) : *least;
  }
  return best;
}

std::optional<int64_t> getMost(const LinearForm &form, scf::ForOp outer) {
  LinearForm negative;
  addScaled(negative, form, -1);
  std::optional<int64_t> least = getLeast(negative, outer);
  return least ? std::optional(-*least) : std::nullopt;
}

std::optional<Value> emitBound(const LinearForm &given, scf::ForOp outer, OpBuilder *builder, bool most) {
  LinearForm form = given;
  while (std::optional<Term> term = findInnermost(form, outer)) {
    Span span = *getSpan(term->leaf, outer);
    bool isEnd = (term->factor > 0) == most;
    LinearForm bound;
    if (isEnd || span.from)
      bound = getLinearForm(stripCasts(isEnd ? span.to : span.from), outer);
    bound.constant -= isEnd;
    addScaled(form, LinearForm{0, {*term}}, -1);
    addScaled(form, bound, term->factor);
  }
  Value sum;
  if (builder)
    sum = arith::ConstantIndexOp::create(*builder, outer.getLoc(), form.constant);
  for (const Term &term : form.terms) {
    std::optional<Value> bound =
        term.scale ? std::nullopt : emitBound(term.leaf, outer, builder, (term.factor > 0) == most);
    if (!bound)
      return std::nullopt;
    sum =
        builder
            ? IndexMath{*builder, outer.getLoc()}.add(sum, IndexMath{*builder, outer.getLoc()}.mul(*bound, term.factor))
            : *bound;
  }
  return sum ? sum : Value(outer.getLowerBound());
}

/// The least (or greatest) element of an array that nothing in the loop changes: of its part that the loop loads from,
/// as far as the positions have bounds.
static std::optional<Value> emitLoadedBound(memref::LoadOp load, scf::ForOp outer, OpBuilder *builder, bool most) {
  Value array = load.getMemRef();
  bool general = outer->getParentOfType<func::FuncOp>()->hasAttr("np.general");
  if (!load.getType().isSignlessInteger() || !outer.isDefinedOutsideOfLoop(array) || mayWriteTo(outer, array, general))
    return std::nullopt;
  if (!builder)
    return load.getResult();
  Location loc = outer.getLoc();
  IndexMath m{*builder, loc};
  auto type = cast<MemRefType>(array.getType());
  unsigned width = load.getType().getIntOrFloatBitWidth();
  Value found = np::AllocOp::create(*builder, loc, MemRefType::get({}, type.getElementType()), ValueRange());
  SmallVector<Value> firsts, extents;
  for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
    Value first = m.constant(0), end = memref::DimOp::create(*builder, loc, array, axis);
    if (emitBound(index, outer, nullptr, /*most=*/false) && emitBound(index, outer, nullptr, /*most=*/true)) {
      first = m.max(*emitBound(index, outer, builder, /*most=*/false), first);
      end = m.min(m.add(*emitBound(index, outer, builder, /*most=*/true), 1), end);
    }
    firsts.push_back(first);
    extents.push_back(m.max(m.sub(end, first), m.constant(0)));
  }
  auto kernel = np::KernelOp::create(*builder, loc, ValueRange{m.constant(1)});
  {
    OpBuilder::InsertionGuard guard(*builder);
    builder->setInsertionPoint(kernel.getBody()->getTerminator());
    APInt none = most ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width);
    Value init = arith::ConstantOp::create(*builder, loc, builder->getIntegerAttr(type.getElementType(), none));
    if (extents.empty()) {
      memref::StoreOp::create(*builder, loc, memref::LoadOp::create(*builder, loc, array, ValueRange()), found, ValueRange());
    } else {
      auto loop = scf::ParallelOp::create(*builder, loc, SmallVector<Value>(extents.size(), m.constant(0)), extents,
                                          SmallVector<Value>(extents.size(), m.constant(1)), ValueRange{init});
      memref::StoreOp::create(*builder, loc, loop.getResult(0), found, ValueRange());
      builder->setInsertionPointToStart(loop.getBody());
      SmallVector<Value> positions;
      for (auto [position, first] : llvm::zip_equal(loop.getInductionVars(), firsts))
        positions.push_back(m.add(position, first));
      Value element = memref::LoadOp::create(*builder, loc, array, positions);
      auto reduce = scf::ReduceOp::create(*builder, loc, ValueRange{element});
      Block &combine = reduce.getReductions()[0].front();
      builder->setInsertionPointToStart(&combine);
      Value a = combine.getArgument(0), b = combine.getArgument(1);
      Value better = most ? arith::MaxSIOp::create(*builder, loc, a, b).getResult()
                          : arith::MinSIOp::create(*builder, loc, a, b).getResult();
      scf::ReduceReturnOp::create(*builder, loc, better);
    }
  }
  Value bound = memref::LoadOp::create(*builder, loc, found, ValueRange());
  return builder->createOrFold<arith::IndexCastOp>(loc, builder->getIndexType(), bound);
}

std::optional<Value> emitBound(Value value, scf::ForOp outer, OpBuilder *builder, bool most) {
  value = stripCasts(value);
  if (outer.isDefinedOutsideOfLoop(value))
    return !builder || value.getType().isIndex()
               ? value
               : builder->createOrFold<arith::IndexCastOp>(outer.getLoc(), builder->getIndexType(), value);
  Operation *op = value.getDefiningOp();
  if (auto check = dyn_cast_or_null<np::CheckIndexOp>(op))
    return emitBound(check.getPosition(), outer, builder, most);
  if (auto wider = dyn_cast_or_null<arith::ExtSIOp>(op))
    return emitBound(wider.getIn(), outer, builder, most);
  if (auto load = dyn_cast_or_null<memref::LoadOp>(op))
    return emitLoadedBound(load, outer, builder, most);
  if (isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op)) {
    std::optional<Value> a = emitBound(op->getOperand(0), outer, builder, most),
                         b = emitBound(op->getOperand(1), outer, builder, most);
    if (!a || !b || !builder)
      return a && b ? a : std::nullopt;
    IndexMath m{*builder, outer.getLoc()};
    return isa<arith::MinSIOp>(op) ? m.min(*a, *b) : m.max(*a, *b);
  }
  LinearForm form = getLinearForm(value, outer);
  // What is neither a sum nor a position has no bound.
  bool isItself = form.terms.size() == 1 && form.terms[0].leaf == value && !getSpan(value, outer);
  return isItself ? std::nullopt : emitBound(form, outer, builder, most);
}

} // namespace npcc
