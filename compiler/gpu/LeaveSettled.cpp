// npcc-leave-settled: a thread leaves a loop whose further iterations would change nothing.
//
//   scf.for %k = %c0 to %n step %c1                  scf.while (%k = %c0, %z = %z0) {
//       iter_args(%z = %z0) {                          %more = arith.cmpi slt, %k, %n
//     %in = inside(%z)                                 %in = inside(%z)
//     %y = f(%z)                              ->       scf.condition(%more and %in) %k, %z
//     %next = arith.select %in, %y, %z               } do {
//     scf.yield %next                                  ...   // where %in is true
//   }                                                  scf.yield %k + %c1, %next
//                                                    }
//
// A program that iterates over all elements at once keeps those that are done as they are: points that have escaped,
// roots that have been found, particles that have left. A thread has the loop of one element. Once a condition that
// depends on nothing but what the loop carries is false, and leaves all of that as it is, it is false in all iterations
// that follow. Nothing may be stored then, and no check be made. A thread that has several elements leaves when the
// conditions of all of them are false.
//
// Not where an iteration loads from memory without asking the condition: threads have the loads of several iterations
// under way at once, which end with the loop.
#include "compiler/gpu/Gpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LEAVESETTLED
#include "compiler/gpu/Passes.h.inc"
namespace {

// Conditions that an iteration asks, and operations of those that a thread leaves by.
constexpr size_t mostTests = 32, mostOfTests = 64;
// Iterations that are straight code soon.
constexpr int64_t fewIterations = 8;

/// What becomes of an iteration if these conditions of it are false.
class Settled {
public:
  Settled(scf::ForOp loop, ArrayRef<Value> tests) : loop(loop) {
    for (Value test : tests) {
      zeros.insert(test);
      auto differ = test.getDefiningOp<arith::CmpIOp>();
      if (differ && differ.getPredicate() == arith::CmpIPredicate::ne && matchPattern(differ.getRhs(), m_Zero()))
        zeros.insert(differ.getLhs());
    }
  }

  /// Whether it hands on what it was given, and does nothing else.
  bool changesNothing() {
    return llvm::all_of(llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()),
                        [&](auto both) { return evaluate(std::get<0>(both)) == evaluate(std::get<1>(both)); }) &&
           isIdle(*loop.getBody());
  }

private:
  /// A value that it equals, null for zero and false.
  Value evaluate(Value value) {
    if (auto known = equal.find(value); known != equal.end())
      return known->second;
    Value is = evaluateAnew(value);
    equal[value] = is;
    return is;
  }

  Value evaluateAnew(Value value) {
    if (zeros.contains(value) || matchPattern(value, m_Zero()))
      return {};
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isAncestor(op))
      return value;
    return TypeSwitch<Operation *, Value>(op)
        .Case([&](arith::SelectOp select) {
          std::optional<bool> is = decide(select.getCondition());
          return is ? evaluate(*is ? select.getTrueValue() : select.getFalseValue()) : value;
        })
        .Case([&](scf::IfOp branch) {
          std::optional<bool> is = decide(branch.getCondition());
          unsigned number = cast<OpResult>(value).getResultNumber();
          return is ? evaluate((*is ? branch.thenYield() : branch.elseYield()).getOperand(number)) : value;
        })
        .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp>([&](auto sum) {
          Value one = evaluate(sum.getLhs()), other = evaluate(sum.getRhs());
          return !one ? other : !other ? one : value;
        })
        .Case<arith::AndIOp, arith::MulIOp>(
            [&](auto product) { return evaluate(product.getLhs()) && evaluate(product.getRhs()) ? value : Value(); })
        .Case([&](arith::SubIOp difference) {
          return evaluate(difference.getRhs()) ? value : evaluate(difference.getLhs());
        })
        .Case([&](arith::AddFOp sum) { // zero leaves all numbers as they are but -0.0
          return !evaluate(sum.getRhs()) && isCounted(sum.getLhs(), sum) ? evaluate(sum.getLhs()) : value;
        })
        .Case<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp,
              arith::UIToFPOp>([&](auto cast) { return evaluate(cast.getIn()) ? value : Value(); })
        .Default(value);
  }

  /// Whether the loop adds what was a whole number to a float that begins at zero, or at another constant: no -0.0.
  bool isCounted(Value value, arith::AddFOp sum) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBody() || !sum.getRhs().getDefiningOp<arith::UIToFPOp>() ||
        loop.getTiedLoopYieldedValue(argument)->get() != sum)
      return false;
    SmallVector<Value> from{loop.getTiedLoopInit(argument)->get()};
    for (; !from.empty();) {
      Value init = from.pop_back_val();
      if (auto select = init.getDefiningOp<arith::SelectOp>())
        from.append({select.getTrueValue(), select.getFalseValue()});
      else if (APFloat number(0.0); !matchPattern(init, m_ConstantFloat(&number)) || number.isNegZero())
        return false;
    }
    return true;
  }

  std::optional<bool> decide(Value bit) {
    Value is = evaluate(bit);
    if (!is)
      return false;
    if (matchPattern(is, m_One()))
      return true;
    auto differ = is.getDefiningOp<arith::XOrIOp>(); // what is not true
    if (differ && matchPattern(differ.getRhs(), m_One()) && !evaluate(differ.getLhs()))
      return true;
    return std::nullopt;
  }

  /// Whether nothing is stored or checked, and nothing is loaded but what is the same in all iterations.
  bool isIdle(Block &block) {
    return llvm::all_of(block.without_terminator(), [&](Operation &op) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        return !load.getVolatile_() && isSame(load.getAddr());
      auto branch = dyn_cast<scf::IfOp>(op);
      if (!branch)
        return isMemoryEffectFree(&op);
      std::optional<bool> is = decide(branch.getCondition());
      return (is == false || isIdle(*branch.thenBlock())) &&
             (is == true || !branch.elseBlock() || isIdle(*branch.elseBlock()));
    });
  }

  /// Whether a position depends on nothing in the loop.
  bool isSame(Value value) {
    Operation *op = value.getDefiningOp();
    if (!loop->isAncestor(op ? op : value.getParentBlock()->getParentOp()))
      return true;
    return op && isPure(op) && !op->getNumRegions() &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return isSame(operand); });
  }

  scf::ForOp loop;
  llvm::SmallDenseSet<Value> zeros;
  llvm::DenseMap<Value, Value> equal;
};

/// Conditions that depend on what a loop carries, and on nothing else of it, each with what computes it.
class Tests {
public:
  explicit Tests(scf::ForOp loop) : loop(loop) {}

  /// The fewest that leave everything as it is where all of them are false; none if not even all conditions do.
  SmallVector<Value> find() {
    llvm::SmallSetVector<Value, 8> asked;
    for (Value carried : loop.getRegionIterArgs())
      if (carried.getType().isInteger(1))
        asked.insert(carried);
    for (Operation &op : loop.getBody()->without_terminator())
      if (isa<arith::SelectOp, scf::IfOp>(op))
        asked.insert(op.getOperand(0));
    for (size_t k = 0; k < asked.size(); k++)
      if (auto both = asked[k].getDefiningOp<arith::AndIOp>(); both && loop->isAncestor(both))
        asked.insert_range(ValueRange(both->getOperands()));
    SmallVector<Value> tests;
    for (Value test : asked)
      if (llvm::SmallSetVector<Operation *, 8> ops; collect(test, ops) && isOfCarried(test, ops.getArrayRef()))
        tests.push_back(test);
    if (tests.size() > mostTests || !Settled(loop, tests).changesNothing())
      return {};
    for (size_t k = 0; k < tests.size();) {
      SmallVector<Value> others(tests);
      others.erase(others.begin() + k);
      if (!others.empty() && Settled(loop, others).changesNothing())
        tests = others;
      else
        k++;
    }
    llvm::SmallSetVector<Operation *, 8> ops;
    bool areComputed = llvm::all_of(tests, [&](Value test) { return collect(test, ops); });
    return areComputed ? tests : SmallVector<Value>();
  }

  /// What computes a condition of what the loop carries. False if it depends on anything else.
  bool collect(Value value, llvm::SmallSetVector<Operation *, 8> &ops) {
    if (value == loop.getInductionVar())
      return false;
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isAncestor(op))
      return true;
    if (ops.contains(op))
      return true;
    if (op->getNumRegions() || op->getBlock() != loop.getBody() || !isPure(op) || ops.size() == mostOfTests ||
        !llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, ops); }))
      return false;
    ops.insert(op);
    return true;
  }

private:
  /// Whether a condition may be another one in the next iteration.
  bool isOfCarried(Value test, ArrayRef<Operation *> ops) {
    auto isCarried = [&](Value value) { return llvm::is_contained(loop.getRegionIterArgs(), value); };
    return isCarried(test) ||
           llvm::any_of(ops, [&](Operation *op) { return llvm::any_of(op->getOperands(), isCarried); });
  }

  scf::ForOp loop;
};

/// Whether threads go through the loop on their own: they do not meet, and exchange nothing.
bool isOfOneThread(scf::ForOp loop) {
  return !loop.walk([](Operation *op) {
                bool isAlone = isa<arith::ArithDialect, complex::ComplexDialect, math::MathDialect, scf::SCFDialect,
                                   vector::VectorDialect>(op->getDialect()) ||
                               isa<LLVM::GEPOp, LLVM::LoadOp, LLVM::StoreOp>(op);
                return isAlone ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The conditions are computed before an iteration, which gets what else it computes of the same.
void leaveEarly(scf::ForOp loop, ArrayRef<Value> tests) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInits());
  Block *body = loop.getBody();
  // The one condition that lets an iteration begin is true in it.
  Value test = tests.size() == 1 ? tests.front() : Value();
  bool isInside = test && loop->isAncestor(test.getParentRegion()->getParentOp());
  llvm::SmallSetVector<Operation *, 8> ops;
  for (Value one : tests)
    Tests(loop).collect(one, ops);
  SmallVector<Operation *> inOrder(ops.begin(), ops.end());
  llvm::sort(inOrder, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
  SmallVector<Value> handedOn;
  for (Operation *op : inOrder)
    for (Value result : op->getResults())
      if (result != test && llvm::any_of(result.getUsers(), [&](Operation *user) { return !ops.contains(user); }))
        handedOn.push_back(result);
  SmallVector<Type> given(ValueRange(inits).getTypes()), left(given);
  llvm::append_range(left, ValueRange(handedOn).getTypes());
  auto whileLoop = scf::WhileOp::create(builder, loc, left, inits);
  whileLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto locations = [&](size_t count) { return SmallVector<Location>(count, loc); };
  Block *before = builder.createBlock(&whileLoop.getBefore(), {}, given, locations(given.size()));
  IRMapping map;
  map.map(body->getArguments(), before->getArguments());
  for (Operation *op : inOrder)
    builder.clone(*op, map);
  Value isNext =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, before->getArgument(0), loop.getUpperBound());
  Value isAny = map.lookupOrDefault(tests.front());
  for (Value one : tests.drop_front())
    isAny = arith::OrIOp::create(builder, loc, isAny, map.lookupOrDefault(one));
  Value goesOn = arith::AndIOp::create(builder, loc, isNext, isAny);
  SmallVector<Value> arguments(before->getArguments());
  for (Value value : handedOn)
    arguments.push_back(map.lookup(value));
  scf::ConditionOp::create(builder, loc, goesOn, arguments);

  Block *after = builder.createBlock(&whileLoop.getAfter(), {}, left, locations(left.size()));
  Value isTrue = arith::ConstantIntOp::create(builder, loc, true, 1);
  SmallVector<Value> yielded(loop.getYieldedValues());
  body->getTerminator()->erase();
  after->getOperations().splice(after->end(), body->getOperations());
  auto replace = [&](Value value, Value with) {
    value.replaceAllUsesWith(with);
    llvm::replace(yielded, value, with);
  };
  if (isInside)
    replace(test, isTrue);
  for (auto [value, argument] : llvm::zip_equal(handedOn, after->getArguments().drop_front(given.size())))
    replace(value, argument);
  for (auto [value, argument] : llvm::zip(body->getArguments(), after->getArguments()))
    replace(value, argument);
  for (Operation *op : llvm::reverse(inOrder))
    op->erase();
  builder.setInsertionPointToEnd(after);
  yielded.insert(yielded.begin(), arith::AddIOp::create(builder, loc, after->getArgument(0), loop.getStep()));
  scf::YieldOp::create(builder, loc, yielded);
  loop->replaceAllUsesWith(whileLoop.getResults().slice(1, loop->getNumResults()));
  loop->erase();
}

struct LeaveSettled : impl::LeaveSettledBase<LeaveSettled> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      std::optional<APInt> count = loop.getStaticTripCount();
      if ((count && count->slt(fewIterations)) || !isOfOneThread(loop))
        continue;
      if (SmallVector<Value> tests = Tests(loop).find(); !tests.empty())
        leaveEarly(loop, tests);
    }
  }
};
} // namespace
} // namespace npcc
