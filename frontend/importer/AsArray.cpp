// numpy.asarray: arrays, scalars, constants, and lists and tuples of them.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// The dtype of a list of these: Python's numbers count as the arrays of them would.
static Type dtypeOfItems(FunctionImporter &importer, ArrayRef<PyValue> leaves) {
  SmallVector<py::Object> keys;
  for (const PyValue &leaf : leaves) {
    Type type = importer.runtimeType(leaf);
    if (!type && !leaf.isRuntime() && importer.promotionKey(leaf)) // an int of more than 63 bits
      type = importer.dtypes.elementType(py::call(importer.dtypes.numpy["result_type"], {leaf.object()}));
    if (!type)
      return {};
    keys.push_back(importer.dtypes.dtype(np::getElementType(type)));
  }
  return importer.dtypes.resultType(keys);
}

Value FunctionImporter::asArray(const PyValue &value, Type elementType) {
  if (value.isRuntime()) {
    if (!elementType || value.elementType() == elementType)
      return value.isPythonScalar() ? rankZero(value.ir()) : value.ir();
  }
  if (value.isRuntime() || (value.isObject() && promotionKey(value))) {
    Value number = elementType ? itemAs(value, elementType, /*isItem=*/false) : valueOf(value);
    return number && !isa<RankedTensorType>(number.getType()) ? rankZero(number) : number;
  }
  if (value.isRuntimeList()) {
    Value items = load(listArray(value));
    if (!elementType && !np::getElementType(items.getType()).isF64())
      check(compareIndex(arith::CmpIPredicate::ne, dim(items, 0), index(0)), "NotImplementedError",
            "a list that is empty makes an array of float64, and the code was compiled for one of " +
                dtypes.name(np::getElementType(items.getType())) + ": give the dtype");
    return elementType ? castTo(items, elementType) : items;
  }
  if (value.isObject() && py::isInstance(value.object(), dtypes.numpy["ndarray"])) {
    // A global array: a small one is a constant of the program.
    py::Object array = value.object();
    Type type = dtypes.elementType(array["dtype"]);
    if (!type || array.integer("size") > 256) {
      fail("a global array of " + std::to_string(array.integer("size")) + " elements of " + py::text(array["dtype"]) + " cannot be a constant",
           "pass the array as an argument");
      return {};
    }
    return asArray(fromObject(py::call(array["tolist"], {})), elementType ? elementType : type);
  }
  std::vector<PyValue> items;
  std::function<bool(const PyValue &)> hasText = [&](const PyValue &one) {
    return one.is(PyValue::Kind::Text) || (one.isObject() && PyUnicode_Check(one.object().get())) ||
           (one.isSequence() && llvm::any_of(one->items, hasText));
  };
  if (hasText(value)) {
    fail("TypeError: a number or an array is needed, not a string");
    return {};
  }
  if (!asSequence(value, items)) {
    if (!value.isPoison())
      fail("an array is needed, not " + describe(value));
    return {};
  }
  // NumPy's array(list): all leaves of one shape, promoted together.
  SmallVector<Value> parts;
  SmallVector<PyValue> leaves;
  std::function<void(const PyValue &)> collect = [&](const PyValue &one) {
    std::vector<PyValue> inner;
    if ((one.isSequence() || one.isObject()) && !promotionKey(one) && asSequence(one, inner)) {
      for (const PyValue &each : inner)
        collect(each);
      return;
    }
    leaves.push_back(one);
  };
  for (const PyValue &each : items)
    collect(each);
  Type common = elementType;
  if (!common && leaves.empty())
    common = builder.getF64Type();
  if (!common) {
    for (const PyValue &leaf : leaves)
      if (leaf.isPoison())
        return {};
    common = dtypeOfItems(*this, leaves);
  }
  if (!common) {
    fail("the items of " + describe(value) + " have no common dtype");
    return {};
  }
  for (const PyValue &each : items) {
    Value part = each.hasItems() || (each.isObject() && !promotionKey(each)) ? asArray(each, common)
                                                                             : itemAs(each, common, /*isItem=*/true);
    if (!part)
      return {};
    if (isa<np::ArrayType>(part.getType()))
      part = load(part);
    parts.push_back(part);
  }
  ArrayRef<int64_t> inner = parts.empty() ? ArrayRef<int64_t>() : np::getShape(parts.front().getType());
  for (Value part : parts)
    if (np::getRank(part.getType()) != static_cast<int64_t>(inner.size())) {
      fail("ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
           "dimensions. The detected shape was (" + Twine(parts.size()) + ",) + inhomogeneous part.");
      return {};
    }
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  shape.append(inner.begin(), inner.end());
  SmallVector<Value> extents{index(parts.size())};
  if (!parts.empty())
    llvm::append_range(extents, dims(parts.front()));
  if (parts.size() == 1)
    shape[0] = 1;
  SmallVector<Value> dynamic;
  for (auto [extent, known] : llvm::zip(extents, shape))
    if (ShapedType::isDynamic(known))
      dynamic.push_back(extent);
  Value array = np::EmptyOp::create(builder, here(), np::ArrayType::get(context, shape, common, true), dynamic);
  // The first axis that differs anywhere is where the shape ends.
  for (size_t axis = 1; axis < extents.size(); ++axis) {
    std::string detected = "(" + std::to_string(parts.size()) + (axis == 1 ? "," : "");
    for (size_t before = 1; before < axis; ++before)
      detected += ", {" + std::to_string(before - 1) + "}";
    for (Value part : parts)
      if (Value extent = dim(part, axis - 1); extent != extents[axis])
        check(compareIndex(arith::CmpIPredicate::eq, extent, extents[axis]), "ValueError",
              "setting an array element with a sequence. The requested array has an inhomogeneous shape after " + Twine(axis) +
                  " dimensions. The detected shape was " + detected + ") + inhomogeneous part.",
              ArrayRef(extents).slice(1, axis - 1));
  }
  for (auto [position, part] : llvm::enumerate(parts)) {
    AxisIndex at{AxisIndex::Position, index(position), {}, {}, {}};
    np::StoreOp::create(builder, here(), part, makeView(array, {at}));
  }
  clobber();
  return array;
}

} // namespace npcc::frontend
