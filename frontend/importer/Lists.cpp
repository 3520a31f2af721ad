// Lists whose length is known at run time only: comprehensions over arrays and ranges, list(array), a.tolist(), lists
// as arguments. Such a list is an array with the items along its first axis; it does not grow. Items that are arrays
// are copies, so only arrays that nobody else holds are taken.
#include "frontend/importer/Lists.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/ListedArrays.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/ReplacedItems.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

bool isFresh(const PyValue &value) {
  return value.tensorType() ||
         (value.isRuntime() && isa_and_present<np::NewOp, np::EmptyOp>(value.ir().getDefiningOp()));
}

Value listLength(Interpreter &in, const PyValue &list) {
  return list.isRows() ? listLength(in, list->items[0]) : in.ir.dim(listArray(in, list), 0);
}

PyValue lengthOf(Interpreter &in, const PyValue &list) {
  return list.isSequence() ? PyValue::object(py::integer(list->items.size())) : fromIndex(in, listLength(in, list));
}

/// Lists of what each of the lists has.
static PyValue rowsOf(const PyValue &rows, llvm::function_ref<PyValue(const PyValue &)> part) {
  std::vector<PyValue> columns;
  for (const PyValue &column : rows->items)
    columns.push_back(part(column));
  PyValue result = PyValue::rows(std::move(columns), rows->cls, rows->levels == 2);
  result->id = rows->id;
  result->isOptional = rows->isOptional;
  result->kinds = rows->kinds;
  result->itemSite = rows->itemSite;
  return result;
}

/// A tuple or list of what each of the lists has, or what is tabled.
static PyValue rowOf(Interpreter &in, const PyValue &rows, llvm::function_ref<PyValue(const PyValue &)> part) {
  std::vector<PyValue> items;
  for (const PyValue &column : rows->items)
    items.push_back(part(column));
  if (isMixed(rows))
    return mixedItem(in, rows, items[0], items[1]);
  if (rows->id)
    return rows->isOptional ? orNone(in, tabled(rows->cls, rows->id, items[0])) : tabled(rows->cls, rows->id, items[0]);
  PyValue row = PyValue::sequence(std::move(items), rows->levels == 2);
  row->cls = rows->cls;
  if (rows->levels != 2)
    row->site = rows->itemSite;
  row->isCopy = rows->levels == 2; // what is stored there would not reach the rows
  return row;
}

PyValue listItem(Interpreter &in, const PyValue &list, Value position) {
  if (list.isRows())
    return rowOf(in, list, [&](const PyValue &column) { return listItem(in, column, position); });
  Value array = listArray(in, list);
  Value view = in.ir.makeView(array, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}});
  if (np::getRank(view.getType()) > 0)
    markItem(in, view, list);
  if (np::getRank(view.getType()) > 0 && list->levels > 1) {
    PyValue item = PyValue::list(PyValue::runtime(view), list->levels - 1, list->isPython);
    item->site = item->itemSite = list->itemSite;
    item->isItem = true;
    item->isCopy = list->holdsCopies == copiesOfRows;
    return item;
  }
  if (np::getRank(view.getType()) > 0)
    return PyValue::runtime(list->holdsCopies ? listedCopy(in, view, list->site) : view);
  Value number = in.ir.load(view);
  return PyValue::runtime(list->isPython ? in.ir.item(number) : number);
}

/// The position that a Python index is; IndexError otherwise (axis -1: in the words of lists, -2: of assignments to
/// them).
static Value listPosition(Interpreter &in, const PyValue &list, const PyValue &index, int64_t axis = -1) {
  Value position = toIndex(in, index, "TypeError: list indices must be integers or slices: an integer");
  if (!position)
    return position;
  Value size = listLength(in, list);
  return in.ir.checkIndex(position, size, axis);
}

/// `copy` with an array of its own of these items of a list. Its rows are lists that the other one has, too.
static PyValue withRowsOf(Interpreter &in, const PyValue &list, Value items, const PyValue &copy) {
  bool sharesRows = list->levels > 1;
  Value loaded = sharesRows ? loadListed(in, PyValue::runtime(items)) : in.ir.load(items);
  PyValue result = copy.withItems({PyValue::runtime(in.ir.newArray(loaded))});
  if (sharesRows)
    result->holdsCopies = copiesOfRows;
  return result;
}

PyValue listItem(Interpreter &in, const PyValue &list, const PyValue &index) {
  if (index.isPoison())
    return index;
  if (index.is(PyValue::Kind::Slice) && list.isRows())
    return rowsOf(list, [&](const PyValue &column) { return listItem(in, column, index); });
  if (index.is(PyValue::Kind::Slice)) {
    SmallVector<AxisIndex> axes;
    if (!parseIndex(in, PyValue::runtime(listArray(in, list)), index, axes))
      return PyValue::poison();
    Value part = in.ir.makeView(listArray(in, list), axes);
    PyValue result = withRowsOf(in, list, part, list);
    result->owner = nullptr;
    if (!list->holdsCopies) // whose items may have to be kept
      result->site.clear();
    return result;
  }
  Value position = listPosition(in, list, index);
  return position ? listItem(in, list, position) : PyValue::poison();
}

bool checkIsOwn(Interpreter &in, const PyValue &list) {
  bool isOwn = !list->isCopy && !isSiteOfGlobal(list->site);
  if (!isOwn)
    needsBox(in, list, "a list that is a copy of one elsewhere cannot be changed: the change would not be seen there",
             "give it an array");
  return isOwn;
}

void storeListItem(Interpreter &in, const PyValue &list, const PyValue &index, const PyValue &value) {
  if (!list->isList) {
    in.fail("TypeError: 'tuple' object does not support item assignment");
    return;
  }
  if (!checkIsOwn(in, list))
    return;
  if (list.isRows()) {
    PyValue row = list->id ? asRowOf(in, list, value) : value;
    if (row.isPoison())
      return;
    bool isTuple = row.isSequence() && !row->isList && row->items.size() == list->items.size();
    if (!isTuple && !row.isTabled()) {
      in.fail("an item of a list of tuples cannot become " + describe(in, value), "let all items have one type");
      return;
    }
    for (auto [column, item] : llvm::zip(list->items, row->items))
      storeListItem(in, column, index, item);
    return;
  }
  Value array = listArray(in, list);
  Type element = np::getElementType(array.getType());
  Type type = value.isRuntime() || value.isObject() ? runtimeType(in, value) : Type();
  Type wanted = list->isPython ? element : Type(RankedTensorType::get({}, element));
  if (np::getRank(array.getType()) > 1 || value.pythonBit || (type != wanted && (list->isPython || type != element))) {
    if (isList(value) && list->levels > 1)
      needsTable(in, listItem(in, list, in.ir.index(0)), "an item of a list of lists becomes another list");
    else if (!value.isPoison()) {
      // Of Python's numbers and NumPy's of one type an object makes NumPy's.
      bool isOneNumber = type && !value.pythonBit && np::getRank(type) == 0 && getElementTypeOrSelf(type) == element;
      std::string message = "an item of a list of " + describe(in, listItem(in, list, in.ir.index(0))) +
                            " cannot become " + describe(in, value);
      if (isOneNumber)
        needsBox(in, list, message, "use an array");
      else
        needsMixed(in, list, value, message, "use an array");
    }
    return;
  }
  Value position = listPosition(in, list, index, -2), stored = operandAs(in, value, element);
  if (!position || !stored)
    return;
  np::StoreOp::create(in.ir, stored, in.ir.makeView(array, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}}));
  in.ir.clobber();
}

PyValue listPart(Interpreter &in, const PyValue &list, Value start, Value count) {
  if (list.isRows())
    return rowsOf(list, [&](const PyValue &column) { return listPart(in, column, start, count); });
  Value part = in.ir.makeView(listArray(in, list), {AxisIndex{AxisIndex::Slice, start, count, in.ir.index(1), {}}});
  return PyValue::list(PyValue::runtime(part), list->levels, list->isPython);
}

static PyValue copyAsList(Interpreter &in, const PyValue &value) {
  if (value.isPoison())
    return value;
  if (value.isRows())
    return rowsOf(value, [&](const PyValue &column) { return copyAsList(in, column); });
  if (value.isRuntimeList()) {
    PyValue copy = withRowsOf(in, value, listArray(in, value),
                              PyValue::list(PyValue::runtime(Value()), value->levels, value->isPython));
    if (value->holdsCopies) { // of arrays that others have, as those of the first list
      copy->holdsCopies = value->holdsCopies;
      copy->site = value->site;
    }
    return copy;
  }
  if (value.isSequence()) {
    PyValue copy = PyValue::sequence(value->items, true);
    copy->depth = in.env.depth;
    copy->site = isSiteOfGlobal(value->site) ? "" : value->site;
    return copy;
  }
  if (value.rank() > 1 && !isFresh(value)) // views of its rows
    return callInLibrary(in, "iteration.list_of", {value});
  Value array = valueOf(in, value);
  return array ? PyValue::list(PyValue::runtime(in.ir.newArray(array)), 1, false) : PyValue::poison();
}

PyValue listOf(Interpreter &in, const PyValue &value) {
  PyValue list = copyAsList(in, value);
  if (list.hasItems())
    list->isList = true;
  if (list.hasItems())
    list->owner = in.env.frame.get(); // nobody else has it
  return list;
}

static bool isStarred(const py::Object &node) { return py::typeName(node) == "Starred"; }

/// What the elements of a display are, before those with a star are taken apart.
static std::vector<PyValue> elementsOf(Interpreter &in, const std::vector<py::Object> &nodes) {
  std::vector<PyValue> values;
  for (const py::Object &node : nodes)
    values.push_back(in.env.bound(in.expression(isStarred(node) ? node["value"] : node)));
  return values;
}

static PyValue displayOf(Interpreter &in, const py::Object &display, ArrayRef<PyValue> values) {
  PyValue list = PyValue::sequence({}, true);
  list->depth = in.env.depth;
  list->owner = in.env.frame.get();
  std::vector<py::Object> nodes = display.list("elts");
  for (auto [node, value] : llvm::zip(nodes, values)) {
    std::vector<PyValue> items{value};
    if (value.isPoison())
      return value;
    if (isStarred(node)) {
      items.clear();
      if (!asSequence(in, value, items)) { // from here on the length is known at run time only
        NodeScope scope(in, node);
        std::string name = "%list" + std::to_string(in.temporaries++);
        list->site = siteOf(in, display); // what it is found to hold is noted there
        list = mixedAt(in, list);
        if (list.isPoison())
          return list;
        in.env.frame->bindings[name] = list;
        list = extended(in, name, list, value);
        in.env.frame->bindings.erase(name);
        if (list.isPoison())
          return list;
        continue;
      }
    }
    for (const PyValue &item : items) {
      if (list.isSequence())
        list->items.push_back(item);
      else
        list = appended(in, list, item, PyValue::object(py::none()));
      if (list.isPoison())
        return list;
    }
  }
  list->owner = in.env.frame.get();
  list->site.clear();
  return list;
}

PyValue listDisplay(Interpreter &in, const py::Object &display) {
  return displayOf(in, display, elementsOf(in, display.list("elts")));
}

PyValue tupleDisplay(Interpreter &in, const py::Object &display) {
  std::vector<py::Object> nodes = display.list("elts");
  std::vector<PyValue> values = elementsOf(in, nodes);
  std::function<PyValue()> made = [&]() -> PyValue {
    for (auto [node, value] : llvm::zip(nodes, values)) {
      // One of several tuples of known length makes one of several.
      bool isOneOf =
          isStarred(node) && value.is(PyValue::Kind::Union) && llvm::all_of(value->items, [](const PyValue &one) {
            return one.is(PyValue::Kind::Unbound) || (one.isSequence() && isTuple(one));
          });
      if (isOneOf)
        return overAlternatives(in, PyValue(value), [&, &value = value](PyValue one) {
          value = one;
          return made();
        });
    }
    PyValue list = displayOf(in, display, values);
    return list.isPoison() ? list : list.asTuple();
  };
  return made();
}

} // namespace npcc::frontend
