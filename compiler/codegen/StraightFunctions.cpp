#include "compiler/codegen/StraightFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace npcc;

/// What both vectorizers ask for.
static constexpr Attribute::AttrKind withoutVectors = Attribute::NoImplicitFloat;

static bool isStraight(const Function &function, DenseMap<const Function *, bool> &known) {
  if (function.isDeclaration())
    return true;
  auto [at, isNew] = known.insert({&function, false}); // what calls itself is a loop
  if (!isNew)
    return at->second;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  bool result = backEdges.empty() && all_of(instructions(function), [&](const Instruction &one) {
                  auto *call = dyn_cast<CallBase>(&one);
                  const Function *callee = call ? call->getCalledFunction() : nullptr;
                  return !callee || isStraight(*callee, known);
                });
  return known[&function] = result;
}

StraightFunctions::StraightFunctions(Module &module) {
  DenseMap<const Function *, bool> known;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(withoutVectors) && isStraight(function, known))
      functions.push_back(&function);
  for (const WeakVH &function : functions)
    cast<Function>(function)->addFnAttr(withoutVectors);
}

StraightFunctions::~StraightFunctions() {
  for (const WeakVH &function : functions)
    if (function)
      cast<Function>(function)->removeFnAttr(withoutVectors);
}
