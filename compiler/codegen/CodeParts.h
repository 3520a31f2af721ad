#ifndef NPCC_CODEGEN_CODEPARTS_H
#define NPCC_CODEGEN_CODEPARTS_H
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace npcc {

/// Instructions of a function whose registers are not worth allocating well: the time that it takes grows faster than
/// the function. No kernel is as long; host code is where a program of thousands of statements launches them one after
/// the other.
bool isLong(const llvm::Function &function);

/// The functions of a module in groups that call nothing of each other (kernels, which are called through the runtime,
/// and the code around them), dealt out to parts, of each of which one thread makes an object.
class CodeParts {
public:
  explicit CodeParts(llvm::Module &module);

  /// Deals the groups out: the number of parts. Kernels go to at most `most` parts of about equal work, the largest
  /// group first. Glue has a part of its own, and so has what is emitted with less care because it is long. With
  /// `tiers`, kernels that may be made twice have one, too, if there is enough of them (TwoTiers.h).
  size_t deal(size_t most, bool tiers);

  size_t getPart(const llvm::Function *function) const { return parts.lookup(const_cast<llvm::Function *>(function)); }
  /// The part with kernels that may be made twice.
  std::optional<size_t> getQuickPart() const { return quickPart; }

  /// Gives what another part refers to a name that no other compilation's functions have.
  void exportFunctions(llvm::StringRef prefix);

private:
  void join(const llvm::Value &value);

  llvm::EquivalenceClasses<llvm::Function *> groups;
  llvm::SmallPtrSet<const llvm::Function *, 8> writers; // of globals
  llvm::MapVector<llvm::Function *, size_t> parts;
  std::optional<size_t> quickPart;
};

} // namespace npcc
#endif
