// npcc-leave-settled: a thread leaves a loop whose further iterations would change nothing.
//
//   scf.for %k = %c0 to %n step %c1                  scf.while (%k = %c0, %z = %z0) {
//       iter_args(%z = %z0) {                          %more = arith.cmpi slt, %k, %n
//     %in = inside(%z)                                 %in = inside(%z)
//     %y = f(%z)                              ->       scf.condition(%more and %in) %k, %z
//     %next = arith.select %in, %y, %z               } do {
//     scf.yield %next                                  ...
//   }                                                  scf.yield %k + %c1, %next
//                                                    }
//
// A program that iterates over all elements at once keeps those that are done as they are: points that have escaped,
// roots that have been found, particles that have left. A thread has the loop of one element. Once a condition that
// depends on nothing but what the loop carries is false, and leaves all of that as it is, it is false in all iterations
// that follow. Nothing may be stored then, and no check be made.
//
// Not where an iteration loads from memory without asking the condition: threads have the loads of several iterations
// under way at once, which end with the loop.
#include "compiler/gpu/Gpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

// Operations of a condition, which is computed once more.
constexpr size_t mostOfTest = 16;
// Iterations that are straight code soon.
constexpr int64_t fewIterations = 8;

/// What becomes of an iteration if a condition of it is false.
class Settled {
public:
  Settled(scf::ForOp loop, Value test) : loop(loop), test(test) {}

  /// Whether it hands on what it was given, and does nothing else.
  bool changesNothing() {
    return llvm::all_of(llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()),
                        [&](auto both) { return evaluate(std::get<0>(both)) == evaluate(std::get<1>(both)); }) &&
           isIdle(*loop.getBody());
  }

private:
  /// A value that it equals, null for zero and false.
  Value evaluate(Value value) {
    if (value == test || matchPattern(value, m_Zero()))
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
        .Case<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
            [&](auto cast) { return evaluate(cast.getIn()) ? value : Value(); })
        .Default(value);
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
  Value test;
};

/// Conditions that depend on nothing but what a loop carries, each with what computes it.
class Tests {
public:
  explicit Tests(scf::ForOp loop) : loop(loop) {}

  /// One that leaves everything as it is where it is false; null if there is none.
  Value find() {
    for (Value carried : loop.getRegionIterArgs())
      if (carried.getType().isInteger(1) && Settled(loop, carried).changesNothing())
        return carried;
    llvm::SmallSetVector<Value, 8> asked;
    for (Operation &op : loop.getBody()->without_terminator())
      if (isa<arith::SelectOp, scf::IfOp>(op))
        asked.insert(op.getOperand(0));
    for (Value test : asked)
      if (llvm::SmallSetVector<Operation *, 8> ops; collect(test, ops) && Settled(loop, test).changesNothing())
        return test;
    return {};
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
    if (op->getNumRegions() || op->getBlock() != loop.getBody() || !isPure(op) || ops.size() == mostOfTest ||
        !llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, ops); }))
      return false;
    ops.insert(op);
    return true;
  }

private:
  scf::ForOp loop;
};

/// Whether threads go through the loop on their own: they do not meet, and exchange nothing.
bool isOfOneThread(scf::ForOp loop) {
  return !loop.walk([](Operation *op) {
                bool isAlone = isa<arith::ArithDialect, complex::ComplexDialect, math::MathDialect, scf::SCFDialect>(
                                   op->getDialect()) ||
                               isa<LLVM::GEPOp, LLVM::LoadOp, LLVM::StoreOp>(op);
                return isAlone ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void leaveEarly(scf::ForOp loop, Value test) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInits());
  Block *body = loop.getBody();
  llvm::SmallSetVector<Operation *, 8> ops;
  Tests(loop).collect(test, ops);
  auto whileLoop = scf::WhileOp::create(
      builder, loc, ValueRange(inits).getTypes(), inits,
      [&](OpBuilder &before, Location, ValueRange carried) {
        IRMapping map;
        map.map(body->getArguments(), carried);
        for (Operation *op : ops)
          before.clone(*op, map);
        Value isNext = arith::CmpIOp::create(before, loc, arith::CmpIPredicate::slt, carried[0], loop.getUpperBound());
        Value goesOn = arith::AndIOp::create(before, loc, isNext, map.lookupOrDefault(test));
        scf::ConditionOp::create(before, loc, goesOn, carried);
      },
      [&](OpBuilder &, Location, ValueRange) {});
  whileLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *after = whileLoop.getAfterBody();
  SmallVector<Value> yielded(loop.getYieldedValues());
  body->getTerminator()->erase();
  after->getOperations().splice(after->end(), body->getOperations());
  for (auto [argument, carried] : llvm::zip_equal(body->getArguments(), after->getArguments())) {
    argument.replaceAllUsesWith(carried);
    llvm::replace(yielded, Value(argument), Value(carried));
  }
  builder.setInsertionPointToEnd(after);
  yielded.insert(yielded.begin(), arith::AddIOp::create(builder, loc, after->getArgument(0), loop.getStep()));
  scf::YieldOp::create(builder, loc, yielded);
  loop->replaceAllUsesWith(whileLoop.getResults().drop_front());
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
      if (Value test = Tests(loop).find())
        leaveEarly(loop, test);
    }
  }
};
} // namespace
} // namespace npcc
