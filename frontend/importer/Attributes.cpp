// a.shape, a.T, numpy.pi: attributes of arrays and scalars, and of known objects.
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"
#include "frontend/numpy/random/Random.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// An attribute that an object of a class of Python's has not; or has, but compiled code does not.
static PyValue failsToFind(Interpreter &in, const py::Object &cls, const std::string &name) {
  std::string words = "'" + cls.string("__name__") + "' object has no attribute '" + name + "'";
  if (cls[name.c_str()])
    return in.fail(words + " in compiled code");
  static const py::Object meant = py::lookup("npcc.errors.meant_attribute");
  return in.fail("AttributeError: " + words, py::toString(py::call(meant, {cls, py::string(name)}).get()));
}

/// The real or imaginary part: of a complex array a view, of its value a value; of real ones the array itself, or zeros
/// that nobody may change.
static PyValue componentOf(Interpreter &in, const PyValue &base, bool isReal) {
  Type element = base.elementType();
  if (isa<ComplexType>(element) && base.arrayType())
    return PyValue::runtime(in.ir.part(isReal ? "real" : "imag", base.ir()));
  if (isa<ComplexType>(element))
    return PyValue::runtime(in.ir.emitUfunc(isReal ? "real" : "imag", {valueOf(in, base)}));
  bool isBool = base.isPythonScalar() && element.isInteger(1); // Python's: the parts are ints
  if (isReal)
    return isBool ? PyValue::runtime(in.ir.castTo(base.ir(), in.ir.getI64Type())) : base;
  Value zero = in.ir.constantInteger(element, 0);
  if (base.isPythonScalar())
    return PyValue::runtime(isBool ? in.ir.constantInteger(in.ir.getI64Type(), 0) : zero);
  Value zeros = in.ir.full(zero, in.ir.dims(base.ir()));
  return PyValue::runtime(base.arrayType() ? in.ir.part("read_only", in.ir.newArray(zeros)) : zeros);
}

static int64_t itemsize(Interpreter &in, Type element) { return in.dtypes.dtype(element).integer("itemsize"); }

PyValue attribute(Interpreter &in, const PyValue &base, const std::string &name) {
  if (base.isPoison())
    return base;
  if (base.is(PyValue::Kind::Union))
    return overAlternatives(in, base, [&](PyValue one) { return attribute(in, one, name); });
  if (name == "__class__") {
    Call call;
    call.node = in.currentNode;
    call.args = {base};
    return callObject(in, py::lookup("builtins.type"), call);
  }
  if (base.is(PyValue::Kind::Instance) && !isDictionary(base) && !isBox(base) && !isNumbered(base))
    return instanceAttribute(in, base, name);
  if (base.isRecords())
    return recordsAttribute(in, base, name);
  if (base.isObject()) {
    if (PyType_Check(base.object().get()))
      if (std::optional<PyValue> value = assignedAttribute(in, base.object().list("__mro__"), name))
        return *value;
    if (py::typeName(base.object()) == "function")
      if (std::optional<PyValue> value = assignedAttribute(in, base.object(), name))
        return *value;
    std::string errorType, message;
    PyObject *found = PyObject_GetAttrString(base.object().get(), name.c_str());
    if (!found) {
      py::takeError(errorType, message);
      // A global array's methods are those of arrays.
      return in.fail(errorType + ": " + message);
    }
    py::Object object = py::Object::take(found);
    if (py::isInstance(base.object(), in.dtypes.numpy["ndarray"]) && PyCallable_Check(object.get())) {
      Value array = asArray(in, base);
      return array ? attribute(in, PyValue::runtime(array), name) : PyValue::poison();
    }
    if (std::optional<PyValue> value = threadValue(in, object))
      return *value;
    return fromObject(in, object);
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
  bool isOfItems = base.isSequence() || isRuntimeLength(base) || isRuntimeString(base) || base.isArray() ||
                   base.is(PyValue::Kind::Range);
  if (isOfItems && (name == "__getitem__" || name == "__contains__" || name == "__len__"))
    return method();
  if (isRuntimeString(base))
    return isStringMethod(name) ? method() : failsToFind(in, py::import("builtins")["str"], name);
  if (base.is(PyValue::Kind::Range))
    for (auto [field, bound] : llvm::zip(ArrayRef<StringRef>{"start", "stop", "step"}, base->items))
      if (name == field)
        return bound;
  bool isSuper = base.is(PyValue::Kind::Iterator) && base->name == "super";
  if (isSuper || ((isDictionary(base) || isBox(base)) && base->cls[name.c_str()]))
    return method();
  if (base.isSequence() && base->cls) { // a named tuple
    std::vector<py::Object> fields = base->cls.list("_fields");
    for (auto [field, item] : llvm::zip(fields, base->items))
      if (py::toString(field.get()) == name)
        return item;
    py::Object found = base->cls[name.c_str()];
    if (name == "_fields")
      return fromObject(in, found);
    if (name == "_replace" || name == "_asdict" || (found && py::typeName(found) == "function"))
      return method();
    if (found && py::typeName(found) == "property") {
      Call call;
      call.args.push_back(base);
      return callObject(in, found["fget"], call);
    }
    if (std::optional<PyValue> value = callSpecial(in, base, "__getattr__", PyValue::object(py::string(name))))
      return *value;
  }
  if (isRuntimeLength(base) && py::import("builtins")[base->isList ? "list" : "tuple"][name.c_str()])
    return method();
  if (base.isSequence()) {
    static const std::set<std::string> methods = {"append", "index",   "count", "extend", "pop",   "copy",
                                                  "insert", "reverse", "sort",  "clear",  "remove"};
    if (methods.count(name))
      return method();
    return failsToFind(in, base->cls ? base->cls : py::import("builtins")[base->isList ? "list" : "tuple"], name);
  }
  if (isGenerator(base))
    return needsResumption(in, base, "'" + name + "' of a generator cannot be compiled", "iterate over it");
  for (const auto &[wrapper, function] : in.remembering)
    if (StringRef(name).starts_with("cache_") && function == base)
      return refuseCache(in, name, py::Object::borrow(wrapper));
  if (base.is(PyValue::Kind::Function) && name == "__name__")
    return PyValue::object(py::string(base->name));
  if (!base.isRuntime())
    return in.fail(describe(in, base) + " has no attribute '" + name + "' in compiled code");

  if (base.isGenerator())
    return generatorMethod(in, base, name);
  Type element = base.elementType();
  if (base.isPythonScalar()) {
    if (name == "real" || name == "imag")
      return componentOf(in,
                         isa<IntegerType>(element) && element.isInteger(1)
                             ? PyValue::runtime(in.ir.castTo(base.ir(), in.ir.getI64Type()))
                             : base,
                         name == "real");
    if (name == "conjugate" || name == "is_integer" || name == "bit_length" || name == "bit_count")
      return method();
    return in.fail("AttributeError: '" + describe(in, base) + "' object has no attribute '" + name + "'");
  }
  bool isReal = isa<FloatType>(element) || (isa<IntegerType>(element) && !element.isInteger(1));
  if (base.isNumpyScalar() && name == "is_integer" && isReal)
    return method();
  // A few of an array's methods NumPy's scalars lack.
  if (base.isNumpyScalar() && in.dtypes.numpy["ndarray"][name.c_str()] &&
      !in.dtypes.dtype(element)["type"][name.c_str()])
    return in.fail("AttributeError: " + nameOfType(in, base) + " object has no attribute '" + name + "'");
  int64_t rank = base.rank();
  if (name == "shape") {
    std::vector<PyValue> extents;
    for (int64_t axis = 0; axis < rank; ++axis)
      extents.push_back(fromIndex(in, in.ir.dim(base.ir(), axis)));
    return PyValue::sequence(std::move(extents));
  }
  if (name == "ndim")
    return PyValue::object(py::integer(rank));
  if (name == "size")
    return fromIndex(in, in.ir.size(base.ir()));
  if (name == "dtype")
    return PyValue::object(in.dtypes.dtype(element));
  if (name == "itemsize")
    return PyValue::object(py::integer(itemsize(in, element)));
  if (name == "strides" && base.isRuntime()) {
    std::vector<PyValue> strides;
    for (Value stride : placementInMemory(in, base.ir()).strides)
      strides.push_back(binary(in, "Mult", fromIndex(in, stride), PyValue::object(py::integer(itemsize(in, element)))));
    return PyValue::sequence(std::move(strides));
  }
  if (name == "nbytes")
    return binary(in, "Mult", fromIndex(in, in.ir.size(base.ir())),
                  PyValue::object(py::integer(itemsize(in, element))));
  if (name == "flags")
    return callInLibrary(in, "array_flags.flags_of", {base});
  if (name == "T" || name == "mT") {
    if (name == "mT" && rank < 2)
      return in.fail("ValueError: matrix transpose with ndim < 2 is undefined");
    SmallVector<int64_t> order;
    for (int64_t axis = 0; axis < rank; ++axis)
      order.push_back(name == "T" ? rank - 1 - axis : axis);
    if (name == "mT")
      std::swap(order[rank - 1], order[rank - 2]);
    return PyValue::runtime(in.ir.permute(base.ir(), order));
  }
  if (name == "flat" && (base.isArray() || base.arrayType()))
    return flat(in, base);
  if (name == "real" || name == "imag")
    return componentOf(in, base, name == "real");
  if (findMethod(name) || functionOfMethod(name))
    return method();
  if (in.outlines && in.outlines->parts && name == "tobytes")
    return method();
  if (name == "tofile" || name == "dump")
    return in.fail("ndarray." + name + " cannot be compiled", "write files outside of the compiled function");
  if (py::Object known = in.dtypes.numpy["ndarray"][name.c_str()])
    return in.fail("ndarray." + name + " cannot be compiled",
                   "npcc.supported() lists the functions and methods that can");
  return in.fail("AttributeError: 'numpy.ndarray' object has no attribute '" + name + "'");
}

/// Whether a value is a list, or holds it.
static bool leadsTo(const PyValue &value, const PyValue &list) {
  return value.hasItems() &&
         (&*value == &*list || llvm::any_of(value->items, [&](const PyValue &item) { return leadsTo(item, list); }));
}

/// Methods of tuples and lists, at compile time.
static PyValue sequenceMethod(Interpreter &in, const PyValue &receiver, const std::string &name, Call &call) {
  auto none = [] { return PyValue::object(py::none()); };
  bool changes = name != "index" && name != "count" && name != "copy";
  bool staysEmpty = receiver->items.empty() && (name == "sort" || name == "reverse" || name == "clear");
  if (staysEmpty)
    return none();
  if (changes && llvm::any_of(call.args, [&](const PyValue &given) { return leadsTo(given, receiver); }))
    return needsBox(in, receiver, "a list gets itself as an item", "keep a copy of it");
  if (changes && (!receiver->isList || receiver->depth != in.env.depth))
    return needsBox(in, receiver, "a list changes inside a branch or loop of the program",
                    "let it be a name of the function's, with no other name");
  // The arguments were read: what they hold of the list is as it was.
  std::vector<PyValue> &items = changes ? in.env.changed(receiver).items : receiver->items;
  if (name == "append" && call.args.size() == 1) {
    items.push_back(in.env.bound(call.args[0]));
    return none();
  }
  if (name == "extend" && call.args.size() == 1) {
    std::vector<PyValue> more;
    if (!asSequence(in, call.args[0], more))
      return needsBox(in, receiver, "what the list is extended by has no length known at compile time");
    items.insert(items.end(), more.begin(), more.end());
    return none();
  }
  if (name == "pop" && call.args.size() <= 1) {
    std::optional<int64_t> at = call.args.empty() ? -1 : asInteger(in, call.args[0]);
    int64_t count = items.size();
    if (!at)
      return needsBox(in, receiver, "which item 'pop' takes is not known at compile time");
    if (*at < -count || *at >= count)
      return in.fail(count ? "IndexError: pop index out of range" : "IndexError: pop from empty list");
    int64_t position = *at < 0 ? *at + count : *at;
    PyValue item = items[position];
    items.erase(items.begin() + position);
    return item;
  }
  if (name == "insert" && call.args.size() == 2) {
    if (std::optional<int64_t> at = asInteger(in, call.args[0])) {
      int64_t count = items.size(), position = std::clamp<int64_t>(*at < 0 ? *at + count : *at, 0, count);
      items.insert(items.begin() + position, in.env.bound(call.args[1]));
      return none();
    }
  }
  if (name == "clear" && call.args.empty()) {
    items.clear();
    return none();
  }
  if (name == "sort" && call.args.empty()) {
    Call sort = call;
    sort.args.push_back(receiver);
    PyValue sorted = callObject(in, py::import("builtins")["sorted"], sort);
    std::vector<PyValue> known;
    if (sorted.isPoison())
      return sorted;
    for (size_t k = 0; k < items.size(); ++k)
      known.push_back(in.env.bound(sorted.isSequence() ? sorted->items[k] : listItem(in, sorted, in.ir.index(k))));
    items = known;
    return none();
  }
  if (name == "reverse") {
    std::reverse(items.begin(), items.end());
    return none();
  }
  if (name == "copy") {
    PyValue copy = PyValue::sequence(items, true);
    copy->depth = in.env.depth;
    return copy;
  }
  bool isRemove = name == "remove", isQuestion = name == "index" || name == "count";
  if (!isRemove && !isQuestion && !receiver->isList)
    return in.fail("AttributeError: 'tuple' object has no attribute '" + name + "'");
  py::Object known = asObject(in, receiver), item = call.args.size() == 1 ? asObject(in, call.args[0]) : py::Object();
  if (isQuestion && call.args.size() == 1 && (!known || !item)) {
    if (name == "count")
      return callIteration(in, "count_of", {receiver, call.args[0]});
    const char *words = receiver->isList ? "list.index(x): x not in list" : "tuple.index(x): x not in tuple";
    return callIteration(in, "place_of", {receiver, call.args[0], PyValue::object(py::string(words))});
  }
  bool isBetween = name == "index" && (call.args.size() == 2 || call.args.size() == 3) && !receiver->items.empty();
  if (isBetween && receiver->isList) { // as of a list of any length
    PyValue list = listOfItems(in, receiver->items);
    return list.isPoison() ? list : callMethod(in, list, name, call);
  }
  if (!known || !item || (!isRemove && !isQuestion))
    return needsBox(in, receiver, "'" + name + "' needs items known at compile time");
  std::string errorType, message;
  py::Object result = py::tryCall(known[isRemove ? "index" : name.c_str()], {item}, {}, errorType, message);
  if (!result && isRemove)
    return in.fail("ValueError: list.remove(x): x not in list");
  if (!result)
    return in.fail(errorType + ": " + message);
  if (!isRemove)
    return fromObject(in, result);
  items.erase(items.begin() + *asInteger(in, fromObject(in, result)));
  return none();
}

/// What operators call, where a program names it: sorted(names, key=ages.__getitem__). Classes of the program have
/// their own.
static std::optional<PyValue> callOperatorMethod(Interpreter &in, const PyValue &receiver, StringRef name,
                                                 const Call &call) {
  if (receiver.is(PyValue::Kind::Instance) && !isBox(receiver) && !isDictionary(receiver))
    return std::nullopt;
  bool takesOne = call.args.size() == 1 && call.keywords.empty();
  if (name == "__getitem__" && takesOne)
    return subscript(in, receiver, call.args[0]);
  if (name == "__contains__" && takesOne)
    return compare(in, "In", call.args[0], receiver);
  if (name == "__len__" && call.args.empty()) {
    Call length;
    length.node = call.node;
    length.args = {receiver};
    return callValue(in, PyValue::object(py::import("builtins")["len"]), length);
  }
  return std::nullopt;
}

/// Whether NumPy's method does not take so many arguments, or these keywords, which is an error in its words then:
/// methods have other parameters than the functions that compute the same.
static bool complainsOfArguments(Interpreter &in, const PyValue &receiver, const std::string &name, const Call &call) {
  static const py::Object complaint = py::lookup("npcc.errors.complaint_of_method");
  if (in.env.frame->isLibrary || call.rest)
    return false;
  std::vector<py::Object> keywords;
  for (const auto &[keyword, value] : call.keywords)
    keywords.push_back(py::string(keyword));
  py::Object words = py::call(complaint, {py::string(name), py::integer(call.args.size()), py::tuple(keywords),
                                          py::boolean(receiver.isNumpyScalar())});
  std::string text = py::toString(words.get());
  if (!text.empty())
    in.fail("TypeError: " + text);
  return !text.empty();
}

PyValue callMethod(Interpreter &in, const PyValue &receiver, const std::string &name, Call &call) {
  if (name == launchMethod)
    return launchKernel(in, receiver, call);
  if (std::optional<PyValue> result = callOperatorMethod(in, receiver, name, call))
    return *result;
  if (receiver.isRecords())
    return callRecordsMethod(in, receiver, name, call);
  if (isRuntimeString(receiver))
    return callStringMethod(in, receiver, name, call);
  if (receiver.is(PyValue::Kind::Instance))
    return callInstanceMethod(in, receiver, name, call);
  if (receiver.is(PyValue::Kind::Iterator) && receiver->name == "super")
    return callSuperMethod(in, receiver, name, call);
  if (receiver.isSequence() && receiver->cls && receiver->cls[name.c_str()] && name != "index" && name != "count")
    return callTupleMethod(in, receiver, name, call);
  if (isRuntimeLength(receiver))
    return callListMethod(in, receiver, name, call);
  if (receiver.isSequence())
    return sequenceMethod(in, receiver, name, call);
  if (receiver.isGenerator())
    return callGeneratorMethod(in, receiver, name, call);
  if (receiver.isPythonScalar()) {
    if (name == "conjugate")
      return isa<ComplexType>(receiver.type()) ? PyValue::runtime(in.ir.emitUfunc("conjugate", {receiver.ir()}))
             : receiver.type().isInteger(1)    ? PyValue::runtime(in.ir.castTo(receiver.ir(), in.ir.getI64Type()))
                                               : receiver;
    if (name == "is_integer" && isa<FloatType>(receiver.type())) {
      // An infinity minus itself is NaN, which equals nothing.
      Value fraction = arith::SubFOp::create(in.ir, receiver.ir(), in.ir.emitUfunc("floor", {receiver.ir()}));
      Value zero = arith::ConstantOp::create(in.ir, in.ir.getFloatAttr(receiver.type(), 0.0));
      return PyValue::runtime(arith::CmpFOp::create(in.ir, arith::CmpFPredicate::OEQ, fraction, zero));
    }
    if ((name == "bit_length" || name == "bit_count") && isa<IntegerType>(receiver.type()) && call.args.empty())
      return callInLibrary(in, "python_numbers." + name, {receiver});
    return in.fail("method '" + name + "' of a number cannot be compiled");
  }
  if (receiver.isNumpyScalar() && name == "is_integer" && call.args.empty()) {
    if (isa<IntegerType>(receiver.elementType()))
      return PyValue::object(py::boolean(true));
    return callMethod(in, PyValue::runtime(in.ir.item(receiver.ir())), name, call);
  }
  if (name == "tobytes")
    return bytesOf(in, receiver, call);
  if (complainsOfArguments(in, receiver, name, call))
    return PyValue::poison();
  call.args.insert(call.args.begin(), receiver);
  if (const FunctionRow *row = findMethod(name))
    return callRow(in, *row, call);
  return callObject(in, functionOfMethod(name), call);
}

} // namespace npcc::frontend
