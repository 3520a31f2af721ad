#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/TupleTables.h"
#include "frontend/importer/Unions.h"

using namespace mlir;

namespace npcc::frontend {

/// Of the keys of tables with a list for each place: "places 3 file:line:column", by the number of items.
static constexpr StringRef prefix = "places ";

//===---- Of any length
//---------------------------------------------------------------------------------------------------===//

bool isLongTuple(const PyValue &value) { return isTuple(value) && isRuntimeLength(value); }

/// As many lengths of one place's tuples tell that there may be ever more.
static constexpr size_t growingLengths = 3;

/// Whether it is a tuple that could be a row: of known length.
static bool isKnownTuple(Interpreter &in, const PyValue &value) {
  return value.isSequence() && isTuple(value) && !value->cls && !rowKey(in, value).empty();
}

bool meetAsLongTuples(Interpreter &in, const PyValue &left, const PyValue &right) {
  return isKnownTuple(in, left) && isKnownTuple(in, right) && unite(in, left, right);
}

/// The keys of the tables of the tuples that lists of several types hold: of any length, and of one.
static constexpr StringRef longKey = "list tuples";
static std::string placesKey(size_t length) { return (prefix + Twine(length) + " tuples").str(); }

/// The name of the type of a table's rows, which is noted.
static std::string kindOfTable(Interpreter &in, const std::string &key) {
  if (in.outlines->tabled.emplace(key, key).second)
    in.outlines->tabledClasses[key] = py::import("builtins")["tuple"];
  return rowKindOf(key);
}

/// A list of tuples that are no rows.
static bool isListOfTuples(const PyValue &list) {
  return list.isRows() && list->isList && !list->id && !list->cls && list->levels != 2;
}

/// Lists of tuples: the tuples that one place puts into its list have ever more items, or known lists of them have.
static bool growAsListsOfTuples(Interpreter &in, ArrayRef<PyValue> alternatives) {
  auto isKnown = [](const PyValue &list) {
    return list.isSequence() && list->isList &&
           llvm::all_of(list->items, [](const PyValue &item) { return item.isSequence() && isTuple(item); });
  };
  std::map<std::string, std::set<size_t>> lengths;
  for (const PyValue &value : alternatives)
    if ((isListOfTuples(value) || isKnown(value)) && !value->site.empty())
      lengths[value->site].insert(value->items.size());
  if (llvm::none_of(lengths, [](const auto &one) { return one.second.size() >= growingLengths; }))
    return false;
  for (const PyValue &value : alternatives)
    if ((isKnown(value) || isListOfTuples(value)) && !value->site.empty())
      noteKinds(in, value->site, {kindOfTable(in, longKey.str())});
  in.outlines->foundMore = true;
  return true;
}

/// By how many items they have, the types of tuples that are no named ones.
static std::map<size_t, std::vector<std::string>> tupleKindsOf(Interpreter &in, const std::set<std::string> &kinds) {
  std::map<size_t, std::vector<std::string>> byLength;
  for (const std::string &kind : kinds)
    if (isTupleKind(kind) && !tupleClass(in, kind))
      byLength[kindsOfTuple(kind).size()].push_back(kind);
  return byLength;
}

/// Whether there are tuples each of which holds what the one before it holds, and more at one of its ends.
static bool haveEverMore(const std::map<size_t, std::vector<std::string>> &byLength) {
  size_t grown = 0;
  std::vector<std::string> before;
  for (const auto &[length, kinds] : byLength) {
    std::vector<std::string> items = kindsOfTuple(kinds.front());
    bool isLonger = std::equal(before.begin(), before.end(), items.begin()) ||
                    std::equal(before.rbegin(), before.rend(), items.rbegin());
    grown = isLonger ? grown + 1 : 1;
    before = std::move(items);
    if (grown > growingLengths)
      return true;
  }
  return false;
}

void replaceGrowingTuples(Interpreter &in, std::set<std::string> &kinds) {
  std::map<size_t, std::vector<std::string>> byLength = tupleKindsOf(in, kinds);
  auto replace = [&](const std::vector<std::string> &tuples, const std::string &key) {
    for (const std::string &kind : tuples)
      kinds.erase(kind);
    kinds.insert(kindOfTable(in, key));
  };
  bool areLong = kinds.count(rowKindOf(longKey.str())) || haveEverMore(byLength);
  for (const auto &[length, tuples] : byLength) {
    // One holds another one of the list's, which has as many items.
    bool isNested = llvm::any_of(tuples, [&, &others = tuples](const std::string &kind) {
      return llvm::any_of(kindsOfTuple(kind),
                          [&](const std::string &item) { return llvm::is_contained(others, item); });
    });
    if (areLong)
      replace(tuples, longKey.str());
    else if (isNested || kinds.count(rowKindOf(placesKey(length))))
      replace(tuples, placesKey(length));
  }
}

PyValue asTupleRow(Interpreter &in, const PyValue &list, const PyValue &value) {
  std::vector<PyValue> models; // of the tables whose tuples the list holds
  for (const std::string &kind : list->kinds)
    for (const auto &[key, table] : in.tables) {
      bool isOfTuples = in.outlines->tabledClasses[key] == py::import("builtins")["tuple"];
      if (isOfTuples && isRowKind(kind) && rootOfRowKind(in, kind) == rowKindOf(key))
        models.push_back(rowOfKind(in, kind, PyValue::object(py::integer(0))));
    }
  auto modelOf = [&](const PyValue &one) {
    return llvm::find_if(models, [&](const PyValue &model) {
      if (isTupleBox(one))
        return one->id != model->id && isOfPlaces(in, one) == isOfPlaces(in, model);
      size_t length = countPlaces(keyOfTable(in, model->id));
      return isTuple(one) && !one->cls && !isTabledByPlaces(in, one) &&
             (length == 0 || (one.isSequence() && one->items.size() == length));
    });
  };
  auto isOther = [&](const PyValue &one) {
    bool isHeld = llvm::is_contained(list->kinds, kindOfItem(in, one));
    return !isHeld && modelOf(one) != models.end();
  };
  auto converted = [&](const PyValue &one) { return isOther(one) ? asRowOf(in, *modelOf(one), one) : one; };
  if (!value.is(PyValue::Kind::Union))
    return converted(value);
  return llvm::any_of(value->items, isOther) ? overAlternatives(in, value, converted) : value;
}

/// Known lists, of which one place has made ever longer ones: each iteration would make code for one length more.
static bool growAsLists(Interpreter &in, ArrayRef<PyValue> alternatives) {
  std::vector<PyValue> lists;
  std::map<std::string, std::set<size_t>> lengths;
  for (const PyValue &value : alternatives) {
    bool isKnown = value.isSequence() && value->isList && !tableKey(in, value).empty();
    if (!isKnown && !isBox(value))
      continue;
    lists.push_back(value);
    if (isKnown)
      lengths[value->site].insert(value->items.size());
  }
  bool grow = llvm::any_of(lengths, [](const auto &one) { return one.second.size() >= growingLengths; });
  for (const PyValue &list : lists)
    grow = grow && unite(in, lists.front(), list);
  return grow;
}

bool growInLoop(Interpreter &in, ArrayRef<PyValue> alternatives) {
  if (!in.env.joinsArrays) // the loop may as well be unrolled
    return false;
  if (growAsListsOfTuples(in, alternatives) || growAsLists(in, alternatives))
    return true;
  std::vector<PyValue> tuples;
  std::map<std::string, std::set<size_t>> lengths; // of those that each place makes
  bool anyLong = false;
  for (const PyValue &value : alternatives) {
    bool isLong = isLongTuple(value) && !rowKey(in, value).empty();
    if (!isLong && !isKnownTuple(in, value))
      continue;
    tuples.push_back(value);
    anyLong |= isLong;
    if (!isLong)
      lengths[value->site].insert(value->items.size());
  }
  bool grow = (anyLong && !lengths.empty()) ||
              llvm::any_of(lengths, [](const auto &one) { return one.second.size() >= growingLengths; });
  for (const PyValue &tuple : tuples)
    grow = grow && unite(in, tuples.front(), tuple);
  return grow;
}

//===---- Of one length
//---------------------------------------------------------------------------------------------------===//

std::string keyOfPlaces(const PyValue &tuple) {
  bool canBe = tuple.isSequence() && isTuple(tuple) && !tuple->cls && !tuple->items.empty() && !tuple->site.empty();
  return canBe ? (prefix + Twine(tuple->items.size()) + " " + tuple->site).str() : "";
}

size_t countPlaces(StringRef key) {
  size_t count = 0;
  return key.consume_front(prefix) && !key.consumeInteger(10, count) ? count : 0;
}

bool isOfPlaces(Interpreter &in, const PyValue &row) {
  return row->cls && row->id && StringRef(keyOfTable(in, row->id)).starts_with(prefix);
}

bool isTabledByPlaces(Interpreter &in, const PyValue &tuple) {
  std::string key = keyOfPlaces(tuple);
  return !key.empty() && isTabledAt(in, key);
}

void noteTabledByPlaces(Interpreter &in, const PyValue &tuple) {
  std::string key = keyOfPlaces(tuple);
  if (key.empty() || !in.outlines->tabled.emplace(key, key).second)
    return;
  in.outlines->tabledClasses[key] = py::import("builtins")["tuple"];
  in.outlines->foundMore = true;
}

/// Whether a value holds a tuple of the same place as this one.
static bool holdsOneOf(const PyValue &value, const PyValue &tuple) {
  bool isOne =
      value.isSequence() && isTuple(value) && value->site == tuple->site && value->items.size() == tuple->items.size();
  bool mayHold = value.isSequence() || value.is(PyValue::Kind::Union);
  return isOne || (mayHold && llvm::any_of(value->items, [&](const PyValue &item) { return holdsOneOf(item, tuple); }));
}

bool noteNestedTuples(Interpreter &in, const PyValue &value) {
  if (!value.isSequence() && !value.is(PyValue::Kind::Union))
    return false;
  bool any = false;
  for (const PyValue &item : value->items)
    any |= noteNestedTuples(in, item);
  bool isNested = !keyOfPlaces(value).empty() &&
                  llvm::any_of(value->items, [&](const PyValue &item) { return holdsOneOf(item, value); });
  if (isNested)
    noteTabledByPlaces(in, value);
  return any || isNested;
}

static py::Object placeKey(size_t place) { return py::string(std::to_string(place)); }

static PyValue newRow(Interpreter &in, const std::string &key, const PyValue &tuple) {
  PyValue row = newTabled(in, key);
  if (row.isPoison())
    return row;
  size_t errors = in.diagnostics.size();
  for (auto [place, item] : llvm::enumerate(tuple->items))
    storeTabled(in, row, placeKey(place), in.env.bound(item));
  return in.diagnostics.size() > errors ? PyValue::poison() : row;
}

PyValue tabledByPlaces(Interpreter &in, const PyValue &tuple) { return newRow(in, keyOfPlaces(tuple), tuple); }

PyValue tabledByPlaces(Interpreter &in, const PyValue &rows, const PyValue &tuple) {
  std::string key = keyOfTable(in, rows->id);
  if (countPlaces(key) != tuple->items.size())
    return in.fail("a tuple of " + Twine(tuple->items.size()) + " items stands where others have " +
                       Twine(countPlaces(key)),
                   "let all tuples have one length");
  return newRow(in, key, tuple);
}

PyValue tupleOfPlaces(Interpreter &in, const PyValue &row) {
  std::vector<PyValue> items;
  for (size_t place = 0; place < countPlaces(keyOfTable(in, row->id)); ++place) {
    items.push_back(readTabled(in, row, placeKey(place)));
    if (items.back().isPoison())
      return PyValue::poison();
  }
  return PyValue::sequence(std::move(items));
}

static bool isRow(Interpreter &in, const PyValue &value) {
  return isTupleBox(value) && value.isTabled() && isOfPlaces(in, value);
}

/// A call of a function of the library's as if it were the program's: one that calls itself ends by what values are,
/// not by what is known of them.
static PyValue callProgrammed(Interpreter &in, StringRef name, std::vector<PyValue> arguments) {
  Call call;
  call.node = in.currentNode;
  call.args = std::move(arguments);
  py::Object function = py::lookup(("npcc.library.tuple_rows." + name).str());
  return callFunction(in, functionOf(in, function, /*isLibrary=*/false), call);
}

std::optional<PyValue> compareRows(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  if (!isRow(in, left) || !isRow(in, right))
    return std::nullopt;
  if (operation == "Eq" || operation == "NotEq")
    return callProgrammed(in, operation == "Eq" ? "equal" : "not_equal", {left, right});
  PyValue orEqual = PyValue::object(py::boolean(operation.ends_with("E")));
  return callProgrammed(in, operation.starts_with("L") ? "less" : "greater", {left, right, orEqual});
}

std::optional<PyValue> shownRow(Interpreter &in, const PyValue &row) {
  return isRow(in, row) ? std::optional(callProgrammed(in, "shown", {row})) : std::nullopt;
}

} // namespace npcc::frontend
