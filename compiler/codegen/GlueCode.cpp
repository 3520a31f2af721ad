#include "compiler/codegen/GlueCode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

// Instructions of a loop for each of its calls of the runtime, of which the least takes as long as some tens of them.
static constexpr size_t mostPerCall = 100;

static bool callsRuntime(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName().starts_with("npcc_rt_");
}

/// Whether the time of a loop goes into the calls of the runtime that each of its iterations makes. Loops inside count
/// by themselves.
static bool waitsForRuntime(const Loop &loop, const LoopInfo &loops, const DominatorTree &dominators) {
  SmallVector<BasicBlock *> latches;
  loop.getLoopLatches(latches);
  size_t calls = 0, instructions = 0;
  for (const BasicBlock *block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop)
      continue;
    instructions += block->size();
    if (all_of(latches, [&](const BasicBlock *latch) { return dominators.dominates(block, latch); }))
      calls += count_if(*block, callsRuntime);
  }
  return instructions <= mostPerCall * (calls + loop.getSubLoops().size());
}

static bool waitsInLoops(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return all_of(loops.getLoopsInPreorder(),
                [&](const Loop *loop) { return waitsForRuntime(*loop, loops, dominators); });
}

static bool callsItself(const Function &function) {
  return any_of(function.users(), [&](const User *user) {
    auto *call = dyn_cast<CallBase>(user);
    return call && call->getFunction() == &function;
  });
}

bool npcc::areGlue(ArrayRef<Function *> functions) {
  return all_of(functions, [](Function *function) {
    return !function->hasAddressTaken() && !callsItself(*function) && waitsInLoops(*function);
  });
}

bool npcc::isGlue(Module &module) {
  SmallVector<Function *> defined;
  for (Function &function : module)
    if (!function.isDeclaration())
      defined.push_back(&function);
  return areGlue(defined);
}

ModulePassManager npcc::buildGluePipeline() {
  ModulePassManager passes;
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(EarlyCSEPass());
  functions.addPass(InstCombinePass());
  functions.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes;
}
