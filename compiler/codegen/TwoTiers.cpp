// Kernels of a first call are made in two tiers: without optimisation, which takes a fifth of the time, and with all of
// it afterwards, while the program goes on. A call that has begun goes over to the better code with the next chunk of a
// kernel, because a kernel is called through a slot:
//
//   define void @f.kernel0(i64 %lo, i64 %hi, ptr %context) { body }
// becomes
//   @f.kernel0.slot = global ptr @f.kernel0.quick
//   define void @f.kernel0(i64 %lo, i64 %hi, ptr %context) {
//     %code = load atomic ptr, ptr @f.kernel0.slot acquire
//     musttail call void %code(i64 %lo, i64 %hi, ptr %context)
//     ret void
//   }
//   define internal void @f.kernel0.quick(i64 %lo, i64 %hi, ptr %context) { body }
#include "compiler/codegen/TwoTiers.h"
#include "compiler/codegen/GlueCode.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

/// Intrinsics on floats that IEEE 754 gives one result.
static bool isExact(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::copysign:
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::is_fpclass:
    return true;
  default:
    return false;
  }
}

static bool isOnFloats(const CallBase &call) {
  return call.getType()->isFPOrFPVectorTy() ||
         any_of(call.args(), [](const Use &use) { return use->getType()->isFPOrFPVectorTy(); });
}

static bool isExact(const Instruction &instruction) {
  if (isa<FPToSIInst, FPToUIInst>(instruction))
    return false;
  if (isa<FPMathOperator>(instruction) && instruction.getFastMathFlags().any())
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return true;
  const Function *callee = call->getCalledFunction();
  if (!callee)
    return false;
  if (callee->isIntrinsic())
    return isExact(callee->getIntrinsicID()) || !isOnFloats(*call);
  return !callee->isDeclaration() || callee->getName().starts_with("npcc_rt_");
}

bool npcc::mayBeMadeTwice(ArrayRef<Function *> functions) {
  return all_of(functions, [](const Function *function) {
    return function->hasLocalLinkage() &&
           all_of(instructions(*function), [](const Instruction &instruction) { return isExact(instruction); });
  });
}

std::string npcc::getSlotName(StringRef kernel) { return (kernel + ".slot").str(); }

void npcc::makeExchangeable(Module &module) {
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      kernels.push_back(&function);
  IRBuilder<> builder(module.getContext());
  PointerType *pointer = builder.getPtrTy();
  for (Function *code : kernels) {
    std::string name = code->getName().str();
    code->setName(name + ".quick");
    code->setLinkage(GlobalValue::InternalLinkage);
    auto *slot = new GlobalVariable(module, pointer, /*isConstant=*/false, GlobalValue::ExternalLinkage, code,
                                    getSlotName(name));
    Function *kernel = Function::Create(code->getFunctionType(), GlobalValue::ExternalLinkage, name, module);
    kernel->copyAttributesFrom(code);
    code->replaceUsesWithIf(kernel, [&](Use &use) { return use.getUser() != slot; });
    builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", kernel));
    LoadInst *load = builder.CreateAlignedLoad(pointer, slot, Align(8));
    load->setAtomic(AtomicOrdering::Acquire);
    SmallVector<Value *> arguments(llvm::make_pointer_range(kernel->args()));
    CallInst *call = builder.CreateCall(code->getFunctionType(), load, arguments);
    call->setTailCallKind(CallInst::TCK_MustTail);
    call->getType()->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(call);
  }
}

ModulePassManager npcc::buildQuickPipeline() { return buildGluePipeline(); }
