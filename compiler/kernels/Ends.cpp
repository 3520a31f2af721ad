#include "compiler/kernels/Ends.h"
#include "compiler/kernels/MovedParts.h"
#include "compiler/kernels/Sinks.h"
#include "dialects/Np/Np.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

/// The axis and the position on it that a view takes from what it is a view of, where it takes all of the other axes.
static std::optional<std::pair<int64_t, int64_t>> getPart(ViewOp view, ExtentOrigins &origins) {
  Value source = view.getSource();
  int64_t rank = getRank(source.getType());
  if (int64_t(view.getAxes().size()) != rank - 1)
    return std::nullopt;
  int64_t taken = 0; // the axis that is missing
  while (taken < rank - 1 && view.getAxes()[taken] == taken)
    ++taken;
  for (int64_t k = 0; k < rank - 1; ++k) {
    int64_t axis = k + (k >= taken);
    if (view.getAxes()[k] != axis || !matchPattern(view.getOffsets()[axis], m_Zero()) ||
        !matchPattern(view.getSteps()[k], m_One()) ||
        !(origins.ofIndex(view.getExtents()[k]) == origins.of(source, axis)))
      return std::nullopt;
  }
  std::optional<int64_t> position = getConstantIntValue(view.getOffsets()[taken]);
  return position ? std::optional(std::pair(taken, *position)) : std::nullopt;
}

bool Ends::isPart(OpOperand &use) {
  auto view = dyn_cast<ViewOp>(use.getOwner());
  std::optional<std::pair<int64_t, int64_t>> part = view ? getPart(view, origins) : std::nullopt;
  return part && llvm::all_of(use.get().getUsers(), [&](Operation *user) {
           auto other = dyn_cast<ViewOp>(user);
           if (!other || other == view)
             return true;
           std::optional<std::pair<int64_t, int64_t>> rest = getPart(other, origins);
           return rest && rest->first == part->first && rest->second != part->second;
         });
}

bool Ends::areSeveralAtOnce(Value value) {
  Block *home = value.getParentBlock();
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    bool isAsked = !isa<DimOp>(user) && user->getBlock() == home;
    return isAsked && !isa<StoreMaskedOp>(user) && !keyOf(user) && !keepsPosition(use, origins) && !isPart(use) &&
           !getLastOfMoved(user, origins);
  });
}

/// Below all that stand for kernels and operations.
static constexpr int64_t firstMoved = -2;

Ends::End Ends::of(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Block *home = value.getParentBlock();
  End end;
  llvm::SmallSetVector<InsertOp, 2> moved;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<DimOp>(user) && user->getBlock() == home)
      continue;
    bool isMask = isa<StoreMaskedOp>(user) && user->getOperand(1) == value;
    std::optional<int64_t> key = user->getBlock() == home && !isMask ? keyOf(user) : std::nullopt;
    if (key)
      end.add({key, false, key, false});
    else if (user->getBlock() == home && (keepsPosition(use, origins) || isPart(use)))
      end.add(of(user->getResult(0)));
    else if (InsertOp last = user->getBlock() == home ? getLastOfMoved(user, origins) : InsertOp())
      moved.insert(last);
    else {
      // What is stretched is computed for each of many elements, and what is put into every other one in a branch that
      // threads side by side take and do not take.
      auto insertion = dyn_cast<InsertOp>(user);
      bool isMixed = insertion && hasSteps(insertion);
      bool isElsewhere = user->getBlock() == home && isa<ViewOp, InsertOp, ReshapeOp>(user) && !isMixed;
      end.addPlace(isElsewhere ? of(user->getResult(0)) : End{{}, true, {}, true});
      end.isSeveral = true;
    }
  }
  // Each element of theirs is one of the value's, at a position that is not theirs: to who has the value at its own
  // position as well, that is another place.
  for (InsertOp last : moved) {
    End there = of(last.getResult());
    if (there.key)
      there.key = moves.try_emplace({last, *there.key}, firstMoved - int64_t(moves.size())).first->second;
    end.add(there);
  }
  known[value] = end;
  return end;
}

} // namespace npcc
