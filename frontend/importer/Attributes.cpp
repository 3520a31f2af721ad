// a.shape, a.T, numpy.pi: attributes of arrays and scalars, and of known objects.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// The real or imaginary part: of a complex array a view, of its value a value; of real ones the array itself, or zeros
/// that nobody may change.
static PyValue componentOf(FunctionImporter &importer, const PyValue &base, bool isReal) {
  Type element = base.elementType();
  if (isa<ComplexType>(element) && base.arrayType())
    return PyValue::runtime(importer.part(isReal ? "real" : "imag", base.ir()));
  if (isa<ComplexType>(element))
    return PyValue::runtime(importer.emitUfunc(isReal ? "real" : "imag", {importer.valueOf(base)}));
  bool isBool = base.isPythonScalar() && element.isInteger(1); // Python's: the parts are ints
  if (isReal)
    return isBool ? PyValue::runtime(importer.castTo(base.ir(), importer.builder.getI64Type())) : base;
  Value zero = importer.constantInteger(element, 0);
  if (base.isPythonScalar())
    return PyValue::runtime(isBool ? importer.constantInteger(importer.builder.getI64Type(), 0) : zero);
  Value zeros = importer.full(zero, importer.dims(base.ir()));
  return PyValue::runtime(base.arrayType() ? importer.part("read_only", importer.newArray(zeros)) : zeros);
}

static int64_t itemsize(FunctionImporter &importer, Type element) {
  return importer.dtypes.dtype(element).integer("itemsize");
}

PyValue FunctionImporter::attribute(const PyValue &base, const std::string &name) {
  if (base.isPoison())
    return base;
  if (base.isObject()) {
    std::string errorType, message;
    PyObject *found = PyObject_GetAttrString(base.object().get(), name.c_str());
    if (!found) {
      py::takeError(errorType, message);
      // A global array's methods are those of arrays.
      return fail(errorType + ": " + message);
    }
    py::Object object = py::Object::take(found);
    if (py::isInstance(base.object(), dtypes.numpy["ndarray"]) && PyCallable_Check(object.get())) {
      Value array = asArray(base);
      return array ? attribute(PyValue::runtime(array), name) : PyValue::poison();
    }
    return fromObject(object);
  }
  if (base.is(PyValue::Kind::Slice)) {
    static const char *const parts[] = {"start", "stop", "step"};
    for (auto [k, part] : llvm::enumerate(parts))
      if (name == part)
        return base->items[k];
  }
  auto method = [&] {
    auto data = std::make_shared<Composite>();
    data->items.push_back(base);
    data->name = name;
    return PyValue::composite(PyValue::Kind::Method, data);
  };
  if (base.isSequence()) {
    static const std::set<std::string> methods = {"append", "index", "count", "extend", "pop", "copy", "insert", "reverse"};
    if (methods.count(name))
      return method();
    return fail("AttributeError: '" + Twine(base->isList ? "list" : "tuple") + "' object has no attribute '" + name + "' in compiled code");
  }
  if (!base.isRuntime())
    return fail("AttributeError: " + describe(base) + " has no attribute '" + name + "' in compiled code");

  Type element = base.elementType();
  if (base.isPythonScalar()) {
    if (name == "real" || name == "imag")
      return componentOf(*this,
                         isa<IntegerType>(element) && element.isInteger(1)
                             ? PyValue::runtime(castTo(base.ir(), builder.getI64Type()))
                             : base,
                         name == "real");
    if (name == "conjugate" || name == "is_integer" || name == "bit_length")
      return method();
    return fail("AttributeError: '" + describe(base) + "' object has no attribute '" + name + "'");
  }
  int64_t rank = base.rank();
  if (name == "shape") {
    std::vector<PyValue> extents;
    for (int64_t axis = 0; axis < rank; ++axis)
      extents.push_back(fromIndex(dim(base.ir(), axis)));
    return PyValue::sequence(std::move(extents));
  }
  if (name == "ndim")
    return PyValue::object(py::integer(rank));
  if (name == "size")
    return fromIndex(size(base.ir()));
  if (name == "dtype")
    return PyValue::object(dtypes.dtype(element));
  if (name == "itemsize")
    return PyValue::object(py::integer(itemsize(*this, element)));
  if (name == "nbytes")
    return binary("Mult", fromIndex(size(base.ir())), PyValue::object(py::integer(itemsize(*this, element))));
  if (name == "T" || name == "mT") {
    if (name == "mT" && rank < 2)
      return fail("ValueError: matrix transpose with ndim < 2 is undefined");
    SmallVector<int64_t> order;
    for (int64_t axis = 0; axis < rank; ++axis)
      order.push_back(name == "T" ? rank - 1 - axis : axis);
    if (name == "mT")
      std::swap(order[rank - 1], order[rank - 2]);
    return PyValue::runtime(permute(base.ir(), order));
  }
  if (name == "flat" && (base.isArray() || base.arrayType()))
    return flat(base);
  if (name == "real" || name == "imag")
    return componentOf(*this, base, name == "real");
  if (findMethod(name) || functionOfMethod(name))
    return method();
  if (py::Object known = dtypes.numpy["ndarray"][name.c_str()])
    return fail("ndarray." + name + " cannot be compiled", "npcc.supported() lists the functions and methods that can");
  return fail("AttributeError: 'numpy.ndarray' object has no attribute '" + name + "'");
}

/// Methods of tuples and lists, at compile time.
static PyValue sequenceMethod(FunctionImporter &importer, const PyValue &receiver, const std::string &name, FunctionImporter::Call &call) {
  std::vector<PyValue> &items = receiver->items;
  auto none = [] { return PyValue::object(py::none()); };
  bool changes = name != "index" && name != "count" && name != "copy";
  if (changes && (!receiver->isList || receiver->depth != importer.depth))
    return importer.fail("a list changes inside a branch or loop of the program", "use an array of the final extent");
  if (name == "append" && call.args.size() == 1) {
    items.push_back(importer.bound(call.args[0]));
    return none();
  }
  if (name == "extend" && call.args.size() == 1) {
    std::vector<PyValue> more;
    if (importer.unpack(call.args[0], -1, more))
      items.insert(items.end(), more.begin(), more.end());
    return none();
  }
  if (name == "pop" && call.args.size() <= 1) {
    std::optional<int64_t> at = call.args.empty() ? -1 : importer.asInteger(call.args[0]);
    int64_t count = items.size();
    if (!at || *at < -count || *at >= count)
      return importer.fail("IndexError: pop index out of range");
    int64_t position = *at < 0 ? *at + count : *at;
    PyValue item = items[position];
    items.erase(items.begin() + position);
    return item;
  }
  if (name == "insert" && call.args.size() == 2) {
    if (std::optional<int64_t> at = importer.asInteger(call.args[0])) {
      int64_t count = items.size(), position = std::clamp<int64_t>(*at < 0 ? *at + count : *at, 0, count);
      items.insert(items.begin() + position, importer.bound(call.args[1]));
      return none();
    }
  }
  if (name == "reverse") {
    std::reverse(items.begin(), items.end());
    return none();
  }
  if (name == "copy") {
    PyValue copy = PyValue::sequence(items, true);
    copy->depth = importer.depth;
    return copy;
  }
  py::Object known = importer.asObject(receiver), item = call.args.size() == 1 ? importer.asObject(call.args[0]) : py::Object();
  if (known && item) {
    std::string errorType, message;
    py::Object result = py::tryCall(known[name.c_str()], {item}, {}, errorType, message);
    return result ? importer.fromObject(result) : importer.fail(errorType + ": " + message);
  }
  return importer.fail("'" + name + "' needs items known at compile time");
}

PyValue FunctionImporter::callMethod(const PyValue &receiver, const std::string &name, Call &call) {
  if (receiver.isSequence())
    return sequenceMethod(*this, receiver, name, call);
  if (receiver.isPythonScalar()) {
    if (name == "conjugate")
      return isa<ComplexType>(receiver.type()) ? PyValue::runtime(emitUfunc("conjugate", {receiver.ir()}))
             : receiver.type().isInteger(1)    ? PyValue::runtime(castTo(receiver.ir(), builder.getI64Type()))
                                               : receiver;
    if (name == "is_integer" && isa<FloatType>(receiver.type())) {
      Value floor = emitUfunc("floor", {receiver.ir()});
      return PyValue::runtime(arith::CmpFOp::create(builder, here(), arith::CmpFPredicate::OEQ, floor, receiver.ir()));
    }
    return fail("method '" + name + "' of a number cannot be compiled");
  }
  call.args.insert(call.args.begin(), receiver);
  if (const FunctionRow *row = findMethod(name))
    return callRow(*this, *row, call);
  return callObject(functionOfMethod(name), call);
}

} // namespace npcc::frontend
