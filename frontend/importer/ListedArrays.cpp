#include "frontend/importer/ListedArrays.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/LaterStores.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Values.h"
#include "frontend/importer/Views.h"

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
  bool isNoted = !kind.empty() && !list->site.empty() && list->site != "given";
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

void checkListedArrays(Interpreter &in) {
  in.ir.function.walk([&](np::PartOp part) {
    bool isStoredTo = in.ir.refused.contains(part);
    std::string site, kind;
    if (takeMark(part, site, kind) && isStoredTo)
      noteKinds(in, site, {kind});
  });
  in.ir.refused.clear();
  SmallVector<np::LoadOp> listed;
  in.ir.function.walk([&](np::LoadOp load) {
    if (load->hasAttr(mark))
      listed.push_back(load);
  });
  if (listed.empty())
    return;
  LaterStores stores(in.ir.function);
  for (np::LoadOp load : listed) {
    if (stores.isChangedBehind(load, load.getArray())) {
      std::string site, kind;
      if (takeMark(load, site, kind))
        noteKinds(in, site, {kind});
      else
        in.failAt(load.getLoc(), "an array that is in a list is changed later: the list would not see it",
                  "put a copy into the list: x.copy()");
    }
    load->removeAttr(mark);
  }
}

} // namespace npcc::frontend
