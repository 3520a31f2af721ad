// Thread-level kernels: kernel[grid, block](...) is np.launch of a function of its own, which is imported for the types
// of the arguments; known arguments (None, strings, functions) are known in it.
//
//   scale[8, 128](x, 2.0)   ->   np.launch @scale.threads0 grid(%c8, %c1, %c1) block(%c128, %c1, %c1) shared(%c0) (%x,
//   %f)
#include "frontend/importer/Threads.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Threads.h"

#include "frontend/importer/Known.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Source.h"
#include "frontend/importer/Values.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace npcc::frontend {

bool isKernel(const py::Object &object) {
  // Without the module there is no kernel, and nothing imports it for this question.
  static py::Object cls;
  if (!cls && PyDict_GetItemString(PyImport_GetModuleDict(), "npcc.threads.kernel"))
    cls = py::lookup("npcc.threads.kernel.Kernel");
  return cls && py::isInstance(object, cls);
}

PyValue configured(const PyValue &kernel, const PyValue &configuration) {
  if (configuration.isPoison())
    return configuration;
  auto data = std::make_shared<Composite>();
  data->items.push_back(PyValue::sequence({kernel, configuration}));
  data->name = launchMethod.str();
  return PyValue::composite(PyValue::Kind::Method, data);
}

//===---- What a launch gives the threads ----===//

namespace {
/// The values of a program as another function takes them: what is known stays known, the rest are parameters.
class Handing {
public:
  explicit Handing(Interpreter &in) : in(in) {}

  /// The operands of `value`; false with an error reported.
  bool collect(const PyValue &value) {
    switch (value.kind()) {
    case PyValue::Kind::Object:
    case PyValue::Kind::Function:
      return true;
    case PyValue::Kind::Sequence:
      return llvm::all_of(value->items, [&](const PyValue &item) { return collect(item); });
    case PyValue::Kind::Instance:
      return llvm::all_of(heldKeys(in, value),
                          [&](const py::Object &key) { return collect(readHeld(in, value, key)); });
    case PyValue::Kind::Runtime: {
      if (value.isGenerator())
        break;
      PyValue given = value.isArray() ? in.env.bound(value) : value;
      operands.push_back(given.isNumpyScalar() ? in.ir.item(given.ir()) : given.ir());
      return true;
    }
    default:
      break;
    }
    in.fail("TypeError: " + describe(in, value) + " cannot be an argument of a kernel");
    return false;
  }

  SmallVector<Value> operands;

private:
  Interpreter &in;
};

/// The other side: the same values in the function, of its arguments.
PyValue receive(Interpreter &from, Interpreter &in, const PyValue &value, unsigned &next) {
  if (value.isSequence()) {
    std::vector<PyValue> items;
    for (const PyValue &item : value->items)
      items.push_back(receive(from, in, item, next));
    PyValue result = value.withItems(std::move(items));
    result->depth = 0;
    return result;
  }
  if (value.is(PyValue::Kind::Instance)) {
    PyValue instance = newInstance(in, value->cls);
    for (const py::Object &key : heldKeys(from, value))
      storeHeld(in, instance, key, receive(from, in, readHeld(from, value, key), next));
    return instance;
  }
  if (!value.isRuntime())
    return value;
  Value argument = in.ir.function.getArgument(next++);
  return PyValue::runtime(value.isNumpyScalar() ? in.ir.rankZero(argument) : argument);
}
} // namespace

func::FuncOp Interpreter::importThreads(Interpreter &from, const py::Object &function, StringRef symbol, bool checks,
                                        ArrayRef<PyValue> arguments, SmallVectorImpl<Value> &operands) {
  ir.getContext()->loadDialect<gpu::GPUDialect, math::MathDialect, LLVM::LLVMDialect>();
  Source source;
  std::string problem;
  if (!findSource(function, source, problem)) {
    fail(problem, "only functions whose source can be read are compiled");
    return {};
  }
  env.frame = std::make_shared<Frame>(UnknownLoc::get(ir.getContext()));
  env.frame->file = source.file;
  env.frame->globals = function["__globals__"];
  env.frame->closure = freeCells(function);
  env.frame->definition = currentNode = source.definition;
  env.frame->callLoc = loc(source.definition);
  env.frame->locals = syntax.localNames(source.definition);
  callStack.push_back(source.definition.get());

  ir.setLoc(loc(source.definition));
  ir.setInsertionPointToStart(module.getBody());
  ir.function =
      func::FuncOp::create(ir, loc(source.definition), symbol, ir.getFunctionType(ValueRange(operands).getTypes(), {}));
  ir.function.setPrivate();
  ir.function->setAttr("np.thread", ir.getStringAttr(function.string("__name__")));
  ir.function->setAttr("np.target", ir.getStringAttr("cpu"));
  ir.setInsertionPointToStart(ir.function.addEntryBlock());
  ir.isThread = true;
  ir.checksThreads = checks;
  if (checks)
    ir.function->setAttr("np.checked", ir.getUnitAttr());

  Call call;
  unsigned next = 0;
  for (const PyValue &argument : arguments)
    call.args.push_back(receive(from, *this, argument, next));
  Bindings bindings;
  if (!bindParameters(*this, functionOf(*this, function), call, bindings))
    return {};
  moveHeld(env.frame->bindings, bindings);
  env.frame->bindings = std::move(bindings);
  statements(source.definition.list("body"));

  if (env.isReachable) {
    env.frame->bindings["%return"] = PyValue::object(py::none());
    env.frame->returns.push_back(env.edgeHere());
  }
  for (Edge &edge : env.frame->returns) {
    if (PyValue result = edge.bindings["%return"]; !result.isNone() && !result.isPoison())
      fail(source.definition, "TypeError: a kernel returns nothing: its results go into arrays");
    env.failed.push_back(edge.block);
  }
  for (Block *block : env.failed) {
    ir.setInsertionPointToEnd(block);
    func::ReturnOp::create(ir, loc(source.definition));
  }
  eraseUnreached(ir.function.getBody());
  for (Operation &op : llvm::make_early_inc_range(ir.function.getBody().front()))
    if (isa<np::VarOp>(op) && op.use_empty())
      op.erase();
  if (hasErrors())
    return {};
  return ir.function;
}

//===---- Launches ----===//

/// A number or a tuple of up to three, as three extents.
static bool readExtents(Interpreter &in, const PyValue &value, StringRef what, SmallVectorImpl<Value> &extents) {
  std::vector<PyValue> items;
  if (!asSequence(in, value, items))
    items = {value};
  if (items.empty() || items.size() > 3) {
    in.fail("ValueError: a " + Twine(what) + " has 1 to 3 extents, not " + Twine(items.size()));
    return false;
  }
  for (const PyValue &item : items) {
    Value extent = toIndex(in, item, ("the extents of a " + what + " are integers, not").str());
    if (!extent)
      return false;
    extents.push_back(extent);
  }
  while (extents.size() < 3)
    extents.push_back(in.ir.index(1));
  return true;
}

/// The arguments that the function may store into, as far as views of them and names in branches tell.
static llvm::SmallSetVector<unsigned, 4> writtenArguments(func::FuncOp function) {
  llvm::SmallSetVector<unsigned, 4> written;
  auto write = [&](Value array) {
    while (Operation *maker = array.getDefiningOp()) {
      if (!isa<np::ViewOp, np::ReshapeOp, np::PartOp, np::FieldOp>(maker))
        break;
      array = maker->getOperand(0);
    }
    auto argument = dyn_cast<BlockArgument>(array);
    if (argument && argument.getOwner() == &function.getBody().front())
      written.insert(argument.getArgNumber());
    else if (!isa_and_nonnull<np::ThreadArrayOp>(array.getDefiningOp())) // any of its type
      for (BlockArgument each : function.getArguments())
        if (isa<np::ArrayType>(each.getType()) &&
            np::getElementType(each.getType()) == np::getElementType(array.getType()))
          written.insert(each.getArgNumber());
  };
  function.walk([&](Operation *op) {
    if (auto store = dyn_cast<np::WriteElementOp>(op))
      write(store.getArray());
    else if (auto store = dyn_cast<np::StoreOp>(op))
      write(store.getArray());
    else if (auto atomic = dyn_cast<np::AtomicOp>(op))
      write(atomic.getArray());
  });
  return written;
}

PyValue launchKernel(Interpreter &in, const PyValue &receiver, Call &call) {
  py::Object kernel = receiver->items[0].object();
  std::string name = kernel.string("__name__");
  if (in.ir.isThread)
    return in.fail("a thread cannot launch a kernel");
  if (py::isTrue(kernel["device"]))
    return in.fail("TypeError: '" + name + "' is a device function: kernels call it, nothing launches it");
  std::vector<PyValue> configuration;
  PyValue given = receiver->items[1];
  if (!given.isSequence() || !asSequence(in, given, configuration) || configuration.size() < 2 ||
      configuration.size() > 4)
    return in.fail("ValueError: a kernel is launched as kernel[grid, block], with a stream and bytes of shared memory "
                   "behind them");
  bool hasStream = configuration.size() > 2 && !configuration[2].isNone() && asInteger(in, configuration[2]) != 0;
  if (hasStream)
    return in.fail("a compiled function launches kernels on the stream that its own work goes to",
                   "call the function in 'with npcc.stream(...)'");
  SmallVector<Value> grid, block;
  Value shared = configuration.size() > 3 ? toIndex(in, configuration[3]) : in.ir.index(0);
  if (!readExtents(in, configuration[0], "grid", grid) || !readExtents(in, configuration[1], "block", block) || !shared)
    return PyValue::poison();
  if (!call.keywords.empty())
    return in.fail("TypeError: " + name + "() is a kernel, which takes no keywords");

  Handing handing(in);
  for (const PyValue &argument : call.args)
    if (!handing.collect(argument))
      return PyValue::poison();
  std::string symbol;
  for (unsigned number = 0; symbol.empty() || in.getModule().lookupSymbol(symbol); ++number)
    symbol = name + ".threads" + std::to_string(number);
  Interpreter threads(in.getModule(), in.diagnostics, in.report);
  threads.outlines = in.outlines;
  size_t errors = in.diagnostics.size();
  func::FuncOp function =
      threads.importThreads(in, kernel["py_func"], symbol, py::isTrue(kernel["debug"]), call.args, handing.operands);
  if (!function) {
    if (threads.ir.function)
      threads.ir.function.erase();
    return in.diagnostics.size() > errors ? PyValue::poison() : in.fail("the kernel '" + name + "' cannot be compiled");
  }
  if (in.ir.function->hasAttr("np.general"))
    function->setAttr("np.general", in.ir.getUnitAttr());
  auto asOption = [](StringRef attribute) { return attribute.substr(3).data(); }; // "np.lines" is of the option "lines"
  for (StringLiteral name : {StringLiteral("np.fastmath"), StringLiteral("np.cooperative")})
    if (py::isTrue(kernel[asOption(name)]))
      function->setAttr(name, in.ir.getUnitAttr());
  for (StringLiteral name : {StringLiteral("np.max_registers"), StringLiteral("np.max_threads"),
                             StringLiteral("np.min_blocks"), StringLiteral("np.lines")})
    if (int64_t number = kernel.integer(asOption(name), 0))
      function->setAttr(name, in.ir.getI64IntegerAttr(number));
  if (py::Object entry = kernel["entry"]; !entry.isNone())
    function->setAttr("np.kernel_entry", in.ir.getStringAttr(kernel.string("entry")));
  std::string linked;
  function.walk([&](np::CallLinkedOp op) { linked = op.getCallee().str(); });
  if (!linked.empty()) {
    if (!getTargetProperties(in.ir.function).linksDeviceCode)
      return in.fail("'" + linked + "' is a function of another compiler's code for GPUs, which the CPU does not run");
    py::Object code = kernel["linked_code"]; // an exception of Python's where it does not compile
    if (!code)
      return in.fail("the code that the kernel '" + name + "' is linked with cannot be compiled");
    in.getModule()->setAttr("np.linked", in.ir.getStringAttr(py::toString(code.get())));
  }
  bool meets = false;
  function.walk([&](np::ThreadOp op) { meets |= op.getAction() == np::ThreadAction::grid_sync; });
  for (unsigned argument : writtenArguments(function))
    in.ir.checkWritable(handing.operands[argument]);
  np::LaunchOp::create(in.ir, symbol, grid, block, shared, handing.operands,
                       meets || py::isTrue(kernel["cooperative"]));
  in.ir.clobber();
  return PyValue::object(py::none());
}

} // namespace npcc::frontend
