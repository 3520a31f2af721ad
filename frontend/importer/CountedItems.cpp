// What a `for` goes over, as a counted loop: a number of items and the item at a position.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/LoopItems.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

/// What goes from 0 to `count` by one each.
static Counted countedUpTo(Interpreter &in, Value count, std::function<PyValue(Value)> item) {
  return {in.ir.index(0), count, in.ir.index(1), std::move(item)};
}

static std::optional<Counted> countedRange(Interpreter &in, const Composite &range) {
  NpBuilder &builder = in.ir;
  Value start = toIndex(in, range.items[0]), stop = toIndex(in, range.items[1]), step = toIndex(in, range.items[2]);
  if (!start || !stop || !step)
    return std::nullopt;
  Counted result;
  std::optional<int64_t> knownStep = asInteger(in, range.items[2]);
  if (knownStep && *knownStep == 0) {
    in.fail("ValueError: range() arg 3 must not be zero");
    return std::nullopt;
  }
  if (knownStep && *knownStep > 0) {
    result.lower = start;
    result.upper = stop;
    result.step = step;
    result.item = [&in](Value counter) { return fromIndex(in, counter); };
    return result;
  }
  // Counted by trips: the step is negative or not known.
  Value zero = in.ir.index(0), one = in.ir.index(1);
  Value up = in.ir.compareIndex(arith::CmpIPredicate::sgt, step, zero);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, step, zero), "ValueError", "range() arg 3 must not be zero");
  auto select = [&](Value left, Value right) { return builder.createOrFold<arith::SelectOp>(up, left, right); };
  auto subtract = [&](Value left, Value right) { return builder.createOrFold<arith::SubIOp>(left, right); };
  Value distance = select(subtract(stop, start), subtract(start, stop));
  Value magnitude = select(step, subtract(zero, step));
  Value trips =
      builder.createOrFold<arith::CeilDivSIOp>(builder.createOrFold<arith::MaxSIOp>(distance, zero), magnitude);
  result.lower = zero;
  result.upper = trips;
  result.step = one;
  result.item = [&in, start, step](Value counter) {
    Value offset = arith::MulIOp::create(in.ir, counter, step);
    return fromIndex(in, arith::AddIOp::create(in.ir, start, offset));
  };
  return result;
}

/// The position of a number in C order.
static PyValue positionAt(Interpreter &in, ArrayRef<Value> extents, Value number) {
  std::vector<PyValue> position(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    bool isFirst = axis == 0;
    position[axis] = fromIndex(in, isFirst ? number : in.ir.createOrFold<arith::RemSIOp>(number, extents[axis]));
    if (!isFirst)
      number = in.ir.createOrFold<arith::DivSIOp>(number, extents[axis]);
  }
  return PyValue::sequence(std::move(position));
}

/// numpy.ndindex (of the extents) and numpy.ndenumerate (of the array, then its extents).
static std::optional<Counted> countedPositions(Interpreter &in, const Composite &iterator) {
  bool isEnumerate = iterator.name == "ndenumerate";
  SmallVector<Value> extents;
  Counted result;
  result.lower = in.ir.index(0);
  result.step = result.upper = in.ir.index(1);
  for (const PyValue &extent : llvm::drop_begin(iterator.items, isEnumerate ? 1 : 0)) {
    extents.push_back(toIndex(in, extent));
    result.upper = in.ir.createOrFold<arith::MulIOp>(result.upper, extents.back());
  }
  PyValue array = isEnumerate ? iterator.items[0] : PyValue();
  result.item = [&in, extents, array, isEnumerate](Value counter) {
    PyValue position = positionAt(in, extents, counter);
    if (!isEnumerate)
      return position;
    return PyValue::sequence({position, subscript(in, array, position)});
  };
  return result;
}

std::optional<PyValue> itemsOfObject(Interpreter &in, const PyValue &value) {
  std::optional<PyValue> items = callSpecial(in, value, "__iter__", {});
  bool isPlain = !items || !items->is(PyValue::Kind::Instance) || isDictionary(*items) || isBox(*items);
  if (isPlain)
    return items;
  if (StringRef((*items)->cls.string("__module__")).starts_with("npcc.library"))
    return items->operator->() == value.operator->() ? items : itemsOfObject(in, *items);
  if (!(*items)->cls["__next__"])
    return in.fail("TypeError: iter() returned non-iterator of type '" + (*items)->cls.string("__name__") + "'");
  return callIteration(in, "stepped", {*items});
}

static Counted countedItems(Interpreter &in, const std::vector<PyValue> &items) {
  PyValue list = PyValue::sequence(items, true);
  return countedUpTo(in, in.ir.index(items.size()),
                     [&in, list](Value counter) { return subscript(in, list, fromIndex(in, counter)); });
}

bool refuseIteration(Interpreter &in, const PyValue &value) {
  bool isFunction = value.is(PyValue::Kind::Function);
  bool isNone = value.isNone() || value.isPythonScalar() || value.isNumpyScalar() ||
                (value.isObject() && !isString(value) && promotionKey(in, value) && !value.object()["__iter__"]);
  if (isFunction || isNone)
    in.fail("TypeError: " + (isFunction ? "'function'" : nameOfType(in, value)) + " object is not iterable");
  return isFunction || isNone;
}

/// An array, records or a list of run-time length.
static std::optional<Counted> countedRows(Interpreter &in, const PyValue &iterable) {
  if (isRuntimeLength(iterable))
    return countedUpTo(in, listLength(in, iterable),
                       [&in, iterable](Value counter) { return listItem(in, iterable, counter); });
  if (iterable.isRecords())
    if (std::vector<PyValue> shape = recordsShape(in, iterable); !shape.empty())
      return countedUpTo(in, toIndex(in, shape[0]),
                         [&in, iterable](Value counter) { return recordsAt(in, iterable, counter); });
  if (iterable.isRecords() || iterable.rank() == 0) {
    in.fail("TypeError: iteration over a 0-d array");
    return std::nullopt;
  }
  return countedUpTo(in, in.ir.dim(iterable.ir(), 0), [&in, iterable](Value counter) {
    AxisIndex at{AxisIndex::Position, counter, {}, {}, {}};
    Value view = in.ir.makeView(iterable.ir(), {at});
    bool isScalar = iterable.rank() == 1;
    return PyValue::runtime(isScalar && isa<np::ArrayType>(view.getType()) ? in.ir.load(view) : view);
  });
}

/// What zip(), enumerate() or reversed() goes over, each counted; nothing where one of them cannot be.
static std::vector<Counted> countedSources(Interpreter &in, const Composite &iterator) {
  std::vector<Counted> sources;
  const std::vector<PyValue> &operands = iterator.items;
  size_t count = iterator.name == "enumerate" || iterator.name == "reversed" ? 1 : operands.size();
  for (size_t k = 0; k < count; ++k) {
    std::vector<PyValue> known; // beside others of run-time length
    bool isKnown = !operands[k].is(PyValue::Kind::Range) && !givesCharacters(operands[k]) &&
                   asSequence(in, operands[k], known) && !known.empty();
    if (isKnown && areFewObjects(in, known)) {
      sources.push_back(countedItems(in, known));
      continue;
    }
    PyValue operand = isKnown ? listToGoOver(in, std::move(known)) : operands[k];
    std::optional<Counted> source = operand.isPoison() ? std::nullopt : counted(in, operand);
    if (!source)
      return {};
    sources.push_back(std::move(*source));
  }
  return sources;
}

/// The same items from 0 by one each.
static void countFromZero(Interpreter &in, Counted &source) {
  if (matchPattern(source.lower, m_Zero()) && matchPattern(source.step, m_One()))
    return;
  Value distance = in.ir.createOrFold<arith::SubIOp>(source.upper, source.lower);
  source.upper =
      in.ir.createOrFold<arith::CeilDivSIOp>(in.ir.createOrFold<arith::MaxSIOp>(distance, in.ir.index(0)), source.step);
  source.item = [&in, inner = source.item, lower = source.lower, step = source.step](Value counter) {
    Value offset = arith::MulIOp::create(in.ir, counter, step);
    return inner(arith::AddIOp::create(in.ir, lower, offset));
  };
}

/// zip(), enumerate(), reversed(): the shortest of what they go over decides.
static std::optional<Counted> countedTogether(Interpreter &in, const Composite &iterator) {
  std::vector<Counted> sources = countedSources(in, iterator);
  if (sources.empty())
    return std::nullopt;
  Value trips;
  for (Counted &source : sources) {
    countFromZero(in, source);
    trips = trips ? in.ir.createOrFold<arith::MinSIOp>(trips, source.upper) : source.upper;
  }
  if (iterator.name == "reversed")
    return countedUpTo(in, trips, [&in, trips, item = sources[0].item](Value counter) {
      Value last = arith::SubIOp::create(in.ir, trips, in.ir.index(1));
      return item(arith::SubIOp::create(in.ir, last, counter));
    });
  bool isEnumerate = iterator.name == "enumerate";
  bool hasStart = isEnumerate && iterator.items.size() > 1;
  PyValue start = hasStart ? iterator.items[1] : PyValue::object(py::integer(0));
  return countedUpTo(in, trips, [&in, sources, isEnumerate, start](Value counter) {
    std::vector<PyValue> columns;
    if (isEnumerate)
      columns.push_back(binary(in, "Add", fromIndex(in, counter), start));
    for (const Counted &source : sources)
      columns.push_back(source.item(counter));
    return PyValue::sequence(std::move(columns));
  });
}

std::optional<Counted> counted(Interpreter &in, const PyValue &iterable) {
  if (iterable.is(PyValue::Kind::Range))
    return countedRange(in, *iterable);
  if (iterable.isObject() && py::isInstance(iterable.object(), in.dtypes.numpy["ndarray"])) { // a global one
    Value array = asArray(in, iterable);
    return array ? counted(in, in.env.bound(PyValue::runtime(array))) : std::nullopt;
  }
  if (iterable.isArray() || iterable.isRecords() || isRuntimeLength(iterable))
    return countedRows(in, iterable);
  if (isString(iterable))
    return countedString(in, iterable);
  if (isBox(iterable))
    return counted(in, unboxed(in, iterable));
  if (std::optional<PyValue> items = itemsOfObject(in, iterable))
    return items->isPoison() ? std::nullopt : counted(in, *items);
  if (isGenerator(iterable)) {
    PyValue items = collectedItems(in, iterable);
    return items.isPoison() ? std::nullopt : counted(in, items);
  }
  refuseIteration(in, iterable);
  if (!iterable.is(PyValue::Kind::Iterator))
    return std::nullopt;
  bool isOverPositions = iterable->name == "ndindex" || iterable->name == "ndenumerate";
  return isOverPositions ? countedPositions(in, *iterable) : countedTogether(in, *iterable);
}

} // namespace npcc::frontend
