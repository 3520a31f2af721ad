// What is known at compile time, as Python's own objects.
#include "frontend/importer/Known.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/StringArrays.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"
#include "mlir/IR/Matchers.h"
#include "runtime/abi/arrays.h"

using namespace mlir;

namespace npcc::frontend {

/// More items than this are not handled one by one.
static constexpr int64_t sequenceLimit = 4096;

py::Object asObject(Interpreter &in, const PyValue &value) {
  if (value.isObject())
    return value.object();
  if (!value.isSequence() && !value.is(PyValue::Kind::Slice))
    return {};
  std::vector<py::Object> items;
  for (const PyValue &item : value->items) {
    items.push_back(asObject(in, item));
    if (!items.back())
      return {};
  }
  if (value.is(PyValue::Kind::Slice))
    return py::call(py::import("builtins")["slice"], items);
  return value->isList ? py::list(items) : py::tuple(items);
}

/// Whether an object is an array of a structured dtype, or a record.
static bool isKnownRecords(Interpreter &in, const py::Object &object) {
  if (!object || in.ir.isThread ||
      !(py::isInstance(object, in.dtypes.numpy["ndarray"]) || py::isInstance(object, in.dtypes.numpy["void"])))
    return false;
  py::Object names = object["dtype"]["names"];
  return names && !names.isNone();
}

/// A dict of a class that finds items in a way of its own, as a defaultdict does: only Python can look into it.
static bool isOwnMapping(const py::Object &object) {
  static const py::Object question = py::lookup("npcc.dependencies.is_own_mapping");
  return object && PyDict_Check(object.get()) && !PyDict_CheckExact(object.get()) &&
         py::isTrue(py::call(question, {object}));
}

PyValue ofGlobal(Interpreter &in, const py::Object &object) {
  if (std::optional<AssignedPlace> place = placeOfContainer(in, object))
    if (std::optional<PyValue> value = readAssigned(in, *place))
      return *value;
  if (isPythonsContainer(in, object))
    return asPythons(in, PyValue::object(object));
  if (!in.ir.isThread && notesStandIn(in, object))
    return in.fail("a sparse matrix that is no argument cannot be compiled here", "pass it as an argument");
  if (isOwnMapping(object) && in.env.frame && !in.env.frame->isLibrary) {
    if (in.outlines && in.outlines->parts && !in.ir.isThread)
      return asPythons(in, PyValue::object(object));
    return in.fail("a global " + py::typeName(object) +
                       " finds its items in a way of its own, which cannot be compiled",
                   "make a dict of it");
  }
  auto found = in.globalArrays.find(object.get());
  if (found == in.globalArrays.end())
    return isKnownRecords(in, object)                    ? knownRecords(in, object)
           : isArrayOfStrings(object) && !in.ir.isThread ? knownStringArray(in, object)
                                                         : PyValue::object(object);
  if (found->second.isPoison())
    return in.fail("a large global array in a function that calls itself cannot be compiled",
                   "pass the array as an argument");
  return found->second;
}

/// The same; `isNew`: nobody but the importer has the object.
static PyValue fromObject(Interpreter &in, const py::Object &object, bool isNew) {
  bool isSequence = object && (PyTuple_Check(object.get()) || PyList_Check(object.get()));
  bool hasNames = isSequence && object["n_sequence_fields"]; // sys.float_info, sys.version_info: fields by names of C's
  if (hasNames || !isSequence || placeOfContainer(in, object) || isPythonsContainer(in, object))
    return ofGlobal(in, object);
  std::vector<PyValue> items;
  std::vector<py::Object> elements = py::elements(object);
  for (const py::Object &item : elements) // a new one is referred to by the object and from here
    items.push_back(fromObject(in, item, isNew && Py_REFCNT(item.get()) == 2));
  PyValue result = PyValue::sequence(std::move(items), PyList_Check(object.get()));
  result->depth = in.env.depth;
  if (!isNew && result->isList)
    result->site = siteOfGlobal(in, object);
  if (!PyTuple_CheckExact(object.get()) && object["_fields"])
    result->cls = py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(object.get())));
  return result;
}

PyValue fromObject(Interpreter &in, py::Object object) { return fromObject(in, object, /*isNew=*/false); }

PyValue fromResult(Interpreter &in, const py::Object &result) {
  return fromObject(in, result, result && Py_REFCNT(result.get()) == 1);
}

std::optional<int64_t> asInteger(Interpreter &in, const PyValue &value) {
  if (value.isObject())
    return py::asInteger(value.object());
  if (value.isRuntime() && value.isPythonScalar()) {
    Value scalar = value.ir();
    if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
      scalar = cast.getIn();
    IntegerAttr known;
    if (matchPattern(scalar, m_Constant(&known)) && known.getType().isIntOrIndex())
      return known.getValue().getSExtValue();
  }
  return std::nullopt;
}

bool asSequence(Interpreter &in, const PyValue &value, std::vector<PyValue> &items) {
  if (isBox(value))
    return asSequence(in, unboxed(in, value), items);
  if (isRecord(value)) {
    for (size_t k = 0; k < value->items.size(); ++k)
      items.push_back(recordsItem(in, value, PyValue::object(py::integer(k))));
    return llvm::none_of(items, [](const PyValue &item) { return item.isPoison(); });
  }
  if (value.isSequence()) {
    items = value->items;
    return true;
  }
  if (isDictionary(value)) {
    for (const py::Object &key : heldKeys(in, value))
      items.push_back(fromObject(in, key));
    return true;
  }
  if (value.is(PyValue::Kind::Range)) {
    std::optional<int64_t> start = asInteger(in, value->items[0]), stop = asInteger(in, value->items[1]),
                           step = asInteger(in, value->items[2]);
    if (!start || !stop || !step || *step == 0 || std::abs((*stop - *start) / *step) > sequenceLimit)
      return false;
    for (int64_t k = *start; *step > 0 ? k < *stop : k > *stop; k += *step)
      items.push_back(PyValue::object(py::integer(k)));
    return true;
  }
  if (value.is(PyValue::Kind::Iterator) && StringRef(value->name).starts_with("nd"))
    return false;
  if (value.is(PyValue::Kind::Iterator)) {
    std::vector<std::vector<PyValue>> columns;
    bool isEnumerate = value->name == "enumerate", isReversed = value->name == "reversed";
    for (size_t k = 0; k < (isEnumerate ? 1 : value->items.size()); ++k) {
      columns.emplace_back();
      if (!asSequence(in, value->items[k], columns.back()))
        return false;
    }
    size_t count = columns.empty() ? 0 : columns.front().size();
    for (const auto &column : columns)
      count = std::min(count, column.size());
    for (size_t k = 0; k < count; ++k) {
      if (isReversed) {
        items.push_back(columns[0][count - 1 - k]);
        continue;
      }
      std::vector<PyValue> row;
      if (isEnumerate) {
        PyValue start = value->items.size() > 1 ? value->items[1] : PyValue::object(py::integer(0));
        row.push_back(binary(in, "Add", start, PyValue::object(py::integer(k))));
      }
      for (const auto &column : columns)
        row.push_back(column[k]);
      items.push_back(PyValue::sequence(std::move(row)));
    }
    return true;
  }
  if (!value.isObject() || !value.object())
    return false;
  const py::Object &object = value.object();
  bool isPlain = PyTuple_Check(object.get()) || PyList_Check(object.get()) || PyUnicode_Check(object.get()) ||
                 PyDict_Check(object.get()) || PyAnySet_Check(object.get()) ||
                 StringRef(py::typeName(object)).starts_with("dict_") ||
                 StringRef(py::typeName(object)).starts_with("odict_") || py::typeName(object) == "range" ||
                 py::isInstance(object, py::import("enum")["EnumMeta"]);
  if (!isPlain || PyObject_Size(object.get()) > sequenceLimit)
    return false;
  for (const py::Object &item : py::elements(object))
    items.push_back(fromObject(in, item));
  return true;
}

Type asDtype(Interpreter &in, const PyValue &value, Type otherwise) {
  if (value.isNone())
    return otherwise;
  py::Object object = asObject(in, value);
  if (!object) {
    if (!value.isPoison())
      in.fail("a dtype must be known at compile time");
    return {};
  }
  py::Object dtype = in.dtypes.toDtype(object);
  if (!dtype) {
    in.fail("TypeError: data type " + py::repr(object) + " not understood");
    return {};
  }
  Type type = in.dtypes.elementType(dtype);
  if (!type)
    in.fail(dtype.string("kind") == "O" ? objectArrays.str() : "dtype " + py::text(dtype) + " cannot be compiled",
            "use bool, integers to 64 bits, float16 to float64, bfloat16, complex64 or complex128");
  return type;
}

std::optional<int64_t> asAxis(Interpreter &in, const PyValue &value, int64_t rank, StringRef parameter) {
  std::optional<int64_t> axis = asInteger(in, value);
  if (!axis) {
    if (value.isArray() || isList(value))
      in.fail("TypeError: only integer scalar arrays can be converted to a scalar index");
    else if (value.isSequence())
      in.fail("TypeError: 'tuple' object cannot be interpreted as an integer");
    else if (value.isNone() ||
             (value.isObject() && (PyFloat_Check(value.object().get()) || PyUnicode_Check(value.object().get()))))
      in.fail("TypeError: " + nameOfType(in, value) + " object cannot be interpreted as an integer");
    else if (!value.isPoison())
      in.fail("an axis must be an integer known at compile time, not " + describe(in, value),
              "write it as a constant, or let it be an argument of the function that no loop changes");
    return std::nullopt;
  }
  if (*axis < -rank || *axis >= rank) {
    in.fail("AxisError: " + (parameter.empty() ? Twine() : parameter + Twine(": ")) + "axis " + Twine(*axis) +
            " is out of bounds for array of dimension " + Twine(rank));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + rank : *axis;
}

bool asAxes(Interpreter &in, const PyValue &value, int64_t rank, SmallVectorImpl<int64_t> &axes, StringRef parameter,
            StringRef repeated) {
  if (!parameter.empty() && value.isObject() && (value.isNone() || PyFloat_Check(value.object().get()))) {
    in.fail("TypeError: " + nameOfType(in, value) + " object is not iterable");
    return false;
  }
  if (value.isNone()) {
    for (int64_t axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
    return true;
  }
  std::vector<PyValue> items;
  if (!asSequence(in, value, items))
    items = {value};
  for (const PyValue &item : items) {
    std::optional<int64_t> axis = asAxis(in, item, rank, parameter);
    if (!axis)
      return false;
    if (llvm::is_contained(axes, *axis)) {
      in.fail(parameter.empty() ? "ValueError: " + repeated
                                : "ValueError: repeated axis in `" + parameter + "` argument");
      return false;
    }
    axes.push_back(*axis);
  }
  return true;
}

bool asKnownItems(Interpreter &in, const PyValue &value, std::vector<PyValue> &items) {
  constexpr int64_t longest = NPCC_MAX_RANK; // an axis for each
  IntegerAttr extent;
  return value.isArray() && value.rank() == 1 && matchPattern(in.ir.dim(value.ir(), 0), m_Constant(&extent)) &&
         extent.getInt() <= longest && unpack(in, value, extent.getInt(), items);
}

/// What NumPy says of a bool of the program in place of a shape, which names the bool.
static void refuseBool(Interpreter &in, const PyValue &item) {
  Value isTrue = valueOf(in, item);
  if (isa<RankedTensorType>(isTrue.getType()))
    isTrue = in.ir.item(isTrue);
  Value isFalse = arith::XOrIOp::create(in.ir, isTrue, in.ir.boolean(true));
  bool isPythons = item.isPythonScalar();
  std::string words = "expected a sequence of integers or a single integer, got '";
  in.ir.check(isFalse, "TypeError", words + (isPythons ? "True'" : "np.True_'"));
  in.ir.check(isTrue, "TypeError", words + (isPythons ? "False'" : "np.False_'"));
}

/// What NumPy says of an object that is no extent; empty where it may be one. `isOne`: it stands for the whole shape.
static std::string complaintOfExtent(Interpreter &in, const PyValue &item, bool isOne) {
  bool isBool = item.isRuntime() && getElementTypeOrSelf(item.type()).isInteger(1);
  if (!item.isObject())
    return isBool && !isOne ? "TypeError: an integer is required" : "";
  PyObject *object = item.object().get();
  static const py::Object boolOfNumpy = py::lookup("numpy.bool");
  isBool = PyBool_Check(object) || PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject *>(boolOfNumpy.get()));
  bool isText = PyUnicode_Check(object), isNumber = PyFloat_Check(object) || PyComplex_Check(object);
  if (isOne && item.isNone())
    return "TypeError: Use () not None as shape arguments";
  if (isOne && (isBool || isNumber))
    return "TypeError: expected a sequence of integers or a single integer, got '" + py::repr(item.object()) + "'";
  if (isBool)
    return "TypeError: an integer is required";
  if (isText || isNumber || item.isNone())
    return "TypeError: " + nameOfType(in, item) + " object cannot be interpreted as an integer";
  return "";
}

bool asShape(Interpreter &in, const PyValue &value, SmallVectorImpl<Value> &extents, SmallVectorImpl<int64_t> &shape) {
  std::vector<PyValue> items;
  bool isOne = !asSequence(in, value, items) && !asKnownItems(in, value, items);
  if (isOne) {
    if (value.isRuntime() && value.rank() > 0) {
      in.fail("a shape must be a tuple of integers", "spell the extents: (a.shape[0], n)");
      return false;
    }
    items = {value};
  }
  for (const PyValue &item : items) {
    std::optional<int64_t> known = asInteger(in, item);
    if (std::string words = complaintOfExtent(in, item, isOne); !words.empty()) {
      in.fail(words);
      return false;
    }
    if (isOne && item.isRuntime() && getElementTypeOrSelf(item.type()).isInteger(1))
      refuseBool(in, item);
    Value extent = toIndex(in, item, "a shape is made of integers: an integer");
    if (!extent)
      return false;
    if (known && *known < -1) {
      in.fail("ValueError: negative dimensions are not allowed");
      return false;
    }
    extents.push_back(extent);
    shape.push_back(known == 1 ? 1 : ShapedType::kDynamic);
  }
  return true;
}

} // namespace npcc::frontend
