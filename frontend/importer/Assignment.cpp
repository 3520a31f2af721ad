// Assignment to names, tuples and subscripts.
#include "frontend/importer/Assignment.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Threads.h"
#include "dialects/Np/Values.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/KnownMethods.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/importer/Views.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

/// Why a value cannot be unpacked, in Python's words where it is of one that has no items.
static std::string whyNotUnpacked(Interpreter &in, const PyValue &value) {
  if (value.isArray() && value.rank() == 0)
    return "iteration over a 0-d array";
  if (value.isObject() || (value.isRuntime() && value.rank() == 0))
    return "cannot unpack non-iterable " + (value.isObject() ? py::typeName(value.object()) : describe(in, value)) +
           " object";
  return "cannot unpack " + describe(in, value);
}

void firstItems(Interpreter &in, const PyValue &value, int64_t count, std::vector<PyValue> &items) {
  for (int64_t k = 0; k < count; ++k) {
    if (isRuntimeLength(value)) {
      items.push_back(listItem(in, value, in.ir.index(k)));
      continue;
    }
    Value view = in.ir.makeView(value.ir(), {AxisIndex{AxisIndex::Position, in.ir.index(k), {}, {}, {}}});
    bool isScalar = value.rank() == 1 && isa<np::ArrayType>(view.getType());
    items.push_back(PyValue::runtime(isScalar ? in.ir.load(view) : view));
  }
}

bool unpack(Interpreter &in, const PyValue &value, int64_t count, std::vector<PyValue> &items) {
  if (isPythons(value)) {
    PyValue all = runSimple(in, "return tuple(a)", {value}, 'o');
    if (count < 0) {
      in.fail("as many items as an object of Python's has cannot be known");
      return false;
    }
    std::string names;
    for (int64_t k = 0; k < count; ++k)
      names += "t" + std::to_string(k) + ", ";
    all = runSimple(in, names + "= a\n return a", {all}, 'o');
    for (int64_t k = 0; k < count; ++k)
      items.push_back(runSimple(in, "return a[" + std::to_string(k) + "]", {all}, 'o'));
    return true;
  }
  if (isBox(value))
    return unpack(in, unboxed(in, value), count, items);
  if (value.isPoison())
    return false;
  if (asSequence(in, value, items)) {
    if (count < 0 || static_cast<int64_t>(items.size()) == count)
      return true;
    if (static_cast<int64_t>(items.size()) > count)
      in.fail("ValueError: too many values to unpack (expected " + Twine(count) + ")");
    else
      in.fail("ValueError: not enough values to unpack (expected " + Twine(count) + ", got " + Twine(items.size()) +
              ")");
    return false;
  }
  if (isGlobalArray(in, value)) {
    Value array = value.object().integer("ndim") > 0 ? asArray(in, value) : Value();
    if (array && count < 0) {
      firstItems(in, PyValue::runtime(array), *py::asInteger(py::elements(value.object()["shape"])[0]), items);
      return true;
    }
    if (array)
      return unpack(in, PyValue::runtime(array), count, items);
  }
  bool isIterated = isRuntimeString(value) || isGenerator(value) || value.is(PyValue::Kind::Iterator) ||
                    value.is(PyValue::Kind::Range) || (value.is(PyValue::Kind::Instance) && !isDictionary(value));
  if (isIterated && count >= 0)
    return unpack(in, callBuiltin(in, "list", {value}), count, items);
  bool isList = isRuntimeLength(value);
  if (count < 0 && (isList || isIterated || (value.isArray() && value.rank() > 0))) {
    in.fail("how many items " + describe(in, value) + " has is known at run time only",
            "put them into a list or tuple of their own: [*items]");
    return false;
  }
  if (!isList && (!value.isArray() || value.rank() == 0)) {
    in.fail("TypeError: " + whyNotUnpacked(in, value));
    return false;
  }
  Value extent = isList ? listLength(in, value) : in.ir.dim(value.ir(), 0), expected = in.ir.index(count);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sle, extent, expected), "ValueError",
              "too many values to unpack (expected " + Twine(count) + ")");
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, extent, expected), "ValueError",
              "not enough values to unpack (expected " + Twine(count) + ", got {0})", extent);
  firstItems(in, value, count, items);
  return true;
}

std::pair<PyValue, PyValue> storedPlace(Interpreter &in, const py::Object &target) {
  if (py::typeName(target["value"]) != "Name") {
    PyValue base = in.expression(target["value"]);
    return {base, subscriptIndex(in, target["slice"])};
  }
  PyValue position = subscriptIndex(in, target["slice"]);
  detach(in, target["value"].string("id"), position);
  return {in.expression(target["value"]), position};
}

/// The items of what a target with a star stands for, of which there are as many as at run time: those in front of the
/// star, a list, those behind it.
static bool unpackStarred(Interpreter &in, const PyValue &value, int64_t before, int64_t behind,
                          std::vector<PyValue> &items) {
  auto number = [](int64_t k) { return PyValue::object(py::integer(k)); };
  bool hasPositions = isRuntimeLength(value) || (value.isArray() && value.rank() > 0);
  PyValue source = hasPositions ? value : callBuiltin(in, "list", {value}), none = PyValue::object(py::none());
  if (source.isPoison())
    return false;
  source = unboxed(in, source);
  if (!isRuntimeLength(source) && !source.isArray())
    return asSequence(in, source, items);
  Value extent = source.isArray() ? in.ir.dim(source.ir(), 0) : listLength(in, source);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, extent, in.ir.index(before + behind)), "ValueError",
              "not enough values to unpack (expected at least " + Twine(before + behind) + ", got {0})", extent);
  PyValue length = fromIndex(in, extent);
  for (int64_t k = 0; k < before; ++k)
    items.push_back(subscript(in, source, number(k)));
  PyValue stop = binary(in, "Sub", length, number(behind));
  items.push_back(listOf(in, subscript(in, source, PyValue::slice(number(before), stop, none))));
  for (int64_t k = behind; k > 0; --k)
    items.push_back(subscript(in, source, number(-k)));
  return llvm::none_of(items, [](const PyValue &item) { return item.isPoison(); });
}

void assign(Interpreter &in, const py::Object &target, PyValue value) {
  NodeScope scope(in, target);
  std::string type = py::typeName(target);
  if (type == "Name") {
    std::string name = target.string("id");
    in.env.bindName(name, forName(in, name, value));
    return;
  }
  if (type == "Attribute" && py::typeName(target["value"]) == "Name")
    if (PyValue base = in.expression(target["value"]); hasAssignedAttributes(base))
      return storeKnownAttribute(in, base.object(), target.string("attr"), value);
  if ((type == "Subscript" || type == "Attribute") && storePart(in, target, value))
    return;
  if ((type == "Tuple" || type == "List") && isPythons(value))
    return unpackObject(in, target, value);
  if (type == "Subscript") {
    auto [base, position] = storedPlace(in, target);
    if (!base.isPoison() && !position.isPoison() && !value.isPoison())
      storeTo(in, base, position, value);
    return;
  }
  if ((type == "Tuple" || type == "List") && value.is(PyValue::Kind::Union)) {
    overAlternatives(in, value, [&](PyValue one) {
      assign(in, target, one);
      return PyValue::object(py::none());
    });
    return;
  }
  if (type == "Tuple" || type == "List") {
    std::vector<py::Object> targets = target.list("elts");
    int64_t star = -1;
    for (auto [k, one] : llvm::enumerate(targets))
      if (py::typeName(one) == "Starred")
        star = k;
    std::vector<PyValue> items;
    bool isKnown = star < 0 || asSequence(in, value, items);
    items.clear();
    bool isUnpacked = isKnown ? unpack(in, value, star < 0 ? targets.size() : -1, items)
                              : unpackStarred(in, value, star, targets.size() - 1 - star, items);
    if (!isUnpacked)
      items.assign(targets.size(), PyValue::poison());
    bool isSplit = isUnpacked && !isKnown && items.size() == targets.size();
    if (star >= 0 && (isSplit || !isUnpacked))
      targets[star] = targets[star]["value"];
    else if (star >= 0) {
      int64_t rest = items.size() - (targets.size() - 1);
      if (rest < 0) {
        in.fail("ValueError: not enough values to unpack (expected at least " + Twine(targets.size() - 1) + ", got " +
                Twine(items.size()) + ")");
        return;
      }
      std::vector<PyValue> middle(items.begin() + star, items.begin() + star + rest);
      items.erase(items.begin() + star, items.begin() + star + rest);
      PyValue list = PyValue::sequence(middle, true);
      list->depth = in.env.depth;
      list->owner = in.env.frame.get();
      items.insert(items.begin() + star, madeAt(in, targets[star], list));
      targets[star] = targets[star]["value"];
    }
    // All items exist before the first is bound: a, b = b, a.
    for (PyValue &item : items)
      item = in.env.bound(item);
    for (auto [one, item] : llvm::zip(targets, items))
      assign(in, one, item);
    return;
  }
  if (type == "Starred")
    return assign(in, target["value"], value);
  if (type == "Attribute") {
    PyValue base = in.expression(target["value"]);
    if (base.isPoison())
      return;
    noteChangedObject(in, base);
    if (storesAttributes(base) || base.is(PyValue::Kind::Union)) {
      auto store = [&](PyValue one) {
        if (storesAttributes(one))
          storeAttribute(in, one, target.string("attr"), value);
        else
          in.fail("AttributeError: " + describe(in, one) + " has no attribute '" + target.string("attr") + "'");
        return PyValue::object(py::none());
      };
      base.is(PyValue::Kind::Union) ? overAlternatives(in, base, store) : store(base);
      return;
    }
    if (hasAssignedAttributes(base))
      return storeKnownAttribute(in, base.object(), target.string("attr"), value);
  }
  if (type == "Attribute" && target.string("attr") == "shape" && py::typeName(target["value"]) == "Name")
    return assignShape(in, target["value"].string("id"), in.env.readName(target["value"], target["value"].string("id")),
                       value);
  if (type == "Attribute" && (target.string("attr") == "real" || target.string("attr") == "imag")) {
    PyValue array = in.expression(target["value"]);
    if (array.arrayType()) {
      if (target.string("attr") == "imag" && !isa<ComplexType>(array.elementType())) {
        in.fail("TypeError: array does not have imaginary part to set");
        return;
      }
      storeWhole(in, attribute(in, array, target.string("attr")).ir(), value, "assignment destination is read-only");
      return;
    }
    if (array.isPoison())
      return;
  }
  if (type == "Attribute" && target.string("attr") == "flat") {
    PyValue array = in.expression(target["value"]);
    if (array.isArray() || array.arrayType())
      return flatStore(in, flat(in, array), PyValue::object(py::call(py::import("builtins")["slice"], {py::none()})),
                       value);
    if (array.isPoison())
      return;
  }
  in.fail("attributes cannot be assigned to in compiled code",
          "assign to elements (a[...] = value), or return the value");
}

static bool isPartOf(Value array, const PyValue &value) {
  return value.hasItems() && llvm::any_of(value->items, [&](const PyValue &item) {
           return (item.isRuntime() && item.ir() == array) || isPartOf(array, item);
         });
}

/// The bindings that name an array, of this function and of those that have called it; nothing where a name cannot be
/// bound anew: callers have their names on all paths through this function, and this is one of several, or where the
/// array is in a container.
static std::optional<SmallVector<std::pair<Bindings *, std::string>>> namesOf(Interpreter &in, Value array) {
  SmallVector<std::pair<Bindings *, std::string>> names;
  bool isOnEachPath = true;
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller) {
    for (const auto &[name, binding] : frame->bindings) {
      bool isName = binding.isRuntime() && binding.ir() == array;
      if (isPartOf(array, binding) || (isName && !isOnEachPath))
        return std::nullopt;
      if (isName)
        names.push_back({&frame->bindings, name});
    }
    isOnEachPath &= frame->depth == in.env.depth && frame->returns.empty();
  }
  return names;
}

/// Whether an array is made anew in each iteration of the loops around: all names that hold it are bound there, too.
static bool isOfEachIteration(Interpreter &in, Value array) {
  for (Frame *frame = in.env.frame.get(); frame; frame = frame->caller)
    for (const LoopTargets *loop : frame->loops)
      if (loop->header && loop->header->computeBlockNumber() > array.getParentBlock()->computeBlockNumber())
        return false;
  return true;
}

/// All names of the array are bound to it as it is now: only where every one of them is known. What names in loops give
/// may be one array under several of them.
void assignShape(Interpreter &in, const std::string &name, const PyValue &array, const PyValue &shape) {
  if (array.isPoison() || shape.isPoison())
    return;
  np::ArrayType type = array.arrayType();
  bool isOwn = type && !isa<BlockArgument>(array.ir()) && (in.env.depth == 0 || !array.ir().getDefiningOp<np::GetOp>());
  auto names = isOwn ? namesOf(in, array.ir()) : std::nullopt;
  if (names && !isOfEachIteration(in, array.ir()) &&
      (names->size() != 1 || names->front().first != &in.env.frame->bindings))
    names.reset(); // a loop carries the names that it sees being bound
  if (!names || !type.getContiguous()) {
    in.fail("the shape of '" + name + "' cannot be assigned to here", "bind the result of reshape() to a new name");
    return;
  }
  PyValue reshaped = callNumpy(in, "reshape", {array, shape});
  if (!reshaped.isRuntime())
    return;
  for (auto &[bindings, other] : *names)
    if (bindings == &in.env.frame->bindings)
      in.env.bindName(other, reshaped);
    else
      (*bindings)[other] = reshaped;
}

std::string shapeWords(Interpreter &in, Value of, SmallVectorImpl<Value> &extents) {
  return in.ir.shapeText(of, extents);
}

/// Axes in front that the array has not are of one position: where that is not known, it is asked at run time.
static void checkDroppedAxes(Interpreter &in, Value stored, int64_t dropped, Value array) {
  SmallVector<Value> extents;
  std::string from = shapeWords(in, stored, extents), into = shapeWords(in, array, extents);
  Value areOne = in.ir.boolean(true);
  for (int64_t axis = 0; axis < dropped; ++axis)
    if (np::getShape(stored.getType())[axis] != 1) {
      Value isOne = in.ir.compareIndex(arith::CmpIPredicate::eq, in.ir.dim(stored, axis), in.ir.index(1));
      areOne = in.ir.createOrFold<arith::AndIOp>(areOne, isOne);
    }
  in.ir.check(areOne, "ValueError", "could not broadcast input array from shape " + from + " into shape " + into,
              extents);
}

void storeWhole(Interpreter &in, Value array, const PyValue &value, StringRef words) {
  Type element = cast<np::ArrayType>(array.getType()).getElementType();
  Value stored = operandAs(in, value, element);
  if (!stored)
    return;
  if (in.ir.isThread && np::getRank(array.getType()) == 0) {
    Value item = isa<RankedTensorType>(stored.getType()) ? in.ir.item(stored) : stored;
    np::WriteElementOp::create(in.ir, item, array);
    return;
  }
  in.ir.checkWritable(array, words);
  int64_t rank = np::getRank(array.getType()), valueRank = np::getRank(stored.getType());
  // Leading axes of extent 1 are dropped: a[:] = b[None].
  if (valueRank > rank) {
    checkDroppedAxes(in, stored, valueRank - rank, array);
    SmallVector<AxisIndex> axes;
    for (int64_t axis = 0; axis < valueRank; ++axis) {
      bool drop = axis < valueRank - rank;
      axes.push_back(drop ? AxisIndex{AxisIndex::Position, in.ir.index(0), {}, {}, {}}
                          : AxisIndex{AxisIndex::Whole, {}, {}, {}, {}});
    }
    stored = in.ir.makeView(stored, axes);
  }
  if (np::getRank(stored.getType()) > 0 && mayMeet(array))
    return storeInOrder(in, stored, array, words == outputIsReadOnly);
  in.ir.checkStored(stored, array, words == outputIsReadOnly);
  np::StoreOp::create(in.ir, stored, array, /*as_output=*/words == outputIsReadOnly);
  in.ir.clobber();
}

bool isItemOf(Interpreter &in, Value stored, ArrayRef<AxisIndex> axes, int64_t rank, Type element) {
  bool isElement = static_cast<int64_t>(axes.size()) == rank && rank > 0 &&
                   llvm::all_of(axes, [](const AxisIndex &axis) { return axis.kind == AxisIndex::Position; });
  if (!isElement || np::getRank(stored.getType()) == 0)
    return true;
  in.fail(isa<ComplexType>(element) ? "TypeError: only 0-dimensional arrays can be converted to Python scalars"
                                    : "ValueError: setting an array element with a sequence.");
  return false;
}

void storeTo(Interpreter &in, const PyValue &base, const PyValue &position, const PyValue &value) {
  auto again = [&](ArrayRef<PyValue> operands) {
    storeTo(in, operands[0], position, operands[1]);
    return PyValue::object(py::none());
  };
  auto at = [&](const PyValue &one) {
    storeTo(in, base, one, value);
    return PyValue::object(py::none());
  };
  if (overAlternatives(in, {base, value}, again) || overIndices(in, position, at))
    return;
  if (isPythons(base) || isPythons(position) || isPythons(value)) {
    runSimple(in, "a[b] = c", {base, position, value}, 'o');
    return;
  }
  if (PyValue items = indexOfAllAxes(in, base, position); !(items == position))
    return storeTo(in, base, items, value);
  if (base.isRecords())
    return storeRecords(in, base, unboxedDeeply(in, position), value);
  if (isDictionary(base))
    return storeDictItem(in, base, position, value);
  if ((isBox(base) || isList(base)) && position.is(PyValue::Kind::Slice))
    return storeSlice(in, base, position, value);
  if (isBox(base))
    return storeBoxItem(in, base, position, value);
  if (base.isSequence() && base->cls && callSpecial(in, base, "__setitem__", {position, value}))
    return;
  if (base.is(PyValue::Kind::Instance)) {
    if (!callSpecial(in, base, "__setitem__", {position, value}))
      in.fail("TypeError: '" + base->cls.string("__name__") + "' object does not support item assignment");
    return;
  }
  if (isRuntimeLength(base))
    return storeListItem(in, base, position, value);
  if (base.isSequence()) {
    std::optional<int64_t> at = asInteger(in, position);
    int64_t count = base->items.size();
    if (!base->isList || !at || *at < -count || *at >= count || base->depth != in.env.depth) {
      auto report = [&](const char *message) {
        base->isList ? needsBox(in, base, message, "use an array") : in.fail(message, "use an array");
      };
      report(base->isList
                 ? "items of a list are assigned to at positions known at compile time, and not inside a branch or loop"
                 : "TypeError: 'tuple' object does not support item assignment");
      return;
    }
    PyValue stored = in.env.bound(value);
    in.env.changed(base).items[*at < 0 ? *at + count : *at] = stored;
    return;
  }
  if (base.flatOf)
    return flatStore(in, base, position, value);
  if (base.isArray() && !base.arrayType()) // a temporary: what is stored is lost with it, errors are not
    return storeTo(in, in.env.bound(base), position, value);
  if (refusesChange(in, base, "an item is stored in"))
    return;
  if (isGlobalArray(in, base))
    return failStoredGlobal(in, in.loc(in.currentNode), base.object().get());
  if (!base.arrayType()) {
    in.fail("TypeError: " + nameOfType(in, base, /*isQuoted=*/true) + " object does not support item assignment");
    return;
  }
  // Before positions and values are looked at, as NumPy does.
  if (!in.ir.checkWritable(base.ir()))
    return;
  if (auto masked = ofSingleBool(in, base, position))
    return storeTo(in, masked->first, masked->second, value);
  SmallVector<AxisIndex> axes;
  if (!parseIndex(in, base, position, axes))
    return;
  bool isAdvanced = llvm::any_of(
      axes, [](const AxisIndex &axis) { return axis.kind == AxisIndex::Mask || axis.kind == AxisIndex::Positions; });
  if (isAdvanced)
    return advancedStore(in, base.ir(), axes, value);
  // The value is computed before its place is: both may use the array.
  Value stored = itemAs(in, value, base.elementType(), /*isItem=*/true);
  if (!stored || !isItemOf(in, stored, axes, base.rank(), base.elementType()))
    return;
  storeWhole(in, in.ir.makeView(base.ir(), axes), PyValue::runtime(stored));
}

} // namespace npcc::frontend
