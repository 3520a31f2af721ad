#include "frontend/importer/ListedArrays.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Values.h"
#include "frontend/importer/Views.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef mark = "np.listed";

Value loadListed(Interpreter &in, const PyValue &array) {
  Value value = in.ir.load(array.ir());
  if (auto load = value.getDefiningOp<np::LoadOp>())
    load->setAttr(mark, in.ir.getUnitAttr());
  return value;
}

void markListed(Interpreter &in, np::StoreOp store, const PyValue &array, const std::string &site) {
  std::string kind = arrayKind(in, array);
  if (kind.empty() || site.empty() || site == "given")
    return;
  Attribute text = in.ir.getStringAttr(site + "\n" + kind);
  store->setAttr(mark, text);
  auto load = store.getValue().getDefiningOp<np::LoadOp>();
  if (load && load->hasAttr(mark))
    load->setAttr(mark, text);
}

static bool isPartOf(const PyValue &array, const PyValue &value) {
  return value == array || ((value.hasItems() || value.is(PyValue::Kind::Iterator)) &&
                            llvm::any_of(value->items, [&](const PyValue &item) { return isPartOf(array, item); }));
}

int copiesOf(Interpreter &in, const PyValue &array) {
  if (!isFresh(array))
    return 2;
  if (array.tensorType())
    return 0;
  bool isNamed = false, isOfEachIteration = true;
  Block *made = array.ir().getParentBlock();
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller) {
    for (const Frame *around = frame; around; around = around->parent.get())
      isNamed |= llvm::any_of(around->bindings, [&](const auto &name) { return isPartOf(array, name.second); });
    // The blocks of a function are in the order in which they were made.
    for (const LoopTargets *loop : frame->loops)
      isOfEachIteration &= !loop->header || loop->header->computeBlockNumber() <= made->computeBlockNumber();
  }
  return !isNamed ? 0 : isOfEachIteration ? 1 : 2;
}

Value listedCopy(Interpreter &in, Value item, const std::string &site) {
  Value copy = in.ir.part("read_only", item);
  std::string kind = arrayKind(in, PyValue::runtime(item));
  if (!kind.empty() && !site.empty() && site != "given")
    copy.getDefiningOp()->setAttr(mark, in.ir.getStringAttr(site + "\n" + kind));
  return copy;
}

bool needsKept(Interpreter &in, const PyValue &list) {
  auto type = dyn_cast_if_present<np::ArrayType>(runtimeType(in, list->items[0]));
  std::string kind = type && list->levels == 1 ? arrayKind(in, type) : "";
  bool isNoted = !kind.empty() && !list->site.empty() && list->site != "given" && list->isList;
  if (isNoted)
    noteKinds(in, list->site, {kind});
  return isNoted;
}

bool takeMark(Operation *op, std::string &site, std::string &kind) {
  auto text = dyn_cast_if_present<StringAttr>(op->removeAttr(mark));
  if (text) {
    auto [first, second] = text.getValue().split('\n');
    site = first.str();
    kind = second.str();
  }
  return bool(text);
}

static bool addRoots(Value array, llvm::SetVector<Value> &roots, llvm::SmallPtrSetImpl<Operation *> &slots) {
  Value root = viewedArray(array);
  Operation *op = root.getDefiningOp();
  if (!op || isa<np::NewOp, np::EmptyOp>(op)) {
    roots.insert(root);
    return true;
  }
  if (auto room = dyn_cast<np::MakeRoomOp>(op)) // a new one, or the one given
    return !roots.insert(root) || addRoots(room.getArray(), roots, slots);
  auto get = dyn_cast<np::GetOp>(op);
  if (!get)
    return false;
  Operation *slot = get.getSlot().getDefiningOp();
  if (!slot || !slots.insert(slot).second)
    return slot != nullptr;
  for (Operation *user : slot->getUsers())
    if (auto set = dyn_cast<np::SetOp>(user); set && !addRoots(set.getValue(), roots, slots))
      return false;
  return true;
}

bool addRoots(Value array, llvm::SetVector<Value> &roots) {
  llvm::SmallPtrSet<Operation *, 8> slots;
  return addRoots(array, roots, slots);
}

SmallVector<Value> storedArrays(Operation *op) {
  SmallVector<Value> arrays;
  auto add = [&](Value value) {
    if (value && isa<np::ArrayType>(value.getType()))
      arrays.push_back(value);
  };
  if (isa<func::CallOp>(op)) {
    llvm::for_each(op->getOperands(), add);
    return arrays;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return arrays;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Write>(effect.getEffect()) && !llvm::is_contained(op->getResults(), effect.getValue()))
      add(effect.getValue());
  return arrays;
}

namespace {
/// Where control may go from an operation without passing another one. The blocks are gone through once, so that asking
/// of one operation after the other costs nothing.
class Reached {
public:
  Reached(Operation *from, Operation *barrier) : from(from), barrier(barrier) {
    SmallVector<Block *> pending;
    auto enterNext = [&](Block *block) {
      for (Block *next : block->getSuccessors())
        if (entered.insert(next).second)
          pending.push_back(next);
    };
    bool isClosed = barrier && barrier->getBlock() == from->getBlock() && from->isBeforeInBlock(barrier);
    if (!isClosed)
      enterNext(from->getBlock());
    while (!pending.empty()) {
      Block *block = pending.pop_back_val();
      if (!barrier || barrier->getBlock() != block)
        enterNext(block);
    }
  }

  bool contains(Operation *op) const {
    bool isBeyond = barrier && barrier->getBlock() == op->getBlock() && barrier->isBeforeInBlock(op);
    bool isEntered = entered.contains(op->getBlock()) && !isBeyond;
    bool isBehind = from->getBlock() == op->getBlock() && from->isBeforeInBlock(op) &&
                    !(isBeyond && from->isBeforeInBlock(barrier));
    return isEntered || isBehind;
  }

private:
  Operation *from, *barrier;
  llvm::SmallPtrSet<Block *, 16> entered; // at their beginnings
};
} // namespace

static bool isListArgument(Value value) {
  auto argument = cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() && function.getArgAttr(argument.getArgNumber(), "np.weak");
}

void checkListedArrays(Interpreter &in) {
  in.ir.function.walk([&](np::PartOp part) {
    bool isStoredTo = in.ir.refused.contains(part);
    std::string site, kind;
    if (takeMark(part, site, kind) && isStoredTo)
      noteKinds(in, site, {kind});
  });
  in.ir.refused.clear();
  SmallVector<np::LoadOp> listed;
  SmallVector<std::pair<Operation *, Value>> stored;
  in.ir.function.walk([&](Operation *op) {
    if (auto load = dyn_cast<np::LoadOp>(op); load && load->hasAttr(mark))
      listed.push_back(load);
    for (Value array : storedArrays(op))
      stored.emplace_back(op, array);
  });
  if (listed.empty())
    return;
  struct Store {
    Operation *op;
    llvm::SetVector<Value> roots;
    bool areKnown;
  };
  std::vector<Store> stores;
  for (auto [op, array] : stored) {
    Store &store = stores.emplace_back(Store{op, {}, true});
    store.areKnown = addRoots(array, store.roots);
  }
  for (np::LoadOp load : listed) {
    llvm::SetVector<Value> roots;
    bool areKnown = addRoots(load.getArray(), roots);
    std::map<Operation *, Reached> reached; // by what is not passed
    auto isReached = [&](Operation *store, Operation *barrier) {
      return reached.try_emplace(barrier, load, barrier).first->second.contains(store);
    };
    for (const auto &[store, others, isKnown] : stores) {
      // Arguments may be one array; a list is one argument.
      auto meets = [&](Value root) {
        bool isArray = isa<BlockArgument>(root) && !isListArgument(root);
        return !isKnown || others.contains(root) ||
               (isArray && llvm::any_of(others, [](Value other) { return !other.getDefiningOp(); }));
      };
      bool isChanged = false;
      for (Value root : roots) {
        Operation *maker = root.getDefiningOp();
        bool isNewEachTime = !isa_and_nonnull<np::MakeRoomOp>(maker);
        isChanged |= meets(root) && isReached(store, isNewEachTime ? maker : nullptr);
      }
      bool onlyNew = isKnown && llvm::all_of(others, [](Value other) { return other.getDefiningOp() != nullptr; });
      isChanged |= !areKnown && !onlyNew && isReached(store, nullptr);
      if (!isChanged)
        continue;
      std::string site, kind;
      if (takeMark(load, site, kind)) {
        noteKinds(in, site, {kind});
        break;
      }
      in.failAt(load.getLoc(), "an array that is in a list is changed later: the list would not see it",
                "put a copy into the list: x.copy()");
      break;
    }
    load->removeAttr(mark);
  }
}

} // namespace npcc::frontend
