// Where control flow meets: one binding for each name, through slots where they differ.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;

namespace npcc::frontend {

Type FunctionImporter::runtimeType(const PyValue &value) {
  if (value.isRuntime())
    return value.type();
  if (value.is(PyValue::Kind::Slot))
    return cast<np::SlotType>(value.slot.getType()).getValueType();
  if (!value.isObject())
    return {};
  py::Object key = promotionKey(value);
  if (!key)
    return {};
  Type type = PyType_Check(key.get()) ? dtypes.resultType(key) : dtypes.elementType(key);
  bool isStrong = !PyType_Check(key.get()) && !PyBool_Check(value.object().get());
  return isStrong && type ? Type(RankedTensorType::get({}, type)) : type;
}

/// int, float, complex or a dtype, of a scalar's type.
static PyValue placeholder(Dtypes &dtypes, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<RankedTensorType>(type) || element.isInteger(1))
    return PyValue::object(py::call(dtypes.dtype(element)["type"], {py::integer(0)}));
  if (isa<ComplexType>(element))
    return PyValue::object(py::Object::take(PyComplex_FromDoubles(0, 0)));
  return PyValue::object(isa<FloatType>(element) ? py::real(0) : py::integer(0));
}

Type FunctionImporter::joinTypes(Type left, Type right) {
  if (left == right || !left || !right)
    return left == right ? left : Type();
  auto leftArray = dyn_cast<np::ArrayType>(left), rightArray = dyn_cast<np::ArrayType>(right);
  if (leftArray && rightArray) {
    if (leftArray.getElementType() != rightArray.getElementType() || leftArray.getRank() != rightArray.getRank())
      return {};
    SmallVector<int64_t> shape;
    for (auto [mine, other] : llvm::zip(leftArray.getShape(), rightArray.getShape()))
      shape.push_back(mine == other ? mine : ShapedType::kDynamic);
    return np::ArrayType::get(context, shape, leftArray.getElementType(), leftArray.getContiguous() && rightArray.getContiguous());
  }
  if (np::getRank(left) > 0 || np::getRank(right) > 0)
    return {};
  // An array of no axes joins a scalar as a NumPy scalar.
  if (leftArray)
    return joinTypes(leftArray.getValueType(), right);
  if (rightArray)
    return joinTypes(left, rightArray.getValueType());
  // Scalars: a Python scalar joins a NumPy scalar as NumPy would promote them.
  Type element = resultType({placeholder(dtypes, left), placeholder(dtypes, right)});
  bool isTensor = isa<RankedTensorType>(left) || isa<RankedTensorType>(right);
  return element && isTensor ? Type(RankedTensorType::get({}, element)) : element;
}

/// Whether the type holds fewer floats than Python's do.
static bool isNarrowFloat(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isF16() || element.isF32();
}

/// Whether a Python number becomes infinite as a float of these semantics, without being so itself.
static bool overflows(const py::Object &number, const llvm::fltSemantics &semantics) {
  auto partOverflows = [&](double part) {
    llvm::APFloat held(part);
    bool losesInfo;
    held.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return held.isInfinity() && !std::isinf(part);
  };
  if (PyComplex_CheckExact(number.get()))
    return partOverflows(PyComplex_RealAsDouble(number.get())) || partOverflows(PyComplex_ImagAsDouble(number.get()));
  double value = PyFloat_AsDouble(number.get());
  if (!PyErr_Occurred())
    return partOverflows(value);
  PyErr_Clear();
  return true; // an int beyond all floats
}

/// A Python number that a narrow float takes in is rounded, as NumPy rounds it wherever the two meet (NEP 50), but it must not become infinite. False
/// with an error reported.
static bool checkHolds(FunctionImporter &importer, const PyValue &value, Type element) {
  std::string words = ", which it has here with another value of its name";
  std::string name = importer.dtypes.name(element);
  if (value.isObject()) {
    const py::Object &number = value.object();
    if (!number || !(PyFloat_CheckExact(number.get()) || PyComplex_CheckExact(number.get()) || PyLong_CheckExact(number.get())))
      return true;
    Type part = isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
    if (!overflows(number, cast<FloatType>(part).getFloatSemantics()))
      return true;
    importer.fail("the Python number " + py::repr(number) + " does not fit " + name + words,
                  "make it a number of NumPy's: numpy." + name + "(" + py::repr(number) + ")");
    return false;
  }
  if (!value.isPythonScalar() || value.type().isInteger(1))
    return true;
  Value number = value.ir(), fits = importer.emitUfunc("isfinite", {importer.castTo(number, element)});
  if (isa<IntegerType>(number.getType())) {
    importer.check(fits, "OverflowError", "the Python int {0} does not fit " + name + words, number);
    return true;
  }
  Value isFinite = importer.emitUfunc("isfinite", {number});
  Value yes = arith::ConstantIntOp::create(importer.builder, importer.here(), 1, 1);
  Value wasNot = importer.builder.createOrFold<arith::XOrIOp>(importer.here(), isFinite, yes);
  fits = importer.builder.createOrFold<arith::OrIOp>(importer.here(), fits, wasNot);
  importer.check(fits, "OverflowError", "a Python number does not fit " + name + words);
  return true;
}

bool FunctionImporter::isCheckedAs(const PyValue &value, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!value.isPythonScalar() || value.type().isInteger(1) || value.type() == element)
    return false;
  return isNarrowFloat(element) || (value.type().isInteger(64) && isa<IntegerType>(element));
}

Value FunctionImporter::convertTo(const PyValue &value, Type type) {
  if (auto array = dyn_cast<np::ArrayType>(type)) {
    Value source = value.ir();
    if (source.getType() == type)
      return source;
    SmallVector<Value> extents = dims(source), offsets, steps;
    SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < array.getRank(); ++axis) {
      offsets.push_back(index(0));
      steps.push_back(index(1));
      axes.push_back(axis);
    }
    auto same = np::ViewOp::create(builder, here(), type, source, offsets, axes, extents, steps);
    same->setAttr("np.same", builder.getUnitAttr()); // the object itself
    return same;
  }
  // A Python number that meets a narrower one of NumPy's: nothing else would tell that it is cut or rounded.
  Type element = getElementTypeOrSelf(type);
  auto narrow = dyn_cast<IntegerType>(element);
  PyValue whole = value;
  if (value.isPythonScalar() && value.type() == builder.getI64Type() && narrow && narrow != value.type() &&
      !narrow.isInteger(1)) {
    check(fits(value.ir(), narrow), "OverflowError",
          "the Python int {0} does not fit " + dtypes.name(narrow) +
              ", which it has here with another value of its name",
          value.ir());
    whole = PyValue::runtime(castTo(value.ir(), narrow));
  } else if (isNarrowFloat(element) && !checkHolds(*this, value, element)) {
    return {};
  }
  Value scalar = operandAs(whole, getElementTypeOrSelf(type));
  if (!scalar)
    return scalar;
  if (isa<RankedTensorType>(type))
    return isa<RankedTensorType>(scalar.getType()) ? scalar : rankZero(scalar);
  return isa<RankedTensorType>(scalar.getType()) ? item(scalar) : scalar;
}

/// Puts builder at the end of an edge's block.
static void goTo(OpBuilder &builder, const Edge &edge) { builder.setInsertionPointToEnd(edge.block); }

PyValue FunctionImporter::joinValues(const std::string &name, ArrayRef<PyValue> given, std::vector<Edge> &edges) {
  bool same = true, anyUnbound = false, allSequences = true;
  Type type;
  bool first = true;
  for (const PyValue &value : given) {
    same &= value == given.front();
    if (value.isPoison())
      return PyValue::poison();
    if (value.is(PyValue::Kind::Conflict))
      return value;
    anyUnbound |= value.is(PyValue::Kind::Unbound) || (value.is(PyValue::Kind::Slot) && value.boundSlot);
    allSequences &= value.hasItems();
  }
  if (same)
    return given.front();

  // Where a list has grown on one path, it is one that grows on all.
  auto grows = llvm::find_if(given, [](const PyValue &value) { return value.isRuntimeList() && value->items.size() == 2; });
  SmallVector<PyValue> values(given);
  if (allSequences && grows != given.end())
    for (auto [value, edge] : llvm::zip(values, edges))
      if (value->isList && !value.isLike(*grows)) {
        OpBuilder::InsertionGuard guard(builder);
        goTo(builder, edge);
        forgetCaches();
        value = growing(value, *grows);
        if (value.isPoison())
          return value;
      }

  if (allSequences) {
    bool alike = true, isShared = false;
    for (auto [value, edge] : llvm::zip(values, edges))
      isShared |= value->isShared || hasOtherName(edge.environment, name, value);
    for (const PyValue &value : values)
      alike &= value.isLike(values.front());
    if (!alike)
      return PyValue::conflict("holds tuples or lists of different lengths here");
    std::vector<PyValue> items;
    for (size_t k = 0; k < values.front()->items.size(); ++k) {
      SmallVector<PyValue> column;
      for (const PyValue &value : values)
        column.push_back(value->items[k]);
      items.push_back(joinValues(name + "." + std::to_string(k), column, edges));
      if (items.back().isPoison() || items.back().is(PyValue::Kind::Conflict))
        return items.back();
    }
    PyValue result = values.front().withItems(std::move(items));
    result->isShared = isShared;
    return result;
  }

  for (const PyValue &value : values) {
    if (value.is(PyValue::Kind::Unbound))
      continue;
    Type mine = runtimeType(value);
    Type joined = first ? mine : joinTypes(type, mine);
    if (!joined) {
      // Two paths that differ, in words.
      std::string one, other;
      for (const PyValue &each : values) {
        if (each.is(PyValue::Kind::Unbound))
          continue;
        std::string words = describe(each);
        if (one.empty())
          one = words;
        else if (words != one)
          other = words;
      }
      return PyValue::conflict("is " + one + " on one path and " + (other.empty() ? "another" : other) + " on another");
    }
    type = joined;
    first = false;
  }

  OpBuilder::InsertionGuard guard(builder);
  Value slot = slotFor(name, type);
  Value boundSlot = anyUnbound ? slotFor(name + ".bound", builder.getI1Type()) : Value();
  for (auto [value, edge] : llvm::zip(values, edges)) {
    goTo(builder, edge);
    bool isUnbound = value.is(PyValue::Kind::Unbound);
    if (boundSlot && !(value.is(PyValue::Kind::Slot) && value.boundSlot == boundSlot)) {
      Value flag = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(!isUnbound));
      np::SetOp::create(builder, here(), flag, boundSlot);
    }
    if (isUnbound || value.slot == slot)
      continue;
    PyValue present = value;
    if (value.is(PyValue::Kind::Slot)) {
      Type held = cast<np::SlotType>(value.slot.getType()).getValueType();
      present = PyValue::runtime(np::GetOp::create(builder, here(), held, value.slot));
    }
    if (Value converted = convertTo(present, type))
      np::SetOp::create(builder, here(), converted, slot);
  }
  PyValue result = PyValue::composite(PyValue::Kind::Slot, nullptr);
  result.slot = slot;
  result.boundSlot = boundSlot;
  return result;
}

void FunctionImporter::joinEdges(std::vector<Edge> edges) {
  if (edges.empty()) {
    isReachable = false;
    return;
  }
  isReachable = true;
  if (edges.size() == 1) {
    builder.setInsertionPointToEnd(edges.front().block);
    frame->environment = std::move(edges.front().environment);
    return;
  }
  std::set<std::string> names;
  for (const Edge &edge : edges)
    for (const auto &[name, value] : edge.environment)
      names.insert(name);
  Environment joined;
  for (const std::string &name : names) {
    SmallVector<PyValue> values;
    for (const Edge &edge : edges) {
      auto found = edge.environment.find(name);
      values.push_back(found == edge.environment.end() ? PyValue::unbound() : found->second);
    }
    // Temporaries of expressions live on one path only.
    if (name[0] == '%' && llvm::is_contained(values, PyValue::unbound()))
      continue;
    joined[name] = joinValues(name, values, edges);
  }
  Block *block = newBlock();
  for (const Edge &edge : edges) {
    goTo(builder, edge);
    cf::BranchOp::create(builder, here(), block);
  }
  continueIn(block);
  frame->environment = std::move(joined);
}

} // namespace npcc::frontend
