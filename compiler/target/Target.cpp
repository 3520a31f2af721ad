#include "compiler/target/Target.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace npcc {

std::optional<std::string> Target::emitText(PhaseRunner &phases, ModuleOp, const Options &, StringRef phase) const {
  phases.reportInternal("the target '" + name.str() + "' has no phase '" + phase.str() + "'");
  return std::nullopt;
}

static SmallVector<const Target *> &getTable() {
  static SmallVector<const Target *> table;
  return table;
}

void registerTarget(const Target &target) {
  if (!findTarget(target.getName()))
    getTable().push_back(&target);
}

const Target *findTarget(StringRef name) {
  auto found = llvm::find_if(getTable(), [&](const Target *target) { return target->getName() == name; });
  return found == getTable().end() ? nullptr : *found;
}

std::string listTargets() {
  return llvm::join(llvm::map_range(getTable(), [](const Target *target) { return target->getName(); }), ", ");
}

const TargetProperties &getTargetProperties(Operation *op) {
  static const TargetProperties host;
  auto function = isa<FunctionOpInterface>(op) ? op : op->getParentOfType<FunctionOpInterface>().getOperation();
  auto name = function ? function->getAttrOfType<StringAttr>("np.target") : nullptr;
  const Target *target = name ? findTarget(name.getValue()) : nullptr;
  return target ? target->getProperties() : host;
}

} // namespace npcc
