#include "frontend/importer/ReplacedItems.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/LaterStores.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef mark = "np.list_item";

void markItem(Interpreter &in, Value view, const PyValue &list) {
  auto op = view.getDefiningOp<np::ViewOp>();
  if (!op)
    return;
  std::string kind = list->levels == 1 ? arrayKind(in, PyValue::runtime(view)) : "";
  bool canKeep = !kind.empty() && list->isList && !list->site.empty() && list->site != "given";
  // Where lists are items: the place that makes these.
  std::string rows = list->levels > 1 && list->itemSite != "given" ? list->itemSite : "";
  op->setAttr(mark, in.ir.getStringAttr(canKeep ? list->site + "\n" + kind : rows));
}

/// Whether control may go from one operation to another one without passing any of `stops`, which may be `to` itself.
static bool reaches(Operation *from, Operation *to, ArrayRef<Operation *> stops) {
  auto firstStop = [&](Block *block, Operation *behind) {
    Operation *first = nullptr;
    for (Operation *stop : stops)
      if (stop->getBlock() == block && (!behind || behind->isBeforeInBlock(stop)) &&
          (!first || stop->isBeforeInBlock(first)))
        first = stop;
    return first;
  };
  SmallVector<Block *> pending;
  llvm::SmallPtrSet<Block *, 16> entered;
  auto goThrough = [&](Block *block, Operation *behind) {
    Operation *stop = firstStop(block, behind);
    if (to->getBlock() == block && (!behind || behind->isBeforeInBlock(to)) && (!stop || !stop->isBeforeInBlock(to)))
      return true;
    if (!stop)
      for (Block *next : block->getSuccessors())
        if (entered.insert(next).second)
          pending.push_back(next);
    return false;
  };
  if (goThrough(from->getBlock(), from))
    return true;
  while (!pending.empty())
    if (goThrough(pending.pop_back_val(), nullptr))
      return true;
  return false;
}

namespace {

struct Store {
  Operation *op; // in a block of the function
  llvm::SetVector<Value> roots;
  bool areKnown;
  bool isIntoItem; // not in the place of one
};

class Items {
public:
  explicit Items(func::FuncOp function) : body(function.getBody()) {
    function.walk([&](np::ViewOp view) {
      if (view->hasAttr(mark))
        items.push_back(view);
    });
    if (items.empty())
      return;
    function.walk([&](Operation *op) {
      for (Value array : storedArrays(op)) {
        Store &store = stores.emplace_back(Store{inBody(op), {}, true, isOfItem(array)});
        store.areKnown = addRoots(array, store.roots);
      }
    });
  }

  ArrayRef<np::ViewOp> all() const { return items; }

  /// Whether an item may be used after something was put in its place, and whether it or another item of the list is
  /// stored into.
  bool isReplaced(np::ViewOp item, bool &isStoredTo) const {
    llvm::SetVector<Value> roots;
    bool areKnown = addRoots(item.getResult(), roots);
    SmallVector<const Store *> replacing;
    isStoredTo = false;
    for (const Store &store : stores) {
      bool meets =
          !areKnown || !store.areKnown || llvm::any_of(roots, [&](Value root) { return store.roots.contains(root); });
      if (!meets || !reaches(inBody(item), store.op, {}))
        continue;
      isStoredTo |= store.isIntoItem;
      if (!store.isIntoItem)
        replacing.push_back(&store);
    }
    return !replacing.empty() && isUsedBehind(item.getResult(), replacing);
  }

private:
  Operation *inBody(Operation *op) const { return body.findAncestorOpInRegion(*op); }

  static bool isOfItem(Value array) {
    while (Operation *producer = array.getDefiningOp()) {
      if (producer->hasAttr(mark))
        return true;
      if (!isa<np::ViewOp, np::ReshapeOp, np::ReshapeStridedOp, np::PartOp>(producer))
        return false;
      array = producer->getOperand(0);
    }
    return false;
  }

  bool isUsedBehind(Value item, ArrayRef<const Store *> stores) const {
    // The item, and what names that hold it give where they are read.
    llvm::SetVector<Value> named;
    named.insert(item);
    for (size_t k = 0; k < named.size(); ++k) {
      Operation *read = inBody(named[k].getDefiningOp());
      SmallVector<Value> views{named[k]};
      while (!views.empty())
        for (Operation *user : views.pop_back_val().getUsers()) {
          if (isa<np::DimOp>(user))
            continue;
          // The use sees what was read last. What is kept is seen for ever.
          for (const Store *store : stores)
            if (isa<np::KeepOp>(user) ? reaches(inBody(user), store->op, {})
                                      : reaches(read, store->op, read) && reaches(store->op, inBody(user), read))
              return true;
          if (isa<np::ViewOp, np::ReshapeOp, np::ReshapeStridedOp, np::PartOp>(user))
            views.push_back(user->getResult(0));
          if (auto set = dyn_cast<np::SetOp>(user); set && isReadBehind(set, stores, named))
            return true;
        }
    }
    return false;
  }

  /// Whether a name that an item is bound to may be read after the item's place was taken. Adds all that reads it.
  bool isReadBehind(np::SetOp set, ArrayRef<const Store *> stores, llvm::SetVector<Value> &named) const {
    SmallVector<Operation *> sets, gets;
    for (Operation *user : set.getSlot().getUsers()) {
      if (isa<np::SetOp>(user))
        sets.push_back(inBody(user));
      else
        gets.push_back(user);
    }
    for (Operation *get : gets) {
      for (const Store *store : stores)
        if (reaches(inBody(set), store->op, sets) && reaches(store->op, inBody(get), sets))
          return true;
      if (get->getNumResults() == 1 && reaches(inBody(set), inBody(get), sets))
        named.insert(get->getResult(0));
    }
    return false;
  }

  Region &body;
  std::vector<np::ViewOp> items;
  std::vector<Store> stores;
};

} // namespace

/// Notes that the lists that are items must be rows of a table; false where nobody knows their place.
static bool noteRows(Interpreter &in, np::ViewOp item, StringRef site) {
  PyValue row = PyValue::list(PyValue::runtime(item.getResult()), 1, /*isPython=*/true);
  row->site = site.str();
  bool isKnown = !site.empty() && canBeTabled(in, row);
  if (isKnown)
    noteTabled(in, row);
  return isKnown;
}

void checkReplacedItems(Interpreter &in) {
  Items items(in.ir.function);
  std::vector<np::ViewOp> copied;
  for (np::ViewOp item : items.all()) {
    bool isStoredTo;
    if (!items.isReplaced(item, isStoredTo))
      continue;
    auto [site, kind] = cast<StringAttr>(item->getAttr(mark)).getValue().split('\n');
    if (!isStoredTo)
      copied.push_back(item);
    else if (!kind.empty())
      noteKinds(in, site.str(), {kind.str()});
    else if (!noteRows(in, item, site))
      in.failAt(item.getLoc(), "what was read from a list is used after the list has put something else in its place",
                "use a copy of it");
  }
  for (np::ViewOp item : items.all())
    item->removeAttr(mark);
  for (np::ViewOp item : copied) {
    OpBuilder::InsertionGuard guard(in.ir);
    in.ir.setInsertionPointAfter(item);
    auto load = np::LoadOp::create(in.ir, item.getLoc(), item.getResult());
    Value copy = np::NewOp::create(in.ir, item.getLoc(), load.getResult());
    if (copy.getType() == item.getType())
      item.getResult().replaceAllUsesExcept(copy, load);
  }
}

} // namespace npcc::frontend
