#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/TupleTables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef noneKind = "None", stringKind = "str";

static constexpr StringRef memberPrefix = "member ";

std::string memberName(Interpreter &in, const PyValue &value) {
  static const py::Object base = py::lookup("enum.Enum");
  if (!value.isObject() || !py::isInstance(value.object(), base))
    return "";
  for (const char *type : {"float", "str"}) // which Python computes with
    if (py::isInstance(value.object(), py::import("builtins")[type]))
      return "";
  py::Object cls = value.object()["__class__"], name = value.object()["name"];
  std::string path = cls.string("__qualname__") + "." + py::toString(name.get()), module = cls.string("__module__");
  return py::lookup(module + "." + path) == value.object() ? module + ":" + path : "";
}

bool isMemberKind(StringRef kind) { return kind.starts_with(memberPrefix); }

PyValue ofMemberKind(StringRef kind) {
  auto [module, path] = kind.drop_front(memberPrefix.size()).split(':');
  return PyValue::object(py::lookup((module + "." + path).str()));
}

/// A type of numbers by its name, as `Composite::kinds` has it; empty if it cannot be one of an item.
static std::string kindOf(Interpreter &in, Type element, bool isPythons) {
  if (!isPythons)
    return element.isSignlessIntOrFloat() ? (numpyPrefix + in.dtypes.name(element)).str() : "";
  return element.isInteger(1) ? "bool" : element.isInteger(64) ? "int" : element.isF64() ? "float" : "";
}

std::string kindOfItem(Interpreter &in, const PyValue &value) {
  if (value.isNone())
    return noneKind.str();
  if (value.isSequence()) { // a tuple whose items are of several types themselves is a row
    std::string kind = isTabledByPlaces(in, value) ? "" : tupleKind(in, value);
    return kind.empty() ? rowKind(in, value) : kind;
  }
  if (isString(value))
    return stringKind.str();
  if (std::string kind = rowKind(in, value); !kind.empty())
    return kind;
  if (std::string name = memberName(in, value); !name.empty())
    return memberPrefix.str() + name;
  Type type = value.isRuntime() || value.isObject() || value.is(PyValue::Kind::Slot) ? runtimeType(in, value) : Type();
  bool isNumber = type && !isa<np::ArrayType, np::GeneratorType>(type) && np::getRank(type) == 0;
  return isNumber ? kindOf(in, np::getElementType(type), !isa<RankedTensorType>(type)) : arrayKind(in, value);
}

/// The types that a value may have. False where one of them cannot be an item.
static bool collectKinds(Interpreter &in, const PyValue &value, std::set<std::string> &kinds) {
  if (value.is(PyValue::Kind::Union))
    return llvm::all_of(value->items, [&](const PyValue &one) {
      return one.is(PyValue::Kind::Unbound) || collectKinds(in, one, kinds);
    });
  std::string kind = kindOfItem(in, value);
  if (!kind.empty())
    kinds.insert(kind);
  if (value.pythonBit)
    kinds.insert(value.pythonType.isF64() ? "float" : "int");
  return !kind.empty();
}

static bool areTuples(const PyValue &list) { return list.isRows() && !list->id && list->levels != 2; }

/// The types of what a list holds.
static bool collectItemKinds(Interpreter &in, const PyValue &list, std::set<std::string> &kinds) {
  if (isMixed(list)) {
    kinds.insert(list->kinds.begin(), list->kinds.end());
    return true;
  }
  if (list.isSequence())
    return llvm::all_of(list->items, [&](const PyValue &item) { return collectKinds(in, item, kinds); });
  bool areStrings = list.isRows() && list->id == stringTable;
  bool areNumbers = list.isRuntimeList() && list->levels == 1;
  std::string kind;
  if (areNumbers) {
    auto array = dyn_cast_if_present<np::ArrayType>(runtimeType(in, list->items[0]));
    if (array)
      kind = array.getRank() == 1 ? kindOf(in, array.getElementType(), list->isPython) : arrayKind(in, array);
  }
  kind = areStrings ? stringKind.str() : kind;
  if (list.isRows() && list->cls && list->id && !areStrings) {
    kind = rowKind(in, tabled(list->cls, list->id, PyValue::object(py::integer(0))));
    if (list->isOptional)
      kinds.insert(noneKind.str());
  }
  if (areTuples(list)) {
    std::vector<std::string> columns;
    for (const PyValue &column : list->items) {
      std::set<std::string> own;
      if (!collectItemKinds(in, column, own) || own.size() != 1)
        return false;
      columns.push_back(*own.begin());
    }
    kind = tupleKind(in, columns, list->cls);
  }
  if (!kind.empty())
    kinds.insert(kind);
  return !kind.empty();
}

void noteKinds(Interpreter &in, const std::string &site, const std::set<std::string> &kinds) {
  if (noteChangedAt(in, site))
    return;
  std::set<std::string> &known = in.outlines->mixed[site], before = known;
  known.insert(kinds.begin(), kinds.end());
  replaceGrowingTuples(in, known);
  in.outlines->foundMore |= known != before;
}

/// Notes that lists of one place must hold these types.
static void note(Interpreter &in, const PyValue &list, const std::set<std::string> &kinds) {
  if (!list->site.empty() && list->site != "given" && list->isList)
    noteKinds(in, list->site, kinds);
}

/// Notes that the objects that a value may be have to be rows of tables. Whether there are such.
static bool noteRows(Interpreter &in, const PyValue &value) {
  bool any = false;
  if (value.is(PyValue::Kind::Union))
    for (const PyValue &one : value->items)
      any |= noteRows(in, one);
  if (value.isTabled() || !isRowKind(kindOfItem(in, value)) || isTabledByPlaces(in, value))
    return any;
  value.isSequence() && isTuple(value) ? noteTabledByPlaces(in, value) : noteTabled(in, value);
  return true;
}

PyValue needsMixed(Interpreter &in, const PyValue &list, const PyValue &item, const Twine &message, const Twine &hint) {
  std::set<std::string> kinds;
  if (collectItemKinds(in, list, kinds) && collectKinds(in, item, kinds)) {
    noteRows(in, item);
    note(in, list, kinds);
  }
  noteResumed(in, item);
  return in.fail(message, hint);
}

bool noteOptional(Interpreter &in, const std::string &site, const PyValue &item) {
  std::set<std::string> kinds{noneKind.str()};
  if (!collectKinds(in, item, kinds))
    return false;
  noteKinds(in, site, kinds);
  in.outlines->foundMore = true;
  return true;
}

/// Whether a list holds lists or tuples that are rows of a table: with others of the kind it has one table.
static bool holdsListRows(const PyValue &list) {
  static const py::Object lists = py::import("builtins")["list"], tuples = py::import("builtins")["tuple"];
  return list.isRows() && list->id && list->cls && (list->cls == lists || list->cls == tuples);
}

bool meetAsMixed(Interpreter &in, const PyValue &left, const PyValue &right) {
  if (holdsListRows(left) && holdsListRows(right))
    return false;
  std::set<std::string> mine, others;
  bool areLists = isRuntimeLength(left) && isRuntimeLength(right) && collectItemKinds(in, left, mine) &&
                  collectItemKinds(in, right, others);
  if (!areLists || mine == others)
    return false;
  mine.insert(others.begin(), others.end());
  note(in, left, mine);
  note(in, right, mine);
  return true;
}

static Value number(Interpreter &in, int64_t value) { return in.ir.constantInteger(in.ir.getI64Type(), value); }

/// A number as the i64 that has its bits.
static Value bitsOf(Interpreter &in, Value number) {
  Value value = isa<RankedTensorType>(number.getType()) ? in.ir.item(number) : number;
  if (auto type = dyn_cast<FloatType>(value.getType()))
    value = in.ir.createOrFold<arith::BitcastOp>(in.ir.getIntegerType(type.getWidth()), value);
  return value.getType().isInteger(64) ? value : in.ir.createOrFold<arith::ExtUIOp>(in.ir.getI64Type(), value);
}

/// A list of integers, with room for more.
static PyValue integers(Interpreter &in, Value numbers) {
  return ofRuntimeLength(in, PyValue::list(PyValue::runtime(in.ir.newArray(numbers)), 1, true));
}

/// A list of these types, of its two integers for each item, as tensors.
static PyValue mixedList(Interpreter &in, std::vector<std::string> kinds, Value places, Value bits) {
  PyValue list = PyValue::rows({integers(in, places), integers(in, bits)}, py::Object());
  list->id = mixedTable;
  list->kinds = std::move(kinds);
  list->owner = in.env.frame.get();
  return list;
}

/// The place of a type among them.
static Value placeOf(Interpreter &in, ArrayRef<std::string> kinds, StringRef kind) {
  return number(in, llvm::find(kinds, kind) - kinds.begin());
}

/// What a list of these types is like, made at this place.
static PyValue mixedModel(std::vector<std::string> kinds, const std::string &site) {
  PyValue model = PyValue::rows({}, py::Object());
  model->id = mixedTable;
  model->kinds = std::move(kinds);
  model->site = site;
  return model;
}

PyValue mixedModel(Interpreter &in, const PyValue &item) { return mixedModel({kindOfItem(in, item)}, ""); }

/// The types, each by the name that it has now: tables that were noted apart may be one.
static std::vector<std::string> withRoots(Interpreter &in, const std::vector<std::string> &kinds) {
  std::set<std::string> all;
  for (const std::string &kind : kinds)
    all.insert(isRowKind(kind) ? rootOfRowKind(in, kind) : kind);
  return {all.begin(), all.end()};
}

std::optional<PyValue> repeatedMixed(Interpreter &in, const PyValue &item, Value count) {
  std::string site = siteOf(in, in.currentNode), kind = kindOfItem(in, item);
  if (kind.empty() || (!in.outlines->mixed.count(site) && kind != noneKind))
    return std::nullopt;
  std::set<std::string> &noted = in.outlines->mixed[site];
  noted.insert(kind);
  PyValue model = mixedModel(withRoots(in, {noted.begin(), noted.end()}), site), row = asMixedItem(in, model, item);
  if (row.isPoison())
    return row;
  auto repeated = [&](const PyValue &part) { return in.ir.full(valueOf(in, part), {count}); };
  return mixedList(in, model->kinds, repeated(row->items[0]), repeated(row->items[1]));
}

/// The bits of a list's numbers, which have one type.
static Value bitsOfList(Interpreter &in, const PyValue &list) {
  Value items = in.ir.load(listArray(in, list));
  if (auto type = dyn_cast<FloatType>(np::getElementType(items.getType()))) {
    Value array = in.ir.newArray(items);
    auto whole = np::ArrayType::get(in.ir.getContext(), cast<np::ArrayType>(array.getType()).getShape(),
                                    in.ir.getIntegerType(type.getWidth()), /*contiguous=*/true);
    items = in.ir.load(np::PartOp::create(in.ir, whole, np::PartKind::view, array, in.ir.dims(array)));
  }
  return in.ir.castTo(items, in.ir.getI64Type());
}

/// The items one by one, without control flow: lists become mixed ones where paths meet.
static PyValue mixedSequence(Interpreter &in, const PyValue &list, const PyValue &model) {
  auto type = np::ArrayType::get(in.ir.getContext(), {ShapedType::kDynamic}, in.ir.getI64Type(), /*contiguous=*/true);
  Value columns[2];
  for (Value &column : columns)
    column = np::EmptyOp::create(in.ir, type, in.ir.index(list->items.size()));
  for (auto [position, given] : llvm::enumerate(list->items)) {
    PyValue item = asMixedItem(in, model, in.env.bound(given));
    if (item.isPoison())
      return item;
    for (auto [column, part] : llvm::zip(columns, item->items))
      np::StoreOp::create(in.ir, in.ir.rankZero(valueOf(in, part)),
                          in.ir.makeView(column, {AxisIndex{AxisIndex::Position, in.ir.index(position), {}, {}, {}}}));
  }
  in.ir.clobber();
  return mixedList(in, model->kinds, in.ir.load(columns[0]), in.ir.load(columns[1]));
}

PyValue asMixed(Interpreter &in, const PyValue &list, const std::vector<std::string> &given) {
  std::vector<std::string> kinds = withRoots(in, given);
  PyValue mixed;
  if (list.isSequence()) {
    mixed = mixedSequence(in, list, mixedModel(kinds, list->site));
  } else if (isMixed(list)) {
    std::vector<PyValue> places;
    for (const std::string &kind : list->kinds)
      places.push_back(PyValue::object(py::integer(llvm::find(kinds, kind) - kinds.begin())));
    PyValue array = callInLibrary(in, "mixed.other_places", {list->items[0], PyValue::sequence(std::move(places))});
    if (array.isPoison())
      return array;
    mixed = mixedList(in, kinds, in.ir.load(array.ir()), in.ir.load(listArray(in, list->items[1])));
  } else {
    PyValue column = list.isRows() ? list->items[0] : list;
    std::set<std::string> own;
    if (!collectItemKinds(in, list, own) || own.size() != 1 || !llvm::is_contained(kinds, *own.begin()))
      return needsMixed(in, list, PyValue::object(py::none()),
                        "a list becomes one of several types, of which its items are none");
    if (isTupleKind(*own.begin()))
      return in.fail("a list of tuples becomes one of several types", "start with an empty list");
    if (isArrayKind(*own.begin()))
      return in.fail("a list of arrays of one shape becomes one of any shapes", "start with an empty list");
    Value length = listLength(in, list);
    mixed = mixedList(in, kinds, in.ir.full(placeOf(in, kinds, *own.begin()), {length}), bitsOfList(in, column));
  }
  if (mixed.isPoison())
    return mixed;
  mixed->owner = list->owner;
  mixed->site = list->site;
  mixed->isShared = list->isShared;
  return mixed;
}

PyValue mixedFor(Interpreter &in, const PyValue &list, const PyValue &item) {
  std::set<std::string> kinds;
  return collectKinds(in, item, kinds) ? asMixed(in, list, std::vector<std::string>(kinds.begin(), kinds.end()))
                                       : PyValue::poison();
}

PyValue withItemsOf(Interpreter &in, const PyValue &list, const PyValue &other) {
  std::set<std::string> kinds, others;
  bool areKnown = collectItemKinds(in, list, kinds) && collectItemKinds(in, other, others);
  bool fits = llvm::all_of(others, [&](const std::string &kind) { return kinds.count(kind); });
  kinds.insert(others.begin(), others.end());
  bool areNumbers =
      llvm::none_of(kinds, [](const std::string &kind) { return isArrayKind(kind) || isTupleKind(kind); });
  if (!areKnown || fits || (!areNumbers && !isMixed(list)))
    return list;
  return asMixed(in, list, std::vector<std::string>(kinds.begin(), kinds.end()));
}

std::optional<PyValue> ofMixedItems(Interpreter &in, const PyValue &list) {
  std::set<std::string> kinds;
  auto isMixedItem = [&](const PyValue &one) { return one.is(PyValue::Kind::Union) || !memberName(in, one).empty(); };
  bool isKnown = list.isSequence() && collectItemKinds(in, list, kinds);
  bool isOfSeveralTables = kinds.size() > 1 && llvm::any_of(kinds, isRowKind);
  if (!isKnown || (!isOfSeveralTables && llvm::none_of(list->items, isMixedItem)))
    return std::nullopt;
  if (isOfSeveralTables) {
    bool anyApart = false; // an object that is not in a table yet
    for (const PyValue &one : list->items)
      anyApart |= noteRows(in, one);
    if (anyApart)
      return in.fail("a list of objects of several classes cannot have any length", "let all items have one type");
  }
  if (auto noted = in.outlines->mixed.find(list->site); noted != in.outlines->mixed.end())
    kinds.insert(noted->second.begin(), noted->second.end());
  note(in, list, kinds);
  return asMixed(in, list, std::vector<std::string>(kinds.begin(), kinds.end()));
}

PyValue listOfItems(Interpreter &in, std::vector<PyValue> items) {
  PyValue list = PyValue::sequence(std::move(items), true);
  list->owner = in.env.frame.get();
  std::set<std::string> kinds;
  if (!collectItemKinds(in, list, kinds) || (kinds.size() <= 1 && llvm::none_of(kinds, isMemberKind)))
    return ofRuntimeLength(in, list);
  return asMixed(in, list, std::vector<std::string>(kinds.begin(), kinds.end()));
}

PyValue mixedAt(Interpreter &in, const PyValue &list) {
  auto noted = in.outlines->mixed.find(list->site);
  if (noted == in.outlines->mixed.end() || isMixed(list) || !list->isList)
    return list;
  std::vector<std::string> kinds(noted->second.begin(), noted->second.end());
  auto array =
      list.isRuntimeList() ? dyn_cast_if_present<np::ArrayType>(runtimeType(in, list->items[0])) : np::ArrayType();
  if (!areTuples(list) && (!array || array.getRank() == 1))
    return asMixed(in, list, kinds);
  // The rows of an array and tuples one by one.
  PyValue empty = PyValue::sequence({}, true);
  empty->owner = list->owner;
  empty->site = list->site;
  std::string name = "%list" + std::to_string(in.temporaries++);
  in.env.frame->bindings[name] = asMixed(in, empty, kinds);
  PyValue kept = extended(in, name, in.env.frame->bindings[name], list);
  in.env.frame->bindings.erase(name);
  if (!kept.isPoison())
    kept->site = list->site;
  return kept;
}

//===---- Items ----===//

static PyValue fromBits(Interpreter &in, StringRef kind, Value bits) {
  if (kind == noneKind)
    return PyValue::object(py::none());
  if (kind == stringKind)
    return numberedString(PyValue::runtime(bits));
  if (isArrayKind(kind))
    return keptArray(in, kind, bits);
  if (isTupleKind(kind))
    return tupleOfRow(in, kind, bits);
  if (isRowKind(kind))
    return rowOfKind(in, kind, PyValue::runtime(bits));
  if (isMemberKind(kind))
    return ofMemberKind(kind);
  bool isNumpys = kind.consume_front(numpyPrefix);
  std::string name = kind == "float" ? "float64" : kind == "int" ? "int64" : kind.str();
  Type type = in.dtypes.elementType(py::call(in.dtypes.numpy["dtype"], {py::string(name)}));
  Type whole = in.ir.getIntegerType(type.getIntOrFloatBitWidth());
  Value value = whole.isInteger(64) ? bits : in.ir.createOrFold<arith::TruncIOp>(whole, bits);
  if (isa<FloatType>(type))
    value = in.ir.createOrFold<arith::BitcastOp>(type, value);
  return PyValue::runtime(isNumpys ? in.ir.rankZero(value) : value);
}

PyValue mixedItem(Interpreter &in, const PyValue &list, const PyValue &kind, const PyValue &bits) {
  auto data = std::make_shared<Composite>();
  for (const std::string &name : list->kinds) {
    Value own = valueOf(in, bits);
    if (isTupleKind(name)) { // of another type it is read too
      Value isOwn = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, valueOf(in, kind),
                                                      placeOf(in, list->kinds, name));
      own = in.ir.createOrFold<arith::SelectOp>(isOwn, own, number(in, 0));
    }
    data->items.push_back(fromBits(in, name, own));
    if (data->items.back().isPoison())
      return PyValue::poison();
  }
  return data->items.size() == 1 ? data->items[0] : PyValue::unionValue(valueOf(in, kind), data);
}

PyValue asMixedItem(Interpreter &in, const PyValue &list, const PyValue &given) {
  PyValue value = asTupleRow(in, list, ofKnownArray(in, given));
  if (value.isPoison())
    return value;
  std::set<std::string> kinds;
  bool fits = collectKinds(in, value, kinds) &&
              llvm::all_of(kinds, [&](const std::string &kind) { return llvm::is_contained(list->kinds, kind); });
  if (!fits)
    return needsMixed(in, list, value,
                      "an item of another type is put into a list of several types: " + describe(in, value),
                      "let the items be numbers, strings, tuples of these, arrays, objects or None");
  if (noteRows(in, value))
    return in.fail("a list of several types takes " + describe(in, value));
  auto place = [&](const PyValue &one) {
    return PyValue::object(py::integer(llvm::find(list->kinds, kindOfItem(in, one)) - list->kinds.begin()));
  };
  auto bits = [&](const PyValue &one) {
    if (one.isNone() || isMemberKind(kindOfItem(in, one)))
      return PyValue::object(py::integer(0));
    if (!arrayKind(in, one).empty())
      return PyValue::runtime(keptNumber(in, in.env.bound(one)));
    if (isTabledByPlaces(in, one)) {
      PyValue row = tabledByPlaces(in, one);
      return row.isPoison() ? row : row->items[0];
    }
    if (one.isSequence()) {
      Value row = rowOfTuple(in, one);
      return row ? PyValue::runtime(row) : PyValue::poison();
    }
    if (one.isTabled() && !isString(one))
      return one->items[0];
    Value number = isString(one) ? stringNumber(in, one) : valueOf(in, one);
    return number ? PyValue::runtime(bitsOf(in, number)) : PyValue::poison();
  };
  PyValue number = splitNumber(in, value);
  auto ofValue = [&](auto part) {
    auto ofOne = [&](const PyValue &one) { // None or a number, which is an int or a float
      PyValue split = splitNumber(in, one);
      return split.is(PyValue::Kind::Union) ? overAlternatives(in, split, part) : part(split);
    };
    return number.is(PyValue::Kind::Union) ? overAlternatives(in, number, ofOne) : ofOne(number);
  };
  PyValue row = PyValue::composite(PyValue::Kind::Instance, std::make_shared<Composite>());
  row->id = mixedTable;
  row->kinds = list->kinds;
  row->items = {ofValue(place), ofValue(bits)};
  return llvm::any_of(row->items, [](const PyValue &part) { return part.isPoison(); }) ? PyValue::poison() : row;
}

//===---- Arrays and results ----===//

/// numpy.array(list) of arrays, which have one shape.
static Value stacked(Interpreter &in, const PyValue &list, Type elementType) {
  std::vector<std::string> arrays;
  llvm::copy_if(list->kinds, std::back_inserter(arrays), [](const std::string &kind) { return isArrayKind(kind); });
  if (arrays.size() > 1 && !elementType) {
    in.fail("an array of a list whose items are of several types cannot be compiled", "give the dtype");
    return {};
  }
  Type type = elementType ? elementType : elementOfKind(in, arrays[0]);
  PyValue array = callInLibrary(in, "mixed.stacked", {list, PyValue::object(in.dtypes.dtype(type))});
  return array.isPoison() ? Value() : valueOf(in, array);
}

/// numpy.array(list) of tuples of several types: a column for each of their places.
static Value arrayOfTuples(Interpreter &in, const PyValue &list, Type elementType) {
  SmallVector<std::vector<PyValue>> tuples; // of each type the columns
  for (auto [place, kind] : llvm::enumerate(list->kinds)) {
    if (!isTupleKind(kind)) {
      in.fail("a list of tuples and others cannot become an array", "make an array of numbers");
      return {};
    }
    PyValue rows =
        callInLibrary(in, "mixed.tuple_rows", {list->items[0], list->items[1], PyValue::object(py::integer(place))});
    tuples.push_back(tupleColumns(in, kind));
    if (rows.isPoison() || tuples.back().size() != tuples[0].size() || tuples.back().empty()) {
      if (!rows.isPoison())
        in.fail("ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape "
                "after 1 dimensions.");
      return {};
    }
    for (PyValue &column : tuples.back()) {
      column = column.isPoison() ? column : callInLibrary(in, "mixed.taken", {column, rows});
      if (column.isPoison())
        return {};
    }
  }
  Type type = elementType;
  for (const std::vector<PyValue> &columns : tuples)
    for (const PyValue &column : columns) {
      auto array = column.isRuntimeList() ? dyn_cast_if_present<np::ArrayType>(runtimeType(in, column->items[0]))
                                          : np::ArrayType();
      if (!array || array.getRank() != 1 || (!elementType && type && type != array.getElementType())) {
        in.fail("an array of a list whose tuples are of several types cannot be compiled", "give the dtype");
        return {};
      }
      type = elementType ? elementType : array.getElementType();
    }
  std::vector<PyValue> columns;
  for (size_t at = 0; at < tuples[0].size(); ++at) {
    PyValue chosen;
    for (size_t kind = 0; kind < tuples.size(); ++kind) {
      Value items = asArray(in, tuples[kind][at], type);
      if (!items)
        return {};
      PyValue one = PyValue::runtime(items);
      chosen = kind == 0 ? one
                         : callInLibrary(in, "mixed.of_place",
                                         {list->items[0], PyValue::object(py::integer(kind)), one, chosen});
      if (chosen.isPoison())
        return {};
    }
    columns.push_back(chosen);
  }
  PyValue table = callNumpy(in, "stack", {PyValue::sequence(columns), PyValue::object(py::integer(1))});
  return table.isRuntime() ? table.ir() : Value();
}

Value mixedArray(Interpreter &in, const PyValue &list, Type elementType) {
  bool anyOther = llvm::any_of(
      list->kinds, [](const std::string &kind) { return kind == stringKind || kind == noneKind || isTupleKind(kind); });
  if (!anyOther && llvm::any_of(list->kinds, [](const std::string &kind) { return isArrayKind(kind); }))
    return stacked(in, list, elementType);
  for (const std::string &kind : list->kinds)
    if (kind == stringKind || isArrayKind(kind) || isRowKind(kind) || isMemberKind(kind)) {
      in.fail("a list of several types cannot become an array: one of them is " + (kind == stringKind  ? kind
                                                                                   : isArrayKind(kind) ? "an array"
                                                                                                       : "an object"),
              "make an array of numbers");
      return {};
    }
  if (!elementType && llvm::all_of(list->kinds, [](const std::string &kind) { return kind == noneKind; })) {
    in.fail(objectArrays, "make one of numbers: NaN may stand for what is missing");
    return {};
  }
  if (llvm::any_of(list->kinds, [](const std::string &kind) { return isTupleKind(kind); }))
    return arrayOfTuples(in, list, elementType);
  std::vector<PyValue> arguments, kinds;
  for (const PyValue &column : list->items)
    arguments.push_back(PyValue::runtime(in.ir.load(listArray(in, column))));
  for (const std::string &kind : list->kinds)
    kinds.push_back(PyValue::object(py::string(kind)));
  arguments.push_back(PyValue::sequence(kinds));
  arguments.push_back(elementType ? PyValue::object(in.dtypes.dtype(elementType)) : PyValue::object(py::none()));
  PyValue array = callInLibrary(in, "mixed.array_of", std::move(arguments));
  return array.isPoison() ? Value() : valueOf(in, array);
}

} // namespace npcc::frontend
