#include "frontend/importer/Boxes.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

static const py::Object &listType() {
  static const py::Object type = py::import("builtins")["list"];
  return type;
}

static const py::Object &tupleType() {
  static const py::Object type = py::import("builtins")["tuple"];
  return type;
}

static const py::Object &itemsKey() {
  static const py::Object key = py::string("items");
  return key;
}

static std::string itemsName(const PyValue &box) { return "@" + std::to_string(box->id) + ".items"; }

/// Nodes are copied where a generator's body becomes a loop: their place in the source stays.
std::string siteIn(const std::string &file, const py::Object &node) {
  std::string site = file;
  for (const char *number : {"lineno", "col_offset", "end_lineno", "end_col_offset"})
    site += ":" + std::to_string(node.integer(number, 0));
  return site + ":" + py::typeName(node);
}

/// What the library makes is told apart by the place in the program that calls it: the values of one dict need not be
/// like those of another.
std::string siteOf(Interpreter &in, const py::Object &node) {
  std::string site = siteIn(in.env.frame->file, node);
  if (in.env.frame->isLibrary) {
    llvm::raw_string_ostream stream(site);
    stream << '@' << in.env.frame->callLoc << in.currentArgument;
  }
  return site;
}

/// Whether a container of the library is being made: what it holds changes wherever the program changes it.
static bool isOfContainer(Interpreter &in) {
  const Frame &frame = *in.env.frame;
  return frame.isLibraryCode && py::typeName(frame.definition) == "FunctionDef" &&
         frame.definition.string("name") == "__init__" &&
         llvm::any_of(ArrayRef<StringRef>{"hashed", "dicts", "set_tables", "sets", "deques"}, [&](StringRef module) {
           return StringRef(frame.file).ends_with(("npcc/library/" + module + ".py").str());
         });
}

bool isBoxedAt(Interpreter &in, const std::string &site) { return in.outlines->boxed.count(site) > 0; }

bool isBoxedAt(Interpreter &in, const py::Object &node) { return isBoxedAt(in, siteOf(in, node)); }

void makesObjects(Interpreter &in, const py::Object &node) {
  in.outlines->foundInTime |= in.outlines->boxed.insert(siteOf(in, node)).second;
}

bool isTupleBox(const PyValue &value) { return value.is(PyValue::Kind::Instance) && value->cls == tupleType(); }

bool isBox(const PyValue &value) {
  return isTupleBox(value) || (value.is(PyValue::Kind::Instance) && value->cls == listType());
}

PyValue makeBox(Interpreter &in, const PyValue &list) {
  PyValue box = newInstance(in, listType());
  box->site = list->site;
  storeHeld(in, box, itemsKey(), list);
  return box;
}

PyValue asMade(Interpreter &in, const PyValue &list, bool isBoxed) {
  PyValue made = mixedAt(in, list);
  if (made.isPoison())
    return made;
  if (isTabledAt(in, tableKey(in, made)))
    return tabledList(in, made);
  return isBoxed ? makeBox(in, made) : made;
}

PyValue madeAt(Interpreter &in, const py::Object &node, const PyValue &value) {
  return madeAt(in, siteOf(in, node), value);
}

PyValue madeAt(Interpreter &in, const std::string &site, const PyValue &value) {
  if (value.is(PyValue::Kind::Union)) { // tuples of several lengths, say, with one item more
    auto isNew = [](const PyValue &one) { return one.isSequence() && isTuple(one) && !one->cls && one->site.empty(); };
    if (!llvm::any_of(value->items, isNew))
      return value;
    for (const PyValue &one : value->items)
      if (isNew(one))
        one->site = site;
    auto isRow = [&](const PyValue &one) {
      return one.isSequence() && isTuple(one) && one->site == site &&
             (isTabledByPlaces(in, one) || isTabledTuple(in, one));
    };
    if (llvm::none_of(value->items, isRow))
      return value;
    return overAlternatives(in, value, [&](PyValue one) { return madeAt(in, site, one); });
  }
  if (isTuple(value) && isRuntimeLength(value)) { // it may be a value of others, which were made elsewhere
    PyValue made = value.asTuple();
    if (!made->holdsCopies || made->site.empty()) // what makes it has to keep the arrays, where that is needed
      made->site = site;
    return asMade(in, made, /*isBoxed=*/false);
  }
  if (value.isSequence() && isTuple(value) && !value->cls) {
    if (value->site.empty())
      value->site = site;
    return isTabledByPlaces(in, value) ? tabledByPlaces(in, value)
           : isTabledTuple(in, value)  ? tabledList(in, value)
                                       : value;
  }
  // An item of a list of lists is part of that one, whatever gave it.
  bool isHeld = (isList(value) && !value->isItem) || (isDictionary(value) && !value.isTabled());
  if (!isHeld || !value->site.empty())
    return value;
  value->site = site;
  if (isDictionary(value) && isBoxedAt(in, site)) // what a factory gives, whose keys the program computes
    return newContainer(in, "Dict", heldKeys(in, value).empty() ? std::vector<PyValue>() : std::vector{value}, site);
  return isList(value) ? asMade(in, value, isBoxedAt(in, value->site) || isOfContainer(in)) : asMadeDict(in, value);
}

/// The places whose lists are to be objects, with those whose lists meet them.
static void noteBoxed(Interpreter &in, const std::string &site) {
  if (site.empty() || site == "given" || noteChangedAt(in, site) || !in.outlines->boxed.insert(site).second)
    return;
  in.outlines->foundMore = true;
  for (const std::string &other : in.outlines->met[site])
    noteBoxed(in, other);
}

PyValue needsBox(Interpreter &in, const PyValue &value, const Twine &message, const Twine &hint) {
  if (value->isItem && !isSiteOfGlobal(value->site)) // of a list of lists of one length, which will have several
    return needsTable(in, value, message, hint);
  if (isDictionary(value) && value.isTabled())
    for (const std::string &site : placesOfDicts(in, value))
      noteBoxed(in, site);
  else
    noteBoxed(in, value->site);
  return in.fail(message, hint);
}

void noteMeeting(Interpreter &in, ArrayRef<PyValue> values, ArrayRef<Edge> edges) {
  bool anyNamed = false;
  for (auto [value, edge] : llvm::zip(values, edges)) {
    if (!isList(value))
      continue;
    bool isNamed = value->isShared || value->isJoined || isOfCaller(in, value) || countNames(edge.bindings, value) > 1;
    value->isJoined |= isNamed;
    anyNamed |= isNamed;
  }
  if (!anyNamed)
    return;
  for (const PyValue &value : values)
    for (const PyValue &other : values)
      if (isList(value) && isList(other) && !other->site.empty() && value->site != other->site)
        in.outlines->met[value->site].insert(other->site);
}

PyValue unboxed(Interpreter &in, const PyValue &value) {
  if (!isBox(value))
    return value;
  if (!value.isTabled())
    return readHeld(in, value, itemsKey());
  if (isOfPlaces(in, value))
    return tupleOfPlaces(in, value);
  PyValue items = tabledItems(in, value);
  return isTupleBox(value) && !items.isPoison() ? items.asTuple() : items;
}

PyValue unboxedDeeply(Interpreter &in, const PyValue &value) {
  PyValue list = unboxed(in, value);
  if (!list.isSequence() || llvm::none_of(list->items, [](const PyValue &item) {
        return item.is(PyValue::Kind::Instance) || item.isSequence();
      }))
    return list;
  std::vector<PyValue> items = list->items;
  for (PyValue &item : items)
    if (!isTupleBox(item) || !isOfPlaces(in, item)) // which may hold others of its kind, without end
      item = unboxedDeeply(in, item);
  return list.withItems(std::move(items));
}

void storeInBox(Interpreter &in, const PyValue &box, const PyValue &given) {
  if (box.isTabled()) {
    callTabledList(in, box, "assign", {given});
    return;
  }
  PyValue list = isRuntimeLength(given) ? ofRuntimeLength(in, given) : given; // with room for more
  if (list.isPoison())
    return;
  list->owner = in.env.frame.get();
  list->isShared = false;
  if (box->id < in.env.changedLists.firstOwn)
    in.env.changedLists.boxes.insert(box->id);
  storeHeld(in, box, itemsKey(), list);
}

/// Whether what the list holds is known, and changes at compile time: where nothing of the program decides.
static bool isKnownHere(Interpreter &in, const PyValue &list) {
  return list.isSequence() && list->depth == in.env.depth;
}

/// A list of its own with the same items.
static PyValue copyOf(Interpreter &in, const PyValue &list) {
  PyValue copy = PyValue::sequence(list->items, true);
  copy->depth = in.env.depth;
  copy->owner = in.env.frame.get();
  copy->site = list->site;
  return copy;
}

/// Methods that change how many items there are.
static std::optional<PyValue> changeLength(Interpreter &in, const PyValue &box, const std::string &method, Call &call) {
  size_t count = call.args.size();
  bool isPop = method == "pop" && count <= 1, isRemove = method == "remove" && count == 1,
       isClear = method == "clear" && count == 0, isAppend = method == "append" && count == 1,
       isExtend = method == "extend" && count == 1, isInsert = method == "insert" && count == 2;
  if (!isPop && !isRemove && !isClear && !isAppend && !isExtend && !isInsert)
    return std::nullopt;
  if (box.isTabled() && !isExtend)
    return callTabledList(in, box, method, call.args);
  PyValue none = PyValue::object(py::none()), given = none, list = unboxed(in, box);
  if (list.isPoison())
    return list;
  if (isExtend) {
    extendBox(in, box, call.args[0]);
    return none;
  }
  PyValue at = isInsert || (isPop && count) ? call.args[0] : none,
          item = isAppend || isInsert ? call.args.back() : none;
  if (isRemove) {
    at = callIteration(in, "position_of",
                       {list, call.args[0], PyValue::object(py::string("list.remove(x): x not in list"))});
    if (at.isPoison())
      return at;
  }
  std::optional<int64_t> knownAt = at.isNone() ? std::optional<int64_t>() : asInteger(in, at);
  if (isKnownHere(in, list) && (at.isNone() || knownAt)) {
    PyValue changed = copyOf(in, list);
    Call known = call;
    if (isRemove)
      known.args = {at};
    given = callMethod(in, changed, isRemove ? "pop" : method, known);
    if (!given.isPoison())
      storeInBox(in, box, changed);
    return isRemove ? none : given;
  }
  PyValue longer;
  if (isAppend || isInsert) {
    longer = appended(in, list, item, at);
  } else {
    if (isClear && list.isSequence() && list->items.empty())
      return none;
    if (isPop && list.isSequence() && list->items.empty())
      return in.fail("IndexError: pop from empty list");
    longer = ofRuntimeLength(in, list);
    if (!longer.isPoison())
      longer = shortened(in, longer, isClear ? "clear" : "pop", at, given);
  }
  if (longer.isPoison())
    return longer;
  storeInBox(in, box, longer);
  return isPop ? given : none;
}

void extendBox(Interpreter &in, const PyValue &box, const PyValue &given) {
  if (box.isTabled()) {
    callTabledList(in, box, "extend", {unboxed(in, given)}); // as it is now, which may be the same list
    return;
  }
  PyValue list = unboxed(in, box), more = unboxed(in, given);
  if (list.isPoison() || more.isPoison())
    return;
  std::vector<PyValue> items;
  if (isKnownHere(in, list) && asSequence(in, more, items)) {
    PyValue changed = copyOf(in, list);
    for (const PyValue &item : items)
      changed->items.push_back(in.env.bound(item));
    storeInBox(in, box, changed);
    return;
  }
  if (list.isSequence() && list->items.empty() && isRuntimeLength(more)) {
    storeInBox(in, box, ofRuntimeLength(in, listOf(in, more)));
    return;
  }
  storeInBox(in, box, extended(in, itemsName(box), list, more));
}

PyValue callBoxMethod(Interpreter &in, const PyValue &box, const std::string &name, Call &call) {
  if (isTupleBox(box))
    return callMethod(in, unboxed(in, box), name, call);
  if (std::optional<PyValue> result = changeLength(in, box, name, call))
    return *result;
  PyValue list = unboxed(in, box);
  if (list.isPoison())
    return list;
  if (name == "sort" || name == "reverse") {
    // A new list, which takes its place.
    PyValue changed;
    if (name == "sort") {
      Call sort = call;
      sort.args.insert(sort.args.begin(), list);
      changed = callObject(in, py::import("builtins")["sorted"], sort);
    } else {
      PyValue none = PyValue::object(py::none());
      changed = subscript(in, list, PyValue::slice(none, none, PyValue::object(py::integer(-1))));
    }
    if (changed.isPoison())
      return changed;
    if (changed.isSequence())
      changed = copyOf(in, changed);
    storeInBox(in, box, changed);
    return PyValue::object(py::none());
  }
  return callMethod(in, list, name, call);
}

void storeBoxItem(Interpreter &in, const PyValue &box, const PyValue &index, const PyValue &value) {
  if (isTupleBox(box)) {
    in.fail("TypeError: 'tuple' object does not support item assignment");
    return;
  }
  if (box.isTabled()) {
    callTabledList(in, box, "store", {index, value});
    return;
  }
  PyValue list = unboxed(in, box);
  if (list.isPoison())
    return;
  std::optional<int64_t> at = asInteger(in, index);
  if (list.isSequence() && at) {
    int64_t count = list->items.size(), position = *at < 0 ? *at + count : *at;
    if (position < 0 || position >= count) {
      in.fail("IndexError: list assignment index out of range");
      return;
    }
    PyValue changed = copyOf(in, list);
    changed->items[position] = in.env.bound(value);
    storeInBox(in, box, changed);
    return;
  }
  if (list.isSequence() && llvm::any_of(list->items, [](const PyValue &item) { return item.isNone(); })) {
    needsMixed(in, list, in.env.bound(value), "an item of a list that holds None is stored at a position of run time",
               "let the items be numbers, strings, tuples of these, or None");
    return;
  }
  PyValue changing = ofRuntimeLength(in, list);
  if (changing.isPoison())
    return;
  if (changing.isRuntimeList() && changing->isPython && value.isNumpyScalar())
    changing = asNumpys(changing);
  storeListItem(in, changing, index, value);
  storeInBox(in, box, changing);
}

/// What stands before and behind a slice of step 1.
static std::pair<PyValue, PyValue> around(Interpreter &in, const PyValue &list, const PyValue &slice) {
  PyValue none = PyValue::object(py::none());
  auto part = [&](const PyValue &from, const PyValue &to) {
    return subscript(in, list, PyValue::slice(from, to, none));
  };
  PyValue zero = PyValue::object(py::integer(0)), length = lengthOf(in, list);
  PyValue start = slice->items[0].isNone() ? zero : slice->items[0];
  PyValue stop = slice->items[1].isNone() ? length : slice->items[1];
  // l[3:1] = x puts x at 3.
  auto fromStart = [&](const PyValue &bound) {
    PyValue isNegative = compare(in, "Lt", bound, zero);
    return choose(in, isNegative, [&] { return binary(in, "Add", bound, length); }, [&] { return bound; });
  };
  start = fromStart(start);
  stop = fromStart(stop);
  stop = choose(in, compare(in, "Lt", stop, start), [&] { return start; }, [&] { return stop; });
  return {part(zero, start), part(stop, none)};
}

void storeSlice(Interpreter &in, const PyValue &base, const PyValue &slice, const PyValue &value) {
  PyValue list = unboxed(in, base), items = unboxed(in, value);
  if (!isBox(base)) {
    needsBox(in, base, "a slice of this list cannot be assigned to", "make the list in the compiled function");
    return;
  }
  std::optional<int64_t> step = slice->items[2].isNone() ? 1 : asInteger(in, slice->items[2]);
  std::vector<PyValue> known;
  if (!isList(items)) {
    if (!asSequence(in, items, known)) {
      in.fail("TypeError: can only assign an iterable");
      return;
    }
    items = PyValue::sequence(std::move(known), true);
  }
  if (step != 1) {
    callIteration(in, "store_extended", {base, slice->items[0], slice->items[1], slice->items[2], items});
    return;
  }
  auto [before, behind] = around(in, list, slice);
  if (before.isPoison() || behind.isPoison())
    return;
  PyValue all = binary(in, "Add", binary(in, "Add", before, items), behind);
  if (all.isPoison())
    return;
  if (all.isSequence())
    all = copyOf(in, all);
  storeInBox(in, base, all);
}

void deleteItem(Interpreter &in, const PyValue &base, const PyValue &position) {
  if (isDictionary(base)) {
    deleteDictItem(in, base, position);
    return;
  }
  if (base.is(PyValue::Kind::Instance) && !isBox(base)) {
    if (!callSpecial(in, base, "__delitem__", {position}))
      in.fail("TypeError: '" + base->cls.string("__name__") + "' object doesn't support item deletion");
    return;
  }
  if (refusesChange(in, base, "an item is deleted from"))
    return;
  if (!isBox(base) && !isList(base)) {
    in.fail("TypeError: " + describe(in, base) + " doesn't support item deletion");
    return;
  }
  if (!isBox(base)) {
    needsBox(in, base, "an item of this list cannot be deleted", "make the list in the compiled function");
    return;
  }
  if (position.is(PyValue::Kind::Slice) && !position->items[2].isNone() && asInteger(in, position->items[2]) != 1) {
    callIteration(in, "delete_extended", {base, position->items[0], position->items[1], position->items[2]});
    return;
  }
  if (position.is(PyValue::Kind::Slice))
    return storeSlice(in, base, position, PyValue::sequence({}, true));
  Call pop;
  pop.args = {position};
  callBoxMethod(in, base, "pop", pop);
}

//===---- Dicts, sets, deques
//--------------------------------------------------------------------------------------===//

PyValue newContainer(Interpreter &in, const char *cls, std::vector<PyValue> arguments, const std::string &site) {
  Call call;
  call.node = in.currentNode;
  call.args = std::move(arguments);
  call.site = site;
  return callClass(in, py::import("npcc.library.containers")[cls], call);
}

bool isContainerClass(const py::Object &cls) {
  std::string module = cls.string("__module__");
  return module == "npcc.library.dicts" || module == "npcc.library.sets" || module == "npcc.library.set_tables" ||
         module == "npcc.library.deques";
}

bool isContainer(const PyValue &value, const char *cls) {
  return value.is(PyValue::Kind::Instance) && value->cls.string("__name__") == cls && isContainerClass(value->cls);
}

} // namespace npcc::frontend
