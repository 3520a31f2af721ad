// With AVX-512 an access of 8 bytes under a mask is an access of 16 under a mask whose upper half is zero. LLVM makes
// that half zero by a `kmovb`, which its register allocator takes for a plain copy: where it keeps masks on the stack,
// it keeps what was there before the `kmovb`, and the store goes to 8 bytes too many. So the mask goes through a
// register of the processor's, where nothing of this is known of it:
//
//   call @llvm.masked.store.v8i8(%v, %p, %mask)
// becomes
//   %bits = zext (bitcast <8 x i1> %mask to i8) to i32       // hidden by an empty piece of assembly
//   call @llvm.masked.store.v16i8(%v and 8 more, %p, <16 x i1> of %bits)
#include "compiler/codegen/MaskedBytes.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace npcc {
namespace {

constexpr unsigned lanes = 8;

bool areEightBytes(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == lanes && vector->getScalarSizeInBits() == 8;
}

Value *widenMask(IRBuilder<> &builder, Value *mask) {
  Type *word = builder.getInt32Ty();
  Value *bits = builder.CreateZExt(builder.CreateBitCast(mask, builder.getInt8Ty()), word);
  InlineAsm *hidden = InlineAsm::get(FunctionType::get(word, {word}, false), "", "=r,0", /*hasSideEffects=*/false);
  bits = builder.CreateTrunc(builder.CreateCall(hidden, {bits}), builder.getInt16Ty());
  return builder.CreateBitCast(bits, FixedVectorType::get(builder.getInt1Ty(), 2 * lanes));
}

Value *widen(IRBuilder<> &builder, Value *vector) {
  SmallVector<int> places(2 * lanes, -1);
  for (unsigned lane = 0; lane < lanes; ++lane)
    places[lane] = int(lane);
  return builder.CreateShuffleVector(vector, places);
}

void widen(IntrinsicInst *access) {
  IRBuilder<> builder(access);
  CallInst *wide = nullptr;
  Value *replacement = nullptr;
  if (access->getIntrinsicID() == Intrinsic::masked_store) {
    wide = builder.CreateMaskedStore(widen(builder, access->getArgOperand(0)), access->getArgOperand(1), Align(1),
                                     widenMask(builder, access->getArgOperand(2)));
  } else {
    Value *otherwise = widen(builder, access->getArgOperand(2));
    wide = builder.CreateMaskedLoad(otherwise->getType(), access->getArgOperand(0), Align(1),
                                    widenMask(builder, access->getArgOperand(1)), otherwise);
    SmallVector<int> places;
    for (unsigned lane = 0; lane < lanes; ++lane)
      places.push_back(int(lane));
    replacement = builder.CreateShuffleVector(wide, places);
  }
  wide->copyMetadata(*access);
  if (replacement)
    access->replaceAllUsesWith(replacement);
  access->eraseFromParent();
}

} // namespace

void widenMaskedBytes(Module &module, const TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return;
  for (Function &function : module) {
    if (function.isDeclaration() || !machine.getSubtargetImpl(function)->checkFeatures("+avx512bw,+avx512dq"))
      continue;
    SmallVector<IntrinsicInst *> accesses;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if ((call->getIntrinsicID() == Intrinsic::masked_store && areEightBytes(call->getArgOperand(0)->getType())) ||
            (call->getIntrinsicID() == Intrinsic::masked_load && areEightBytes(call->getType())))
          accesses.push_back(call);
    for (IntrinsicInst *access : accesses)
      widen(access);
  }
}

} // namespace npcc
