// Dicts of known keys as rows of tables: such a dict is an object whose attributes are its keys. Keys that are stored
// behind the place that makes a dict are attributes that some may lack (LateAttributes.h). What a table cannot have
// (a key that is computed or removed, items in an order that differs from dict to dict) makes all dicts of the table
// ones with computed keys.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/LateAttributes.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

bool canBeRowKey(const py::Object &key) {
  if (!PyUnicode_Check(key.get()))
    return false;
  std::string name = py::toString(key.get());
  return !name.empty() && name[0] != '%' && !isSetKey(name);
}

bool canBeRowOfDicts(Interpreter &in, const PyValue &dict) {
  if (dict.isTabled() || dict->isOfObject || dict->site.empty() || dict->site == "given")
    return false;
  PyValue keys = boundKeys(in, dict);
  bool isKnown = keys.isObject() && PyTuple_Check(keys.object().get()) && PyTuple_Size(keys.object().get()) > 0;
  return isKnown && llvm::all_of(py::elements(keys.object()), canBeRowKey);
}

/// The places in the source that make dicts of a table.
static std::vector<std::string> placesOf(Interpreter &in, const std::string &table) {
  std::string prefix = tableKey(in, py::import("builtins")["dict"], "");
  std::vector<std::string> places;
  for (const auto &[key, root] : in.outlines->tabled)
    if (StringRef(key).starts_with(prefix) && rootOfRowKind(in, rowKindOf(key)) == rowKindOf(table))
      places.push_back(key.substr(prefix.size()));
  return places;
}

std::vector<std::string> placesOfDicts(Interpreter &in, const PyValue &row) {
  return placesOf(in, keyOfTable(in, row->id));
}

bool isInAllDicts(Interpreter &in, const PyValue &row, const std::string &name) {
  return llvm::all_of(placesOf(in, tableOfRow(in, row)), [&](const std::string &place) {
    auto found = in.outlines->dictKeys.find(place);
    return found == in.outlines->dictKeys.end() || found->second.count(name);
  });
}

/// Notes the keys that a place gives its dicts. Others of the table are ones that these lack at first.
static void noteKeys(Interpreter &in, const std::string &site, const PyValue &row, const std::set<std::string> &names) {
  auto [found, isNew] = in.outlines->dictKeys.try_emplace(site, names);
  if (!isNew) {
    std::set<std::string> both;
    llvm::copy_if(names, std::inserter(both, both.end()),
                  [&](const std::string &name) { return found->second.count(name) > 0; });
    in.outlines->foundMore |= both.size() < found->second.size();
    found->second = std::move(both);
  }
  std::set<std::string> known = in.outlines->attributes[tableOfRow(in, row)];
  for (const std::string &name : known)
    if (!isSetKey(name) && !names.count(name))
      noteLate(in, row, name);
}

PyValue asMadeDict(Interpreter &in, const PyValue &dict) {
  if (!isDictionary(dict) || dict.isTabled() || dict->site.empty() ||
      !isTabledAt(in, tableKey(in, dict->cls, dict->site)))
    return dict;
  std::string site = dict->site;
  if (!canBeRowOfDicts(in, dict))
    return needsBox(in, dict, "one of many dicts has other keys", "let all of them have the same keys");
  PyValue row = newTabled(in, tableKey(in, dict->cls, site));
  if (row.isPoison())
    return row;
  std::vector<py::Object> keys = heldKeys(in, dict);
  std::set<std::string> names;
  for (const py::Object &key : keys)
    names.insert(py::toString(key.get()));
  noteKeys(in, site, row, names);
  // Python shows the keys of each in the order in which it got them.
  std::vector<std::string> &order = in.outlines->order[tableOfRow(in, row)];
  size_t last = 0;
  for (const py::Object &key : keys) {
    size_t place = llvm::find(order, py::toString(key.get())) - order.begin();
    if (place < last)
      return needsBox(in, row, "one of many dicts has its keys in another order", "give all of them in one order");
    last = place;
    if (place == order.size())
      order.push_back(py::toString(key.get()));
  }
  size_t errors = in.diagnostics.size();
  for (const py::Object &key : keys)
    storeTabled(in, row, key, readHeld(in, dict, key));
  return in.diagnostics.size() > errors ? PyValue::poison() : row;
}

} // namespace npcc::frontend
