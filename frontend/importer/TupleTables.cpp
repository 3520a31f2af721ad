#include "frontend/importer/TupleTables.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Values.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef prefix = "tuple ", noneKind = "None";
static constexpr size_t mostItems = 8, longestName = 400;

/// What separates the parts of a name, and what stands for it inside of one: names of tuples are parts of such names.
static constexpr std::pair<StringRef, StringRef> separators[] = {{"%", "%25"}, {",", "%2c"}, {"@", "%40"}};

static std::string replaced(std::string text, StringRef from, StringRef to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

static std::string asPart(std::string kind) {
  for (auto [separator, code] : separators)
    kind = replaced(std::move(kind), separator, code);
  return kind;
}

static std::string ofPart(StringRef part) {
  std::string kind = part.str();
  for (auto [separator, code] : llvm::reverse(separators))
    kind = replaced(std::move(kind), code, separator);
  return kind;
}

bool isTupleKind(StringRef kind) { return kind.starts_with(prefix); }

py::Object tupleClass(Interpreter &in, StringRef kind) {
  auto found = in.outlines->tupleClasses.find(kind.split('@').second.str());
  return found == in.outlines->tupleClasses.end() ? py::Object() : found->second;
}

std::string tupleKind(Interpreter &in, ArrayRef<std::string> kinds, const py::Object &cls) {
  if (kinds.size() > mostItems)
    return "";
  std::vector<std::string> parts;
  for (const std::string &kind : kinds) {
    if (kind.empty() || isArrayKind(kind))
      return "";
    parts.push_back(asPart(kind));
  }
  std::string kind = prefix.str() + llvm::join(parts, ",");
  if (kind.size() > longestName) // tuples that hold tuples, without end: they are rows of a table (TabledTuples.h)
    return "";
  if (!cls)
    return kind;
  // One that no module has is another one in each import.
  std::string module = cls.string("__module__"), path = cls.string("__qualname__");
  if (!(py::lookup(module + "." + path) == cls))
    return "";
  in.outlines->tupleClasses[module + ":" + path] = cls;
  return kind + "@" + module + ":" + path;
}

std::string tupleKind(Interpreter &in, const PyValue &value) {
  if (!value.isSequence() || value->isList)
    return "";
  std::vector<std::string> kinds;
  for (const PyValue &item : value->items)
    kinds.push_back(kindOfItem(in, item));
  return tupleKind(in, kinds, value->cls);
}

std::vector<std::string> kindsOfTuple(StringRef kind) {
  SmallVector<StringRef> parts;
  if (StringRef names = kind.drop_front(prefix.size()).split('@').first; !names.empty())
    names.split(parts, ',');
  std::vector<std::string> kinds;
  for (StringRef part : parts)
    kinds.push_back(ofPart(part));
  return kinds;
}

static py::Object keyOf(size_t place) { return py::string(std::to_string(place)); }

/// Any value of a type.
static PyValue anyOf(Interpreter &in, StringRef kind) {
  if (isTupleKind(kind))
    return tupleOfRow(in, kind, in.ir.constantInteger(in.ir.getI64Type(), 0));
  if (isRowKind(kind))
    return rowOfKind(in, kind, PyValue::object(py::integer(-1)));
  if (isMemberKind(kind))
    return ofMemberKind(kind);
  if (kind == noneKind)
    return PyValue::object(py::none());
  if (kind == "str")
    return PyValue::object(py::string(""));
  if (kind.consume_front("numpy."))
    return PyValue::object(py::call(py::call(in.dtypes.numpy["dtype"], {py::string(kind.str())})["type"], {py::integer(0)}));
  return PyValue::object(py::call(py::import("builtins")[kind.str().c_str()], {py::integer(0)}));
}

static void append(Interpreter &in, const PyValue &column, const PyValue &value) {
  Call call;
  call.node = in.currentNode;
  call.args = {value};
  callBoxMethod(in, column, "append", call);
}

static void makeTable(Interpreter &in, const std::string &kind) {
  if (!isTupleKind(kind) || in.tables.count(kind))
    return;
  PyValue table = newInstance(in, py::import("npcc.library.tables")["Tuples"]);
  for (auto [place, item] : llvm::enumerate(kindsOfTuple(kind))) {
    makeTable(in, item);
    bool isMixedColumn = item == noneKind || isTupleKind(item) || isRowKind(item) || isMemberKind(item);
    PyValue column = isMixedColumn ? asMixed(in, emptyColumn(in), {item}) : emptyColumn(in);
    storeHeld(in, table, keyOf(place), makeBox(in, column));
    append(in, readHeld(in, table, keyOf(place)), anyOf(in, item));
  }
  in.tables[kind] = table;
}

void makeTupleTables(Interpreter &in) {
  for (const auto &[site, kinds] : in.outlines->mixed)
    for (const std::string &kind : kinds)
      makeTable(in, kind);
}

static PyValue tableOf(Interpreter &in, StringRef kind) {
  auto found = in.tables.find(kind.str());
  if (found != in.tables.end())
    return found->second;
  // Found after the import had begun: the next one has it.
  noteKinds(in, "any list", {kind.str()});
  return in.fail("a list of several types holds tuples");
}

std::vector<PyValue> tupleColumns(Interpreter &in, StringRef kind) {
  std::vector<PyValue> columns;
  PyValue table = tableOf(in, kind);
  for (size_t place = 0; !table.isPoison() && place < kindsOfTuple(kind).size(); ++place)
    columns.push_back(columnItems(in, readHeld(in, table, keyOf(place))));
  return columns;
}

Value rowOfTuple(Interpreter &in, const PyValue &tuple) {
  PyValue table = tableOf(in, tupleKind(in, tuple));
  if (table.isPoison())
    return {};
  if (tuple->items.empty()) // they are all alike
    return in.ir.constantInteger(in.ir.getI64Type(), 0);
  Value row;
  for (auto [place, item] : llvm::enumerate(tuple->items)) {
    PyValue column = readHeld(in, table, keyOf(place));
    if (!row) {
      PyValue items = columnItems(in, column);
      if (items.isPoison())
        return {};
      row = arith::IndexCastOp::create(in.ir, in.ir.getI64Type(), listLength(in, items));
    }
    append(in, column, item);
  }
  return row;
}

PyValue tupleOfRow(Interpreter &in, StringRef kind, Value row) {
  std::vector<PyValue> items;
  Value position = arith::IndexCastOp::create(in.ir, in.ir.getIndexType(), row);
  for (const PyValue &column : tupleColumns(in, kind)) {
    if (column.isPoison())
      return column;
    items.push_back(listItem(in, column, position));
  }
  if (items.empty() && !kindsOfTuple(kind).empty())
    return PyValue::poison();
  PyValue tuple = PyValue::sequence(std::move(items));
  tuple->cls = tupleClass(in, kind);
  return tuple;
}

} // namespace npcc::frontend
