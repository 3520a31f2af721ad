// Attributes and methods of arrays of records, and calls of NumPy's functions with them: what is no question of single
// fields is written in Python, in npcc/library/records.py, by the function's name.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

/// A function of npcc.library.records; null if there is none.
static py::Object inLibrary(const std::string &name) { return py::import("npcc.library.records")[name.c_str()]; }

PyValue recordsAttribute(Interpreter &in, const PyValue &records, const std::string &name) {
  if (name == "dtype")
    return PyValue::object(records->cls);
  if (name == "ndim")
    return PyValue::object(py::integer(recordsRank(records)));
  if (name == "itemsize")
    return PyValue::object(records->cls["itemsize"]);
  std::vector<PyValue> shape = recordsShape(in, records);
  if (name == "shape")
    return PyValue::sequence(shape);
  if (name == "T" && shape.size() < 2 && !isRecord(records))
    return records;
  if (name == "size" || name == "nbytes") {
    PyValue product = PyValue::object(name == "size" ? py::integer(1) : records->cls["itemsize"]);
    for (const PyValue &extent : shape)
      product = binary(in, "Mult", product, extent);
    return product;
  }
  if (inLibrary("method_" + name)) {
    auto data = std::make_shared<Composite>();
    data->items.push_back(records);
    data->name = name;
    return PyValue::composite(PyValue::Kind::Method, data);
  }
  bool hasAttributes =
      records->levels == RecordArray || (isRecord(records) && records->cls["type"] == py::lookup("numpy.record"));
  for (const py::Object &field : records->cls.list("names"))
    if (hasAttributes && py::toString(field.get()) == name)
      return recordsItem(in, records, PyValue::object(field));
  py::Object cls = recordsClass(records);
  std::string className = cls.string("__module__") + "." + cls.string("__name__");
  if (hasAttributes && !cls[name.c_str()])
    return in.fail("AttributeError: " + Twine(isRecord(records) ? "'" + className + "' object" : "recarray") +
                   " has no attribute" + Twine(isRecord(records) ? " '" + name + "'" : " " + name));
  if (cls[name.c_str()])
    return in.fail("'" + name + "' of an array of records cannot be compiled", "take its fields: a['x']");
  return in.fail("AttributeError: '" + className + "' object has no attribute '" + name + "'");
}

PyValue callRecordsMethod(Interpreter &in, const PyValue &records, const std::string &name, Call &call) {
  call.args.insert(call.args.begin(), records);
  return callFunction(in, functionOf(in, inLibrary("method_" + name), /*isLibrary=*/true), call);
}

/// Whether a value is records, or a list or tuple that holds some.
static bool holdsRecords(const PyValue &value) {
  return value.isRecords() || (value.isSequence() && llvm::any_of(value->items, holdsRecords));
}

/// A dict of the program's whose values are known; null where they are not.
static py::Object knownDict(Interpreter &in, const PyValue &dict) {
  std::vector<py::Object> pairs;
  for (const py::Object &key : heldKeys(in, dict)) {
    py::Object value = asObject(in, readHeld(in, dict, key));
    if (!value)
      return {};
    pairs.push_back(py::tuple({key, value}));
  }
  return py::call(py::import("builtins")["dict"], {py::list(pairs)});
}

std::optional<PyValue> callOfRecords(Interpreter &in, const py::Object &callee, Call &call) {
  bool isUfunc = py::typeName(callee) == "ufunc";
  StringRef module;
  std::string moduleName = callee.string("__module__"), name = callee.string("__name__");
  module = moduleName;
  if (in.ir.isThread ||
      (!isUfunc && !isOfPackage(callee, "numpy"))) // threads have records of their own: npcc/threads/records.py
    return std::nullopt;
  bool isRecordFunction = module == "numpy.rec" || module == "numpy._core.records";
  bool isOfRecords = isRecordFunction;
  for (const PyValue &arg : call.args)
    isOfRecords |= holdsRecords(arg);
  for (auto &[keyword, value] : call.keywords)
    isOfRecords |= holdsRecords(value);
  static const py::Object dtypeClass = py::lookup("numpy.dtype");
  if (callee == dtypeClass)
    for (PyValue &arg : call.args)
      if (py::Object known = isDictionary(arg) ? knownDict(in, arg) : py::Object()) // names and formats
        arg = PyValue::object(known);
  if (callee == dtypeClass || (!isOfRecords && isEvaluated(callee)))
    return std::nullopt;
  // A dtype with fields is given as such.
  auto asDtype = [&](PyValue &value) {
    if (py::Object dtype = structuredDtype(in, value)) {
      value = PyValue::object(dtype);
      isOfRecords = true;
    }
  };
  static const std::set<std::string> creators = {"zeros",      "ones",      "empty",    "full",       "array",
                                                 "asarray",    "copy",      "recarray", "zeros_like", "ones_like",
                                                 "empty_like", "full_like", "fromiter"};
  bool isCreator = creators.count(name) || isRecordFunction;
  for (auto [k, arg] : llvm::enumerate(call.args))
    if (isCreator && k > (StringRef(name).starts_with("full") ? 1u : 0u))
      asDtype(arg);
  for (auto &[keyword, value] : call.keywords)
    if (keyword == "dtype")
      asDtype(value);
  if (!isOfRecords)
    return std::nullopt;
  py::Object function = inLibrary((isRecordFunction ? "rec_" : "numpy_") + name);
  if (!function)
    return in.fail((isRecordFunction ? "numpy.rec." : "numpy.") + name + " of arrays of records cannot be compiled",
                   "call it with their fields: a['x']");
  return callFunction(in, functionOf(in, function, /*isLibrary=*/true), call);
}

std::optional<PyValue> callFieldFunction(Interpreter &in, const py::Object &callee, Call &call) {
  static const py::Object fields = py::lookup("npcc.records.fields"), records = py::lookup("npcc.records.records");
  if (callee == fields && call.args.size() == 1 && call.args[0].isRecords())
    return PyValue::sequence(call.args[0]->items);
  if (!(callee == records) || call.args.size() != 3)
    return std::nullopt;
  std::vector<PyValue> parts;
  py::Object dtype = structuredDtype(in, call.args[1]);
  std::optional<int64_t> form = asInteger(in, call.args[2]);
  if (!dtype || !form || !asSequence(in, call.args[0], parts))
    return in.hasErrors() ? PyValue::poison() : in.fail("records() takes fields, a dtype with fields, and a form");
  for (PyValue &part : parts) {
    if (!part.isRecords() && !part.isNone() && !part.arrayType()) {
      Value value = asArray(in, part);
      part = value ? asNewArray(in, value) : PyValue::poison();
    }
    part = in.env.bound(part);
    if (part.isPoison())
      return part;
  }
  return recordsOf(std::move(parts), dtype, *form);
}

} // namespace npcc::frontend
