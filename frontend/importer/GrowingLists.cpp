// Lists that grow in branches and loops: an array with room to spare, and a length. `x.append(y)` binds the name x to
// the list as it is afterwards, so it is compiled only where x is the list's one name; the array doubles when it is
// full.
#include "dialects/Np/Names.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/ListedArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

Value listArray(Interpreter &in, const PyValue &list) {
  Value array = list->items[0].ir();
  if (!array) { // behind an error: whoever asks goes on with no items
    in.fail("the items of " + describe(in, list) + " are no array");
    auto type = np::ArrayType::get(in.ir.getContext(), {ShapedType::kDynamic}, in.ir.getI64Type(), /*contiguous=*/true);
    return np::EmptyOp::create(in.ir, type, in.ir.index(0));
  }
  if (list->items.size() == 1)
    return array;
  return in.ir.makeView(array,
                        {AxisIndex{AxisIndex::Slice, in.ir.index(0), toIndex(in, list->items[1]), in.ir.index(1), {}}});
}

/// How often a container of these items is found in a value.
static int countReferences(const PyValue &value, const Composite *data) {
  if (!value.hasItems() && !value.is(PyValue::Kind::Iterator) && !value.is(PyValue::Kind::Method))
    return 0;
  if (&*value == data)
    return 1;
  int found = 0;
  for (const PyValue &item : value->items)
    found += countReferences(item, data);
  return found;
}

bool hasOtherName(const Bindings &environment, const std::string &name, const PyValue &list) {
  if (!isList(list))
    return false;
  for (const auto &[other, value] : environment)
    if (other != name && countReferences(value, &*list))
      return true;
  return countReferences(environment.count(name) ? environment.at(name) : PyValue(), &*list) > 1;
}

int countNames(const Bindings &bindings, const PyValue &list) {
  int count = 0;
  for (const auto &[name, value] : bindings)
    count += countReferences(value, &*list);
  return count;
}

bool isOfCaller(Interpreter &in, const PyValue &list) { return list->owner && list->owner != in.env.frame.get(); }

bool isOwnList(Interpreter &in, const std::string &name, const PyValue &list) {
  return list->owner == in.env.frame.get() && !list->isShared && !list->isJoined &&
         !hasOtherName(in.env.frame->bindings, name, list);
}

/// The items of a known list of tuples that stand at one place; nothing if they are no tuples like those of `model`.
static std::optional<PyValue> columnOf(Interpreter &in, const PyValue &list, const PyValue &model, size_t place) {
  std::vector<PyValue> items;
  bool areRows = true;
  for (const PyValue &given : list->items) {
    PyValue item = model->id ? asRowOf(in, model, given) : given;
    areRows &= !item.isPoison();
    if (!areRows) // goes on: what the other items need is found by this import, too
      continue;
    bool isRow = item.isTabled() || (item.isSequence() && item->isList == (model->levels == 2));
    if (!isRow || item->items.size() != model->items.size() || !(item->cls == model->cls))
      return std::nullopt;
    items.push_back(item->items[place]);
  }
  if (!areRows)
    return PyValue::poison();
  PyValue column = PyValue::sequence(std::move(items), true);
  column->owner = list->owner;
  return column;
}

/// The place, as lists have one, of the list of what all tuples of a list have at a place.
static std::string siteOfColumn(const PyValue &list, size_t place) {
  return list->site.empty() || list->site == "given" ? list->site : list->site + "." + std::to_string(place);
}

static PyValue growingRows(Interpreter &in, const PyValue &list, const PyValue &model) {
  if (isMixed(model))
    return asMixed(in, list, model->kinds);
  std::vector<PyValue> columns;
  for (auto [k, column] : llvm::enumerate(model->items)) {
    std::optional<PyValue> items = list.isSequence() ? columnOf(in, list, model, k) : std::nullopt;
    if (items && items->isPoison())
      return *items;
    if (!items) { // tuples of several lengths, say
      for (const PyValue &item : list.isSequence() ? list->items : std::vector<PyValue>())
        needsMixed(in, list, item, "a list becomes one of tuples", "let all items have one type");
      return in.hasErrors() ? PyValue::poison()
                            : in.fail("a list becomes one of tuples", "let all items have one type");
    }
    (*items)->site = siteOfColumn(list, k);
    PyValue own = isMixed(column) ? *items : mixedAt(in, *items);
    columns.push_back(isMixed(own) ? own : growing(in, *items, column));
    if (columns.back().isPoison())
      return PyValue::poison();
  }
  PyValue result = model.withItems(std::move(columns));
  result->owner = list->owner;
  result->site = list->site;
  result->isShared = list->isShared;
  return result;
}

PyValue asNumpys(const PyValue &list) {
  PyValue result = list.withItems(list->items);
  result->isPython = false;
  return result;
}

/// A list of known items, or one of fixed length, as one that grows, of items like `model`'s; null with an error
/// reported.
PyValue growing(Interpreter &in, const PyValue &given, const PyValue &model) {
  bool becomesNumpys = given.isRuntimeList() && model.isRuntimeList() && given->isPython && !model->isPython;
  PyValue list = becomesNumpys ? asNumpys(given) : given;
  if (isGrown(list))
    return list;
  if (model.isRows())
    return growingRows(in, list, model);
  bool isShared = list->isShared;
  PyValue result;
  if (list.isRuntimeList()) {
    PyValue array = list->items[0];
    if (array.is(PyValue::Kind::Slot))
      array = heldBy(in, array);
    result = list.withItems({array, fromIndex(in, in.ir.dim(array.ir(), 0))});
  } else {
    Type type = model.isRuntimeList() ? runtimeType(in, model->items[0]) : Type();
    auto array = dyn_cast_if_present<np::ArrayType>(type);
    if (!array || !list.isSequence()) // of what no list can be made, as the objects of several types
      return in.fail("a list becomes one of other items: " + describe(in, list), "let all items have one type");
    std::vector<PyValue> items = list->items;
    SmallVector<Value> extents(array.getRank(), in.ir.index(0));
    extents[0] = in.ir.index(items.size());
    if (!items.empty() && array.getRank() > 1) { // the first one says how long they are
      if (canBeTabled(in, items[0]))
        return needsTable(in, items[0], "a list of lists grows inside a branch or loop", "start with an empty list");
      PyValue grown = PyValue::sequence({}, true);
      grown->owner = list->owner;
      for (const PyValue &item : items) {
        PyValue present = item.is(PyValue::Kind::Slot) ? heldBy(in, item) : item;
        grown = appended(in, grown, in.env.bound(present), PyValue::object(py::none()));
        if (grown.isPoison())
          return grown;
      }
      grown->owner = list->owner;
      grown->site = list->site;
      grown->isShared = isShared;
      return grown;
    }
    Value buffer = np::EmptyOp::create(
        in.ir, np::ArrayType::get(in.ir.getContext(), array.getShape(), array.getElementType(), true), extents);
    for (auto [position, item] : llvm::enumerate(items)) {
      Type own = item.isRuntime() || item.isObject() || item.is(PyValue::Kind::Slot) ? runtimeType(in, item) : Type();
      if (!own || item.pythonBit || getElementTypeOrSelf(own) != array.getElementType() ||
          (isa<RankedTensorType>(own) && model->isPython)) {
        return needsMixed(in, list, item, "a list of " + describe(in, item) + " becomes a list of another type",
                          "let all items have one type");
      }
      PyValue present = item;
      if (item.is(PyValue::Kind::Slot))
        present = heldBy(in, item);
      np::StoreOp::create(in.ir, operandAs(in, present, array.getElementType()),
                          in.ir.makeView(buffer, {AxisIndex{AxisIndex::Position, in.ir.index(position), {}, {}, {}}}));
    }
    in.ir.clobber();
    result = model.withItems({PyValue::runtime(buffer), fromIndex(in, in.ir.index(items.size()))});
    result->owner = list->owner;
  }
  result->site = list->site;
  result->isShared = isShared;
  return result;
}

/// The model of a list of items of this kind, each with `rank` axes.
static PyValue modelFor(Interpreter &in, Type element, int64_t rank, int64_t levels, bool isPython) {
  auto type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(rank + 1, ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  PyValue slot = PyValue::composite(PyValue::Kind::Slot, nullptr);
  slot.slot = in.env.slotFor("%list" + std::to_string(in.temporaries++), type);
  PyValue model = PyValue::list(slot, levels, isPython);
  model->owner = in.env.frame.get();
  return model;
}

/// Whether an item is a tuple, or a list of numbers of several types, whose items go into lists of their own.
static bool isRow(Interpreter &in, const PyValue &item) {
  if (!item.isSequence() || !item->isList)
    return item.isSequence() || item.isTabled();
  auto isNumber = [&](const PyValue &one) { return (one.isRuntime() || one.isObject()) && runtimeType(in, one); };
  return !item->items.empty() && llvm::all_of(item->items, isNumber) &&
         !llvm::all_equal(llvm::map_range(item->items, [&](const PyValue &one) { return runtimeType(in, one); }));
}

/// A list of rows like one.
static PyValue rowsLike(const PyValue &row, std::vector<PyValue> columns) {
  PyValue rows = PyValue::rows(std::move(columns), row->cls, row->isList);
  rows->itemSite = row->site;
  if (row.isTabled()) {
    rows->id = row->id;
    rows->isOptional = row->isOptional;
    rows->kinds = row->kinds;
  }
  return rows;
}

/// The model of a list that grows, of items like one.
static std::optional<PyValue> modelOf(Interpreter &in, const PyValue &item) {
  PyValue row = isNumbered(item) ? tabled(item->cls, stringTable, stringModel()->items[0])
                : isString(item) ? stringModel()
                                 : item;
  if (isRow(in, row)) {
    if (row->items.empty()) // a list of rows has its length from its columns
      return mixedModel(in, row);
    std::vector<PyValue> columns;
    for (const PyValue &part : row->items) {
      std::optional<PyValue> column = modelOf(in, part);
      if (!column)
        return std::nullopt;
      columns.push_back(*column);
    }
    return rowsLike(row, std::move(columns));
  }
  int64_t levels = 1;
  bool isPython = false;
  int holdsCopies = 0;
  Value value = listItemValue(in, item, levels, isPython, holdsCopies);
  if (!value)
    return std::nullopt;
  return modelFor(in, np::getElementType(value.getType()), np::getRank(value.getType()), levels, isPython);
}

/// A list that does not grow yet as one that does.
PyValue ofRuntimeLength(Interpreter &in, const PyValue &list) {
  if (isGrown(list))
    return list;
  if (list.isRuntimeList())
    return growing(in, list, list);
  if (list->items.empty())
    return in.fail("an empty list has no type: its items are not known", "let the first item be there");
  if (std::optional<PyValue> mixed = ofMixedItems(in, list))
    return *mixed;
  // Lists of one length and type among the arguments are one array already: these are no rows of one. Where the lists
  // of the call are objects, they are.
  auto isGiven = [](const PyValue &item) { return item.isRuntimeList() && item->isList && item->site == "given"; };
  if (list->items.size() > 1 && list->site == "given" && llvm::all_of(list->items, isGiven))
    return in.fail("a list of lists of several lengths cannot be an array", "let all of them have one length");
  std::optional<PyValue> model = modelOf(in, list->items[0]);
  return model ? growing(in, list, *model) : PyValue::poison();
}

PyValue extended(Interpreter &in, const std::string &name, const PyValue &list, const PyValue &given) {
  std::vector<PyValue> known;
  PyValue more = given;
  auto isAnyList = [](const PyValue &one) { return isBox(one) || isList(one) || isTuple(one); };
  if (more.is(PyValue::Kind::Union) && llvm::all_of(more->items, isAnyList)) // the items, whichever it is
    more = overAlternatives(in, more, [&](PyValue one) { return listOf(in, unboxed(in, one)); });
  if (more.isPoison())
    return more;
  if (asSequence(in, more, known) && known.size() <= 64) {
    PyValue longer = list;
    for (const PyValue &item : known) {
      longer = appended(in, longer, item, PyValue::object(py::none()));
      if (longer.isPoison())
        break;
    }
    return longer;
  }
  PyValue source = in.env.bound(more);
  std::optional<Counted> range = counted(in, source);
  if (!range)
    return in.fail("TypeError: " + describe(in, more) + " cannot be added to a list in compiled code");
  Loop loop;
  loop.node = in.currentNode.get();
  loop.assigned = {name};
  loop.lower = range->lower;
  loop.upper = range->upper;
  loop.step = range->step;
  loop.body = [&] {
    PyValue now = in.env.readName(in.currentNode, name);
    PyValue longer =
        now.isPoison() ? now : appended(in, now, in.env.bound(range->item(loop.counter)), PyValue::object(py::none()));
    in.env.frame->bindings[name] = longer;
  };
  importLoop(in, loop);
  return in.env.readName(in.currentNode, name);
}

static PyValue appendedRow(Interpreter &in, const PyValue &list, const PyValue &item, const PyValue &at) {
  PyValue row = list.isRows() && list->id ? asRowOf(in, list, item) : item;
  if (row.isPoison())
    return row;
  std::vector<PyValue> columns;
  PyValue model = rowsLike(row, row->items);
  bool isTuples = list.isRows() ? list->items.size() == row->items.size() && list->cls == row->cls &&
                                      list->levels == model->levels && list->id == model->id
                                : list.isSequence();
  for (size_t k = 0; isTuples && k < row->items.size(); ++k) {
    std::optional<PyValue> column = list.isRows() ? list->items[k] : columnOf(in, list, model, k);
    if (!column)
      break;
    if (column->isPoison())
      return *column;
    PyValue own = *column;
    std::string site = siteOfColumn(list, k);
    if (!list.isRows()) { // as the list is: its columns are this call's own
      own->owner = in.env.frame.get();
      own->site = site;
      own = mixedAt(in, own);
    } else if (own->site.empty() && !site.empty()) { // which what came out of a call has lost
      own = own.withItems(own->items);
      own->site = site;
    }
    if (own.isPoison())
      return own;
    columns.push_back(appended(in, own, row->items[k], at));
    if (columns.back().isPoison())
      return PyValue::poison();
  }
  if (columns.size() != row->items.size() || columns.empty())
    return needsMixed(in, list, item, "an item of another type is put into a list", "let all items have one type");
  PyValue grown = rowsLike(row, std::move(columns));
  grown->owner = in.env.frame.get();
  grown->site = list->site;
  return grown;
}

Value roomFor(Interpreter &in, Value array, Value length, Value rows, ValueRange extents, bool exactly) {
  for (auto [axis, extent] : llvm::enumerate(extents)) { // an empty list does not know the extents of its items
    Value fits = arith::OrIOp::create(in.ir, in.ir.compareIndex(arith::CmpIPredicate::eq, length, in.ir.index(0)),
                                      in.ir.compareIndex(arith::CmpIPredicate::eq, extent, in.ir.dim(array, axis + 1)));
    in.ir.check(fits, "ValueError",
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
                "dimensions.");
  }
  return np::MakeRoomOp::create(in.ir, array.getType(), exactly, array, length, rows, extents);
}

PyValue appended(Interpreter &in, const PyValue &given, const PyValue &newItem, const PyValue &at) {
  PyValue list = given, item = isString(newItem) ? numbered(in, newItem) : splitNumber(in, ofKnownArray(in, newItem));
  if (item.isPoison())
    return item;
  if (isRow(in, item) || (list.isRows() && list->id))
    return appendedRow(in, list, item, at);
  if (item.isNone() || item.is(PyValue::Kind::Union) || !memberName(in, item).empty()) {
    PyValue mixed = list.isSequence() && list->items.empty() ? mixedFor(in, list, item) : PyValue::poison();
    if (!mixed.isPoison())
      return appendedRow(in, mixed, item, at);
    return needsMixed(in, given, item, "a list of " + describe(in, item) + " that is made in a loop cannot be compiled",
                      "let the items be numbers, strings or None");
  }
  if (list.isSequence() && !list->items.empty() && list->items[0].isTabled())
    return asRowOf(in, rowsLike(list->items[0], list->items), item); // for its error
  // Lists of one length are an array's rows.
  int64_t knownLength = item.isSequence() ? item->items.size() : -1;
  bool mayDiffer = item.is(PyValue::Kind::Instance) || isRuntimeLength(item);
  if (knownLength >= 0 && list.isRuntimeList() && list->levels > 1 && list->itemLength != knownLength)
    return needsTable(in, listItem(in, list, in.ir.index(0)), "a list of lists takes one of another length");
  // One that is made outside of a loop is put into the list many times: what changes in one of these changes in all.
  bool isMadeOutside = item.isSequence() && item->isList && !item->items.empty() && item->depth < in.env.depth;
  if ((mayDiffer || (isMadeOutside && in.outlines->loops > 0)) && canBeTabled(in, item))
    return needsTable(in, item, "a list of " + describe(in, item) + " that is made in a loop cannot be compiled");
  if (list.isRows())
    return needsMixed(in, given, item, "an item of another type is put into a list of tuples",
                      "let all items have one type");
  if (isKept(item) && !given->site.empty() && given->site != "given")
    return needsMixed(in, given, item, "a list of arrays of one shape takes one that another list has");
  // What its items are.
  int64_t levels = 1;
  bool isPython = false;
  int holdsCopies = 0;
  Value value = listItemValue(in, item, levels, isPython, holdsCopies);
  if (!value)
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  int64_t rank = np::getRank(value.getType());
  auto type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(rank + 1, ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  if (list.isRuntimeList()) {
    auto held = cast<np::ArrayType>(list->items[0].type());
    if (held.getElementType() == element && list->levels == levels && list->isPython != isPython) {
      list = asNumpys(list);
      isPython = false;
    }
    if (held.getElementType() != element || held.getRank() != type.getRank() || list->levels != levels ||
        list->isPython != isPython)
      return needsMixed(in, given, item,
                        "an item of another type is put into a list of " +
                            describe(in, listItem(in, list, in.ir.index(0))),
                        "let all items have one type");
  }
  if (!list.isRuntimeList() || list->items.size() == 1) {
    list = growing(in, list, modelFor(in, element, rank, levels, isPython));
    if (list.isPoison())
      return list;
    // Strings and tuples, which no array takes, or items of another rank.
    auto held = list.isRuntimeList() ? dyn_cast<np::ArrayType>(list->items[0].type()) : np::ArrayType();
    if (!held || held.getRank() != type.getRank())
      return needsMixed(in, given, item,
                        "an item of another type is put into a list of " + describe(in, given->items[0]),
                        "let all items have one type");
  }

  // Room for one more.
  Value buffer = list->items[0].ir(), length = toIndex(in, list->items[1]);
  Value longer = in.ir.createOrFold<arith::AddIOp>(length, in.ir.index(1));
  buffer = roomFor(in, convertTo(in, list->items[0], type), length, longer, in.ir.dims(value));
  auto part = [&](Value array, Value from, Value count) {
    return in.ir.makeView(array, {AxisIndex{AxisIndex::Slice, from, count, in.ir.index(1), {}}});
  };

  Value position = length;
  if (!at.isNone()) { // as Python clamps it; what follows moves
    Value wanted = toIndex(in, at);
    if (!wanted)
      return PyValue::poison();
    wanted = in.ir.fromEnd(wanted, length);
    wanted = in.ir.createOrFold<arith::MaxSIOp>(wanted, in.ir.index(0));
    position = in.ir.createOrFold<arith::MinSIOp>(wanted, length);
    Value rest = in.ir.createOrFold<arith::SubIOp>(length, position);
    Value next = in.ir.createOrFold<arith::AddIOp>(position, in.ir.index(1));
    Value moved = in.ir.load(part(buffer, position, rest));
    np::StoreOp::create(in.ir, moved, part(buffer, next, rest));
    in.ir.clobber();
  }
  np::StoreOp store =
      np::StoreOp::create(in.ir, value, in.ir.makeView(buffer, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}}));
  markListed(in, store, item, given->site);
  in.ir.clobber();
  PyValue grown = PyValue::list(PyValue::runtime(buffer), levels, isPython);
  grown->items.push_back(fromIndex(in, longer));
  grown->itemSite = isList(item) ? item->site : list->itemSite;
  grown->itemLength = knownLength;
  grown->holdsCopies = std::max(list->holdsCopies, holdsCopies);
  grown->owner = in.env.frame.get();
  grown->site = given->site;
  return grown;
}

PyValue concatenated(Interpreter &in, const PyValue &left, const PyValue &right) {
  auto isEmpty = [](const PyValue &list) { return list.isSequence() && list->items.empty(); };
  if (isEmpty(left) || isEmpty(right)) {
    const PyValue &other = isEmpty(left) ? right : left;
    return isRuntimeLength(other) ? ofRuntimeLength(in, listOf(in, other)) : PyValue::sequence(other->items, true);
  }
  PyValue list = ofRuntimeLength(in, isRuntimeLength(left) ? listOf(in, left) : left);
  list = list.isPoison() ? list : withItemsOf(in, list, unboxed(in, right));
  if (list.isPoison())
    return list;
  std::string name = "%list" + std::to_string(in.temporaries++);
  in.env.frame->bindings[name] = list;
  list = extended(in, name, list, right);
  in.env.frame->bindings.erase(name);
  if (!list.isPoison()) {
    list->owner = in.env.frame.get();
    list->site.clear();
  }
  return list;
}

} // namespace npcc::frontend
