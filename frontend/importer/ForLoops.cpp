// `for`: counted loops over range() and over arrays' first axes; loops over things of known length are unrolled.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/LoopItems.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Unrolling.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

/// Loops over this many known items are unrolled where the body cannot be imported as a loop.
static constexpr int64_t unrollLimit = 64;

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

/// A list of run-time length of what a loop goes over.
static PyValue listToGoOver(Interpreter &in, std::vector<PyValue> items) {
  if (!areArraysOfOneType(in, items))
    return listOfItems(in, std::move(items));
  std::string kind = arrayKind(in, items[0]);
  return asMixed(in, PyValue::sequence(std::move(items), /*isList=*/true), {kind});
}

static Counted countedItems(Interpreter &in, const std::vector<PyValue> &items) {
  Counted result;
  result.lower = in.ir.index(0);
  result.step = in.ir.index(1);
  result.upper = in.ir.index(items.size());
  PyValue list = PyValue::sequence(items, true);
  result.item = [&in, list](Value counter) { return subscript(in, list, fromIndex(in, counter)); };
  return result;
}

bool refuseIteration(Interpreter &in, const PyValue &value) {
  bool isFunction = value.is(PyValue::Kind::Function);
  bool isNone = value.isNone() || value.isPythonScalar() || value.isNumpyScalar() ||
                (value.isObject() && !isString(value) && promotionKey(in, value) && !value.object()["__iter__"]);
  if (isFunction || isNone)
    in.fail("TypeError: " + (isFunction ? "'function'" : nameOfType(in, value)) + " object is not iterable");
  return isFunction || isNone;
}

/// Whether characters of a string are gone over, alone or beside others. The string itself gives them to a loop: a list
/// of them would be an array that is filled item by item.
static bool givesCharacters(const PyValue &iterable) {
  bool isIterator = iterable.is(PyValue::Kind::Iterator);
  bool haveColumns = isIterator && (iterable->name == "zip" || iterable->name == "enumerate");
  return isString(iterable) || ((haveColumns || (isIterator && iterable->name == "reversed")) &&
                                llvm::any_of(iterable->items, givesCharacters));
}

/// enumerate, zip, reversed, ranges and arrays as counted loops; nullopt with or without an error reported.
std::optional<Counted> counted(Interpreter &in, const PyValue &iterable) {
  if (iterable.is(PyValue::Kind::Range))
    return countedRange(in, *iterable);
  if (iterable.isObject() && py::isInstance(iterable.object(), in.dtypes.numpy["ndarray"])) { // a global one
    Value array = asArray(in, iterable);
    return array ? counted(in, in.env.bound(PyValue::runtime(array))) : std::nullopt;
  }
  if (iterable.isArray()) {
    if (iterable.rank() == 0) {
      in.fail("TypeError: iteration over a 0-d array");
      return std::nullopt;
    }
    Counted result;
    result.lower = in.ir.index(0);
    result.step = in.ir.index(1);
    result.upper = in.ir.dim(iterable.ir(), 0);
    result.item = [&in, iterable](Value counter) {
      AxisIndex at{AxisIndex::Position, counter, {}, {}, {}};
      Value view = in.ir.makeView(iterable.ir(), {at});
      bool isScalar = iterable.rank() == 1;
      return PyValue::runtime(isScalar && isa<np::ArrayType>(view.getType()) ? in.ir.load(view) : view);
    };
    return result;
  }
  if (iterable.isRecords()) {
    std::vector<PyValue> shape = recordsShape(in, iterable);
    if (shape.empty()) {
      in.fail("TypeError: iteration over a 0-d array");
      return std::nullopt;
    }
    Counted result;
    result.lower = in.ir.index(0);
    result.step = in.ir.index(1);
    result.upper = toIndex(in, shape[0]);
    result.item = [&in, iterable](Value counter) { return recordsAt(in, iterable, counter); };
    return result;
  }
  if (isRuntimeLength(iterable)) {
    Counted result;
    result.lower = in.ir.index(0);
    result.step = in.ir.index(1);
    result.upper = listLength(in, iterable);
    result.item = [&in, iterable](Value counter) { return listItem(in, iterable, counter); };
    return result;
  }
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
  if (iterable->name == "ndindex" || iterable->name == "ndenumerate")
    return countedPositions(in, *iterable);
  std::vector<Counted> parts;
  std::vector<PyValue> &operands = iterable->items;
  size_t sources = iterable->name == "enumerate" || iterable->name == "reversed" ? 1 : operands.size();
  for (size_t k = 0; k < sources; ++k) {
    std::vector<PyValue> known; // beside others of run-time length
    bool isKnown = !operands[k].is(PyValue::Kind::Range) && !givesCharacters(operands[k]) &&
                   asSequence(in, operands[k], known) && !known.empty();
    if (isKnown && areFewObjects(in, known)) {
      parts.push_back(countedItems(in, known));
      continue;
    }
    PyValue operand = isKnown ? listToGoOver(in, std::move(known)) : operands[k];
    std::optional<Counted> part = operand.isPoison() ? std::nullopt : counted(in, operand);
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  if (parts.empty())
    return std::nullopt;
  // From zero by one each, the shortest decides.
  Value trips;
  for (Counted &part : parts) {
    bool plain = matchPattern(part.lower, m_Zero()) && matchPattern(part.step, m_One());
    if (!plain) {
      Value distance = in.ir.createOrFold<arith::SubIOp>(part.upper, part.lower);
      Value count = in.ir.createOrFold<arith::CeilDivSIOp>(in.ir.createOrFold<arith::MaxSIOp>(distance, in.ir.index(0)),
                                                           part.step);
      part.item = [&in, inner = part.item, lower = part.lower, step = part.step](Value counter) {
        Value offset = arith::MulIOp::create(in.ir, counter, step);
        return inner(arith::AddIOp::create(in.ir, lower, offset));
      };
      part.upper = count;
    }
    trips = trips ? in.ir.createOrFold<arith::MinSIOp>(trips, part.upper) : part.upper;
  }
  Counted result;
  result.lower = in.ir.index(0);
  result.step = in.ir.index(1);
  result.upper = trips;
  std::string name = iterable->name;
  PyValue start = name == "enumerate" && operands.size() > 1 ? operands[1] : PyValue::object(py::integer(0));
  result.item = [&in, parts, name, start, trips](Value counter) -> PyValue {
    if (name == "reversed") {
      Value last = arith::SubIOp::create(in.ir, trips, in.ir.index(1));
      return parts[0].item(arith::SubIOp::create(in.ir, last, counter));
    }
    std::vector<PyValue> columns;
    if (name == "enumerate")
      columns.push_back(binary(in, "Add", fromIndex(in, counter), start));
    for (const Counted &part : parts)
      columns.push_back(part.item(counter));
    return PyValue::sequence(std::move(columns));
  };
  return result;
}

static void loopOver(Interpreter &in, const py::Object &node, const PyValue &iterable);

/// What is added to a list while it is gone over is gone over too.
static void loopOverBox(Interpreter &in, const py::Object &node, const PyValue &box) {
  PyValue items = unboxed(in, box);
  if (items.isSequence()) {
    Attempt attempt(in);
    loopOver(in, node, items);
    bool isImported = !attempt.failed();
    bool stayed = !in.env.isReachable || unboxed(in, box) == items;
    if (isImported && stayed)
      return;
    // As a loop over what has a length at run time, if the items can be that.
    if (!isImported && (items->items.empty() || ofRuntimeLength(in, items).isPoison()))
      return;
    attempt.takeBack();
  }
  loopOver(in, node, callIteration(in, "growing_items", {box}));
}

/// enumerate() of a list that is an object: what the loop changes of its length counts.
static void enumerateBox(Interpreter &in, const py::Object &node, const PyValue &iterable) {
  const PyValue &box = iterable->items[2];
  if (!box.isTabled()) {
    Attempt attempt(in);
    PyValue items = unboxed(in, box);
    loopOver(in, node, iterable);
    bool isImported = !attempt.failed();
    if (!isImported || !in.env.isReachable || unboxed(in, box) == items)
      return;
    attempt.takeBack();
  }
  loopOver(in, node, callIteration(in, "growing_enumerate", {box, iterable->items[1]}));
}

/// Whether a `break` among these statements leaves the loop that they are the body of.
static bool hasBreak(const std::vector<py::Object> &statements) {
  return llvm::any_of(statements, [](const py::Object &statement) {
    std::string type = py::typeName(statement);
    if (type == "Break")
      return true;
    bool isLoop = type == "For" || type == "While";
    if (type == "FunctionDef" || type == "ClassDef")
      return false;
    for (const char *part : {"body", "orelse", "finalbody", "handlers", "cases"})
      if (statement[part] && !(isLoop && StringRef(part) == "body") && hasBreak(statement.list(part)))
        return true;
    return false;
  });
}

/// Loops over several axes, one in the other: each has independent iterations where the program's loop over all
/// positions has.
static void nestedLoops(Interpreter &in, const py::Object &node, const Composite &iterator) {
  bool isEnumerate = iterator.name == "ndenumerate";
  std::vector<PyValue> extents(iterator.items.begin() + (isEnumerate ? 1 : 0), iterator.items.end());
  PyValue array = isEnumerate ? iterator.items[0] : PyValue();
  std::vector<PyValue> position;
  std::function<void()> enter = [&] {
    if (position.size() == extents.size()) {
      PyValue item = PyValue::sequence(position);
      assign(in, node["target"], isEnumerate ? PyValue::sequence({item, subscript(in, array, item)}) : item);
      in.statements(node.list("body"));
      return;
    }
    Loop loop;
    loop.node = node.get();
    in.syntax.addAssigned(node, loop.assigned);
    grownNames(in, node, loop.assigned);
    loop.lower = in.ir.index(0);
    loop.upper = toIndex(in, extents[position.size()]);
    loop.step = in.ir.index(1);
    loop.body = [&] {
      position.push_back(fromIndex(in, loop.counter));
      enter();
      position.pop_back();
    };
    importLoop(in, loop);
  };
  enter();
}

PyValue itemsOfWhichever(Interpreter &in, const PyValue &iterable) {
  if (!iterable.is(PyValue::Kind::Union))
    return iterable;
  return overAlternatives(in, iterable, [&](PyValue one) {
    std::vector<PyValue> items;
    if (refuseIteration(in, one))
      return PyValue::poison();
    bool isSet = isContainer(one, "Set");
    return isBox(one) || isList(one) || isRuntimeLength(one) ? listOf(in, unboxed(in, one))
           : !isSet && asSequence(in, one, items)
               ? (items.empty() ? PyValue::sequence({}, true) : listOfItems(in, items))
               : one;
  });
}

void forStatement(Interpreter &in, const py::Object &node) {
  if (loopOverEnumerated(in, node))
    return;
  PyValue iterable = in.env.bound(in.expression(node["iter"]));
  if (isPythons(iterable))
    return loopOverObject(in, node, iterable);
  iterable = itemsOfWhichever(in, iterable);
  if (isBox(iterable))
    return loopOverBox(in, node, iterable);
  if (iterable.is(PyValue::Kind::Union)) { // lists of different types: a loop over each
    overAlternatives(in, iterable, [&](PyValue one) {
      loopOver(in, node, one);
      return PyValue::object(py::none());
    });
    return;
  }
  bool isEnumerate = iterable.is(PyValue::Kind::Iterator) && iterable->name == "enumerate";
  isEnumerate && iterable->items.size() > 2 ? enumerateBox(in, node, iterable) : loopOver(in, node, iterable);
}

static void loopOver(Interpreter &in, const py::Object &node, const PyValue &given) {
  PyValue iterable = given;
  if (std::optional<PyValue> items = itemsOfObject(in, iterable))
    iterable = *items;
  if (iterable.isPoison())
    return;
  if (isGenerator(iterable))
    return generatorLoop(in, node, iterable);
  py::Object target = node["target"];
  std::vector<py::Object> body = node.list("body"), otherwise = node.list("orelse");
  bool isOverPositions = iterable.is(PyValue::Kind::Iterator) && StringRef(iterable->name).starts_with("nd");
  if (isOverPositions && otherwise.empty() && !hasBreak(body) && iterable->items.size() > 1)
    return nestedLoops(in, node, *iterable);
  auto unroll = [&](const std::vector<PyValue> &items,
                    const std::function<bool(Unrolling &, size_t)> &stops = nullptr) {
    Unrolling unrolling(in, items.size());
    unrolledLoop(
        in, items.size(),
        [&](size_t k) {
          if (unrolling.isLeftOut(k) || (stops && stops(unrolling, k)))
            return;
          assign(in, target, items[k]);
          in.statements(body);
        },
        otherwise);
  };
  // A list among the arguments can be one of Python's own, which a loop goes over.
  auto unrollGiven = [&](const std::vector<PyValue> &items) {
    bool isTooMuch = false;
    unroll(items, [&](Unrolling &unrolling, size_t) { return isTooMuch |= unrolling.isTooMuch(); });
    if (!isTooMuch)
      return;
    in.fail(node["iter"],
            "a loop over " + std::to_string(items.size()) + " items that are not alike is too much code to compile",
            "let the items be numbers, tuples or arrays of one shape");
    in.diagnostics.back().isOfForm = true;
  };
  std::set<std::string> grown;
  grownNames(in, node, grown);
  py::Object iterated = node["iter"]; // l, or enumerate(l)
  bool isEnumerate = iterable.is(PyValue::Kind::Iterator) && iterable->name == "enumerate";
  if (isEnumerate && py::typeName(iterated) == "Call" && !iterated.list("args").empty())
    iterated = iterated.list("args")[0];
  if (py::typeName(iterated) == "Name" && grown.count(iterated.string("id"))) {
    NodeScope scope(in, iterated);
    const PyValue &list = isEnumerate ? iterable->items[0] : iterable;
    if (!isEnumerate || isList(list)) {
      needsBox(in, list, "a list that is iterated over grows in the loop", "iterate over a copy");
      return;
    }
  }
  std::vector<PyValue> items;
  bool isKnown = asSequence(in, iterable, items);
  bool isListed = isKnown && !iterable.is(PyValue::Kind::Range);
  bool areColumns = iterable.is(PyValue::Kind::Iterator) && (iterable->name == "zip" || iterable->name == "enumerate");
  bool picksKeys = isListed && picksByKeys(in, node, items);
  if (isListed && (picksKeys || !isLong(in, items))) {
    bool isStraight = items.size() < 2 || in.env.frame->isLibrary || in.ir.isThread;
    bool areAlike =
        llvm::all_of(items, [&](const PyValue &item) { return areOfOneType(in, items[0], item, areColumns); }) ||
        (iterable.hasItems() && iterable->isList && areArraysOfOneType(in, items));
    if (!areAlike && isGivenList(iterable))
      return unrollGiven(items);
    if (isStraight || !areAlike)
      return unroll(items);
    // Straight code for each item is faster, but where it is much a loop is compiled in a fraction of the time.
    Attempt attempt(in);
    bool isTakenBack = false;
    unroll(items, [&](Unrolling &unrolling, size_t k) {
      bool isMuch = picksKeys ? unrolling.isTooMuch() : k == 1 && unrolling.isMuch(k);
      isTakenBack |= isMuch && !attempt.failed();
      return isTakenBack;
    });
    if (!isTakenBack)
      return;
    attempt.takeBack();
  }
  Environment::Snapshot before = in.env.snapshot();
  bool haveArrays = areColumns && isListed && !items.empty() &&
                    llvm::any_of(items[0]->items, [](const PyValue &one) { return one.arrayType(); });
  if (isListed && !haveArrays && !givesCharacters(iterable)) // those are gone over in the lists that they are in
    iterable = listToGoOver(in, items);
  if (iterable.isPoison()) {
    in.env.rollBack(before);
    unroll(items);
    return;
  }
  {
    NodeScope scope(in, node["iter"]);
    if (refuseIteration(in, iterable))
      return;
  }
  std::optional<Counted> range = counted(in, iterable);
  if (!range) {
    if (in.diagnostics.size() == before.diagnostics)
      in.fail(node["iter"], describe(in, iterable) + " cannot be iterated over in compiled code",
              "use range(), an array, a tuple, enumerate() or zip()");
    return;
  }
  Loop loop;
  loop.node = node.get();
  in.syntax.addAssigned(node, loop.assigned);
  loop.assigned.insert(grown.begin(), grown.end());
  loop.lower = range->lower;
  loop.upper = range->upper;
  loop.step = range->step;
  loop.otherwise = otherwise;
  loop.body = [&] {
    assign(in, target, range->item(loop.counter));
    in.statements(body);
  };
  // A body that needs to know the counter (an axis, an item of a tuple) is repeated for each value of it, and one that
  // changes the types of arrays.
  bool mayUnroll = isKnown && (isListed || static_cast<int64_t>(items.size()) <= unrollLimit);
  bool picks = picksArrays(in, node);
  // The loop's bounds, which are there already, stay when an attempt is taken back.
  auto growsAtFirst = [&] { // by arrays: two iterations tell of most loops, and cost less than all
    Attempt attempt(in);
    unroll({items.begin(), items.begin() + std::min<size_t>(items.size(), 2)});
    bool grows = !attempt.failed() && growsByArrays(in, grown);
    attempt.takeBack();
    return grows;
  };
  if (mayUnroll && isShort(in, node, items.size()) && (picks || (!grown.empty() && growsAtFirst()))) {
    Attempt attempt(in);
    unroll(items);
    if (!attempt.failed() && (picks || growsByArrays(in, grown)))
      return;
    attempt.takeBack();
  }
  bool joinsArrays = in.env.joinsArrays;
  in.env.joinsArrays = joinsArrays && !mayUnroll;
  importLoop(in, loop);
  in.env.joinsArrays = joinsArrays;
  // Where more lists need to be objects all is imported again, which tells whether the loop can be one then.
  bool isImportedAgain = in.outlines && in.outlines->foundMore;
  if (in.diagnostics.size() == before.diagnostics || !mayUnroll || isImportedAgain)
    return;
  std::vector<Diagnostic> asLoop(in.diagnostics.begin() + before.diagnostics, in.diagnostics.end());
  in.env.rollBack(before);
  unroll(items);
  if (in.diagnostics.size() > before.diagnostics) {
    in.diagnostics.resize(before.diagnostics);
    in.diagnostics.insert(in.diagnostics.end(), asLoop.begin(), asLoop.end());
  }
}

} // namespace npcc::frontend
