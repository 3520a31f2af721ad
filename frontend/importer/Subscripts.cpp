// a[...]: from the index expression to one description for each axis, and to a view.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

PyValue FunctionImporter::subscriptIndex(const py::Object &node) {
  NodeScope scope(*this, node);
  std::string type = py::typeName(node);
  if (type == "Slice") {
    auto data = std::make_shared<Composite>();
    for (const char *part : {"lower", "upper", "step"})
      data->items.push_back(node[part].isNone() ? PyValue::object(py::none()) : expression(node[part]));
    for (const PyValue &part : data->items)
      if (part.isPoison())
        return part;
    return PyValue::composite(PyValue::Kind::Slice, data);
  }
  if (type == "Tuple") {
    std::vector<PyValue> items;
    for (const py::Object &element : node.list("elts")) {
      if (py::typeName(element) == "Starred") {
        std::vector<PyValue> more;
        if (!unpack(expression(element["value"]), -1, more))
          return PyValue::poison();
        items.insert(items.end(), more.begin(), more.end());
        continue;
      }
      items.push_back(subscriptIndex(element));
      if (items.back().isPoison())
        return PyValue::poison();
    }
    return PyValue::sequence(std::move(items));
  }
  return expression(node);
}

/// A position, checked against the extent.
static Value checkedPosition(FunctionImporter &importer, Value position, Value extent, int64_t axis) {
  IntegerAttr known, size;
  if (matchPattern(extent, m_Constant(&size)) && matchPattern(position, m_Constant(&known))) {
    int64_t at = known.getInt(), count = size.getInt();
    if (at < -count || at >= count) {
      importer.fail("IndexError: index " + Twine(at) + " is out of bounds for axis " + Twine(axis) + " with size " + Twine(count));
      return {};
    }
  }
  return importer.builder.createOrFold<np::CheckIndexOp>(importer.here(), position, extent, importer.builder.getI64IntegerAttr(axis));
}

bool FunctionImporter::parseIndex(const PyValue &base, const PyValue &indexValue, SmallVectorImpl<AxisIndex> &axes) {
  if (indexValue.isPoison())
    return false;
  std::vector<PyValue> items;
  bool isTuple = (indexValue.isSequence() && !indexValue->isList) || (indexValue.isObject() && PyTuple_Check(indexValue.object().get()));
  if (isTuple)
    asSequence(indexValue, items);
  else
    items.push_back(indexValue);

  // Lists and arrays are positions or masks.
  auto isEllipsis = [](const PyValue &item) { return item.isObject() && item.object().get() == Py_Ellipsis; };
  int64_t used = 0, ellipses = 0;
  for (PyValue &item : items) {
    std::vector<PyValue> parts;
    bool isList = (item.isSequence() && (item->isList || isTuple)) || (item.isObject() && PyList_Check(item.object().get())) ||
                  (item.isObject() && py::isInstance(item.object(), dtypes.numpy["ndarray"]));
    if (isList) {
      Value array = asArray(item);
      if (!array)
        return false;
      // An empty list is positions, none of them.
      if (item.isSequence() && item->items.empty())
        array = castTo(load(array), builder.getI64Type());
      item = PyValue::runtime(array);
    }
    if (item.isPoison())
      return false;
    if (isEllipsis(item))
      ++ellipses;
    else if (item.isRuntime() && item.elementType().isInteger(1) && !item.isPythonScalar())
      used += item.rank();
    else if (!item.isNone())
      ++used;
  }
  int64_t rank = base.rank();
  if (ellipses > 1) {
    fail("IndexError: an index can only have a single ellipsis ('...')");
    return false;
  }
  if (used > rank) {
    fail("IndexError: too many indices for array: array is " + Twine(rank) + "-dimensional, but " + Twine(used) + " were indexed");
    return false;
  }
  if (!ellipses)
    items.push_back(PyValue::object(py::Object::borrow(Py_Ellipsis)));
  int64_t axis = 0;
  for (const PyValue &item : items) {
    if (isEllipsis(item)) {
      for (int64_t k = used; k < rank; ++k, ++axis)
        axes.push_back({AxisIndex::Whole, {}, {}, {}, {}});
      continue;
    }
    if (item.isNone()) {
      axes.push_back({AxisIndex::NewAxis, {}, {}, {}, {}});
      continue;
    }
    if (item.is(PyValue::Kind::Slice) || (item.isObject() && py::typeName(item.object()) == "slice")) {
      PyValue slice = item;
      if (item.isObject()) {
        auto data = std::make_shared<Composite>();
        for (const char *part : {"start", "stop", "step"})
          data->items.push_back(PyValue::object(item.object()[part]));
        slice = PyValue::composite(PyValue::Kind::Slice, data);
      }
      bool isWhole = llvm::all_of(slice->items, [](const PyValue &part) { return part.isNone(); });
      AxisIndex one{AxisIndex::Whole, {}, {}, {}, {}};
      if (!isWhole && !sliceAxis(slice, dim(base.ir(), axis), one))
        return false;
      axes.push_back(one);
      ++axis;
      continue;
    }
    if (item.isRuntime() && !item.isPythonScalar() && (item.rank() > 0 || item.elementType().isInteger(1))) {
      Type element = item.elementType();
      if (element.isInteger(1)) {
        AxisIndex one{AxisIndex::Mask, {}, {}, {}, item};
        one.axes = item.rank();
        if (item.rank() == 0) {
          fail("indexing with a single bool cannot be compiled", "use an if statement, or np.where");
          return false;
        }
        axes.push_back(one);
        axis += item.rank();
        continue;
      }
      if (!isa<IntegerType>(element)) {
        fail("IndexError: arrays used as indices must be of integer (or boolean) type");
        return false;
      }
      axes.push_back({AxisIndex::Positions, {}, {}, {}, item});
      ++axis;
      continue;
    }
    if (item.isObject() && PyBool_Check(item.object().get())) {
      fail("indexing with a single bool cannot be compiled", "use an if statement");
      return false;
    }
    bool isInteger = asInteger(item) || (item.isRuntime() && isa<IntegerType>(item.elementType()) && !item.elementType().isInteger(1));
    if (!isInteger) {
      fail("IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices");
      return false;
    }
    Value position = toIndex(item);
    position = position ? checkedPosition(*this, position, dim(base.ir(), axis), axis) : position;
    if (!position)
      return false;
    axes.push_back({AxisIndex::Position, position, {}, {}, {}});
    ++axis;
  }
  return true;
}

Value FunctionImporter::makeView(Value source, ArrayRef<AxisIndex> given, bool isObject) {
  int64_t rank = np::getRank(source.getType());
  SmallVector<AxisIndex> indices(given);
  int64_t used = llvm::count_if(indices, [](const AxisIndex &one) { return one.kind != AxisIndex::NewAxis; });
  for (; used < rank; ++used)
    indices.push_back({AxisIndex::Whole, {}, {}, {}, {}});
  // All of an array is another object where the program sees it; that of one which the function has made shows to nobody.
  bool isOther = isObject && isa<np::ArrayType>(source.getType()) && !isa_and_nonnull<np::NewOp, np::EmptyOp>(source.getDefiningOp());
  if (!isOther && llvm::all_of(indices, [](const AxisIndex &one) { return one.kind == AxisIndex::Whole; }))
    return source;

  // Of selected elements: all of the first axis, so the rest may be done before the selection.
  if (auto compress = source.getDefiningOp<np::CompressOp>(); compress && indices[0].kind == AxisIndex::Whole) {
    int64_t maskRank = np::getRank(compress.getMask().getType());
    SmallVector<AxisIndex> inner(maskRank, AxisIndex{AxisIndex::Whole, {}, {}, {}, {}});
    inner.append(indices.begin() + 1, indices.end());
    Value view = makeView(compress.getSource(), inner);
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    llvm::append_range(shape, np::getShape(view.getType()).drop_front(maskRank));
    return np::CompressOp::create(builder, here(), RankedTensorType::get(shape, np::getElementType(view.getType())), view, compress.getMask());
  }

  Value zero = index(0), one = index(1);
  SmallVector<Value> offsets, extents, steps;
  SmallVector<int64_t> axes, shape;
  ArrayRef<int64_t> sourceShape = np::getShape(source.getType());
  int64_t axis = 0;
  // Contiguous in, positions on leading axes, at most one slice by one, the rest whole: contiguous out.
  auto array = dyn_cast<np::ArrayType>(source.getType());
  bool isContiguous = array && array.getContiguous(), inside = false;
  for (const AxisIndex &item : indices) {
    switch (item.kind) {
    case AxisIndex::Position:
      offsets.push_back(item.offset);
      isContiguous &= !inside;
      break;
    case AxisIndex::Whole:
      offsets.push_back(zero);
      axes.push_back(axis);
      extents.push_back(dim(source, axis));
      steps.push_back(one);
      shape.push_back(sourceShape[axis]);
      inside = true;
      break;
    case AxisIndex::NewAxis:
      axes.push_back(-1);
      extents.push_back(one);
      steps.push_back(one);
      shape.push_back(1);
      continue;
    default:
      offsets.push_back(item.offset);
      axes.push_back(axis);
      extents.push_back(item.extent);
      steps.push_back(item.step);
      shape.push_back(ShapedType::kDynamic);
      isContiguous &= !inside && matchPattern(item.step, m_One());
      inside = true;
      break;
    }
    ++axis;
  }
  Type element = np::getElementType(source.getType());
  Type type = array ? Type(np::ArrayType::get(context, shape, element, isContiguous)) : RankedTensorType::get(shape, element);
  return np::ViewOp::create(builder, here(), type, source, offsets, axes, extents, steps);
}

PyValue FunctionImporter::subscript(const PyValue &base, const PyValue &indexValue) {
  // numpy.mgrid[0:n, 0:m] and the like are calls.
  if (base.isObject())
    if (py::Object library = findLibraryFunction(base.object())) {
      Call call;
      call.node = currentNode;
      call.args = {indexValue};
      return callFunction(functionOf(library, true), call);
    }
  if (base.isRuntimeList())
    return listItem(base, indexValue);
  if (base.flatOf)
    return flatRead(base, indexValue);
  if (base.isSequence() || (base.isObject() && !py::isInstance(base.object(), dtypes.numpy["ndarray"])) || base.is(PyValue::Kind::Range)) {
    py::Object known = asObject(base), at = asObject(indexValue);
    if (base.isObject() && known && at) {
      std::string errorType, message;
      py::Object item = py::tryCall(py::import("operator")["getitem"], {known, at}, {}, errorType, message);
      return item ? fromObject(item) : fail(errorType + ": " + message);
    }
    std::vector<PyValue> items;
    if (!asSequence(base, items))
      return fail("TypeError: " + describe(base) + " is not subscriptable in compiled code");
    if (std::optional<int64_t> position = asInteger(indexValue)) {
      int64_t count = items.size();
      if (*position < -count || *position >= count)
        return fail(Twine("IndexError: ") + (base.isSequence() && base->isList ? "list" : "tuple") + " index out of range");
      return items[*position < 0 ? *position + count : *position];
    }
    if (indexValue.is(PyValue::Kind::Slice)) {
      std::vector<py::Object> bounds;
      for (const PyValue &part : indexValue->items)
        if (py::Object bound = asObject(part))
          bounds.push_back(bound);
      py::Object range = py::Object::take(PySequence_List(py::tuple({}).get()));
      for (size_t k = 0; k < items.size(); ++k)
        PyList_Append(range.get(), py::integer(k).get());
      if (bounds.size() == 3) {
        py::Object slice = py::call(py::import("builtins")["slice"], bounds);
        std::vector<PyValue> part;
        for (const py::Object &k : py::elements(py::call(py::import("operator")["getitem"], {range, slice})))
          part.push_back(items[*py::asInteger(k)]);
        return PyValue::sequence(std::move(part), base.isSequence() && base->isList);
      }
    }
    return fail("an index into a tuple or list must be known at compile time", "use an array");
  }
  if (base.isObject()) {
    Value array = asArray(base);
    return array ? subscript(PyValue::runtime(array), indexValue) : PyValue::poison();
  }
  if (!base.isRuntime() || base.isPythonScalar())
    return fail("TypeError: " + describe(base) + " is not subscriptable");
  SmallVector<AxisIndex> axes;
  if (!parseIndex(base, indexValue, axes))
    return PyValue::poison();
  if (llvm::any_of(axes, [](const AxisIndex &axis) { return axis.kind == AxisIndex::Mask || axis.kind == AxisIndex::Positions; }))
    return advancedRead(base.ir(), axes);
  Value view = makeView(base.ir(), axes, /*isObject=*/true);
  // With an ellipsis the result is an array, if only of no axes.
  std::vector<PyValue> parts;
  if (!indexValue.isSequence() || !asSequence(indexValue, parts))
    parts = {indexValue};
  bool isElement = llvm::all_of(axes, [](const AxisIndex &axis) { return axis.kind == AxisIndex::Position; }) &&
                   llvm::none_of(parts, [](const PyValue &part) { return part.isObject() && part.object().get() == Py_Ellipsis; });
  return PyValue::runtime(isElement && isa<np::ArrayType>(view.getType()) ? load(view) : view);
}

} // namespace npcc::frontend
