#include "compiler/codegen/CodeParts.h"
#include "compiler/codegen/GlueCode.h"
#include "compiler/codegen/TwoTiers.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace npcc;

static constexpr size_t longFunction = 20000;

// Instructions, before the optimiser, that are worth a thread and another object.
static constexpr size_t leastInstructions = 100;
// The same for kernels that are made twice: with all care, so many take longer than an object does.
static constexpr size_t leastQuick = 25;

bool npcc::isLong(const llvm::Function &function) { return function.getInstructionCount() > longFunction; }

static void collectUsers(const llvm::Value &value, llvm::SmallPtrSetImpl<const llvm::Function *> &functions) {
  for (const llvm::User *user : value.users())
    if (auto *instruction = dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction());
    else
      collectUsers(*user, functions);
}

CodeParts::CodeParts(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      groups.insert(&function);
  for (llvm::Function &function : module)
    for (const llvm::User *user : function.users())
      if (auto *call = dyn_cast<llvm::CallBase>(user);
          call && call->getCalledOperand() == &function && !function.isDeclaration())
        groups.unionSets(&function, const_cast<llvm::Function *>(call->getFunction()));
  // What is written has one place.
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isConstant() && !global.isDeclaration()) {
      join(global);
      collectUsers(global, writers);
    }
}

void CodeParts::join(const llvm::Value &value) {
  llvm::SmallPtrSet<const llvm::Function *, 8> users;
  collectUsers(value, users);
  for (const llvm::Function *user : users)
    groups.unionSets(const_cast<llvm::Function *>(*users.begin()), const_cast<llvm::Function *>(user));
}

size_t CodeParts::deal(size_t most, bool tiers) {
  std::vector<std::pair<size_t, llvm::Function *>> sizes;
  llvm::DenseSet<llvm::Function *> glue, quick;
  size_t work = 0, shared = 0, quickWork = 0; // of kernels
  for (const auto *value : groups) {
    if (!value->isLeader())
      continue;
    llvm::SmallVector<llvm::Function *> members(groups.members(*value));
    size_t size = 0;
    for (llvm::Function *member : members)
      size += member->getInstructionCount();
    sizes.push_back({size, value->getData()});
    if (size > longFunction)
      continue;
    bool writes = llvm::any_of(members, [&](llvm::Function *member) { return writers.contains(member); });
    if (areGlue(members)) {
      glue.insert(value->getData());
    } else if (tiers && !writes && mayBeMadeTwice(members)) {
      quick.insert(value->getData());
      quickWork += size;
    } else {
      work += size;
      ++shared;
    }
  }
  if (quickWork < leastQuick) {
    shared += quick.size();
    work += quickWork;
    quick.clear();
  }
  llvm::sort(sizes, [](auto &a, auto &b) {
    return std::pair(b.first, a.second->getName()) < std::pair(a.first, b.second->getName());
  });
  std::vector<size_t> works(std::min({most, shared, std::max<size_t>(work / leastInstructions, 1)}), 0);
  size_t count = works.size(), ofGlue = glue.empty() ? count : count++;
  if (!quick.empty())
    quickPart = count++;
  for (auto [size, leader] : sizes) {
    size_t part;
    if (size > longFunction) {
      part = count++;
    } else if (glue.contains(leader)) {
      part = ofGlue;
    } else if (quick.contains(leader)) {
      part = *quickPart;
    } else {
      part = std::min_element(works.begin(), works.end()) - works.begin();
      works[part] += size;
    }
    for (llvm::Function *member : groups.members(leader))
      parts[member] = part;
  }
  return count;
}

void CodeParts::exportFunctions(llvm::StringRef prefix) {
  for (auto [function, part] : parts) {
    if (!function->hasLocalLinkage())
      continue;
    llvm::SmallPtrSet<const llvm::Function *, 8> users;
    collectUsers(*function, users);
    if (llvm::any_of(users, [&, part = part](const llvm::Function *user) { return getPart(user) != part; })) {
      function->setName(prefix + "." + function->getName());
      function->setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  }
}
