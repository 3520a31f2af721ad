#include "frontend/importer/Results.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Exceptions.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LateAttributes.h"
#include "frontend/importer/ListedArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/StringArrays.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/TupleTables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

void Results::addText(StringRef text) { form += std::to_string(text.size()) + ":" + text.str(); }

/// An object of a class that stands for one of Python's or NumPy's.
static bool isOfLibrary(const PyValue &value) {
  return value.is(PyValue::Kind::Instance) && StringRef(value->cls.string("__module__")).starts_with("npcc.library.") &&
         value->cls["parts"];
}

std::string classKey(Interpreter &in, const py::Object &cls) {
  std::string name = cls.string("__module__") + ":" + cls.string("__qualname__");
  std::string path = cls.string("__module__") + "." + cls.string("__qualname__");
  bool isFound = py::lookup(path) == cls;
  if (!isFound) // only this process knows it, and only by its address
    name += "@" + std::to_string(reinterpret_cast<uintptr_t>(cls.get()));
  if (in.report && !isFound)
    in.report->classes[name] = cls;
  return name;
}

/// What is known at compile time. Numbers are results like others, so that one form serves all of them.
void Results::addKnown(const PyValue &value) {
  const py::Object &object = value.object();
  if (value.isNone()) {
    form += 'N';
    return;
  }
  if (PyUnicode_CheckExact(object.get())) {
    form += '"';
    addText(py::toString(object.get()));
    return;
  }
  if (PyTuple_CheckExact(object.get())) {
    form += '(';
    for (const py::Object &item : py::elements(object))
      add(fromObject(in, item));
    form += ')';
    return;
  }
  if (PySlice_Check(object.get()))
    return addCall("builtins:slice", [&] {
      for (const char *part : {"start", "stop", "step"})
        add(PyValue::object(object[part]));
    });
  if (std::string name = memberName(in, value); !name.empty())
    return addCall("npcc.tables:member", [&] { add(PyValue::object(py::string(name))); });
  if (runtimeType(in, value) && !signBeyond64Bits(value)) {
    values.push_back(valueOf(in, value));
    isWeak.push_back(!isa<RankedTensorType>(values.back().getType()));
    form += '.';
    return;
  }
  if (in.outlines && in.outlines->parts)
    return add(asPythons(in, value));
  in.fail("a compiled function cannot return " + describe(in, value),
          "return arrays, numbers, strings, or containers of them");
}

/// Whether a list holds what one of Python's holds: nothing of the program decides which list it is.
static bool isAsItIs(const PyValue &list, const py::Object &python) {
  std::vector<py::Object> elements = py::elements(python);
  return !list->isShared && !list->isJoined && list->items.size() == elements.size() &&
         llvm::all_of(llvm::zip(list->items, elements), [](const auto &pair) {
           const auto &[item, element] = pair;
           return item.isObject() ? item.object() == element : item.isSequence() && isAsItIs(item, element);
         });
}

/// A list or dict that a global holds, or one in it, or an array in one: Python gets the very one. False where no name
/// leads to it.
bool Results::addOfGlobal(const PyValue &value) {
  bool isList = value.isSequence() && isSiteOfGlobal(value->site);
  py::Object container = isList ? globalListAt(in, value->site) : value.isObject() ? value.object() : py::Object();
  bool isContainer = container && (PyList_Check(container.get()) || PyDict_Check(container.get()) ||
                                   py::isInstance(container, in.dtypes.numpy["ndarray"]));
  if (!isContainer || (isList && !isAsItIs(value, container)) || !in.env.frame->globals)
    return false;
  py::Object place = py::call(py::lookup("npcc.assigned.place_of_constant"), {container, in.env.frame->globals});
  if (place.isNone())
    return false;
  addCall("npcc.assigned:constant_at", [&] {
    for (const py::Object &part : py::elements(place))
      add(PyValue::object(part));
  });
  return true;
}

void Results::addNumber(size_t number) {
  values.push_back(in.ir.constantInteger(in.ir.getI64Type(), number));
  isWeak.push_back(true);
  form += '.';
}

void Results::addCall(StringRef name, llvm::function_ref<void()> addArguments) {
  form += 'C';
  addText(name);
  form += '(';
  addArguments();
  form += ')';
}

void Results::addAll(const PyValue &value) {
  auto addValue = [&] {
    size_t start = form.size();
    given ? addWithChanges(value) : add(value);
    if (!holdsRecords)
      return;
    std::string inner = form.substr(start);
    form.resize(start);
    addCall("npcc.records:finished", [&] {
      addCall("npcc.records:begin", [] {});
      form += inner;
    });
  };
  if (!in.env.isReachable || in.tables.empty())
    return addValue();
  Piece result = apart(addValue), rows = apart([&] { addGivenRows(); });
  if (wanted.empty())
    return append(result);
  addCall("npcc.tables:built", [&] {
    addCall("npcc.tables:make", [&] {
      append(rows);
      addTables();
    });
    append(result);
  });
}

Results::Piece Results::apart(llvm::function_ref<void()> build) {
  Piece before{std::exchange(form, {}), std::exchange(values, {}), std::exchange(isWeak, {})};
  build();
  Piece made{std::move(form), std::move(values), std::move(isWeak)};
  std::tie(form, values, isWeak) =
      std::tuple(std::move(before.form), std::move(before.values), std::move(before.isWeak));
  return made;
}

void Results::append(const Piece &piece) {
  form += piece.form;
  values.append(piece.values);
  isWeak.append(piece.isWeak);
}

void Results::addTable(unsigned id) {
  size_t number = tableNumber(in, id);
  wanted.insert(number);
  addNumber(number);
}

void Results::add(const PyValue &value) {
  if (value.isPoison()) {
    if (!in.hasErrors())
      in.fail("internal error: a result has no value");
    return;
  }
  if (value.isRecords())
    return addRecords(value);
  if (std::optional<size_t> number = given ? given->numberOf(value) : std::nullopt)
    return addCall("npcc.structures:argument", [&] { addNumber(*number); });
  if (addOfGlobal(value))
    return;
  if (value.isObject())
    return addKnown(value);
  if (isThereAlready(value))
    return;
  if (value.is(PyValue::Kind::Union))
    return addUnion(value);
  if (value.pythonBit)
    return addUnion(splitNumber(in, value));
  if (isNumbered(value) || (value.isRows() && value->isList && value->id == stringTable)) {
    auto addStrings = [&] {
      form += 'T';
      addOwn(value->items[0]);
    };
    if (!(value->cls == in.dtypes.numpy["str_"]))
      return addStrings();
    return addCall(value.isRows() ? "npcc.library.string_arrays:given_strings" : "numpy:str_", addStrings);
  }
  if (value.is(PyValue::Kind::Range) || value.is(PyValue::Kind::Slice))
    return addCall(value.is(PyValue::Kind::Range) ? "builtins:range" : "builtins:slice", [&] {
      for (const PyValue &bound : value->items)
        add(bound);
    });
  if (isPythons(value))
    return addCall("npcc.objects:taken", [&] { add(value->items[0]); });
  if (isStringArray(value))
    return addOfLibrary(value);
  if (value.isTabled())
    return addRows(value, "npcc.tables:row");
  if (isBox(value))
    return add(unboxed(in, value));
  if (isOfLibrary(value))
    return addOfLibrary(value);
  if (value.is(PyValue::Kind::Instance))
    return addInstance(value);
  if (value.is(PyValue::Kind::Text))
    return addString(value);
  if (value.isSequence()) {
    if (value->cls) {
      form += 'C';
      addText(classKey(in, value->cls));
    }
    form += value->isList ? '[' : '(';
    for (const PyValue &item : value->items)
      add(item);
    form += value->isList ? ']' : ')';
    return;
  }
  if ((value.isRuntimeList() || value.isRows()) && !value->isList)
    return addCall("builtins:tuple", [&] {
      PyValue list = value.withItems(value->items);
      list->isList = true;
      add(list);
    });
  if (isMixed(value))
    return addMixed(value);
  if (value.isRows() && value->id == objectTable)
    return addCall("npcc.objects:all_taken", [&] { addOwn(value->items[0]); });
  if (value.isRows() && value->id && isStringArrayClass(value->cls)) {
    in.fail("a list of arrays of strings that is made in a loop cannot be returned", "return their lists: a.tolist()");
    return;
  }
  if (value.isRows() && value->id)
    return addRows(value, "npcc.tables:rows");
  if (value.isRows()) {
    form += 'Z';
    if (value->cls || value->levels == 2) {
      form += 'C';
      addText(value->cls ? classKey(in, value->cls) : "npcc.library.containers:given_row");
    }
    form += '(';
    for (const PyValue &column : value->items)
      addOwn(column);
    form += ')';
    return;
  }
  // Python's list holds the arrays themselves.
  if (value.isRuntimeList() && value->holdsCopies > 1 && value->holdsCopies != copiesOfRows) {
    needsKept(in, value);
    in.fail("a list of " + describe(in, listItem(in, value, in.ir.index(0))) +
                " that is made in a loop cannot be compiled: it is returned, and others have its arrays",
            "let the items be copies: x.copy()");
    return;
  }
  if (value.isRuntimeList() && value->isPython) {
    values.push_back(listArray(in, value));
    isWeak.push_back(true);
    form += '.';
    return;
  }
  if (value.flatOf) {
    in.fail("a.flat cannot be returned", "return a.ravel()");
    return;
  }
  if (value.isRuntimeList()) {
    if (value->levels > 1) {
      in.fail("a list of lists of NumPy's numbers or arrays cannot be returned", "return numpy.array() of it");
      return;
    }
    values.push_back(listArray(in, value));
    isWeak.push_back(false);
    form += "L.";
    return;
  }
  if (value.isGenerator() || !runtimeType(in, value)) {
    in.fail("a compiled function cannot return " + describe(in, value),
            "return arrays, numbers, strings, or containers of them");
    return;
  }
  Value one = value.arrayType() ? value.ir() : valueOf(in, value);
  if (!one)
    return;
  values.push_back(one);
  isWeak.push_back(!isa<np::ArrayType, RankedTensorType>(one.getType()));
  form += '.';
}

/// Arrays of records: Python's are made of the dtype and the arrays of all fields.
void Results::addRecords(const PyValue &records) {
  std::function<void(const PyValue &)> addFields = [&](const PyValue &one) {
    for (const PyValue &field : one->items)
      field.isRecords() ? addFields(field) : add(field);
  };
  holdsRecords = true;
  if (std::optional<size_t> number = given ? given->numberOf(records) : std::nullopt) {
    auto isEarlier = [](const Given::Container &one) { return one.value.isRecords(); };
    addCall("npcc.records:argument",
            [&] { addNumber(llvm::count_if(ArrayRef(given->containers()).take_front(*number), isEarlier)); });
    return;
  }
  addCall("npcc.records:given", [&] {
    add(PyValue::object(py::call(py::lookup("npcc.records.text_of"), {records->cls})));
    addNumber(records->levels);
    addFields(records);
  });
}

bool Results::isThereAlready(const PyValue &value) {
  bool isObject = value.is(PyValue::Kind::Instance) && !value.isTabled() && !isPythons(value) && !isNumbered(value);
  bool isValue = isList(value) && !value->site.empty() && value->site != "given";
  if ((!isObject && !isValue) || (isValue && own == &*value))
    return false;
  auto isIt = [&](const PyValue &list) { return &*list == &*value; };
  bool isNew = isObject ? objects.insert(value->id).second : llvm::none_of(lists, isIt);
  if (isValue)
    lists.push_back(value); // which keeps it there: no other one has its address
  if (isNew)
    return false;
  needsTable(in, value, "the result leads to " + describe(in, value) + " more than once", "return it once");
  return true;
}

void Results::addOwn(const PyValue &list) {
  llvm::SaveAndRestore<const void *> whose(own, list.hasItems() ? &*list : nullptr);
  add(list);
}

/// What `made` makes of the number of a row, or of the numbers of several.
void Results::addRows(const PyValue &rows, StringRef made) {
  addCall(made, [&] {
    addTable(rows->id);
    addOwn(rows->items[0]);
  });
}

/// A list of a table's, which may hold rows of tables that are not made yet.
void Results::addColumn(const PyValue &given) {
  bool isOfRows = given.isSequence() && llvm::any_of(given->items, [](const PyValue &item) {
                    return item.isTabled() || item.is(PyValue::Kind::Union);
                  });
  PyValue list = isOfRows ? ofRuntimeLength(in, given) : given;
  if (list.isPoison())
    return;
  if (isMixed(list) && llvm::any_of(list->kinds, isRowKind))
    return addMixed(list, /*isColumn=*/true);
  if (isMixed(list) || (list.isRows() && (list->id == stringTable || list->id == objectTable)))
    return addOwn(list);
  bool holdsRows = list.isRows() && llvm::any_of(list->items, [](const PyValue &column) { return column.isRows(); });
  if (list.isRows() && list->id)
    return addRows(list, "npcc.tables:Rows");
  if (!holdsRows || list->cls)
    return addOwn(list);
  addCall("npcc.tables:Tuples", [&] {
    add(PyValue::object(py::none()));
    for (const PyValue &column : list->items)
      addColumn(column);
  });
}

/// The rows that are arguments, or lie in some: (number of the container, of the table, of the row) of each.
void Results::addGivenRows() {
  form += '[';
  for (auto [number, container] :
       llvm::enumerate(given ? ArrayRef(given->containers()) : ArrayRef<Given::Container>())) {
    if (!container.value.isTabled() || isStringArray(container.value)) // which has no rows in Python
      continue;
    form += '(';
    addNumber(number);
    addTable(container.value->id);
    add(container.value->items[0]);
    form += ')';
  }
  form += ']';
}

/// What the rows of a table hold, and an object of their class.
void Results::addRowsOf(const std::string &key, const PyValue &table) {
  py::Object cls = in.outlines->tabledClasses[key];
  bool isOfPlaces = countPlaces(key) > 0, isOfTuples = !isOfPlaces && cls == py::import("builtins")["tuple"];
  form += '(';
  if (isOfTuples || cls == py::import("builtins")["list"]) {
    form += isOfTuples ? "()" : "[]";
    for (const char *part : {"starts", "lengths"})
      add(unboxed(in, readHeld(in, table, py::string(part))));
    addColumn(unboxed(in, readHeld(in, table, py::string("items"))));
  } else {
    if (isOfPlaces) {
      addCall("npcc.tables:Places", [] {});
    } else {
      if (!(cls == py::import("builtins")["dict"])) {
        form += 'O';
        addText(classKey(in, cls));
      }
      form += "{}";
    }
    PyValue row = tabled(cls, table->id, PyValue::object(py::integer(0)));
    add(tabledCount(in, row));
    for (const py::Object &attribute : tabledKeys(in, row)) {
      add(PyValue::object(attribute));
      PyValue column = tabledColumn(in, row, attribute);
      if (column.isObject() && !column.isNone())
        addCall("npcc.tables:Same", [&] { add(PyValue::object(py::string(classKey(in, column.object())))); });
      else if (std::string name = py::toString(attribute.get()); mayLack(in, row, name))
        addCall("npcc.tables:Late", [&] {
          addColumn(column);
          add(setColumn(in, row, name));
        });
      else
        addColumn(column);
    }
  }
  form += ')';
}

/// The tables that the result leads to, and those that their rows lead to: of others, which may have many more rows,
/// Python gets nothing.
void Results::addTables() {
  std::map<size_t, Piece> tables;
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (auto [number, table] : llvm::enumerate(in.tables)) {
      // The tuples of lists of several types are behind all other tables, and part of what their rows lie in.
      if (!wanted.count(number) || tables.count(number) || isTupleKind(table.first))
        continue;
      tables[number] = apart([&] { addRowsOf(table.first, table.second); });
      goesOn = true;
    }
  }
  for (auto [number, table] : llvm::enumerate(in.tables))
    if (tables.count(number))
      append(tables[number]);
    else if (!isTupleKind(table.first))
      addKnown(PyValue::object(py::none()));
}

/// Dicts, sets, deques and polynomials: Python's and NumPy's are made of the parts that ours give.
void Results::addOfLibrary(const PyValue &value) {
  addCall(value->cls.string("__module__") + ":given_" + value->cls.string("__name__"), [&] {
    Call none;
    size_t before = in.diagnostics.size();
    PyValue parts = callInstanceMethod(in, value, "parts", none);
    if (parts.isSequence())
      for (const PyValue &part : parts->items)
        addOwn(part);
    if (in.outlines->parts && in.diagnostics.size() > before) // it holds a factory, say, that only Python can
      asPythons(in, value);
  });
}

/// A string with values of the program in it: they are written into it when Python gets them.
void Results::addString(const PyValue &value) {
  form += "S(";
  for (const Composite::Piece &piece : value->pieces) {
    if (piece.isLiteral()) {
      form += '"';
      addText(piece.text);
      continue;
    }
    bool isBare = piece.isBare && piece.value.isRuntime() && isa<ComplexType>(piece.value.elementType());
    form += isBare ? 'b' : '%';
    if (!isBare)
      addText(piece.text);
    add(piece.value);
  }
  form += ')';
}

/// A list of several types: Python's is made of the types' names, and of each item's type and bits.
void Results::addMixed(const PyValue &list, bool isColumn) {
  bool isArrays = list->kinds.size() == 1 && isArrayKind(list->kinds[0]);
  if (isArrays) {
    form += 'K';
    return addOwn(list->items[1]);
  }
  addCall(isColumn ? "npcc.tables:Mixed" : "npcc.library.containers:given_mixed", [&] {
    std::vector<PyValue> names;
    for (const std::string &kind : list->kinds)
      names.push_back(PyValue::object(py::string(kind)));
    add(PyValue::sequence(names));
    for (const PyValue &column : list->items)
      addOwn(column);
    // Of strings and of arrays what they are: of other items something that nobody reads.
    for (auto [place, kind] : llvm::enumerate(list->kinds)) {
      bool isString = kind == "str";
      if (isTupleKind(kind)) {
        if (!tupleColumns(in, kind).empty()) // empty tuples are made of the type's name
          addTuples(list, kind, place, isColumn);
        continue;
      }
      if (!isString && !isArrayKind(kind) && !isRowKind(kind))
        continue;
      PyValue numbers = callInLibrary(in, isString ? "mixed.string_numbers" : "mixed.array_numbers",
                                      {list->items[0], list->items[1], PyValue::object(py::integer(place))});
      if (numbers.isPoison())
        return;
      if (isRowKind(kind)) {
        PyValue rows = rowOfKind(in, kind, numbers);
        if (rows.isPoison())
          return;
        addRows(rows, isColumn ? "npcc.tables:Rows" : "npcc.tables:rows");
        continue;
      }
      form += isString ? 'T' : 'K';
      addOwn(numbers);
    }
  });
}

/// The tuples of one type in a list of several types.
void Results::addTuples(const PyValue &list, StringRef kind, size_t place, bool isColumn) {
  PyValue rows =
      callInLibrary(in, "mixed.tuple_rows", {list->items[0], list->items[1], PyValue::object(py::integer(place))});
  std::vector<PyValue> columns = tupleColumns(in, kind);
  for (PyValue &column : columns)
    column =
        column.isPoison() || rows.isPoison() ? PyValue::poison() : callInLibrary(in, "mixed.taken", {column, rows});
  if (llvm::any_of(columns, [](const PyValue &column) { return column.isPoison(); }))
    return;
  py::Object cls = tupleClass(in, kind);
  if (!isColumn)
    return add(PyValue::rows(std::move(columns), cls));
  // What they hold may be rows of tables that are not made yet.
  addCall("npcc.tables:Tuples", [&] {
    add(cls ? PyValue::object(py::string(classKey(in, cls))) : PyValue::object(py::none()));
    for (const PyValue &column : columns)
      addColumn(column);
  });
}

/// What an object or a dict holds. Keys that some paths leave unbound are taken away again where they are.
void Results::addInstance(const PyValue &value) {
  std::vector<py::Object> keys = heldKeys(in, value), uncertain;
  if (py::Object cls = py::call(py::lookup("npcc.library.exceptions.class_of_caught"), {value->cls});
      cls && !cls.isNone())
    return addCall("npcc.tables:exception", [&] {
      add(PyValue::object(py::string(classKey(in, cls))));
      add(PyValue::object(py::boolean(py::isTrue(value->cls["is_shown"]))));
      add(readHeld(in, value, textKey()));
      for (const py::Object &key : keys)
        if (py::toString(key.get()) != "__text__") {
          add(PyValue::object(key));
          add(readHeld(in, value, key));
        }
    });
  for (const py::Object &key : keys)
    if (std::optional<PyValue> now = boundHeld(in, value, key); now && now->boundSlot)
      uncertain.push_back(key);
  if (!uncertain.empty())
    return addCall("npcc.structures:without_absent", [&] {
      addHeld(value, keys);
      for (const py::Object &key : uncertain)
        add(PyValue::object(key));
    });
  addHeld(value, keys);
}

void Results::addHeld(const PyValue &value, ArrayRef<py::Object> keys) {
  bool isDict = isDictionary(value);
  form += isDict ? "{" : "O";
  if (!isDict) {
    addText(classKey(in, value->cls));
    form += '{';
  }
  for (const py::Object &key : keys) {
    add(PyValue::object(key));
    std::optional<PyValue> now = boundHeld(in, value, key);
    now && now->boundSlot ? addUncertain(value, key, *now) : add(readHeld(in, value, key));
  }
  form += '}';
}

} // namespace npcc::frontend
