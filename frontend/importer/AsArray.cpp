// numpy.asarray: arrays, scalars, constants, and lists and tuples of them.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// The dtype of a list of these: Python's numbers count as the arrays of them would.
static Type dtypeOfItems(Interpreter &in, ArrayRef<PyValue> leaves) {
  SmallVector<py::Object> keys;
  for (const PyValue &leaf : leaves) {
    Type type = runtimeType(in, leaf);
    if (!type && !leaf.isRuntime() && promotionKey(in, leaf)) // an int of more than 63 bits
      type = in.dtypes.elementType(py::call(in.dtypes.numpy["result_type"], {leaf.object()}));
    if (!type)
      return {};
    keys.push_back(in.dtypes.dtype(np::getElementType(type)));
  }
  return in.dtypes.resultType(keys);
}

Value asArray(Interpreter &in, const PyValue &value, Type elementType) {
  if (isBox(value))
    return asArray(in, unboxedDeeply(in, value), elementType);
  if (value.isGenerator())
    return valueOf(in, value); // for its error
  if (value.isRuntime()) {
    if (!elementType || value.elementType() == elementType)
      return value.isPythonScalar() ? in.ir.rankZero(value.ir()) : value.ir();
  }
  if (value.isRuntime() || (value.isObject() && promotionKey(in, value))) {
    Value number = elementType ? itemAs(in, value, elementType, /*isItem=*/false) : valueOf(in, value);
    return number && !isa<RankedTensorType>(number.getType()) ? in.ir.rankZero(number) : number;
  }
  if (value.isRuntimeList()) {
    Value items = in.ir.load(listArray(in, value));
    if (!elementType && !np::getElementType(items.getType()).isF64())
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, in.ir.dim(items, 0), in.ir.index(0)),
                  "NotImplementedError",
                  "a list that is empty makes an array of float64, and the code was compiled for one of " +
                      in.dtypes.name(np::getElementType(items.getType())) + ": give the dtype");
    return elementType ? in.ir.castTo(items, elementType) : items;
  }
  if (isMixed(value))
    return mixedArray(in, value, elementType);
  if (value.isRows() && value->id) { // a list of lists, or of tuples of any length
    bool areLists = value->cls == py::import("builtins")["list"] || value->cls == py::import("builtins")["tuple"];
    PyValue array =
        areLists ? callInLibrary(in, "tables.stacked", {value}) : in.fail(objectArrays, "make it of what they hold");
    return array.isRuntime() ? asArray(in, array, elementType) : Value();
  }
  if (value.isRows()) { // a column for each place
    std::vector<PyValue> columns;
    for (const PyValue &column : value->items) {
      Value items = asArray(in, column, elementType);
      if (!items)
        return {};
      columns.push_back(PyValue::runtime(items));
    }
    PyValue table = callNumpy(in, "stack", {PyValue::sequence(columns), PyValue::object(py::integer(1))});
    return table.isRuntime() ? table.ir() : Value();
  }
  if (value.isObject() && py::isInstance(value.object(), in.dtypes.numpy["ndarray"])) {
    // A global array: a small one is a constant of the program, any is one of a kernel of threads.
    py::Object array = value.object();
    if (in.ir.isThread)
      return constantArray(in, elementType ? py::call(array["astype"], {in.dtypes.dtype(elementType)}) : array);
    Type type = in.dtypes.elementType(array["dtype"]);
    if (!type || array.integer("size") > 256) {
      in.fail("a global array of " + std::to_string(array.integer("size")) + " elements of " +
                  py::text(array["dtype"]) + " cannot be a constant",
              "pass the array as an argument");
      return {};
    }
    Value made = asArray(in, fromObject(in, py::call(array["tolist"], {})), elementType ? elementType : type);
    if (made && (!elementType || elementType == type))
      markGlobal(in, made, array);
    return made;
  }
  if (value.isRecords()) {
    in.fail("TypeError: " + describe(in, value) + " is no array of numbers", "take a field: a['x']");
    return {};
  }
  std::vector<PyValue> items;
  std::function<bool(const PyValue &)> hasText = [&](const PyValue &one) {
    return isString(one) || (one.isSequence() && llvm::any_of(one->items, hasText));
  };
  if (hasText(value)) {
    in.fail(textArrays, "convert them outside, and pass numbers or arrays");
    return {};
  }
  if (!asSequence(in, value, items)) {
    if (value.is(PyValue::Kind::Range)) { // whose bounds are known at run time only
      PyValue numbers = callInLibrary(in, "iteration.list_of", {value});
      return numbers.isPoison() ? Value() : asArray(in, numbers, elementType);
    }
    if (!value.isPoison())
      in.fail("an array is needed, not " + describe(in, value));
    return {};
  }
  // NumPy's array(list): all leaves of one shape, promoted together.
  SmallVector<Value> parts;
  SmallVector<PyValue> leaves;
  std::function<void(const PyValue &)> collect = [&](const PyValue &one) {
    std::vector<PyValue> inner;
    if ((one.isSequence() || one.isObject()) && !promotionKey(in, one) && asSequence(in, one, inner)) {
      for (const PyValue &each : inner)
        collect(each);
      return;
    }
    leaves.push_back(one);
  };
  for (const PyValue &each : items)
    collect(each);
  for (const PyValue &leaf : leaves)
    if (leaf.isGenerator()) {
      in.fail("TypeError: a number or an array is needed, not " + describe(in, leaf));
      return {};
    }
  Type common = elementType;
  if (!common && leaves.empty())
    common = in.ir.getF64Type();
  if (!common) {
    for (PyValue &leaf : leaves) {
      if (leaf.isPoison())
        return {};
      leaf = ofKnownArray(in, unboxed(in, leaf));
      if (!isRuntimeLength(leaf)) // of a list that makes an array its own
        continue;
      Value array = asArray(in, leaf);
      if (!array)
        return {};
      leaf = PyValue::runtime(array);
    }
    common = dtypeOfItems(in, leaves);
  }
  if (!common) {
    bool areObjects = llvm::any_of(leaves, [](const PyValue &leaf) { return leaf.isNone(); });
    if (areObjects)
      in.fail(objectArrays, "make one of numbers: NaN may stand for what is missing");
    else
      in.fail("the items of " + describe(in, value) + " have no common dtype");
    return {};
  }
  if (py::Object known = in.ir.isThread ? asObject(in, value) : py::Object()) { // a thread makes no array
    std::string error, message;
    if (py::Object array = py::tryCall(in.dtypes.numpy["array"], {known, in.dtypes.dtype(common)}, {}, error, message))
      return constantArray(in, array);
  }
  for (const PyValue &each : items) {
    Value part = each.hasItems() || (each.isObject() && !promotionKey(in, each))
                     ? asArray(in, each, common)
                     : itemAs(in, each, common, /*isItem=*/true);
    if (!part)
      return {};
    if (isa<np::ArrayType>(part.getType()))
      part = in.ir.load(part);
    parts.push_back(part);
  }
  ArrayRef<int64_t> inner = parts.empty() ? ArrayRef<int64_t>() : np::getShape(parts.front().getType());
  for (Value part : parts)
    if (np::getRank(part.getType()) != static_cast<int64_t>(inner.size())) {
      in.fail("ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape "
              "after 1 "
              "dimensions. The detected shape was (" +
              Twine(parts.size()) + ",) + inhomogeneous part.");
      return {};
    }
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  shape.append(inner.begin(), inner.end());
  SmallVector<Value> extents{in.ir.index(parts.size())};
  if (!parts.empty())
    llvm::append_range(extents, in.ir.dims(parts.front()));
  if (parts.size() == 1)
    shape[0] = 1;
  SmallVector<Value> dynamic;
  for (auto [extent, known] : llvm::zip(extents, shape))
    if (ShapedType::isDynamic(known))
      dynamic.push_back(extent);
  Value array = np::EmptyOp::create(in.ir, np::ArrayType::get(in.ir.getContext(), shape, common, true), dynamic);
  // The first axis that differs anywhere is where the shape ends.
  for (size_t axis = 1; axis < extents.size(); ++axis) {
    std::string detected = "(" + std::to_string(parts.size()) + (axis == 1 ? "," : "");
    for (size_t before = 1; before < axis; ++before)
      detected += ", {" + std::to_string(before - 1) + "}";
    for (Value part : parts)
      if (Value extent = in.ir.dim(part, axis - 1); extent != extents[axis])
        in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, extent, extents[axis]), "ValueError",
                    "setting an array element with a sequence. The requested array has an inhomogeneous shape after " +
                        Twine(axis) + " dimensions. The detected shape was " + detected + ") + inhomogeneous part.",
                    ArrayRef(extents).slice(1, axis - 1));
  }
  for (auto [position, part] : llvm::enumerate(parts)) {
    AxisIndex at{AxisIndex::Position, in.ir.index(position), {}, {}, {}};
    np::StoreOp::create(in.ir, part, in.ir.makeView(array, {at}));
  }
  in.ir.clobber();
  return array;
}

} // namespace npcc::frontend
