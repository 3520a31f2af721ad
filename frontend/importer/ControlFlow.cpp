// Branches: `if`, conditional expressions, `and`, `or`; conditions known at compile time import one side only.
#include "frontend/importer/ControlFlow.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/DecidedExtents.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace npcc::frontend {

Value truth(Interpreter &in, PyValue value, std::optional<bool> &known) {
  if (value.isPoison()) {
    known = true; // go on with one side, after the error
    return {};
  }
  if (value.isObject()) {
    int result = PyObject_IsTrue(value.object().get());
    if (result < 0) {
      std::string errorType, message;
      py::takeError(errorType, message);
      in.fail(errorType + ": " + message);
    }
    known = result > 0;
    return {};
  }
  if (value.is(PyValue::Kind::Union)) {
    PyValue bit = overAlternatives(in, value, [&](PyValue one) {
      std::optional<bool> knownOne;
      Value bit = truth(in, one, knownOne);
      return knownOne ? PyValue::object(py::boolean(*knownOne)) : PyValue::runtime(bit);
    });
    return truth(in, bit, known);
  }
  if (isPythons(value))
    return runSimple(in, "return a", {value}, 'b').ir();
  if (isBox(value))
    return truth(in, unboxed(in, value), known);
  if (value.isRecords()) {
    in.fail("whether " + describe(in, value) + " is true cannot be compiled",
            "ask for a field, or for len() of the array");
    known = true;
    return {};
  }
  if (isRuntimeString(value)) {
    std::optional<PyValue> isNotEmpty = compareStrings(in, "NotEq", value, PyValue::object(py::string("")));
    return truth(in, *isNotEmpty, known);
  }
  if (isRuntimeLength(value))
    return in.ir.compareIndex(arith::CmpIPredicate::ne, listLength(in, value), in.ir.index(0));
  if (value.isSequence()) {
    known = !value->items.empty();
    return {};
  }
  if (isDictionary(value)) {
    known = !heldKeys(in, value).empty();
    return {};
  }
  for (const char *special : {"__bool__", "__len__"})
    if (std::optional<PyValue> result = callSpecial(in, value, special, {}))
      return truth(in, *result, known);
  if (!value.isRuntime() || value.isGenerator()) {
    known = true;
    return {};
  }
  if (value.isArray() && value.rank() > 0) {
    Value count = in.ir.size(value.ir()), zero = in.ir.index(0);
    if (!matchPattern(count, m_One())) {
      in.ir.check(
          in.ir.compareIndex(arith::CmpIPredicate::ne, count, zero), "ValueError",
          "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.");
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, count, in.ir.index(1)), "ValueError",
                  "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
    }
    SmallVector<AxisIndex> first(value.rank(), AxisIndex{AxisIndex::Position, zero, {}, {}, {}});
    value = PyValue::runtime(in.ir.makeView(value.ir(), first));
  }
  Value scalar = valueOf(in, value);
  if (isa<RankedTensorType>(scalar.getType()))
    scalar = in.ir.item(in.ir.castTo(scalar, in.ir.getI1Type()));
  Value bit = in.ir.castTo(scalar, in.ir.getI1Type());
  if (matchPattern(bit, m_One()))
    known = true;
  else if (matchPattern(bit, m_Zero()))
    known = false;
  else if (in.env.frame->isLibrary && isa<IntegerType>(scalar.getType()))
    known = decide(in, bit);
  return bit;
}

/// Whether a side of a choice is computed by operations that may as well always run.
static bool spliceable(Interpreter &in, const Edge &edge, Block *block) {
  return edge.block == block && llvm::all_of(*block, [](Operation &op) {
           return isa<np::GetOp>(op) || (isMemoryEffectFree(&op) && isSpeculatable(&op));
         });
}

/// Imports both sides of a branch, each with the names as they are before it. The edges of the sides that end; without
/// any the names are as before.
static std::vector<Edge> importSides(Interpreter &in, Block *trueBlock, Block *falseBlock,
                                     llvm::function_ref<void(bool)> import) {
  Bindings before = in.env.frame->bindings;
  std::vector<Edge> edges;
  ++in.env.depth;
  for (bool side : {true, false}) {
    in.env.continueIn(side ? trueBlock : falseBlock);
    in.env.frame->bindings = before;
    import(side);
    if (in.env.isReachable && !in.env.isLost())
      edges.push_back(in.env.edgeHere());
  }
  --in.env.depth;
  if (edges.empty())
    in.env.frame->bindings = std::move(before);
  return edges;
}

PyValue choose(Interpreter &in, const PyValue &condition, llvm::function_ref<PyValue()> ifTrue,
               llvm::function_ref<PyValue()> ifFalse) {
  std::optional<bool> known;
  Value bit = truth(in, condition, known);
  if (known)
    return *known ? ifTrue() : ifFalse();
  std::string name = (in.env.keepsNumbers ? exactPrefix.str() + "#" : "%") + std::to_string(in.temporaries++);
  Block *origin = in.ir.getInsertionBlock(), *trueBlock = in.ir.newBlock(), *falseBlock = in.ir.newBlock();
  auto branch = cf::CondBranchOp::create(in.ir, bit, trueBlock, falseBlock);
  std::vector<Edge> edges = importSides(in, trueBlock, falseBlock, [&](bool side) {
    PyValue value = in.env.bound(side ? ifTrue() : ifFalse());
    in.env.frame->bindings[name] = value;
  });
  auto isScalar = [&](const PyValue &value) {
    Type type = value.isRuntime() || value.isObject() ? runtimeType(in, value) : Type();
    return type && !isa<np::ArrayType>(type) && np::getRank(type) == 0;
  };
  if (edges.size() == 2 && spliceable(in, edges[0], trueBlock) && spliceable(in, edges[1], falseBlock)) {
    PyValue left = edges[0].bindings[name], right = edges[1].bindings[name];
    bool sameNames = true;
    Bindings::findDifferent(edges[0].bindings, edges[1].bindings, [&](const std::string &other) {
      const PyValue *one = edges[0].bindings.get(other), *another = edges[1].bindings.get(other);
      if (other != name && one && another)
        sameNames &= one->slot && another->slot == one->slot;
    });
    bool areJoined = isScalar(left) && isScalar(right) &&
                     (isExact(name) ? areOneNumber(in, left, right) : !areApart(in, left, right));
    Type type = areJoined ? joinTypes(in, runtimeType(in, left), runtimeType(in, right)) : Type();
    if (sameNames && type && !isCheckedAs(in, left, type) && !isCheckedAs(in, right, type)) {
      branch.erase();
      for (Block *block : {trueBlock, falseBlock}) {
        origin->getOperations().splice(origin->end(), block->getOperations());
        in.env.erase(block);
      }
      in.ir.forgetCaches();
      in.env.continueIn(origin);
      in.env.frame->bindings = std::move(edges[0].bindings);
      in.env.frame->bindings.erase(name);
      if (left == right)
        return left;
      Value trueValue = convertTo(in, left, type), falseValue = convertTo(in, right, type);
      if (!trueValue || !falseValue)
        return PyValue::poison();
      PyValue chosen = PyValue::runtime(in.ir.createOrFold<arith::SelectOp>(bit, trueValue, falseValue));
      Type python = pythonTypeAmong(in, {left, right}, type);
      Value isPython =
          in.ir.createOrFold<arith::SelectOp>(bit, pythonBitOf(in, left, python), pythonBitOf(in, right, python));
      return withPythonBit(in, chosen, isPython, python);
    }
  }
  in.env.joinEdges(std::move(edges));
  if (!in.env.isReachable) {
    // Both sides fail: what is left of the expression is imported, for its errors, and dropped.
    in.env.continueLost();
    in.env.isReachable = false;
    return PyValue::poison();
  }
  PyValue result = in.env.readName(in.currentNode, name);
  in.env.frame->bindings.erase(name);
  return result;
}

PyValue condition(Interpreter &in, const py::Object &node) {
  NodeScope scope(in, node);
  std::string type = py::typeName(node);
  auto asBool = [&](const PyValue &value) {
    std::optional<bool> known;
    Value bit = truth(in, value, known);
    return known ? PyValue::object(py::boolean(*known)) : PyValue::runtime(bit);
  };
  if (isPart(in, node))
    return runPart(in, node, 'b');
  if (type == "UnaryOp" && py::typeName(node["op"]) == "Not") {
    std::optional<bool> known;
    Value bit = truth(in, condition(in, node["operand"]), known);
    if (known)
      return PyValue::object(py::boolean(!*known));
    Value one = in.ir.boolean(true);
    return PyValue::runtime(in.ir.createOrFold<arith::XOrIOp>(bit, one));
  }
  if (type == "BoolOp") {
    bool isAnd = py::typeName(node["op"]) == "And";
    std::vector<py::Object> values = node.list("values");
    std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
      PyValue first = condition(in, values[k]);
      if (k + 1 == values.size())
        return first;
      auto rest = [&] {
        Narrowed narrowed(in, values[k], isAnd);
        PyValue others = from(k + 1);
        narrowed.restore(in.env.frame->bindings);
        return others;
      };
      auto decided = [&] { return PyValue::object(py::boolean(!isAnd)); };
      return isAnd ? choose(in, first, rest, decided) : choose(in, first, decided, rest);
    };
    return from(0);
  }
  return asBool(in.expression(node));
}

/// `if bad: raise X` is an assertion: no branch is needed.
static bool spliceFailure(Interpreter &in, Block *block, cf::CondBranchOp branch, Value bit, bool side) {
  if (in.env.isReachable || in.env.failed.empty() || in.env.failed.back() != block ||
      in.ir.getInsertionBlock() != block)
    return false;
  auto assertion = dyn_cast<np::AssertOp>(block->back());
  for (Operation &op : *block)
    if (&op != assertion && !isa<np::GetOp>(op) && !(isMemoryEffectFree(&op) && isSpeculatable(&op)))
      return false;
  in.env.failed.pop_back();
  Block *origin = branch->getBlock();
  branch.erase();
  origin->getOperations().splice(origin->end(), block->getOperations());
  in.env.erase(block);
  in.ir.setInsertionPoint(assertion);
  if (side) {
    Value one = in.ir.boolean(true);
    bit = in.ir.createOrFold<arith::XOrIOp>(bit, one);
  }
  assertion.getConditionMutable().assign(bit);
  in.ir.forgetCaches();
  return true;
}

void branch(Interpreter &in, const PyValue &condition, llvm::function_ref<void()> ifTrue,
            llvm::function_ref<void()> ifFalse) {
  std::optional<bool> known;
  Value bit = truth(in, condition, known);
  if (known)
    return *known ? ifTrue() : ifFalse();
  Block *trueBlock = in.ir.newBlock(), *falseBlock = in.ir.newBlock();
  cf::CondBranchOp::create(in.ir, bit, trueBlock, falseBlock);
  in.env.joinEdges(importSides(in, trueBlock, falseBlock, [&](bool side) { side ? ifTrue() : ifFalse(); }));
}

void ifStatement(Interpreter &in, const py::Object &node) {
  PyValue test = condition(in, node["test"]);
  std::optional<bool> known;
  Value bit = truth(in, test, known);
  if (known) {
    in.statements(node.list(*known ? "body" : "orelse"));
    return;
  }
  Block *origin = in.ir.getInsertionBlock(), *trueBlock = in.ir.newBlock(), *falseBlock = in.ir.newBlock();
  auto branch = cf::CondBranchOp::create(in.ir, bit, trueBlock, falseBlock);
  Bindings before = in.env.frame->bindings;
  std::vector<Narrowed> sides;
  std::vector<Edge> edges;
  ++in.env.depth;
  for (bool side : {true, false}) {
    Block *block = side ? trueBlock : falseBlock;
    in.env.continueIn(block);
    in.env.frame->bindings = before;
    sides.emplace_back(in, node["test"], side);
    in.statements(node.list(side ? "body" : "orelse"));
    if (in.env.isReachable)
      edges.push_back(in.env.edgeHere());
    if (!spliceFailure(in, block, branch, bit, side))
      continue;
    in.ir.setInsertionPointToEnd(origin);
    if (side) {
      in.env.erase(falseBlock);
      in.env.continueIn(origin);
      in.env.frame->bindings = before;
      Narrowed narrowed(in, node["test"], !side);
      --in.env.depth;
      in.statements(node.list("orelse"));
      return;
    }
    cf::BranchOp::create(in.ir, trueBlock);
  }
  --in.env.depth;
  if (edges.size() == 2) // behind a branch that ends otherwise, what remains is known
    for (auto [edge, narrowed] : llvm::zip(edges, sides))
      narrowed.restore(edge.bindings);
  in.env.joinEdges(std::move(edges));
}

} // namespace npcc::frontend
