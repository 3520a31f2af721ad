// npcc-expand-sorts: where only places of short sorted lines are asked for, minima and maxima find them.
//
//   %s = np.sort %x       // lines of 3               %a, %b, %c = np.view %x offsets[%c0, %c0], [.., %c1], [.., %c2]
//   %m = np.view %s offsets[%c0, %c1] axes [0]   ->   %d = np.ufunc "fmin"(%a, %b), %e = np.ufunc "maximum"(%a, %b)
//                                                     %m = np.ufunc "fmin"(%e, np.ufunc "maximum"(%d, %c))
//
// So the median of a window, or of a few images, is an expression of elements that fuses with what is around it, and no
// array of sorted lines is in memory. The network is Batcher's odd-even merge sort, without the comparisons that
// nothing of what is asked for depends on. NaN comes last: minima take the number, maxima the NaN.
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Planes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/BitVector.h"

namespace npcc {
#define GEN_PASS_DEF_EXPANDSORTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// Of longer lines the network is more code than a sort in memory takes time: 25 are a window of five by five.
constexpr int64_t mostItems = 25;

struct Comparison {
  int64_t low, high; // places, of which the lesser element goes to `low`
};

/// Comparisons that sort so many items.
SmallVector<Comparison> makeNetwork(int64_t count) {
  SmallVector<Comparison> network;
  for (int64_t merged = 1; merged < count; merged *= 2)
    for (int64_t distance = merged; distance >= 1; distance /= 2)
      for (int64_t first = distance % merged; first + distance < count; first += 2 * distance)
        for (int64_t low = first; low < std::min(first + distance, count - distance); ++low)
          if (low / (2 * merged) == (low + distance) / (2 * merged))
            network.push_back({low, low + distance});
  return network;
}

/// The place that a view takes of all lines; nullopt if that is not known, or if it takes several.
std::optional<int64_t> getPlace(Operation *user) {
  auto view = dyn_cast<ViewOp>(user);
  if (!view)
    return std::nullopt;
  int64_t last = getRank(view.getSource().getType()) - 1;
  if (llvm::is_contained(view.getAxes(), last))
    return std::nullopt;
  return getConstantIntValue(view.getOffsets()[last]);
}

bool canExpand(SortOp sort, int64_t count) {
  Type element = getElementType(sort.getInput().getType());
  bool isOrdered = isa<FloatType>(element) || (element.isInteger() && !element.isInteger(1));
  return !sort.getPositions() && isOrdered && count >= 2 && count <= mostItems && !sort->use_empty() &&
         llvm::all_of(sort->getUsers(), [&](Operation *user) {
           std::optional<int64_t> place = getPlace(user);
           return place && *place >= 0 && *place < count;
         });
}

void expand(SortOp sort, int64_t count) {
  OpBuilder builder(sort);
  Location loc = sort.getLoc();
  Value input = sort.getInput();
  int64_t last = getRank(input.getType()) - 1;
  SmallVector<Value> extents = getExtents(builder, loc, input);
  extents.pop_back();
  SmallVector<Value> items;
  for (int64_t place = 0; place < count; ++place)
    items.push_back(emitPlane(builder, loc, input, last, place, extents));
  // Which places matter, from the end of the network to its beginning.
  SmallVector<Comparison> network = makeNetwork(count);
  llvm::BitVector matters(count);
  for (Operation *user : sort->getUsers())
    matters.set(*getPlace(user));
  SmallVector<std::pair<bool, bool>> isNeeded(network.size());
  for (auto [comparison, needed] : llvm::reverse(llvm::zip_equal(network, isNeeded))) {
    needed = {matters[comparison.low], matters[comparison.high]};
    if (needed.first || needed.second)
      matters.set(comparison.low), matters.set(comparison.high);
  }
  Type type = items.front().getType();
  bool isFloat = isa<FloatType>(getElementType(type));
  for (auto [comparison, needed] : llvm::zip_equal(network, isNeeded)) {
    SmallVector<Value> both{items[comparison.low], items[comparison.high]};
    if (needed.first)
      items[comparison.low] = UfuncOp::create(builder, loc, type, isFloat ? Ufunc::fmin : Ufunc::minimum, both);
    if (needed.second)
      items[comparison.high] = UfuncOp::create(builder, loc, type, Ufunc::maximum, both);
  }
  for (Operation *user : llvm::make_early_inc_range(sort->getUsers())) {
    auto view = cast<ViewOp>(user);
    OpBuilder at(view);
    Value item = items[*getPlace(view)];
    view.replaceAllUsesWith(ViewOp::create(at, view.getLoc(), view.getType(), item, view.getOffsets().drop_back(),
                                           view.getAxes(), view.getExtents(), view.getSteps())
                                .getResult());
    view.erase();
  }
  sort.erase();
}

struct ExpandSorts : impl::ExpandSortsBase<ExpandSorts> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return markAllAnalysesPreserved();
    auto &origins = getAnalysis<ExtentOrigins>();
    SmallVector<std::pair<SortOp, int64_t>> found;
    getOperation()->walk([&](SortOp sort) {
      int64_t count = origins.of(sort.getInput(), getRank(sort.getInput().getType()) - 1).constant;
      if (canExpand(sort, count))
        found.push_back({sort, count});
    });
    if (found.empty())
      return markAllAnalysesPreserved();
    for (auto [sort, count] : found)
      expand(sort, count);
  }
};
} // namespace
} // namespace npcc
