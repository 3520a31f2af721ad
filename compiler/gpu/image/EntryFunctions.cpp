// Functions that other code calls by their names, made of kernels.
//
//   define ptx_kernel void @f_threads_0(float %x) "npcc-entry"="c:f" { ... store float %y, ptr @npcc_result  ret void }
// becomes
//   define float @f(float %x) { %result = alloca float ... store float %y, ptr %result  %r = load float, ptr %result
//   ret float %r }
#include "compiler/gpu/image/EntryFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace npcc::cuda {

namespace {

Type *resultType(Function &kernel, GlobalVariable *result) {
  return result ? result->getValueType() : Type::getVoidTy(kernel.getContext());
}

/// A function with the body of the kernel, which is erased.
void makeFunction(Function &kernel, StringRef name, bool returnsResult) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  GlobalVariable *result = module.getGlobalVariable(resultSymbol, /*AllowInternal=*/true);
  SmallVector<Type *> types;
  if (!returnsResult)
    types.push_back(PointerType::get(context, 0));
  llvm::append_range(types, kernel.getFunctionType()->params());
  Type *returned = returnsResult ? resultType(kernel, result) : Type::getInt32Ty(context);
  auto *made = Function::Create(FunctionType::get(returned, types, false), GlobalValue::ExternalLinkage, "", module);
  AttrBuilder attributes(context, kernel.getAttributes().getFnAttrs());
  attributes.removeAttribute(entryAttribute);
  made->addFnAttrs(attributes);
  made->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  made->splice(made->begin(), &kernel);
  for (auto [from, to] : llvm::zip(kernel.args(), llvm::drop_begin(made->args(), returnsResult ? 0 : 1))) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  Value *place = returnsResult ? nullptr : made->getArg(0);
  if (result) {
    if (returnsResult)
      place = IRBuilder<>(&*made->getEntryBlock().getFirstInsertionPt()).CreateAlloca(result->getValueType());
    convertUsersOfConstantsToInstructions({result});
    result->replaceAllUsesWith(place);
    result->eraseFromParent();
  }
  for (BasicBlock &block : *made) {
    auto *end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    IRBuilder<> builder(end);
    if (!returnsResult)
      builder.CreateRet(builder.getInt32(0));
    else if (returned->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(builder.CreateLoad(returned, place));
    end->eraseFromParent();
  }
  kernel.eraseFromParent();
  made->setName(name);
}

} // namespace

void makeEntryFunctions(Module &module) {
  for (Function &kernel : llvm::make_early_inc_range(module)) {
    if (!kernel.hasFnAttribute(entryAttribute))
      continue;
    auto [kind, name] = kernel.getFnAttribute(entryAttribute).getValueAsString().split(':');
    std::string copy = name.str(); // the attribute goes with the kernel
    if (kind != "kernel")
      makeFunction(kernel, copy, /*returnsResult=*/kind == "c");
    else
      kernel.setName(copy);
  }
}

} // namespace npcc::cuda
