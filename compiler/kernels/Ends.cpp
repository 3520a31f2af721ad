#include "compiler/kernels/Ends.h"
#include "compiler/kernels/Sinks.h"
#include "dialects/Np/Np.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

bool Ends::areSeveralAtOnce(Value value) {
  Block *home = value.getParentBlock();
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    bool isAsked = !isa<DimOp>(user) && user->getBlock() == home;
    return isAsked && !isa<StoreMaskedOp>(user) && !keyOf(user) && !keepsPosition(use, origins);
  });
}

Ends::End Ends::of(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Block *home = value.getParentBlock();
  End end;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<DimOp>(user) && user->getBlock() == home)
      continue;
    bool isMask = isa<StoreMaskedOp>(user) && user->getOperand(1) == value;
    std::optional<int64_t> key = user->getBlock() == home && !isMask ? keyOf(user) : std::nullopt;
    if (key)
      end.add({key, false});
    else if (user->getBlock() == home && keepsPosition(use, origins))
      end.add(of(user->getResult(0)));
    else
      end.isSeveral = true;
  }
  known[value] = end;
  return end;
}

} // namespace npcc
