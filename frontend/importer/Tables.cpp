#include "frontend/importer/Tables.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LateAttributes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/TupleTables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

//===---- What is tabled
//------------------------------------------------------------------------------------------------===//

static constexpr StringRef listPrefix = "list ";

static const py::Object &dictType() {
  static const py::Object type = py::import("builtins")["dict"];
  return type;
}

std::string tableKey(Interpreter &in, const py::Object &cls, StringRef site) {
  std::string key = "class " + classKey(in, cls);
  bool isOfPlace = isContainerClass(cls) || isOfGenerators(cls) || cls == dictType();
  return isOfPlace ? key + " " + site.str() : key;
}

static const py::Object &tupleType() {
  static const py::Object type = py::import("builtins")["tuple"];
  return type;
}

std::string tableKey(Interpreter &in, const PyValue &value) {
  bool isListValue = isBox(value) || isList(value) || isLongTuple(value);
  if (isListValue)
    return value->site.empty() || value->site == "given" ? "" : (listPrefix + value->site).str();
  if (isDictionary(value) && !canBeRowOfDicts(in, value))
    return "";
  bool isObject = value.is(PyValue::Kind::Instance) && !value->site.empty();
  return isObject ? tableKey(in, value->cls, value->site) : "";
}

std::string rowKey(Interpreter &in, const PyValue &value) {
  if (isTabledByPlaces(in, value))
    return keyOfPlaces(value);
  bool isKnownTuple = value.isSequence() && isTuple(value) && !value->cls && !value->site.empty();
  return isKnownTuple ? (listPrefix + value->site).str() : tableKey(in, value);
}

/// The key of the table whose rows these are.
static std::string rootOf(Interpreter &in, std::string key) {
  const std::map<std::string, std::string> &tabled = in.outlines->tabled;
  for (auto found = tabled.find(key); found != tabled.end() && found->second != key; found = tabled.find(key))
    key = found->second;
  return key;
}

std::string keyOfTable(Interpreter &in, unsigned id) {
  for (const auto &[key, table] : in.tables)
    if (table->id == id)
      return key;
  return "";
}

std::string tableOfRow(Interpreter &in, const PyValue &value) {
  return value.isTabled() ? keyOfTable(in, value->id) : rootOf(in, tableKey(in, value));
}

/// The table itself.
static PyValue tableOf(Interpreter &in, unsigned id) {
  auto found = in.tables.find(keyOfTable(in, id));
  return found == in.tables.end() ? PyValue::poison() : found->second;
}

bool isTabledAt(Interpreter &in, const std::string &key) { return in.outlines->tabled.count(key) > 0; }

bool isTabledTuple(Interpreter &in, const PyValue &tuple) { return isTabledAt(in, rowKey(in, tuple)); }

bool canBeTabled(Interpreter &in, const PyValue &value) { return !value.isTabled() && !tableKey(in, value).empty(); }

void noteTabled(Interpreter &in, const PyValue &value) {
  std::string key = rowKey(in, value);
  if (countPlaces(key))
    return noteTabledByPlaces(in, value);
  if (StringRef(key).starts_with(listPrefix) && noteChangedAt(in, StringRef(key).drop_front(listPrefix.size())))
    return;
  if (!in.outlines->tabled.emplace(key, key).second)
    return;
  bool isObject = value.is(PyValue::Kind::Instance) && !isBox(value);
  bool isTupleValue = isTuple(value) || isTupleBox(value);
  in.outlines->tabledClasses[key] = isObject ? value->cls : py::import("builtins")[isTupleValue ? "tuple" : "list"];
  in.outlines->foundMore = true;
  if (isObject)
    noteAttributes(in, key, value);
}

PyValue needsTable(Interpreter &in, const PyValue &value, const Twine &message, const Twine &hint) {
  if (isDictionary(value) && !canBeTabled(in, value)) // one whose keys are computed may be
    return needsBox(in, value, message, hint);
  if (canBeTabled(in, value))
    noteTabled(in, value);
  noteResumed(in, value);
  return in.fail(message, hint);
}

bool unite(Interpreter &in, const PyValue &left, const PyValue &right) {
  auto isAnyTuple = [](const PyValue &value) { return isTupleBox(value) || isTuple(value); };
  if (isAnyTuple(left) != isAnyTuple(right))
    return false;
  // The objects of a table have one class.
  auto isObject = [](const PyValue &value) { return value.is(PyValue::Kind::Instance) && !isBox(value); };
  if (isObject(left) && isObject(right) && (!(left->cls == right->cls) || !goOnAlike(in, left, right)))
    return false;
  // Tuples of a known length are rows of a table for tuples of this length, where one of both is.
  auto hasPlaces = [&](const PyValue &value) {
    return value.isTabled() ? isOfPlaces(in, value) : isTabledByPlaces(in, value);
  };
  if (hasPlaces(left) != hasPlaces(right)) {
    const PyValue &row = hasPlaces(left) ? left : right, &other = hasPlaces(left) ? right : left;
    size_t count = row.isTabled() ? countPlaces(keyOfTable(in, row->id)) : row->items.size();
    if (keyOfPlaces(other).empty() || other->items.size() != count)
      return false;
    noteTabledByPlaces(in, other);
  }
  std::string keys[2];
  for (auto [key, value] : llvm::zip(keys, ArrayRef<PyValue>{left, right})) {
    key = value.isTabled() ? keyOfTable(in, value->id) : rowKey(in, value);
    if (key.empty())
      return false;
  }
  if (countPlaces(keys[0]) != countPlaces(keys[1]))
    return false;
  for (const PyValue &value : {left, right})
    if (!value.isTabled())
      noteTabled(in, value);
  std::string mine = rootOf(in, keys[0]), other = rootOf(in, keys[1]);
  in.outlines->foundMore |= mine != other;
  in.outlines->tabled[other] = mine;
  return true;
}

/// Whether a list's items are rows of a table of lists or objects.
static bool holdsRows(Interpreter &in, const PyValue &list) {
  return list.isRows() && list->cls && !keyOfTable(in, list->id).empty();
}

bool meetInTable(Interpreter &in, const PyValue &left, const PyValue &right, bool isCarried) {
  if (holdsRows(in, left) && holdsRows(in, right)) {
    // Lists of what different places make are one list where they meet: what is put into it later goes into one table.
    auto row = [](const PyValue &list) { return tabled(list->cls, list->id, PyValue::object(py::integer(0))); };
    return left->id != right->id && unite(in, row(left), row(right));
  }
  auto isAnyList = [](const PyValue &value) { return isBox(value) || isList(value) || isLongTuple(value); };
  bool areLists = isAnyList(left) && isAnyList(right);
  bool areObjects = left.is(PyValue::Kind::Instance) && right.is(PyValue::Kind::Instance) && left->cls == right->cls;
  if (!areLists && !areObjects)
    return false;
  if (left.isTabled() || right.isTabled())
    return !(left.isTabled() && right.isTabled() && left->id == right->id) && unite(in, left, right);
  // A loop makes others in each iteration.
  bool areOfOnePlace = areObjects && !(left == right) && left->site == right->site && !left->site.empty();
  return isCarried && areOfOnePlace && unite(in, left, right);
}

/// How many objects there are: no attribute has such a name.
static const py::Object &countKey() {
  static const py::Object key = py::string("%count");
  return key;
}

PyValue emptyColumn(Interpreter &in) {
  PyValue list = PyValue::sequence({}, true);
  list->owner = in.env.frame.get();
  list->depth = in.env.depth;
  return list;
}

/// No items of a table's lists, which may be of several types: those of each list, and those that were found when one
/// was put into the table.
static PyValue emptyItems(Interpreter &in, const std::string &key) {
  PyValue list = emptyColumn(in);
  list->site = "items of " + key;
  std::set<std::string> kinds;
  for (const auto &[site, noted] : in.outlines->mixed)
    if (rootOf(in, (listPrefix + site).str()) == key || site == list->site)
      kinds.insert(noted.begin(), noted.end());
  return kinds.empty() ? list : asMixed(in, list, std::vector<std::string>(kinds.begin(), kinds.end()));
}

/// An attribute of no objects, which may be of several types.
static PyValue emptyColumnOf(Interpreter &in, const std::string &table, const std::string &name) {
  PyValue list = emptyColumn(in);
  list->site = siteOfAttribute(table, name);
  return mixedAt(in, list);
}

void makeTables(Interpreter &in) {
  for (const auto &[key, root] : in.outlines->tabled) {
    if (key != root)
      continue;
    bool isOfLists = StringRef(key).starts_with(listPrefix);
    PyValue table = newInstance(in, py::import("npcc.library.tables")[isOfLists ? "Lists" : "Objects"]);
    if (isOfLists)
      for (const char *part : {"items", "starts", "lengths", "rooms"})
        storeHeld(in, table, py::string(part),
                  makeBox(in, StringRef(part) == "items" ? emptyItems(in, key) : emptyColumn(in)));
    else
      storeHeld(in, table, countKey(), PyValue::object(py::integer(0)));
    for (const std::string &name : in.outlines->attributes[key])
      storeHeld(in, table, py::string(name), makeBox(in, emptyColumnOf(in, key, name)));
    in.tables[key] = table;
  }
  makeTupleTables(in);
}

static PyValue tableFor(Interpreter &in, const std::string &key) {
  auto found = in.tables.find(rootOf(in, key));
  // It was found after the import had begun.
  return found == in.tables.end() ? in.fail("'" + key + "' makes any number of objects") : found->second;
}

//===---- Rows
//----------------------------------------------------------------------------------------------------------===//

size_t tableNumber(Interpreter &in, unsigned id) {
  auto isIt = [&](const auto &table) { return table.second->id == id; };
  return std::distance(in.tables.begin(), llvm::find_if(in.tables, isIt));
}

PyValue tabled(const py::Object &cls, unsigned id, const PyValue &number) {
  auto data = std::make_shared<Composite>();
  data->cls = cls;
  data->id = id;
  data->items = {number};
  return PyValue::composite(PyValue::Kind::Instance, data);
}

PyValue orNone(Interpreter &in, const PyValue &row) {
  Value number = valueOf(in, row->items[0]);
  if (!number) // behind an error
    return PyValue::poison();
  Value zero = in.ir.constantInteger(in.ir.getI64Type(), 0);
  Value isNone = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, number, zero);
  auto data = std::make_shared<Composite>();
  data->items = {PyValue::object(py::none()), row};
  Value one = in.ir.constantInteger(in.ir.getI64Type(), 1);
  return PyValue::unionValue(in.ir.createOrFold<arith::SelectOp>(isNone, zero, one), data);
}

PyValue asRowOf(Interpreter &in, const PyValue &rows, const PyValue &value) {
  if (value.isPoison()) // such as what a call gives that is taken to never return
    return value;
  if (isMixed(rows))
    return asMixedItem(in, rows, value);
  auto isRow = [&](const PyValue &one) { return one.isTabled() && one->id == rows->id; };
  auto row = [&](const PyValue &number) {
    PyValue result = tabled(rows->cls, rows->id, number);
    result->isOptional = rows->isOptional;
    return result;
  };
  if (rows->id == stringTable && isString(value))
    return numbered(in, value);
  // A tuple of known length becomes a row where it is put among others; not where paths meet, whose tables it would
  // change.
  bool isTupleValue = isTuple(value) && !value->cls;
  if (rows->cls == tupleType() && isTupleValue && !in.env.isFlushing) {
    if (isOfPlaces(in, rows) && value.isSequence())
      return tabledByPlaces(in, rows, value);
    Call make;
    make.node = in.currentNode;
    make.args = {value};
    PyValue number = callInstanceMethod(in, tableOf(in, rows->id), "made_of", make);
    return number.isPoison() ? number : tabled(rows->cls, rows->id, number);
  }
  if (isRow(value))
    return row(value->items[0]);
  PyValue none = PyValue::object(py::integer(-1));
  if (rows->isOptional && value.isNone())
    return row(none);
  if (rows->isOptional && value.is(PyValue::Kind::Union) && llvm::all_of(value->items, [&](const PyValue &one) {
        return one.is(PyValue::Kind::Unbound) || one.isNone() || isRow(one);
      }))
    return row(overAlternatives(in, value, [&](PyValue one) { return isRow(one) ? one->items[0] : none; }));
  PyValue model = tabled(rows->cls, rows->id, none);
  if (isDictionary(value) && !canBeTabled(in, value) && !value.isTabled())
    return needsBox(in, value, "a list of " + describe(in, model) + " takes a dict", "let all items have one type");
  bool canBeRow = value.is(PyValue::Kind::Instance) || isList(value) || isTuple(value);
  if (canBeRow && unite(in, model, value))
    return in.fail("an item of another table is put into a list of " + describe(in, model));
  return needsMixed(in, rows, value, "an item of another type is put into a list of " + describe(in, model),
                    "let all items have one type");
}

//===---- Objects
//-------------------------------------------------------------------------------------------------------===//

PyValue newTabled(Interpreter &in, const std::string &key) {
  PyValue table = tableFor(in, key);
  if (table.isPoison())
    return table;
  PyValue number = readHeld(in, table, countKey());
  storeHeld(in, table, countKey(), binary(in, "Add", number, PyValue::object(py::integer(1))));
  return tabled(in.outlines->tabledClasses[rootOf(in, key)], table->id, number);
}

PyValue tabledObject(Interpreter &in, const py::Object &cls, StringRef site) {
  PyValue row = newTabled(in, tableKey(in, cls, site));
  return row.isPoison() ? newInstance(in, cls) : tabled(cls, row->id, row->items[0]);
}

void noteUnfinished(Interpreter &in, const PyValue &row) {
  in.outlines->foundMore |= in.outlines->unfinished.insert(keyOfTable(in, row->id)).second;
}

std::vector<py::Object> tabledKeys(Interpreter &in, const PyValue &row) {
  std::vector<py::Object> keys = heldKeys(in, tableOf(in, row->id));
  std::string table = keyOfTable(in, row->id);
  llvm::erase_if(keys, [](const py::Object &key) { return key == countKey() || isSetKey(py::toString(key.get())); });
  for (const auto &[attribute, of] : in.outlines->optional)
    if (attribute.first == table && llvm::none_of(keys, [&, &name = attribute.second](const py::Object &key) {
          return py::toString(key.get()) == name;
        }))
      keys.push_back(py::string(attribute.second));
  for (const auto &[attribute, constant] : in.outlines->constants)
    if (attribute.first == table)
      keys.push_back(py::string(attribute.second));
  if (isResumable(row))
    keys.push_back(py::string("resume"));
  const std::vector<std::string> &order = in.outlines->order[table];
  llvm::stable_sort(keys, [&](const py::Object &left, const py::Object &right) {
    return llvm::find(order, py::toString(left.get())) < llvm::find(order, py::toString(right.get()));
  });
  return keys;
}

PyValue columnItems(Interpreter &in, const PyValue &column) {
  PyValue list = unboxed(in, column);
  if (!list.isSequence() || list->items.empty())
    return list;
  list = ofRuntimeLength(in, list);
  if (!list.isPoison())
    storeInBox(in, column, list);
  return list;
}

PyValue tabledCount(Interpreter &in, const PyValue &row) { return readHeld(in, tableOf(in, row->id), countKey()); }

PyValue heldByTable(Interpreter &in, const PyValue &row, const py::Object &key) {
  PyValue table = tableOf(in, row->id);
  return holds(in, table, key) ? readHeld(in, table, key) : PyValue::poison();
}

PyValue tabledColumn(Interpreter &in, const PyValue &row, const py::Object &key) {
  PyValue table = tableOf(in, row->id);
  auto constant = in.outlines->constants.find({keyOfTable(in, row->id), py::toString(key.get())});
  if (constant != in.outlines->constants.end())
    return fromObject(in, constant->second);
  return holds(in, table, key) ? unboxed(in, readHeld(in, table, key)) : PyValue::object(py::none());
}

PyValue readTabled(Interpreter &in, const PyValue &row, const py::Object &key) {
  PyValue table = tableOf(in, row->id);
  std::string name = py::toString(key.get());
  if (isResumable(row) && name == "resume")
    return resumptionOf(in, row);
  bool isDict = isDictionary(row);
  const char *error = isDict ? "KeyError" : "AttributeError";
  std::string missing =
      isDict ? py::repr(key) : "'" + row->cls.string("__name__") + "' object has no attribute '" + name + "'";
  if (auto found = in.outlines->constants.find({keyOfTable(in, row->id), name}); found != in.outlines->constants.end())
    return fromObject(in, found->second);
  if (mayLack(in, row, name)) {
    PyValue isThere = isSet(in, row, name);
    if (isThere.isPoison())
      return isThere;
    if (!isThere.isRuntime() && asObject(in, isThere).get() != Py_True)
      return in.fail(error + (": " + missing));
    if (isThere.isRuntime())
      in.ir.check(isThere.ir(), error, missing);
  }
  if (!holds(in, table, key)) {
    bool isNone = in.outlines->optional.count({keyOfTable(in, row->id), name}) > 0; // always, as far as is known
    return isNone ? PyValue::object(py::none()) : in.fail(error + (": " + missing));
  }
  PyValue list = columnItems(in, readHeld(in, table, key));
  if (list.isPoison())
    return list;
  if (list.isSequence()) // no object has it
    return in.fail(error + (": " + missing));
  Value number = toIndex(in, row->items[0]);
  // Its constructor sets it, so this fails in the constructor at most: changes that the call made before need not come
  // back with the error, for which each read of an attribute would be a way out of the loops around it.
  llvm::SaveAndRestore onCheck(in.ir.onCheck);
  if (!in.env.handlerOf(exceptionClass(error)).first)
    in.ir.onCheck = nullptr;
  if (!isTupleBox(row))
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::slt, number, listLength(in, list)), error, missing);
  return listItem(in, list, number);
}

void storeTabled(Interpreter &in, const PyValue &row, const py::Object &key, const PyValue &given) {
  std::string name = py::toString(key.get());
  in.env.changedLists.ofTables |= !isBeingMade(in, row);
  PyValue table = tableOf(in, row->id), value = given;
  if (value.isPoison()) // an error was reported, or this is behind a call that does not come back
    return;
  std::pair<std::string, std::string> attribute{keyOfTable(in, row->id), name};
  if (isResumable(row) && name == "resume")
    return registerResumption(in, row, value);
  if (std::vector<std::string> &order = in.outlines->order[attribute.first]; !llvm::is_contained(order, name))
    order.push_back(name);
  bool isTupleRow = isTupleBox(row); // which is the next one, and lacks nothing
  bool isLate = !isTupleRow && noteLate(in, row, name);
  if (isLate)
    markSet(in, row, name);
  if (canBeTabled(in, value) || (isDictionary(value) && !value.isTabled())) {
    needsTable(in, value, "an attribute of one of many objects is " + describe(in, value));
    return;
  }
  std::string site = siteOfAttribute(attribute.first, name);
  auto noted = in.outlines->mixed.find(site);
  std::string kind = arrayKind(in, value);
  if (!kind.empty() && (noted == in.outlines->mixed.end() || !noted->second.count(kind))) {
    noteKinds(in, site, {kind}); // the next import has a list of arrays
    return;
  }
  if (value.isObject() && PyCallable_Check(value.object().get())) { // one for all objects
    py::Object &constant = in.outlines->constants[attribute];
    if (constant && !(constant == value.object()))
      in.fail("the attribute '" + name + "' is another function in one of many objects");
    in.outlines->foundMore |= !constant;
    constant = value.object();
    return;
  }
  if (value.isRuntimeList() || value.is(PyValue::Kind::Instance) != value.isTabled()) {
    in.fail("the attribute '" + name + "' of one of many objects cannot be " + describe(in, value),
            "keep what all of them have in one array, a row for each");
    return;
  }
  auto &optional = in.outlines->optional;
  bool isMixed = noted != in.outlines->mixed.end();
  auto found = isMixed ? optional.end() : optional.find(attribute);
  bool mayBeNone = value.isNone() || (value.is(PyValue::Kind::Union) &&
                                      llvm::any_of(value->items, [](const PyValue &one) { return one.isNone(); }));
  if (mayBeNone && !isMixed && found == optional.end()) {
    found = optional.emplace(attribute, "").first;
    in.outlines->foundMore = true;
  }
  if (found != optional.end()) {
    // Rows, or None: the table of the rows is known once one is stored.
    std::string &of = found->second;
    auto learn = [&](const PyValue &one) {
      if (!one.isTabled() || !of.empty())
        return;
      of = keyOfTable(in, one->id);
      in.outlines->foundMore = true;
    };
    learn(value);
    if (value.is(PyValue::Kind::Union))
      llvm::for_each(value->items, learn);
    if (of.empty()) { // of numbers or strings the list of all values may hold None
      if (!value.isNone() && !noteOptional(in, site, value))
        in.fail("the attribute '" + name + "' of one of many objects is None at first, and then " + describe(in, value),
                "give it a number at first");
      return;
    }
    PyValue other = tableFor(in, of);
    if (other.isPoison())
      return;
    PyValue rows = PyValue::rows({PyValue::object(py::integer(-1))}, in.outlines->tabledClasses[of]);
    rows->site = site;
    rows->id = other->id;
    rows->isOptional = true;
    value = asRowOf(in, rows, value);
    if (value.isPoison())
      return;
  }
  if (!holds(in, table, key)) { // found only now: the next import makes it with the table
    in.outlines->attributes[attribute.first].insert(name);
    in.outlines->foundMore = true;
    return;
  }
  PyValue column = readHeld(in, table, key), list = unboxed(in, column);
  if (list.isPoison())
    return;
  list->site = site; // which what came out of a call has lost
  // The object is the next one, or has the attribute, if no object may lack it.
  PyValue length = lengthOf(in, list);
  Call append;
  append.args = {value};
  // Of given objects, one that another one holds gets its attributes before that one.
  bool isGiven = StringRef(row->site).starts_with("given[");
  bool mayBeUnfinished =
      isLate || isGiven || in.outlines->unfinished.count(attribute.first) > 0 || isOfGenerators(row->cls);
  auto add = [&] {
    if (mayBeUnfinished) {
      callInLibrary(in, "tables.pass_unfinished", {column, row->items[0], value});
      callBoxMethod(in, column, "append", append);
      return;
    }
    PyValue isNext = isTupleRow ? PyValue::object(py::boolean(true)) : compare(in, "Eq", row->items[0], length);
    if (isNext.isRuntime())
      in.ir.check(isNext.ir(), "AttributeError",
                  "an object of '" + row->cls.string("__name__") + "' has no attribute '" + name + "'");
    callBoxMethod(in, column, "append", append);
  };
  if (isTupleRow || (list.isSequence() && list->items.empty()))
    return add();
  branch(in, compare(in, "Lt", row->items[0], length), [&] { storeBoxItem(in, column, row->items[0], value); }, add);
}

static constexpr StringRef rowPrefix = "row ";

std::string rowKindOf(const std::string &key) { return rowPrefix.str() + key; }

bool isRowKind(StringRef kind) { return kind.starts_with(rowPrefix); }

std::string rootOfRowKind(Interpreter &in, StringRef kind) {
  return rowPrefix.str() + rootOf(in, kind.drop_front(rowPrefix.size()).str());
}

std::string rowKind(Interpreter &in, const PyValue &value) {
  bool isKnown = value.isSequence() && isTuple(value);
  std::string key = value.isTabled() ? keyOfTable(in, value->id)
                    : isKnown        ? rootOf(in, keyOfPlaces(value))
                                     : rootOf(in, tableKey(in, value));
  return key.empty() ? "" : rowPrefix.str() + key;
}

PyValue rowOfKind(Interpreter &in, StringRef kind, const PyValue &number) {
  std::string key = rootOf(in, kind.drop_front(rowPrefix.size()).str());
  PyValue table = tableFor(in, key);
  return table.isPoison() ? table : tabled(in.outlines->tabledClasses[key], table->id, number);
}

//===---- Lists
//---------------------------------------------------------------------------------------------------------===//

PyValue callTabledList(Interpreter &in, const PyValue &row, const std::string &method, std::vector<PyValue> arguments) {
  Call call;
  call.node = in.currentNode;
  call.args = std::move(arguments);
  call.args.insert(call.args.begin(), row->items[0]);
  in.env.changedLists.ofTables = true;
  return callInstanceMethod(in, tableOf(in, row->id), method, call);
}

PyValue tabledList(Interpreter &in, const PyValue &items) {
  PyValue table = tableFor(in, rowKey(in, items));
  if (table.isPoison())
    return table;
  Call make;
  make.node = in.currentNode;
  make.args = {items};
  PyValue number = callInstanceMethod(in, table, "made_of", make);
  const py::Object &cls = in.outlines->tabledClasses[rootOf(in, rowKey(in, items))];
  return number.isPoison() ? number : tabled(cls, table->id, number);
}

PyValue tabledItems(Interpreter &in, const PyValue &row) {
  PyValue table = tableOf(in, row->id), items = columnItems(in, readHeld(in, table, py::string("items")));
  if (items.isPoison())
    return items;
  if (items.isSequence()) // none of the lists has any
    return emptyColumn(in);
  auto part = [&](const char *name) {
    return toIndex(in, subscript(in, readHeld(in, table, py::string(name)), row->items[0]));
  };
  Value start = part("starts"), length = part("lengths");
  if (!start || !length)
    return PyValue::poison();
  PyValue list = listPart(in, items, start, length);
  list->isCopy = true;
  return list;
}

} // namespace npcc::frontend
