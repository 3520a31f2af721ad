#include "compiler/gpu/image/StrengthReduction.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Scalar.h"

using namespace llvm;
namespace npcc {
namespace {

/// More pointers than these in a loop are too many. Measured on an H100: kernels of up to 9 are faster with them (by a
/// third at most), those of 12 and more without them (by up to a half).
constexpr size_t mostPointers = 10;

/// Whether an address moves with `loop`.
bool movesWith(const SCEV *address, const Loop *loop) {
  return SCEVExprContains(address, [&](const SCEV *part) {
    auto *sum = dyn_cast<SCEVAddRecExpr>(part);
    return sum && sum->getLoop() == loop;
  });
}

/// Whether the loop's accesses need more pointers than `most`: those that lie a known number of bytes apart need one.
bool needsMorePointers(const Loop &loop, ScalarEvolution &evolution, size_t most) {
  SmallVector<const SCEV *> pointers;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer)
        continue;
      const SCEV *address = evolution.getSCEV(const_cast<Value *>(pointer));
      auto isNear = [&](const SCEV *other) { return isa<SCEVConstant>(evolution.getMinusSCEV(address, other)); };
      if (!movesWith(address, &loop) || any_of(pointers, isNear))
        continue;
      pointers.push_back(address);
      if (pointers.size() > most)
        return true;
    }
  return false;
}

/// Stands before the reduction of a loop, and says whether it is wanted.
class Choice : public LoopPass {
public:
  static char ID;
  explicit Choice(bool &isWanted) : LoopPass(ID), isWanted(isWanted) {}
  bool runOnLoop(Loop *loop, LPPassManager &) override {
    isWanted = !needsMorePointers(*loop, getAnalysis<ScalarEvolutionWrapperPass>().getSE(), mostPointers);
    return false;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<ScalarEvolutionWrapperPass>();
    usage.setPreservesAll();
  }
  StringRef getPassName() const override { return "npcc: choose loops whose strength is reduced"; }

private:
  bool &isWanted;
};
char Choice::ID = 0;

} // namespace

StrengthReductionChoice::StrengthReductionChoice(legacy::PassManager &passes, LLVMContext &context)
    : passes(passes), context(context), before(context.getOptPassGate()),
      reduction(std::unique_ptr<Pass>(createLoopStrengthReducePass())->getPassName()) {
  context.setOptPassGate(*this);
}

StrengthReductionChoice::~StrengthReductionChoice() { context.setOptPassGate(before); }

void StrengthReductionChoice::add(Pass *pass) {
  if (pass->getPassName() == reduction)
    passes.add(new Choice(isWanted));
  passes.add(pass);
}

bool StrengthReductionChoice::shouldRunPass(StringRef name, StringRef) const { return name != reduction || isWanted; }

} // namespace npcc
