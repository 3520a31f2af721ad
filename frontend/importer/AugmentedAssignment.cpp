// Augmented assignment: an array is changed where it lies, a number is bound or stored anew. Where the target or the
// right side is a union, each alternative is changed on a path of its own.
#include "dialects/Np/Values.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/importer/Views.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
using Store = llvm::function_ref<void(PyValue)>;
} // namespace

//===---- Arrays ----===//

/// Gives `result` to `store` if NumPy takes it for the output `left`: by the same-kind rule, and by its axes.
static void storeResult(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &result, Store store) {
  if (!result.isRuntime())
    return;
  if (!in.dtypes.canCast(result.elementType(), left.elementType(), "same_kind")) {
    static const llvm::StringMap<const char *> names = {{"Add", "add"},
                                                        {"Sub", "subtract"},
                                                        {"Mult", "multiply"},
                                                        {"Div", "divide"},
                                                        {"FloorDiv", "floor_divide"},
                                                        {"Mod", "remainder"},
                                                        {"Pow", "power"},
                                                        {"BitAnd", "bitwise_and"},
                                                        {"BitOr", "bitwise_or"},
                                                        {"BitXor", "bitwise_xor"},
                                                        {"LShift", "left_shift"},
                                                        {"RShift", "right_shift"},
                                                        {"MatMult", "matmul"}};
    in.fail("UFuncTypeError: Cannot cast ufunc '" + Twine(names.at(operation)) + "' output from " +
                py::repr(in.dtypes.dtype(result.elementType())) + " to " +
                py::repr(in.dtypes.dtype(left.elementType())) + " with casting rule 'same_kind'",
            "convert with astype(), or bind the result to a new name");
    return;
  }
  if (result.rank() > left.rank()) {
    SmallVector<Value> extents;
    std::string output = shapeWords(in, left.ir(), extents), given = shapeWords(in, result.ir(), extents);
    in.ir.check(in.ir.boolean(false), "ValueError",
                "non-broadcastable output operand with shape " + output + " doesn't match the broadcast shape " + given,
                extents);
    return;
  }
  store(result);
}

/// The left operand is the output too, which NumPy names where shapes do not fit.
static PyValue compute(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  llvm::SaveAndRestore<Value> output(in.ir.output, left.isArray() ? left.ir() : Value());
  if (left.isArray() && right.isRuntime() && right.isArray() && right.rank() > left.rank() && operation != "MatMult") {
    // The operation that would say so is not there: its result cannot be stored.
    Value meet;
    SmallVector<Value> extents;
    in.ir.broadcastExtents(ArrayRef<Value>{left.ir(), right.ir()}, meet);
    std::string shapes;
    for (Value array : {left.ir(), right.ir(), left.ir()})
      shapes += shapeWords(in, array, extents) + " ";
    in.ir.check(meet, "ValueError", "operands could not be broadcast together with shapes " + shapes, extents);
  }
  PyValue result = binary(in, operation, left, right);
  Operation *made = result.isRuntime() ? result.ir().getDefiningOp() : nullptr;
  if (auto cast = dyn_cast_if_present<np::CastOp>(made))
    made = cast.getInput().getDefiningOp();
  if (auto ufunc = dyn_cast_if_present<np::UfuncOp>(made))
    ufunc.setInPlace(true);
  return result;
}

/// Does something with each alternative of the right side, on a path of its own: whether the result fits into an array
/// is asked for each.
static void forEachAlternative(Interpreter &in, const PyValue &right, Type element, Store action) {
  // Of an int or a float, only the int may give a result that fits; and Python's number may give a narrower result than
  // NumPy's, so that each is stored on its own path.
  PyValue split = element && !element.isF64() ? splitNumber(in, right) : right;
  if (!split.is(PyValue::Kind::Union))
    return action(split);
  overAlternatives(in, split, [&](PyValue one) {
    action(one);
    return PyValue::object(py::none());
  });
}

/// left `operation`= right of an array, whose result `store` takes.
static void update(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right, Store store) {
  forEachAlternative(in, right, left.elementType(),
                     [&](PyValue one) { storeResult(in, operation, left, compute(in, operation, left, one), store); });
}

static void updateWhole(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  update(in, operation, left, right, [&](PyValue result) { storeWhole(in, left.ir(), result, outputIsReadOnly); });
}

//===---- Values of all kinds ----===//

namespace {
/// The function whose augmented assignment is made, and the operator. What that calls has words of its own.
struct Augmented {
  const Frame *frame;
  StringRef symbol;
};
} // namespace

static thread_local Augmented augmented{nullptr, ""};

std::string inWordsOfAugmented(Interpreter &in, std::string message) {
  StringRef rest = message;
  if (!augmented.frame || augmented.frame != in.env.frame.get() ||
      !rest.consume_front("TypeError: unsupported operand type(s) for "))
    return message;
  rest = rest.drop_front(rest.find(": ")); // behind "+", or "** or pow()"
  return ("TypeError: unsupported operand type(s) for " + augmented.symbol + "=" + rest).str();
}

/// What the operator itself gives, where nothing is changed in place. NumPy's words are those of its functions.
static PyValue asBinary(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  bool isPythons = !isNumpys(in, left) && !isNumpys(in, right);
  Augmented now{isPythons ? in.env.frame.get() : nullptr, symbolOf(operation)};
  llvm::SaveAndRestore<Augmented> scope(augmented, now);
  return binary(in, operation, left, right);
}

/// What `left` is afterwards: an array and a list stay the objects that they were.
static PyValue changedInPlace(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  if (left.is(PyValue::Kind::Union))
    return overAlternatives(in, left, [&](PyValue one) { return changedInPlace(in, operation, one, right); });
  if (isPythons(left)) // an array of Python's, say, which stays the object that it is
    return runSimple(in, ("a " + symbolOf(operation) + "= b\n return a").str(), {left, right}, 'o');
  if (left.arrayType()) {
    updateWhole(in, operation, left, right);
    return left;
  }
  if (isGlobalArray(in, left)) {
    failStoredGlobal(in, in.loc(in.currentNode), left.object().get());
    return PyValue::poison();
  }
  if (std::optional<PyValue> result = inPlaceOperator(in, operation, left, right))
    return *result;
  if (isTupleBox(left))
    return asBinary(in, operation, left, right);
  if (isBox(left) && operation == "Add") {
    extendBox(in, left, right);
    return left;
  }
  if (isBox(left) && left.isTabled() && operation == "Mult" && toIndex(in, right)) {
    callTabledList(in, left, "repeat", {right});
    return left;
  }
  if (isBox(left) && operation == "Mult") {
    PyValue longer = asBinary(in, operation, unboxed(in, left), right);
    if (!longer.isPoison())
      storeInBox(in, left, longer);
    return left;
  }
  if (!isList(left) || (operation != "Add" && operation != "Mult"))
    return asBinary(in, operation, left, right);
  if (operation == "Add" && refuseIteration(in, right))
    return PyValue::poison();
  if (left.isSequence() && left->depth == in.env.depth && (operation == "Add" || asInteger(in, right))) {
    std::vector<PyValue> more;
    PyValue longer = operation == "Mult" ? asBinary(in, operation, left, right) : PyValue();
    if (longer.isSequence())
      in.env.changed(left).items = longer->items;
    else if (operation == "Add" && unpack(in, right, -1, more))
      llvm::append_range(in.env.changed(left).items, more);
    return left;
  }
  if (left->isJoined || countNames(in.env.frame->bindings, left) > 1)
    return needsBox(in, left, "a list that may have another name grows inside a branch or loop",
                    "use an array of the final extent");
  return asBinary(in, operation, left, right);
}

//===---- Targets ----===//

static void updateName(Interpreter &in, const py::Object &node, StringRef operation, const std::string &name) {
  detach(in, name, PyValue::poison());
  PyValue left = in.env.readName(node["target"], name);
  PyValue right = in.expression(node["value"]);
  bool areLists = isList(left) && isRuntimeLength(unboxed(in, right)) && !isBox(left);
  if ((isRuntimeLength(left) || areLists) && operation == "Add" && !right.isPoison()) {
    PyValue longer = isOwnList(in, name, left)
                         ? extended(in, name, left, right)
                         : needsBox(in, left, "a list that may have another name grows inside a branch or loop",
                                    "make the list where it grows");
    if (!longer.isPoison()) {
      longer->owner = in.env.frame.get();
      in.env.frame->bindings[name] = longer;
    }
    return;
  }
  if (left.isPoison() || right.isPoison()) {
    if (in.env.frame->locals.count(name))
      in.env.frame->bindings[name] = PyValue::poison();
    return;
  }
  if (isRuntimeLength(left) && isList(left) && !isBox(left) && operation == "Mult" && !isOwnList(in, name, left)) {
    needsBox(in, left, "a list that may have another name grows inside a branch or loop",
             "make the list where it grows");
    return;
  }
  if (left.isSequence() && left->isList && left->depth != in.env.depth && operation == "Add") {
    needsBox(in, left, "a list grows inside a branch or loop", "use an array of the final extent");
    return;
  }
  PyValue result = changedInPlace(in, operation, left, right);
  if (!left.arrayType())
    result = madeAt(in, node, result);
  if (!(result == left))
    in.env.bindName(name, result);
}

/// An attribute of an object, or a part of a complex array; false for what has no such attributes.
static bool updateAttribute(Interpreter &in, const py::Object &node, StringRef operation) {
  py::Object target = node["target"];
  std::string name = target.string("attr");
  if (name == "real" || name == "imag") {
    PyValue array = in.expression(target["value"]);
    PyValue left = array.arrayType() ? attribute(in, array, name) : PyValue::poison();
    PyValue right = in.expression(node["value"]);
    if (left.arrayType() && !right.isPoison())
      updateWhole(in, operation, left, right);
    if (left.arrayType() || array.isPoison() || right.isPoison())
      return true;
  }
  PyValue base = in.expression(target["value"]);
  if (base.isPoison())
    return true;
  noteChangedObject(in, base);
  bool isKnown = hasAssignedAttributes(base);
  if (!storesAttributes(base) && !base.is(PyValue::Kind::Union) && !isKnown)
    return false;
  auto change = [&](PyValue one) {
    PyValue left = attribute(in, one, name), right = in.expression(node["value"]);
    if (left.isPoison() || right.isPoison())
      return PyValue::poison();
    PyValue result = changedInPlace(in, operation, left, right);
    if (isKnown)
      storeKnownAttribute(in, one.object(), name, left.arrayType() ? left : madeAt(in, node, result));
    else if (!left.arrayType())
      storeAttribute(in, one, name, madeAt(in, node, result));
    return PyValue::object(py::none());
  };
  base.is(PyValue::Kind::Union) ? overAlternatives(in, base, change) : change(base);
  return true;
}

/// An item of a list, a dict, records or another object that is no array, or of a.flat.
static void updateItem(Interpreter &in, const py::Object &node, StringRef operation, const PyValue &base,
                       const PyValue &position) {
  PyValue left = subscript(in, base, position), right = in.expression(node["value"]);
  if (left.isPoison() || right.isPoison())
    return;
  if (base.isRecords() && left.arrayType()) // a field
    return updateWhole(in, operation, left, right);
  auto change = [&](PyValue one) {
    PyValue result = changedInPlace(in, operation, one, right);
    if (!one.arrayType() || !isList(unboxed(in, base))) // a list has that array already
      storeTo(in, base, position, one.arrayType() ? one : madeAt(in, node, result));
    return PyValue::object(py::none());
  };
  left.is(PyValue::Kind::Union) ? overAlternatives(in, left, change) : change(left);
}

/// Elements of an array.
static void updateElements(Interpreter &in, const py::Object &node, StringRef operation, const PyValue &base,
                           const PyValue &position) {
  if (auto masked = ofSingleBool(in, base, position))
    return updateElements(in, node, operation, masked->first, masked->second);
  SmallVector<AxisIndex> axes;
  if (!parseIndex(in, base, position, axes))
    return;
  bool isAdvanced = llvm::any_of(
      axes, [](const AxisIndex &axis) { return axis.kind == AxisIndex::Mask || axis.kind == AxisIndex::Positions; });
  if (isAdvanced) {
    PyValue left = advancedRead(in, base.ir(), axes), right = in.expression(node["value"]);
    if (left.isPoison() || right.isPoison())
      return;
    // a[i] += b on fancy indices gathers, adds and scatters. What was gathered is updated in place first, unless it is
    // a scalar: that is cast as an assignment casts it.
    auto scatter = [&](PyValue result) { advancedStore(in, base.ir(), axes, result); };
    if (left.rank() > 0) // the result is an output of the gathered elements' extents first
      return update(in, operation, left, right, [&](PyValue result) {
        ArrayRef<int64_t> shape = np::getShape(left.ir().getType());
        if (Value fits = stretch(in, result.ir(), in.ir.dims(left.ir()), shape, np::BroadcastKind::output))
          scatter(PyValue::runtime(fits));
      });
    return forEachAlternative(in, right, left.elementType(), [&](PyValue one) {
      PyValue result = binary(in, operation, left, one);
      if (!result.isPoison())
        scatter(result);
    });
  }
  Value place = in.ir.makeView(base.ir(), axes);
  bool isScalar = np::getRank(place.getType()) == 0 && !hasEllipsis(in, position);
  PyValue left = PyValue::runtime(isScalar ? in.ir.load(place) : place);
  PyValue right = in.expression(node["value"]);
  if (right.isPoison())
    return;
  if (left.arrayType())
    return updateWhole(in, operation, left, right);
  // An element is read, computed with and assigned: any cast an assignment makes.
  forEachAlternative(in, right, left.elementType(), [&](PyValue one) {
    PyValue result = binary(in, operation, left, one);
    Value stored = result.isPoison() ? Value() : itemAs(in, result, base.elementType(), /*isItem=*/true);
    if (stored && isItemOf(in, stored, axes, base.rank(), base.elementType()))
      storeWhole(in, place, PyValue::runtime(stored));
  });
}

static void updateSubscript(Interpreter &in, const py::Object &node, StringRef operation, const PyValue &base,
                            const PyValue &position) {
  if (base.isPoison() || position.isPoison())
    return;
  auto at = [&](const PyValue &one, const PyValue &index) {
    updateSubscript(in, node, operation, one, index);
    return PyValue::object(py::none());
  };
  if (base.is(PyValue::Kind::Union)) {
    overAlternatives(in, base, [&](PyValue one) { return at(one, position); });
    return;
  }
  if (overIndices(in, position, [&](const PyValue &index) { return at(base, index); }))
    return;
  if (base.arrayType() && !base.flatOf)
    return updateElements(in, node, operation, base, indexOfAllAxes(in, base, position));
  updateItem(in, node, operation, base, position);
}

void augmentedAssignment(Interpreter &in, const py::Object &node) {
  py::Object target = node["target"];
  std::string operation = py::typeName(node["op"]), type = py::typeName(target);
  if (type == "Name")
    return updateName(in, node, operation, target.string("id"));
  if (type == "Attribute" && updateAttribute(in, node, operation))
    return;
  if (type != "Subscript") {
    in.fail(target, "attributes cannot be assigned to in compiled code", "assign to elements (a[...] += value)");
    return;
  }
  auto [base, position] = storedPlace(in, target);
  updateSubscript(in, node, operation, base, position);
}

} // namespace npcc::frontend
