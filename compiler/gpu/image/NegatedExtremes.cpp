#include "compiler/gpu/image/NegatedExtremes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace npcc {

/// Those with an instruction of three operands.
static bool isShort(const Type *type) { return type->isIntegerTy(16) || type->isIntegerTy(32); }

static void hide(Instruction &negation) {
  IRBuilder<> builder(&negation);
  Type *type = negation.getType();
  bool isHalf = type->isIntegerTy(16);
  auto *decrement =
      InlineAsm::get(FunctionType::get(type, {type}, false), isHalf ? "add.s16 $0, $1, -1;" : "add.s32 $0, $1, -1;",
                     isHalf ? "=h,h" : "=r,r", /*hasSideEffects=*/false);
  Value *less = builder.CreateCall(decrement, {negation.getOperand(1)});
  negation.replaceAllUsesWith(builder.CreateNot(less));
  negation.eraseFromParent();
}

void hideNegations(Module &module) {
  SmallVector<Instruction *> negations;
  bool hasExtremes = false;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      hasExtremes |= isa<MinMaxIntrinsic>(instruction) && isShort(instruction.getType());
      if (isShort(instruction.getType()) &&
          PatternMatch::match(&instruction, PatternMatch::m_Neg(PatternMatch::m_Value())))
        negations.push_back(&instruction);
    }
  if (hasExtremes)
    for (Instruction *negation : negations)
      hide(*negation);
}

} // namespace npcc
