#include "compiler/explain/Describe.h"
#include "compiler/explain/Bytes.h"
#include "compiler/explain/Places.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace mlir;
namespace npcc {
namespace json = llvm::json;

namespace {

json::Object makeNode(StringRef node, Location loc) {
  Place place = getPlace(loc);
  return json::Object{{"node", node}, {"file", place.file}, {"line", place.line}};
}

class Describer {
public:
  explicit Describer(func::FuncOp function) : function(function) {}

  json::Object describe() {
    json::Array parameters;
    for (unsigned k = 0; k < function.getNumArguments(); ++k) {
      auto name = function.getArgAttrOfType<StringAttr>(k, "np.name");
      parameters.push_back(name ? json::Value(name.getValue()) : json::Value(nullptr));
    }
    json::Array body = describe(function.getBody());
    json::Object named;
    for (const Quantities::Named &number : quantities.getNamed()) {
      Place place = getPlace(number.loc);
      named[number.name] = json::Object{{"file", place.file}, {"line", place.line}, {"is", number.text}};
    }
    auto text = [&](StringRef name) {
      auto value = function->getAttrOfType<StringAttr>(name);
      return value ? value.getValue() : StringRef();
    };
    return json::Object{{"name", text("np.python_name")}, {"signature", text("np.signature")},
                        {"target", text("np.target")},    {"parameters", std::move(parameters)},
                        {"named", std::move(named)},      {"body", std::move(body)}};
  }

private:
  json::Array describe(Region &region) {
    json::Array nodes;
    for (Block &block : region)
      for (Operation &op : block)
        describe(&op, nodes);
    return nodes;
  }

  void describe(Operation *op, json::Array &nodes) {
    if (auto kernel = dyn_cast<np::KernelOp>(op))
      nodes.push_back(describeKernel(kernel));
    else if (isa<scf::ForOp, scf::WhileOp>(op))
      describeLoop(op, nodes);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      describeBranch(branch, nodes);
    else if (auto load = dyn_cast<memref::LoadOp>(op); load && !getTargetProperties(op).hostSharesMemory)
      nodes.push_back(makeNode("wait", op->getLoc()));
    else if (std::string what = getCall(op); !what.empty())
      nodes.push_back(describeCall(op, what));
  }

  //===---- Kernels ----===//

  json::Object describeKernel(np::KernelOp kernel) {
    json::Object node = makeNode("kernel", kernel.getLoc());
    node["kind"] = kernel.getKind() ? np::stringifyKernelKind(*kernel.getKind()) : "map";
    node["runner"] = kernel.getRunner() == np::Runner::block ? "" : np::stringifyRunner(kernel.getRunner());
    json::Array space;
    for (Value extent : kernel.getExtents())
      space.push_back(quantities.of(extent).getText());
    node["space"] = std::move(space);
    json::Array reads, writes;
    for (const ArrayBytes &array : getBytes(kernel, quantities)) {
      if (array.read)
        reads.push_back(describeBytes(array.root, *array.read));
      if (array.written)
        writes.push_back(describeBytes(array.root, *array.written));
    }
    node["reads"] = std::move(reads);
    node["writes"] = std::move(writes);
    node["arithmetic"] = getArithmetic(kernel, quantities).getText();
    std::set<std::pair<std::string, int>> places;
    json::Array loops;
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      Place place = getPlace(op->getLoc());
      if (place.line && (op == kernel || op->getNumRegions() || !isPure(op) || op->getNumOperands()))
        places.insert({place.file.str(), place.line});
      StringRef form = getForm(op);
      if (op == kernel || form.empty())
        return;
      Quantity count = getLoopCount(op, kernel, quantities);
      bool isKnown = !isa<scf::WhileOp>(op);
      loops.push_back(json::Object{{"file", place.file},
                                   {"line", place.line},
                                   {"form", form},
                                   {"depth", getDepth(op, kernel)},
                                   {"count", isKnown ? json::Value(count.getText()) : json::Value(nullptr)}});
    });
    node["loops"] = std::move(loops);
    json::Array all;
    for (const auto &[file, line] : places)
      all.push_back(json::Array{file, line});
    node["places"] = std::move(all);
    return node;
  }

  static int getDepth(Operation *op, Operation *kernel) {
    int depth = 0;
    for (Operation *around = op->getParentOp(); around != kernel; around = around->getParentOp())
      depth += !getForm(around).empty();
    return depth;
  }

  static StringRef getForm(Operation *op) {
    if (auto inner = dyn_cast<scf::ParallelOp>(op))
      return inner.getNumResults() ? "reduction" : "walk";
    if (auto fold = dyn_cast<np::FoldOp>(op))
      return fold.isRunning() ? "running total" : "sum in order";
    return isa<scf::ForOp>(op) ? "for" : isa<scf::WhileOp>(op) ? "while" : "";
  }

  /// An array is called by its parameter, or by the place where it is made.
  json::Object describeBytes(Value root, const Quantity &bytes) {
    json::Object array{{"bytes", bytes.getText()}, {"exact", !bytes.isMost}};
    Operation *maker = root.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(root);
    if (argument && argument.getOwner()->getParentOp() == function) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "np.name");
      array["array"] = name ? name.getValue() : "";
    } else {
      array["array"] = "";
      // The loop's own array: what the program calls it is where it began.
      if (argument)
        maker = argument.getOwner()->getParentOp();
    }
    Place place = maker ? getPlace(maker->getLoc()) : Place();
    array["line"] = place.line;
    array["column"] = place.column;
    return array;
  }

  //===---- Libraries, and the host ----===//

  static std::string getCall(Operation *op) {
    if (isa<np::CallMatmulOp>(op))
      return "product";
    if (isa<np::CallSortOp>(op))
      return "sort";
    if (auto routine = dyn_cast<np::RoutineOp>(op))
      return routine.getRoutine().str();
    if (isa<np::DrawOp, np::DrawInTurnsOp>(op))
      return "random numbers";
    if (isa<np::CallReshapeOp>(op))
      return "reshape, which may copy";
    if (isa<np::ExchangeHaloOp>(op))
      return "exchange with other devices";
    if (isa<np::PythonOp>(op))
      return "a part that Python runs";
    if (auto call = dyn_cast<func::CallOp>(op))
      return "call of " + call.getCallee().str();
    return "";
  }

  json::Object describeCall(Operation *op, const std::string &what) {
    json::Object node = makeNode("call", op->getLoc());
    node["what"] = what;
    json::Array reads, writes;
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
    if (effects && !isa<np::CallReshapeOp>(op))
      for (const MemoryEffects::EffectInstance &effect : *effects) {
        Value memref = effect.getValue();
        if (!memref || !isa<MemRefType>(memref.getType()))
          continue;
        json::Object bytes = describeBytes(getRoot(memref), getSize(memref, quantities));
        if (isa<MemoryEffects::Read>(effect.getEffect()))
          reads.push_back(std::move(bytes));
        else if (isa<MemoryEffects::Write>(effect.getEffect()))
          writes.push_back(std::move(bytes));
      }
    node["reads"] = std::move(reads);
    node["writes"] = std::move(writes);
    if (auto product = dyn_cast<np::CallMatmulOp>(op)) {
      Quantity operations(2);
      int64_t rank = cast<MemRefType>(product.getResult().getType()).getRank();
      for (int64_t axis = 0; axis < rank; ++axis)
        operations = operations * quantities.ofExtent(product.getResult(), axis);
      int64_t last = cast<MemRefType>(product.getLhs().getType()).getRank() - 1;
      node["arithmetic"] = (operations * quantities.ofExtent(product.getLhs(), last)).getText();
    }
    return node;
  }

  void describeLoop(Operation *loop, json::Array &nodes) {
    json::Object node = makeNode("loop", loop->getLoc());
    if (auto counted = dyn_cast<scf::ForOp>(loop)) {
      std::string variable = "i" + std::to_string(++variables);
      quantities.name(counted.getInductionVar(), variable);
      Quantity lower = quantities.of(counted.getLowerBound()), step = quantities.of(counted.getStep());
      node["form"] = "for";
      node["variable"] = variable;
      node["first"] = lower.getText();
      node["step"] = step.getText();
      node["count"] = getCount(lower, quantities.of(counted.getUpperBound()), step).getText();
    } else {
      node["form"] = "while";
      node["count"] = nullptr;
    }
    json::Array body;
    for (Region &region : loop->getRegions())
      for (json::Value &inside : describe(region))
        body.push_back(std::move(inside));
    node["body"] = std::move(body);
    nodes.push_back(std::move(node));
  }

  /// Whether a condition holds in the first iteration of a loop alone, as npcc-compute-once writes it.
  static bool isOfFirstIteration(Value condition) {
    if (auto compare = condition.getDefiningOp<arith::CmpIOp>()) {
      auto number = dyn_cast<BlockArgument>(compare.getLhs());
      auto loop = number ? dyn_cast<scf::ForOp>(number.getOwner()->getParentOp()) : scf::ForOp();
      return loop && compare.getPredicate() == arith::CmpIPredicate::eq && number == loop.getInductionVar() &&
             compare.getRhs() == loop.getLowerBound();
    }
    auto flag = dyn_cast<BlockArgument>(condition);
    auto loop = flag ? dyn_cast<scf::WhileOp>(flag.getOwner()->getParentOp()) : scf::WhileOp();
    if (loop && flag.getOwner() == loop.getAfterBody())
      flag = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[flag.getArgNumber()]);
    return loop && flag && flag.getOwner() == loop.getBeforeBody() &&
           matchPattern(loop.getInits()[flag.getArgNumber()], m_One()) &&
           matchPattern(loop.getYieldOp().getOperand(flag.getArgNumber()), m_Zero());
  }

  void describeBranch(scf::IfOp branch, json::Array &nodes) {
    json::Array yes = describe(branch.getThenRegion()), no = describe(branch.getElseRegion());
    if (yes.empty() && no.empty())
      return;
    if (no.empty() && isOfFirstIteration(branch.getCondition())) {
      json::Object node = makeNode("once", branch.getLoc());
      node["body"] = std::move(yes);
      nodes.push_back(std::move(node));
      return;
    }
    json::Object node = makeNode("branch", branch.getLoc());
    node["condition"] = quantities.of(branch.getCondition()).getText();
    node["then"] = std::move(yes);
    node["else"] = std::move(no);
    nodes.push_back(std::move(node));
  }

  func::FuncOp function;
  Quantities quantities;
  int variables = 0;
};
} // namespace

std::string describeModule(ModuleOp module, const std::vector<Remark> &remarks) {
  json::Array functions, said;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration() && !function->hasAttr("np.thread") && function->hasAttr("np.python_name"))
      functions.push_back(Describer(function).describe());
  for (const Remark &remark : remarks)
    said.push_back(json::Object{{"about", remark.about},
                                {"file", remark.file},
                                {"line", remark.line},
                                {"column", remark.column},
                                {"other", remark.other},
                                {"text", remark.text}});
  json::Value all = json::Object{{"functions", std::move(functions)}, {"remarks", std::move(said)}};
  return llvm::formatv("{0:2}", all).str();
}

} // namespace npcc
