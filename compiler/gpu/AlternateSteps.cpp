// npcc-alternate-steps: arrays that change places in every iteration of a loop of the host stay where they are, and
// iterations take turns: so one kernel can run the loop (npcc-enclose-steps), in which arrays have fixed places.
//
//   %r:2 = scf.for %k iter_args(%a = %x, %b = %y) {        scf.for %k {
//     %b[..] = f(%a[..])                                     scf.if ((%k - start) / step % 2 == 0) {
//     scf.yield %b, %a                            ->           %y[..] = f(%x[..])
//   }                                                        } else { %x[..] = f(%y[..]) }
//                                                          }
//                                                          %r#0 = after an odd number of iterations %y, else %x
//
// A `while` counts whose turn it is. Up to four arrays may change places; others may go round beside them.
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include <numeric>

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_ALTERNATESTEPS
#include "compiler/gpu/Passes.h.inc"
namespace {

// Each turn is code of its own.
constexpr int64_t mostTurns = 4, mostKernels = 12;

class Alternation {
public:
  explicit Alternation(Operation *loop)
      : loop(loop), counted(dyn_cast<scf::ForOp>(loop)), conditional(dyn_cast<scf::WhileOp>(loop)), builder(loop),
        loc(loop->getLoc()) {}

  /// Whether arrays change places, and nothing else happens to them but that they are read and written.
  bool canAlternate();
  void alternate();

private:
  ValueRange getInits() { return counted ? ValueRange(counted.getInitArgs()) : ValueRange(conditional.getInits()); }
  Block *getBody() { return &loop->getRegions().back().front(); }
  /// The names that the carried values have in the body; null for what a condition does not hand on.
  SmallVector<Value> getNames();
  bool changes(unsigned number) { return llvm::is_contained(cycles, number); }
  /// The number of the array that has this place after so many iterations.
  unsigned getPlace(unsigned number, int64_t turn) {
    for (; turn > 0; --turn)
      number = next[number];
    return number;
  }
  /// One of the arrays, by whose turn it is.
  Value chooseArray(unsigned number, Value turn);
  /// The body for each turn; what it hands on but the arrays.
  SmallVector<Value> emitTurns(OpBuilder &at, Value turn, IRMapping &outer);

  Operation *loop;
  scf::ForOp counted;
  scf::WhileOp conditional;
  OpBuilder builder;
  Location loc;
  DenseMap<unsigned, unsigned> next; // the number of the carried array that takes a place
  SmallVector<unsigned> cycles;      // the places that arrays change
  int64_t turns = 1;
};

static Value toIndex(OpBuilder &at, Value value) {
  return value.getType().isIndex()
             ? value
             : arith::IndexCastOp::create(at, value.getLoc(), at.getIndexType(), value).getResult();
}

SmallVector<Value> Alternation::getNames() {
  if (counted)
    return SmallVector<Value>(counted.getRegionIterArgs().begin(), counted.getRegionIterArgs().end());
  SmallVector<Value> names(getInits().size());
  for (auto [value, argument] :
       llvm::zip_equal(conditional.getConditionOp().getArgs(), conditional.getAfterArguments()))
    if (auto carried = dyn_cast<BlockArgument>(value); carried && carried.getOwner() == conditional.getBeforeBody())
      names[carried.getArgNumber()] = argument;
  return names;
}

bool Alternation::canAlternate() {
  SmallVector<Value> names = getNames();
  ValueRange yielded = getBody()->getTerminator()->getOperands();
  for (auto [number, value] : llvm::enumerate(yielded)) {
    auto found = llvm::find(names, value);
    if (isa<MemRefType>(value.getType()) && found != names.end() && llvm::count(yielded, value) == 1)
      next[number] = found - names.begin();
  }
  bool isPermuted = false;
  for (auto [number, unused] : llvm::enumerate(yielded)) {
    int64_t length = 0;
    unsigned at = number;
    do {
      auto found = next.find(at);
      length = found == next.end() ? mostTurns + 1 : length + 1;
      at = found == next.end() ? at : found->second;
    } while (at != number && length <= mostTurns);
    if (length > mostTurns)
      continue;
    cycles.push_back(number);
    isPermuted |= length > 1;
    turns = std::lcm(turns, length);
  }
  int64_t kernels = 0;
  loop->walk([&](np::KernelOp) { ++kernels; });
  if (!isPermuted || turns > mostTurns || kernels == 0 || kernels > mostKernels)
    return false;
  auto isPlain = [&](Value name) {
    return llvm::none_of(name.getUsers(), [](Operation *user) { return isa<np::ReleaseOp, np::RetainOp>(user); });
  };
  for (unsigned number : cycles) {
    if (!isPlain(names[number]) || !isa<MemRefType>(getInits()[number].getType()))
      return false;
    // The condition does not look at them.
    if (conditional && !llvm::hasSingleElement(conditional.getBeforeArguments()[number].getUsers()))
      return false;
  }
  return !counted || counted.getInductionVar().getType().isIndex() || counted.getInductionVar().getType().isInteger(64);
}

Value Alternation::chooseArray(unsigned number, Value turn) {
  Value array = getInits()[getPlace(number, turns - 1)];
  for (int64_t other = turns - 2; other >= 0; --other) {
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, turn,
                                     arith::ConstantIndexOp::create(builder, loc, other));
    Value earlier = getInits()[getPlace(number, other)];
    if (earlier == array)
      continue;
    auto choice = scf::IfOp::create(builder, loc, array.getType(), is, /*addThenBlock=*/true, /*addElseBlock=*/true);
    for (auto [block, value] : {std::pair(choice.thenBlock(), earlier), std::pair(choice.elseBlock(), array)}) {
      block->clear();
      OpBuilder inside = OpBuilder::atBlockEnd(block);
      scf::YieldOp::create(inside, loc, value);
    }
    array = choice.getResult(0);
  }
  return array;
}

SmallVector<Value> Alternation::emitTurns(OpBuilder &at, Value turn, IRMapping &outer) {
  Block *body = getBody();
  SmallVector<Value> names = getNames(), handed;
  SmallVector<Type> types;
  for (auto [number, value] : llvm::enumerate(body->getTerminator()->getOperands()))
    if (!changes(number)) {
      handed.push_back(value);
      types.push_back(value.getType());
    }
  // New arrays that go round are made before the turns part.
  for (Operation &op : body->without_terminator()) {
    auto alloc = dyn_cast<np::AllocOp>(op);
    bool isKnown = alloc && llvm::all_of(alloc.getExtents(), [&](Value extent) {
                     return !loop->isAncestor(extent.getParentRegion()->getParentOp());
                   });
    if (isKnown && llvm::is_contained(handed, alloc.getResult()))
      at.clone(op, outer);
  }
  SmallVector<unsigned> fromTurns;
  for (auto [number, value] : llvm::enumerate(handed))
    if (!outer.contains(value))
      fromTurns.push_back(number);
  SmallVector<Type> given;
  for (unsigned number : fromTurns)
    given.push_back(types[number]);
  auto emitTurn = [&](OpBuilder &inside, int64_t number) {
    IRMapping mapping = outer;
    for (unsigned place : cycles)
      mapping.map(names[place], getInits()[getPlace(place, number)]);
    for (Operation &op : body->without_terminator())
      if (!isa<np::AllocOp>(op) || !outer.contains(op.getResult(0)))
        inside.clone(op, mapping);
    SmallVector<Value> values;
    for (unsigned value : fromTurns)
      values.push_back(mapping.lookupOrDefault(handed[value]));
    scf::YieldOp::create(inside, loc, values);
  };
  scf::IfOp first;
  OpBuilder here = at;
  for (int64_t number = 0; number + 1 < turns; ++number) {
    Value is = arith::CmpIOp::create(here, loc, arith::CmpIPredicate::eq, turn,
                                     arith::ConstantIndexOp::create(here, loc, number));
    auto choice = scf::IfOp::create(here, loc, given, is, /*addThenBlock=*/true, /*addElseBlock=*/true);
    if (first)
      scf::YieldOp::create(here, loc, choice.getResults());
    else
      first = choice;
    choice.thenBlock()->clear();
    choice.elseBlock()->clear();
    OpBuilder inside = OpBuilder::atBlockEnd(choice.thenBlock());
    emitTurn(inside, number);
    here = OpBuilder::atBlockEnd(choice.elseBlock());
  }
  emitTurn(here, turns - 1);
  SmallVector<Value> values;
  for (auto [number, value] : llvm::enumerate(handed)) {
    auto found = llvm::find(fromTurns, number);
    values.push_back(found == fromTurns.end() ? outer.lookup(value) : first.getResult(found - fromTurns.begin()));
  }
  return values;
}

void Alternation::alternate() {
  IndexMath m{builder, loc};
  SmallVector<Value> inits, results;
  for (auto [number, init] : llvm::enumerate(getInits()))
    if (!changes(number))
      inits.push_back(init);
  IRMapping mapping;
  Value zero = m.constant(0), every = m.constant(turns);
  if (counted) {
    auto made =
        scf::ForOp::create(builder, loc, counted.getLowerBound(), counted.getUpperBound(), counted.getStep(), inits);
    if (!made.getBody()->empty())
      made.getBody()->back().erase();
    mapping.map(counted.getInductionVar(), made.getInductionVar());
    unsigned kept = 0;
    for (auto [number, argument] : llvm::enumerate(counted.getRegionIterArgs()))
      if (!changes(number))
        mapping.map(argument, made.getRegionIterArg(kept++));
    OpBuilder inside = OpBuilder::atBlockEnd(made.getBody());
    IndexMath n{inside, loc};
    Value lower = toIndex(builder, counted.getLowerBound()), upper = toIndex(builder, counted.getUpperBound()),
          step = toIndex(builder, counted.getStep()), position = toIndex(inside, made.getInductionVar());
    Value turn = n.rem(n.div(n.sub(position, lower), step), every);
    SmallVector<Value> handed = emitTurns(inside, turn, mapping);
    scf::YieldOp::create(inside, loc, handed);
    Value last = m.rem(m.ceilDiv(m.max(m.sub(upper, lower), zero), step), every);
    kept = 0;
    for (auto [number, result] : llvm::enumerate(counted.getResults()))
      results.push_back(changes(number) ? result.use_empty() ? getInits()[number] : chooseArray(number, last)
                                        : made.getResult(kept++));
  } else {
    scf::ConditionOp condition = conditional.getConditionOp();
    inits.push_back(zero);
    SmallVector<Type> types;
    SmallVector<Value> forwarded;
    auto getChanged = [&](Value value) -> std::optional<unsigned> {
      auto carried = dyn_cast<BlockArgument>(value);
      bool isChanged = carried && carried.getOwner() == conditional.getBeforeBody() && changes(carried.getArgNumber());
      return isChanged ? std::optional<unsigned>(carried.getArgNumber()) : std::nullopt;
    };
    for (Value value : condition.getArgs())
      if (!getChanged(value)) {
        types.push_back(value.getType());
        forwarded.push_back(value);
      }
    types.push_back(zero.getType());
    auto made = scf::WhileOp::create(builder, loc, types, inits);
    auto addBlock = [&](Region &region, TypeRange arguments) {
      OpBuilder::InsertionGuard guard(builder);
      return builder.createBlock(&region, region.end(), arguments, SmallVector<Location>(arguments.size(), loc));
    };
    Block *before = addBlock(made.getBefore(), ValueRange(inits).getTypes());
    unsigned kept = 0;
    for (auto [number, argument] : llvm::enumerate(conditional.getBeforeArguments()))
      if (!changes(number))
        mapping.map(argument, before->getArgument(kept++));
    OpBuilder inside = OpBuilder::atBlockEnd(before);
    for (Operation &op : conditional.getBeforeBody()->without_terminator())
      inside.clone(op, mapping);
    SmallVector<Value> handed;
    for (Value value : forwarded)
      handed.push_back(mapping.lookupOrDefault(value));
    handed.push_back(before->getArguments().back());
    scf::ConditionOp::create(inside, loc, mapping.lookupOrDefault(condition.getCondition()), handed);
    Block *after = addBlock(made.getAfter(), types);
    IRMapping within;
    kept = 0;
    for (auto [value, argument] : llvm::zip_equal(condition.getArgs(), conditional.getAfterArguments()))
      if (!getChanged(value))
        within.map(argument, after->getArgument(kept++));
    inside = OpBuilder::atBlockEnd(after);
    IndexMath n{inside, loc};
    Value turn = after->getArguments().back();
    handed = emitTurns(inside, turn, within);
    handed.push_back(n.rem(n.add(turn, 1), every));
    scf::YieldOp::create(inside, loc, handed);
    kept = 0;
    for (auto [value, result] : llvm::zip_equal(condition.getArgs(), conditional.getResults())) {
      std::optional<unsigned> number = getChanged(value);
      results.push_back(number
                            ? result.use_empty() ? getInits()[*number] : chooseArray(*number, made.getResults().back())
                            : made.getResult(kept++));
    }
  }
  loop->replaceAllUsesWith(results);
  loop->erase();
}

struct AlternateSteps : impl::AlternateStepsBase<AlternateSteps> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<Operation *> loops;
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op) && !op->getParentOfType<np::KernelOp>() && Alternation(op).canAlternate())
        loops.push_back(op);
    });
    for (Operation *loop : loops) // those inside come first
      if (Alternation alternation(loop); alternation.canAlternate())
        alternation.alternate();
  }
};

} // namespace
} // namespace npcc
