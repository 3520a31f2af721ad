#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

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

bool growAsTuples(Interpreter &in, ArrayRef<PyValue> alternatives) {
  if (!in.env.joinsArrays) // the loop may as well be unrolled
    return false;
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

/// Of the keys of these tables: "places 3 file:line:column", by the number of items.
static constexpr StringRef prefix = "places ";

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
  bool isOne = value.isSequence() && isTuple(value) && value->site == tuple->site &&
               value->items.size() == tuple->items.size();
  bool mayHold = value.isSequence() || value.is(PyValue::Kind::Union);
  return isOne ||
         (mayHold && llvm::any_of(value->items, [&](const PyValue &item) { return holdsOneOf(item, tuple); }));
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

} // namespace npcc::frontend
