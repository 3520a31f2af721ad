// a[...]: from the index expression to one description for each axis, and to a view.
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

PyValue subscriptIndex(Interpreter &in, const py::Object &node) {
  NodeScope scope(in, node);
  std::string type = py::typeName(node);
  if (type == "Slice") {
    std::vector<PyValue> parts;
    for (const char *part : {"lower", "upper", "step"}) {
      parts.push_back(node[part].isNone() ? PyValue::object(py::none()) : in.expression(node[part]));
      if (parts.back().isPoison())
        return parts.back();
    }
    return PyValue::slice(parts[0], parts[1], parts[2]);
  }
  if (type == "Tuple") {
    std::vector<PyValue> items;
    for (const py::Object &element : node.list("elts")) {
      if (py::typeName(element) == "Starred") {
        std::vector<PyValue> more;
        if (!unpack(in, in.expression(element["value"]), -1, more))
          return PyValue::poison();
        items.insert(items.end(), more.begin(), more.end());
        continue;
      }
      items.push_back(subscriptIndex(in, element));
      if (items.back().isPoison())
        return PyValue::poison();
    }
    return PyValue::sequence(std::move(items));
  }
  return in.expression(node);
}

/// A position, checked against the extent.
static Value checkedPosition(Interpreter &in, Value position, Value extent, int64_t axis) {
  IntegerAttr known, size;
  if (matchPattern(extent, m_Constant(&size)) && matchPattern(position, m_Constant(&known))) {
    int64_t at = known.getInt(), count = size.getInt();
    if (at < -count || at >= count) {
      in.fail("IndexError: index " + Twine(at) + " is out of bounds for axis " + Twine(axis) + " with size " +
              Twine(count));
      return {};
    }
  }
  return in.ir.checkIndex(position, extent, axis);
}

/// An index that is several, one for each axis.
static bool isTupleIndex(const PyValue &index) {
  return (index.isSequence() && !index->isList) || (index.isObject() && PyTuple_Check(index.object().get()));
}

bool isEllipsis(const PyValue &value) { return value.isObject() && value.object().get() == Py_Ellipsis; }

bool hasEllipsis(Interpreter &in, const PyValue &index) {
  std::vector<PyValue> items;
  return isTupleIndex(index) && asSequence(in, index, items) ? llvm::any_of(items, isEllipsis) : isEllipsis(index);
}

bool parseIndex(Interpreter &in, const PyValue &base, const PyValue &indexValue, SmallVectorImpl<AxisIndex> &axes) {
  if (indexValue.isPoison())
    return false;
  std::vector<PyValue> items;
  bool isTuple = isTupleIndex(indexValue);
  if (isTuple)
    asSequence(in, indexValue, items);
  else
    items.push_back(indexValue);

  // Lists and arrays are positions or masks.
  int64_t used = 0, ellipses = 0;
  for (PyValue &item : items) {
    item = unboxed(in, item);
    if (item.is(PyValue::Kind::Range) || (item.isObject() && PyRange_Check(item.object().get())))
      item = callBuiltin(in, "list", {item});
    std::vector<PyValue> parts;
    bool isOfRuntimeLength = isRuntimeLength(item) && (item->isList || isTuple);
    bool isList = isOfRuntimeLength || (item.isSequence() && (item->isList || isTuple)) ||
                  (item.isObject() && PyList_Check(item.object().get())) ||
                  (item.isObject() && py::isInstance(item.object(), in.dtypes.numpy["ndarray"]));
    if (isList) {
      // A list says what its items are, also where it turns out empty.
      Type element = item.isRuntimeList() ? np::getElementType(listArray(in, item).getType()) : Type();
      Value array = asArray(in, item, element);
      if (!array)
        return false;
      // An empty list is positions, none of them.
      if (item.isSequence() && item->items.empty())
        array = in.ir.castTo(in.ir.load(array), in.ir.getI64Type());
      item = PyValue::runtime(array);
    }
    if (item.isPoison())
      return false;
    item = intOf(in, item, "IndexError",
                 "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
                 "are valid indices");
    if (isEllipsis(item))
      ++ellipses;
    else if (item.isRuntime() && item.elementType().isInteger(1) && !item.isPythonScalar())
      used += item.rank();
    else if (!item.isNone())
      ++used;
  }
  int64_t rank = base.rank();
  if (ellipses > 1) {
    in.fail("IndexError: an index can only have a single ellipsis ('...')");
    return false;
  }
  if (used > rank && base.isNumpyScalar()) {
    in.fail("IndexError: invalid index to scalar variable.");
    return false;
  }
  if (used > rank) {
    in.fail("IndexError: too many indices for array: array is " + Twine(rank) + "-dimensional, but " + Twine(used) +
            " were indexed");
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
        auto part = [&](const char *name) { return PyValue::object(item.object()[name]); };
        slice = PyValue::slice(part("start"), part("stop"), part("step"));
      }
      bool isWhole = llvm::all_of(slice->items, [](const PyValue &part) { return part.isNone(); });
      AxisIndex one{AxisIndex::Whole, {}, {}, {}, {}};
      if (!isWhole && !sliceAxis(in, slice, in.ir.dim(base.ir(), axis), one))
        return false;
      axes.push_back(one);
      ++axis;
      continue;
    }
    if (item.isRuntime() && !item.isPythonScalar() && (item.rank() > 0 || item.elementType().isInteger(1))) {
      Type element = item.elementType();
      if (element.isInteger(1)) {
        AxisIndex one{AxisIndex::Mask, {}, {}, {}, item.ir()};
        one.axes = item.rank();
        if (item.rank() == 0) {
          in.fail("indexing with a single bool cannot be compiled", "use an if statement, or np.where");
          return false;
        }
        axes.push_back(one);
        axis += item.rank();
        continue;
      }
      if (!isa<IntegerType>(element)) {
        in.fail("IndexError: arrays used as indices must be of integer (or boolean) type");
        return false;
      }
      axes.push_back({AxisIndex::Positions, {}, {}, {}, item.ir()});
      ++axis;
      continue;
    }
    if (item.isObject() && PyBool_Check(item.object().get())) {
      in.fail("indexing with a single bool cannot be compiled", "use an if statement");
      return false;
    }
    bool isInteger = asInteger(in, item) ||
                     (item.isRuntime() && isa<IntegerType>(item.elementType()) && !item.elementType().isInteger(1));
    if (!isInteger) {
      in.fail("IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
              "boolean arrays are valid indices");
      return false;
    }
    Value position = toIndex(in, item);
    position = position ? checkedPosition(in, position, in.ir.dim(base.ir(), axis), axis) : position;
    if (!position)
      return false;
    axes.push_back({AxisIndex::Position, position, {}, {}, {}});
    ++axis;
  }
  return true;
}

std::optional<std::pair<PyValue, PyValue>> ofSingleBool(Interpreter &in, const PyValue &base, const PyValue &index) {
  bool isBool = index.isObject() ? PyBool_Check(index.object().get())
                                 : index.isRuntime() && index.rank() == 0 && index.elementType().isInteger(1);
  if (!isBool)
    return std::nullopt;
  Value view = in.ir.makeView(base.ir(), {AxisIndex{AxisIndex::NewAxis, {}, {}, {}, {}}}, /*isObject=*/true);
  return std::pair(PyValue::runtime(view), PyValue::sequence({index}, /*isList=*/true));
}

/// The item of a known sequence at a position of the program's: one after the other, numbers of one type from an array.
static PyValue itemAt(Interpreter &in, const PyValue &base, const std::vector<PyValue> &items, const PyValue &index) {
  if (items.empty())
    return in.fail("IndexError: list index out of range");
  bool isList = base.isSequence() && base->isList;
  Value position = toIndex(in, index), count = in.ir.index(items.size()), zero = in.ir.index(0);
  if (!position)
    return PyValue::poison();
  position = in.ir.fromEnd(position, count);
  Value isInside = in.ir.createOrFold<arith::AndIOp>(in.ir.compareIndex(arith::CmpIPredicate::sge, position, zero),
                                                     in.ir.compareIndex(arith::CmpIPredicate::slt, position, count));
  in.ir.check(isInside, "IndexError", Twine(isList ? "list" : "tuple") + " index out of range");
  Type type = runtimeType(in, items[0]);
  bool isUniform =
      type && np::getRank(type) == 0 && !isa<np::ArrayType>(type) && llvm::all_of(items, [&](const PyValue &item) {
        return (item.isRuntime() || item.isObject()) && runtimeType(in, item) == type;
      });
  // A thread makes no array of numbers that it computes.
  bool isKnown = llvm::all_of(items, [](const PyValue &item) { return item.isObject(); });
  if (isUniform && items.size() > 4 && (isKnown || !in.ir.isThread)) {
    Value array = asArray(in, PyValue::sequence(items, true), getElementTypeOrSelf(type));
    if (!array)
      return PyValue::poison();
    Value number = in.ir.load(in.ir.makeView(array, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}}));
    return PyValue::runtime(isa<RankedTensorType>(type) ? number : in.ir.item(number));
  }
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k + 1 == items.size())
      return items[k];
    Value isHere = in.ir.compareIndex(arith::CmpIPredicate::eq, position, in.ir.index(k));
    return choose(in, PyValue::runtime(isHere), [&] { return items[k]; }, [&] { return from(k + 1); });
  };
  return from(0);
}

PyValue knownDictItem(Interpreter &in, const py::Object &dict, const PyValue &key,
                      const std::optional<PyValue> &otherwise) {
  std::vector<py::Object> pairs = py::elements(py::call(dict["items"], {}));
  auto valueAt = [&](size_t k) { return fromObject(in, py::elements(pairs[k])[1]); };
  if (pairs.size() > mostSearched)
    return in.fail("a global dict of " + std::to_string(pairs.size()) + " items cannot be a constant",
                   "pass it as an argument");
  if (pairs.size() > mostCompared && otherwise)
    return choose(
        in, compare(in, "In", key, PyValue::object(dict)), [&] { return knownDictItem(in, dict, key); },
        [&] { return *otherwise; });
  if (pairs.size() > mostCompared) {
    std::vector<PyValue> keys, values;
    for (const py::Object &pair : pairs) {
      keys.push_back(fromObject(in, py::elements(pair)[0]));
      values.push_back(fromObject(in, py::elements(pair)[1]));
    }
    std::optional<PyValue> numbers = knownNumbers(in, keys), results = knownNumbers(in, values);
    PyValue names = numbers ? *numbers : listOfItems(in, keys), held = results ? *results : listOfItems(in, values);
    return callIteration(in, "value_of", {names, held, key});
  }
  bool areOne = llvm::all_of(llvm::seq(pairs.size()),
                             [&](size_t k) { return areOneNumber(in, otherwise.value_or(valueAt(0)), valueAt(k)); });
  llvm::SaveAndRestore<bool> keeps(in.env.keepsNumbers, in.env.keepsNumbers || !areOne);
  std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
    if (k == pairs.size())
      return otherwise ? *otherwise : callIteration(in, "raise_key", {key});
    PyValue isHere = compare(in, "Eq", key, fromObject(in, py::elements(pairs[k])[0]));
    return choose(in, isHere, [&] { return valueAt(k); }, [&] { return from(k + 1); });
  };
  return from(0);
}

std::optional<PyValue> overIndices(Interpreter &in, const PyValue &index,
                                   llvm::function_ref<PyValue(const PyValue &)> operation) {
  if (index.is(PyValue::Kind::Union))
    return overAlternatives(in, index, [&](PyValue one) { return operation(one); });
  if (index.is(PyValue::Kind::Slice))
    return overAlternatives(in, index->items, [&](ArrayRef<PyValue> bounds) {
      return operation(PyValue::slice(bounds[0], bounds[1], bounds[2]));
    });
  if (!index.isSequence() || index->isList)
    return std::nullopt;
  for (auto [k, item] : llvm::enumerate(index->items)) {
    auto withItem = [&, k = k](const PyValue &one) {
      std::vector<PyValue> items = index->items;
      items[k] = one;
      return operation(index.withItems(std::move(items)));
    };
    if (std::optional<PyValue> result = overIndices(in, item, withItem))
      return result;
  }
  return std::nullopt;
}

PyValue indexOfAllAxes(Interpreter &in, const PyValue &base, const PyValue &given) {
  PyValue index = isTupleBox(given) ? unboxed(in, given) : given;
  if (!index.isRuntimeList() || index->isList || !(base.isArray() || base.arrayType()))
    return given;
  int64_t rank = base.rank();
  Value length = listLength(in, index), axes = in.ir.index(rank);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sle, length, axes), "IndexError",
              "too many indices for array: array is " + std::to_string(rank) + "-dimensional, but {0} were indexed",
              {length});
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, length, axes), "NotImplementedError",
              "compiled code takes a tuple whose length is known at run time only for the index of an element");
  std::vector<PyValue> items;
  for (int64_t axis = 0; axis < rank; ++axis)
    items.push_back(in.env.bound(listItem(in, index, in.ir.index(axis))));
  return PyValue::sequence(std::move(items));
}

/// numpy.s_[...] and numpy.index_exp[...]: the index itself, the latter always as a tuple.
static std::optional<PyValue> indexExpression(const PyValue &base, const PyValue &indexValue) {
  static const py::Object expressions = py::lookup("numpy.s_")["__class__"];
  if (!base.isObject() || !py::isInstance(base.object(), expressions))
    return std::nullopt;
  bool isTupleOfOne = py::isTrue(base.object()["maketuple"]) && !isTuple(indexValue);
  return isTupleOfOne ? PyValue::sequence({indexValue}) : indexValue;
}

PyValue subscript(Interpreter &in, const PyValue &base, const PyValue &indexValue) {
  if (std::optional<PyValue> result = indexExpression(base, indexValue))
    return *result;
  if (base.is(PyValue::Kind::Union))
    return overAlternatives(in, base, [&](PyValue one) { return subscript(in, one, indexValue); });
  auto at = [&](const PyValue &index) { return subscript(in, base, index); };
  if (std::optional<PyValue> result = overIndices(in, indexValue, at))
    return *result;
  if (isPythons(base) || isPythons(indexValue))
    return runSimple(in, "return a[b]", {base, indexValue}, 'o');
  if (PyValue items = indexOfAllAxes(in, base, indexValue); !(items == indexValue))
    return subscript(in, base, items);
  if (base.isRecords())
    return recordsItem(in, base, unboxedDeeply(in, indexValue));
  if (isDictionary(base))
    return dictItem(in, base, indexValue);
  if (isBox(base))
    return subscript(in, unboxed(in, base), indexValue);
  if (std::optional<PyValue> result = callOperator(in, base, "__getitem__", indexValue))
    return *result;
  if (indexValue.is(PyValue::Kind::Instance))
    if (std::optional<PyValue> number = callSpecial(in, indexValue, "__index__", {}))
      return subscript(in, base, *number);
  if (base.isObject() && isKernel(base.object()))
    return configured(base, indexValue);
  // numpy.mgrid[0:n, 0:m] and the like are calls.
  if (base.isObject())
    if (py::Object library = findLibraryFunction(base.object())) {
      Call call;
      call.node = in.currentNode;
      call.args = {indexValue};
      return callFunction(in, functionOf(in, library, true), call);
    }
  if (isRuntimeLength(base))
    return listItem(in, base, indexValue);
  if (isRuntimeString(base) || (isString(base) && !asObject(in, indexValue)))
    return stringItem(in, base, indexValue);
  if (base.flatOf)
    return flatRead(in, base, indexValue);
  if (base.isSequence() || (base.isObject() && !py::isInstance(base.object(), in.dtypes.numpy["ndarray"])) ||
      base.is(PyValue::Kind::Range)) {
    py::Object known = asObject(in, base), at = asObject(in, indexValue);
    if (base.isObject() && known && at) {
      std::string errorType, message;
      py::Object item = py::tryCall(py::import("operator")["getitem"], {known, at}, {}, errorType, message);
      return item ? fromResult(in, item) : in.fail(errorType + ": " + message);
    }
    std::vector<PyValue> items;
    if (known && PyDict_Check(known.get()))
      return knownDictItem(in, known, indexValue);
    if (base.is(PyValue::Kind::Range)) {
      bool isSlice = indexValue.is(PyValue::Kind::Slice);
      std::vector<PyValue> operands = base->items;
      isSlice ? llvm::append_range(operands, indexValue->items) : operands.push_back(indexValue);
      return callIteration(in, isSlice ? "part_of_range" : "item_of_range", operands);
    }
    if (!asSequence(in, base, items))
      return in.fail(describe(in, base) + " is not subscriptable in compiled code");
    if (std::optional<int64_t> position = asInteger(in, indexValue)) {
      int64_t count = items.size();
      if (*position < -count || *position >= count)
        return in.fail(Twine("IndexError: ") + (base.isSequence() && base->isList ? "list" : "tuple") +
                       " index out of range");
      return items[*position < 0 ? *position + count : *position];
    }
    if (indexValue.is(PyValue::Kind::Slice)) {
      std::vector<py::Object> bounds;
      for (const PyValue &part : indexValue->items)
        if (py::Object bound = asObject(in, part))
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
    bool hasStep = indexValue.is(PyValue::Kind::Slice) && !indexValue->items[2].isNone();
    if (indexValue.is(PyValue::Kind::Slice) && base.isSequence() && items.empty() && !hasStep) {
      bool areBounds = llvm::all_of(ArrayRef<PyValue>(indexValue->items).take_front(2), [&](const PyValue &bound) {
        return bound.isNone() || toIndex(in, bound,
                                         "TypeError: slice indices must be integers or None or have an "
                                         "__index__ method: an integer");
      });
      return areBounds ? PyValue::sequence({}, base->isList) : PyValue::poison();
    }
    if (indexValue.is(PyValue::Kind::Slice) && base.isSequence() && !items.empty()) {
      PyValue list = ofRuntimeLength(in, base);
      PyValue part = list.isPoison() ? list : listItem(in, list, indexValue);
      return base->isList || part.isPoison() ? part : part.asTuple();
    }
    bool isPosition = indexValue.isRuntime() && indexValue.rank() == 0 && isa<IntegerType>(indexValue.elementType());
    if (!isPosition && indexValue.isArray())
      return in.fail("TypeError: only integer scalar arrays can be converted to a scalar index");
    return isPosition ? itemAt(in, base, items, indexValue)
                      : in.fail("TypeError: " + Twine(base.isSequence() && !base->isList ? "tuple" : "list") +
                                " indices must be integers or slices, not " + nameOfType(in, indexValue, false));
  }
  if (base.isObject()) {
    Value array = asArray(in, base);
    return array ? subscript(in, PyValue::runtime(array), indexValue) : PyValue::poison();
  }
  if (!base.isRuntime() || base.isPythonScalar())
    return in.fail("TypeError: " + describe(in, base) + " is not subscriptable");
  if (auto masked = ofSingleBool(in, base, indexValue))
    return subscript(in, masked->first, masked->second);
  SmallVector<AxisIndex> axes;
  if (!parseIndex(in, base, indexValue, axes))
    return PyValue::poison();
  if (llvm::any_of(axes, [](const AxisIndex &axis) {
        return axis.kind == AxisIndex::Mask || axis.kind == AxisIndex::Positions;
      }))
    return advancedRead(in, base.ir(), axes);
  Value view = in.ir.makeView(base.ir(), axes, /*isObject=*/true);
  bool isOfEllipsis = hasEllipsis(in, indexValue);
  if (isOfEllipsis && np::getRank(view.getType()) == 0 && !isa<np::ArrayType>(view.getType()))
    return asNewArray(in, view);
  bool isElement =
      !isOfEllipsis && llvm::all_of(axes, [](const AxisIndex &axis) { return axis.kind == AxisIndex::Position; });
  return PyValue::runtime(isElement && isa<np::ArrayType>(view.getType()) ? in.ir.load(view) : view);
}

} // namespace npcc::frontend
