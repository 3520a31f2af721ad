#include "compiler/gpu/image/CounterComparisons.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace npcc {
namespace {

/// The constant that the next counter is to be compared with; nullopt where the comparison would not be the same.
std::optional<APInt> getNextBound(const ICmpInst &compare, const BinaryOperator &next, const APInt &step) {
  const APInt *bound;
  if (!PatternMatch::match(compare.getOperand(1), PatternMatch::m_APInt(bound)))
    return std::nullopt;
  if (compare.isEquality())
    return *bound + step;
  bool isSigned = compare.isSigned(), overflows = false;
  if (isSigned ? !next.hasNoSignedWrap() : !next.hasNoUnsignedWrap())
    return std::nullopt;
  APInt sum = isSigned ? bound->sadd_ov(step, overflows) : bound->uadd_ov(step, overflows);
  return overflows ? std::nullopt : std::optional(sum);
}

/// A counter of a loop and what computes the next one.
struct Counter {
  PHINode *phi = nullptr;
  BinaryOperator *next = nullptr;
  SmallVector<ICmpInst *> compares;
  APInt step;
};

/// nullopt: something else in the loop uses them, and address arithmetic is better off with what LLVM makes of it.
std::optional<Counter> getCounter(Loop &loop, PHINode &phi) {
  Counter counter;
  counter.phi = &phi;
  for (User *user : phi.users()) {
    if (auto *compare = dyn_cast<ICmpInst>(user); compare && compare->getOperand(0) == &phi)
      counter.compares.push_back(compare);
    else if (auto *binary = dyn_cast<BinaryOperator>(user); binary && !counter.next)
      counter.next = binary;
    else
      return std::nullopt;
  }
  const APInt *step;
  if (!counter.next || counter.compares.empty() || phi.getIncomingValueForBlock(loop.getLoopLatch()) != counter.next ||
      !PatternMatch::match(counter.next,
                           PatternMatch::m_Add(PatternMatch::m_Specific(&phi), PatternMatch::m_APInt(step))))
    return std::nullopt;
  counter.step = *step;
  for (User *user : counter.next->users())
    if (user != &phi && loop.contains(cast<Instruction>(user)))
      return std::nullopt;
  return counter;
}

/// Whether the comparison may stand behind the sum, in its block, and decides the loop with others: one that decides
/// alone is compared with the next counter by LLVM.
bool canMove(const ICmpInst &compare, const BinaryOperator &next) {
  return compare.getParent() == next.getParent() && all_of(compare.users(), [&](const User *user) {
           auto *instruction = cast<Instruction>(user);
           return !isa<PHINode>(instruction) && !isa<BranchInst>(instruction) &&
                  (instruction->getParent() != next.getParent() || next.comesBefore(instruction));
         });
}

/// The reduction of loops that the code generator runs would compare the old counter again. It takes an instruction
/// that it does not know for no counter.
Value *hide(BinaryOperator &next, const APInt &step) {
  IRBuilder<> builder(&next);
  Type *type = next.getType();
  bool isLong = type->isIntegerTy(64);
  auto *add =
      InlineAsm::get(FunctionType::get(type, {type}, false),
                     (isLong ? "add.s64 $0, $1, " : "add.s32 $0, $1, ") + std::to_string(step.getSExtValue()) + ";",
                     isLong ? "=l,l" : "=r,r", /*hasSideEffects=*/false);
  return builder.CreateCall(add, {next.getOperand(0)}, next.getName());
}

void compareNext(Loop &loop, PHINode &phi) {
  std::optional<Counter> counter = getCounter(loop, phi);
  if (!counter)
    return;
  SmallVector<APInt> bounds;
  for (ICmpInst *compare : counter->compares) {
    std::optional<APInt> bound;
    if (canMove(*compare, *counter->next))
      bound = getNextBound(*compare, *counter->next, counter->step);
    if (!bound)
      return;
    bounds.push_back(*bound);
  }
  Value *next = hide(*counter->next, counter->step);
  for (auto [compare, bound] : zip(counter->compares, bounds)) {
    IRBuilder<> builder(counter->next);
    Value *changed = builder.CreateICmp(compare->getPredicate(), next, ConstantInt::get(phi.getType(), bound));
    compare->replaceAllUsesWith(changed);
    compare->eraseFromParent();
  }
  counter->next->replaceAllUsesWith(next);
  counter->next->eraseFromParent();
}

} // namespace

void compareNextCounters(Function &function) {
  if (function.isDeclaration())
    return;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getLoopLatch())
      for (PHINode &phi : loop->getHeader()->phis())
        if (phi.getType()->isIntegerTy(32) || phi.getType()->isIntegerTy(64))
          compareNext(*loop, phi);
}

} // namespace npcc
