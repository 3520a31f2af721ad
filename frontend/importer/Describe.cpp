// What error messages call things.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// The class that a program sees in the place of one of the library's.
static py::Object seenClass(const py::Object &cls) {
  static const py::Object pythons = py::lookup("npcc.library.containers.SEEN_AS");
  PyObject *own = PyDict_GetItemWithError(pythons.get(), cls.get());
  return own ? py::Object::borrow(own) : cls;
}

std::string describe(Interpreter &in, const PyValue &value) {
  switch (value.kind()) {
  case PyValue::Kind::Object:
    return value.isNone() ? "None"
           : py::isInstance(value.object(), py::Object::borrow(reinterpret_cast<PyObject *>(&PyType_Type)))
               ? py::repr(value.object())
               : "'" + py::typeName(value.object()) + "'";
  case PyValue::Kind::Runtime:
  case PyValue::Kind::Slot: {
    Type type = runtimeType(in, value);
    if (auto generator = dyn_cast<np::GeneratorType>(type))
      return "a numpy.random." + generator.getKind().str();
    std::string dtype = in.dtypes.name(np::getElementType(type));
    int64_t rank = np::getRank(type);
    if (isa<np::ArrayType>(type) || rank > 0)
      return "an array of " + dtype + " with " + std::to_string(rank) + (rank == 1 ? " axis" : " axes");
    if (isa<RankedTensorType>(type))
      return "numpy." + dtype;
    return dtype == "int64" ? "int" : dtype == "float64" ? "float" : dtype == "bool" ? "bool" : "complex";
  }
  case PyValue::Kind::Sequence:
    return value->isList ? "a list" : "a tuple";
  case PyValue::Kind::List:
  case PyValue::Kind::Rows:
    return value->isList ? "a list" : "a tuple";
  case PyValue::Kind::Records:
    return value->levels == SingleRecord ? "a record" : "an array of records";
  case PyValue::Kind::Slice:
    return "a slice";
  case PyValue::Kind::Range:
    return "a range";
  case PyValue::Kind::Iterator:
    return value->name + "()";
  case PyValue::Kind::Function:
    return "a function";
  case PyValue::Kind::Method:
    return "a method";
  case PyValue::Kind::Text:
    return "'str'";
  case PyValue::Kind::Instance:
    if (isBox(value))
      return isTupleBox(value) ? "a tuple" : "a list";
    return isNumbered(value) ? "'str'" : "an object of " + py::repr(seenClass(value->cls));
  case PyValue::Kind::Union: {
    std::string words;
    for (const PyValue &one : value->items)
      if (!one.is(PyValue::Kind::Unbound))
        words += (words.empty() ? "" : " or ") + describe(in, one);
    return words;
  }
  default:
    return "something unknown";
  }
}

std::string visibleName(const py::Object &cls) { return seenClass(cls).string("__name__"); }

bool refusesSeen(Interpreter &in, const py::Object &cls, const std::string &name) {
  py::Object seen = seenClass(cls), found = seen == cls ? py::Object() : seen[name.c_str()];
  if (!found || found == py::import("builtins")["object"][name.c_str()])
    return false;
  in.fail("'" + seen.string("__name__") + "' object has no '" + name + "' in compiled code");
  return true;
}

std::string nameOfType(Interpreter &in, const PyValue &value, bool isQuoted) {
  std::string name;
  if (value.isObject())
    name = (py::isInstance(value.object(), in.dtypes.numpy["generic"]) ? "numpy." : "") + py::typeName(value.object());
  else if (value.isNumpyScalar())
    name = "numpy." + in.dtypes.name(value.elementType());
  else if (value.isPythonScalar() || (value.is(PyValue::Kind::Slot) && !value.arrayType() && value.rank() == 0))
    name = describe(in, value);
  else if (value.isRuntime() && value.arrayType())
    name = "numpy.ndarray";
  else if (value.isRecords())
    name = isRecord(value) ? "numpy.void" : "numpy.ndarray";
  else if (isBox(value))
    name = isTupleBox(value) ? "tuple" : "list";
  else if (isString(value))
    name = "str";
  else if (value.is(PyValue::Kind::Instance) || value.isTabled())
    name = visibleName(value->cls);
  else if (value.is(PyValue::Kind::Range) || value.is(PyValue::Kind::Slice))
    name = value.is(PyValue::Kind::Range) ? "range" : "slice";
  else if (value.is(PyValue::Kind::Iterator))
    name = value->name; // zip, enumerate, generator
  else if (value.hasItems())
    name = value->cls && value.isSequence() ? value->cls.string("__name__") : value->isList ? "list" : "tuple";
  if (name.empty())
    return describe(in, value);
  return isQuoted ? "'" + name + "'" : name;
}

} // namespace npcc::frontend
