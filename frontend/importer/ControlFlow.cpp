// Branches: `if`, conditional expressions, `and`, `or`; conditions known at compile time import one side only.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace npcc::frontend {

Block *FunctionImporter::newBlock() {
  auto *block = new Block();
  function.getBody().push_back(block);
  return block;
}

void FunctionImporter::continueIn(Block *block) {
  builder.setInsertionPointToEnd(block);
  isReachable = true;
}

FunctionImporter::Snapshot FunctionImporter::snapshot() {
  Block *block = builder.getInsertionBlock();
  std::vector<std::pair<size_t, size_t>> jumps;
  for (const LoopTargets *loop : frame->loops)
    jumps.push_back({loop->breaks.size(), loop->continues.size()});
  return {block,
          &function.getBody().back(),
          block->empty() ? nullptr : &block->back(),
          diagnostics.size(),
          frame->returns.size(),
          failed.size(),
          frame->environment,
          isReachable,
          std::move(jumps)};
}

void FunctionImporter::rollBack(const Snapshot &to) {
  SmallVector<Block *> blocks;
  for (Block *block = to.lastBlock->getNextNode(); block; block = block->getNextNode())
    blocks.push_back(block);
  for (Block *block : blocks) {
    block->dropAllDefinedValueUses();
    block->dropAllReferences();
  }
  while (!to.block->empty() && &to.block->back() != to.lastOp) {
    Operation &op = to.block->back();
    // What is left of an empty block's own start are slots.
    if (!to.lastOp && isa<np::VarOp>(op))
      break;
    op.dropAllUses();
    op.erase();
  }
  for (Block *block : blocks)
    block->erase();
  diagnostics.resize(to.diagnostics);
  failed.resize(to.failed);
  frame->returns.erase(frame->returns.begin() + to.returns, frame->returns.end());
  for (auto [loop, jumps] : llvm::zip(frame->loops, to.jumps)) {
    loop->breaks.erase(loop->breaks.begin() + jumps.first, loop->breaks.end());
    loop->continues.erase(loop->continues.begin() + jumps.second, loop->continues.end());
  }
  frame->environment = to.environment;
  isReachable = to.isReachable;
  builder.setInsertionPointToEnd(to.block);
  forgetCaches();
}

Value FunctionImporter::truth(PyValue value, std::optional<bool> &known) {
  if (value.isPoison()) {
    known = true;  // go on with one side, after the error
    return {};
  }
  if (value.isObject()) {
    int result = PyObject_IsTrue(value.object().get());
    if (result < 0) {
      std::string errorType, message;
      py::takeError(errorType, message);
      fail(errorType + ": " + message);
    }
    known = result > 0;
    return {};
  }
  if (value.isRuntimeList())
    return compareIndex(arith::CmpIPredicate::ne, dim(listArray(value), 0), index(0));
  if (value.isSequence()) {
    known = !value->items.empty();
    return {};
  }
  if (!value.isRuntime()) {
    known = true;
    return {};
  }
  if (value.isArray() && value.rank() > 0) {
    Value count = size(value.ir()), zero = index(0);
    if (!matchPattern(count, m_One())) {
      check(compareIndex(arith::CmpIPredicate::ne, count, zero), "ValueError",
            "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.");
      check(compareIndex(arith::CmpIPredicate::eq, count, index(1)), "ValueError",
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
    }
    SmallVector<AxisIndex> first(value.rank(), AxisIndex{AxisIndex::Position, zero, {}, {}, {}});
    value = PyValue::runtime(makeView(value.ir(), first));
  }
  Value scalar = valueOf(value);
  if (isa<RankedTensorType>(scalar.getType()))
    scalar = item(castTo(scalar, builder.getI1Type()));
  Value bit = castTo(scalar, builder.getI1Type());
  if (matchPattern(bit, m_One()))
    known = true;
  else if (matchPattern(bit, m_Zero()))
    known = false;
  return bit;
}

/// Whether a side of a choice is computed by operations that may as well always run.
bool FunctionImporter::spliceable(const Edge &edge, Block *block) {
  return edge.block == block && llvm::all_of(*block, [](Operation &op) {
           return isa<np::GetOp>(op) || (isMemoryEffectFree(&op) && isSpeculatable(&op));
         });
}

PyValue FunctionImporter::choose(const PyValue &condition, llvm::function_ref<PyValue()> ifTrue,
                                 llvm::function_ref<PyValue()> ifFalse) {
  std::optional<bool> known;
  Value bit = truth(condition, known);
  if (known)
    return *known ? ifTrue() : ifFalse();
  std::string name = "%" + std::to_string(temporaries++);
  Block *origin = builder.getInsertionBlock(), *trueBlock = newBlock(), *falseBlock = newBlock();
  auto branch = cf::CondBranchOp::create(builder, here(), bit, trueBlock, falseBlock);
  Environment before = frame->environment;
  std::vector<Edge> edges;
  ++depth;
  for (bool side : {true, false}) {
    continueIn(side ? trueBlock : falseBlock);
    frame->environment = before;
    PyValue value = bound(side ? ifTrue() : ifFalse());
    frame->environment[name] = value;
    if (isReachable)
      edges.push_back(edgeHere());
  }
  --depth;
  auto isScalar = [&](const PyValue &value) {
    Type type = value.isRuntime() || value.isObject() ? runtimeType(value) : Type();
    return type && !isa<np::ArrayType>(type) && np::getRank(type) == 0;
  };
  if (edges.size() == 2 && spliceable(edges[0], trueBlock) && spliceable(edges[1], falseBlock)) {
    PyValue left = edges[0].environment[name], right = edges[1].environment[name];
    bool sameNames = true;
    for (auto &[other, value] : edges[0].environment)
      if (auto found = edges[1].environment.find(other); other != name && found != edges[1].environment.end())
        sameNames &= found->second == value || (value.slot && found->second.slot == value.slot);
    Type type = isScalar(left) && isScalar(right) ? joinTypes(runtimeType(left), runtimeType(right)) : Type();
    if (sameNames && type && !isCheckedAs(left, type) && !isCheckedAs(right, type)) {
      branch.erase();
      for (Block *block : {trueBlock, falseBlock}) {
        origin->getOperations().splice(origin->end(), block->getOperations());
        block->erase();
      }
      forgetCaches();
      continueIn(origin);
      frame->environment = std::move(edges[0].environment);
      frame->environment.erase(name);
      if (left == right)
        return left;
      Value trueValue = convertTo(left, type), falseValue = convertTo(right, type);
      if (!trueValue || !falseValue)
        return PyValue::poison();
      return PyValue::runtime(builder.createOrFold<arith::SelectOp>(here(), bit, trueValue, falseValue));
    }
  }
  joinEdges(std::move(edges));
  if (!isReachable) {
    // Both sides fail: what follows is imported, for its errors, and dropped.
    continueIn(newBlock());
    frame->environment = before;
    return PyValue::poison();
  }
  PyValue result = readName(currentNode, name);
  frame->environment.erase(name);
  return result;
}

PyValue FunctionImporter::condition(const py::Object &node) {
  NodeScope scope(*this, node);
  std::string type = py::typeName(node);
  auto asBool = [&](const PyValue &value) {
    std::optional<bool> known;
    Value bit = truth(value, known);
    return known ? PyValue::object(py::boolean(*known)) : PyValue::runtime(bit);
  };
  if (type == "UnaryOp" && py::typeName(node["op"]) == "Not") {
    std::optional<bool> known;
    Value bit = truth(condition(node["operand"]), known);
    if (known)
      return PyValue::object(py::boolean(!*known));
    Value one = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(true));
    return PyValue::runtime(builder.createOrFold<arith::XOrIOp>(here(), bit, one));
  }
  if (type == "BoolOp") {
    bool isAnd = py::typeName(node["op"]) == "And";
    std::vector<py::Object> values = node.list("values");
    std::function<PyValue(size_t)> from = [&](size_t k) -> PyValue {
      PyValue first = condition(values[k]);
      if (k + 1 == values.size())
        return first;
      auto rest = [&] { return from(k + 1); };
      auto decided = [&] { return PyValue::object(py::boolean(!isAnd)); };
      return isAnd ? choose(first, rest, decided) : choose(first, decided, rest);
    };
    return from(0);
  }
  return asBool(expression(node));
}

/// `if bad: raise X` is an assertion: no branch is needed.
bool FunctionImporter::spliceFailure(Block *block, cf::CondBranchOp branch, Value bit, bool side) {
  if (isReachable || failed.empty() || failed.back() != block || builder.getInsertionBlock() != block)
    return false;
  auto assertion = dyn_cast<np::AssertOp>(block->back());
  for (Operation &op : *block)
    if (&op != assertion && !isa<np::GetOp>(op) && !(isMemoryEffectFree(&op) && isSpeculatable(&op)))
      return false;
  failed.pop_back();
  Block *origin = branch->getBlock();
  branch.erase();
  origin->getOperations().splice(origin->end(), block->getOperations());
  block->erase();
  builder.setInsertionPoint(assertion);
  if (side) {
    Value one = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(true));
    bit = builder.createOrFold<arith::XOrIOp>(here(), bit, one);
  }
  assertion.getConditionMutable().assign(bit);
  forgetCaches();
  return true;
}

void FunctionImporter::ifStatement(const py::Object &node) {
  PyValue test = condition(node["test"]);
  std::optional<bool> known;
  Value bit = truth(test, known);
  if (known) {
    statements(node.list(*known ? "body" : "orelse"));
    return;
  }
  Block *origin = builder.getInsertionBlock(), *trueBlock = newBlock(), *falseBlock = newBlock();
  auto branch = cf::CondBranchOp::create(builder, here(), bit, trueBlock, falseBlock);
  Environment before = frame->environment;
  std::vector<Edge> edges;
  ++depth;
  for (bool side : {true, false}) {
    Block *block = side ? trueBlock : falseBlock;
    continueIn(block);
    frame->environment = before;
    statements(node.list(side ? "body" : "orelse"));
    if (isReachable)
      edges.push_back(edgeHere());
    if (!spliceFailure(block, branch, bit, side))
      continue;
    builder.setInsertionPointToEnd(origin);
    if (side) {
      falseBlock->erase();
      continueIn(origin);
      frame->environment = before;
      --depth;
      statements(node.list("orelse"));
      return;
    }
    cf::BranchOp::create(builder, here(), trueBlock);
  }
  --depth;
  joinEdges(std::move(edges));
}

} // namespace npcc::frontend
