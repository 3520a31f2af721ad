#include "frontend/importer/Importer.h"
#include "dialects/Np/Names.h"

#include "frontend/importer/Assignment.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/CheckedDraws.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/DecidedExtents.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Given.h"
#include "frontend/importer/GlobalArrays.h"
#include "frontend/importer/Installed.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/LeavingErrors.h"
#include "frontend/importer/LentArrays.h"
#include "frontend/importer/ListedArrays.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/RepeatedImports.h"
#include "frontend/importer/ReplacedItems.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/Source.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

Interpreter::Interpreter(ModuleOp module, std::vector<Diagnostic> &diagnostics, ImportReport *report)
    : ir(module.getContext()), dtypes(module.getContext()), env(*this), diagnostics(diagnostics), report(report),
      module(module) {}

Environment::Environment(Interpreter &in) : in(in), ir(in.ir) {}

NodeScope::NodeScope(Interpreter &in, const py::Object &node)
    : in(in), savedNode(in.currentNode), savedProgramNode(in.programNode), savedLoc(in.ir.getLoc()) {
  in.currentNode = node;
  if (in.env.frame && !in.env.frame->isLibrary && !isInstalled(in.env.frame->file))
    in.programNode = node;
  in.ir.setLoc(in.loc(node));
}

NodeScope::~NodeScope() {
  in.currentNode = savedNode;
  in.programNode = savedProgramNode;
  in.ir.setLoc(savedLoc);
}

Location Interpreter::loc(const py::Object &node) {
  if (env.frame && env.frame->isLibrary)
    return env.frame->callLoc;
  int64_t line = node.integer("lineno"), end = node.integer("end_lineno", line);
  StringAttr file = ir.getStringAttr(env.frame ? env.frame->file : "");
  return FileLineColRange::get(file, line, node.integer("col_offset") + 1, end, node.integer("end_col_offset") + 1);
}

PyValue Interpreter::fail(const Twine &message, const Twine &hint) { return fail(currentNode, message, hint); }

PyValue Interpreter::fail(const py::Object &node, const Twine &message, const Twine &hint) {
  return failAt(loc(node), message, hint);
}

PyValue Interpreter::failAt(Location location, const Twine &message, const Twine &hint) {
  Diagnostic diagnostic;
  diagnostic.message = inWordsOfAugmented(*this, message.str());
  diagnostic.hint = hint.str();
  if (std::optional<PythonError> python = pythonError(diagnostic.message))
    diagnostic.error = python->error;
  if (auto range = dyn_cast<FileLineColRange>(location)) {
    diagnostic.file = range.getFilename().str();
    diagnostic.line = range.getStartLine();
    diagnostic.column = range.getStartColumn();
    diagnostic.endLine = range.getEndLine();
    diagnostic.endColumn = range.getEndColumn();
  }
  notePlace(*this, diagnostic);
  auto isThis = [&](const Diagnostic &other) { return isSame(other, diagnostic); };
  if (llvm::any_of(raised, isThis))
    return raiseHere(diagnostic);
  // One that is there already counts again: whoever tries something sees by the number of errors that it failed.
  diagnostics.push_back(std::move(diagnostic));
  return PyValue::poison();
}

/// The rest of the statement is imported into a block that nothing reaches.
PyValue Interpreter::raiseHere(const Diagnostic &diagnostic) {
  env.raise(exceptionClass(diagnostic.error), diagnostic.error, pythonError(diagnostic.message)->words, {});
  env.continueLost();
  return PyValue::poison();
}

/// The parameters' names in order.
static std::vector<std::string> parameterNames(const py::Object &definition) {
  std::vector<std::string> names;
  py::Object args = definition["args"];
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &arg : args.list(group))
      names.push_back(arg.string("arg"));
  return names;
}

static size_t positionalCount(const py::Object &args) {
  return args.list("posonlyargs").size() + args.list("args").size();
}

bool Interpreter::import(const ImportRequest &request) {
  py::Object definition = py::Object::borrow(request.definition);
  env.frame = std::make_shared<Frame>(UnknownLoc::get(ir.getContext()));
  env.frame->file = request.file;
  env.frame->globals = py::Object::borrow(request.globals);
  if (request.function) {
    Source source;
    std::string problem;
    py::Object function = py::Object::borrow(request.function);
    if (!findSource(function, source, problem)) {
      py::Object code = function["__code__"];
      diagnostics.push_back({code.string("co_filename"), static_cast<int>(code.integer("co_firstlineno")), 1,
                             static_cast<int>(code.integer("co_firstlineno")), 1, problem, "", ""});
      return false;
    }
    definition = source.definition;
    env.frame->file = source.file;
    env.frame->globals = function["__globals__"];
    env.frame->closure = freeCells(function);
  }
  env.frame->definition = definition;
  generators = request.generators;
  if (!request.autocast.empty())
    autocast = dtypes.elementType(llvm::StringRef(request.autocast));
  currentNode = definition;
  return importBody(request, definition) && diagnostics.empty();
}

/// The func.func with its parameters and an entry block, where the builder goes. False with an error reported.
bool Interpreter::declareFunction(const ImportRequest &request, const py::Object &definition) {
  SmallVector<Type> types;
  for (const ParamType &param : request.params) {
    if (param.kind == ParamType::Kind::Constant)
      continue;
    if (param.kind == ParamType::Kind::Generator) {
      types.push_back(np::GeneratorType::get(ir.getContext(), param.dtype));
      continue;
    }
    Type element = dtypes.elementType(StringRef(param.dtype));
    if (!element) {
      fail("dtype " + Twine(param.dtype) + " cannot be compiled");
      return false;
    }
    if (param.kind == ParamType::Kind::Scalar) {
      types.push_back(element);
      continue;
    }
    SmallVector<int64_t> shape;
    for (int64_t axis = 0; axis < param.rank; ++axis)
      shape.push_back(param.unitAxes >> axis & 1 ? 1 : ShapedType::kDynamic);
    types.push_back(np::ArrayType::get(ir.getContext(), shape, element, param.contiguous && !request.general));
  }
  bool isLambda = py::typeName(definition) == "Lambda";
  std::string symbol = !request.symbol.empty() ? request.symbol : isLambda ? "lambda" : definition.string("name");
  ir.setInsertionPointToEnd(module.getBody());
  ir.function = func::FuncOp::create(ir, loc(definition), symbol, ir.getFunctionType(types, {}));
  ir.function->setAttr("np.target", ir.getStringAttr(request.target));
  if (request.general)
    ir.function->setAttr("np.general", ir.getUnitAttr());
  ir.setInsertionPointToStart(ir.function.addEntryBlock());
  return true;
}

/// What the importer knows of each of `params`.
std::vector<PyValue> Interpreter::parameterValues(const ImportRequest &request, const std::vector<std::string> &names) {
  std::vector<PyValue> values;
  unsigned position = 0;
  for (auto [k, param] : llvm::enumerate(request.params)) {
    if (param.kind == ParamType::Kind::Constant) {
      PyObject *known = k < request.constants.size() ? request.constants[k] : nullptr;
      values.push_back(fromObject(*this, known ? py::Object::borrow(known) : py::none()));
      continue;
    }
    Value argument = ir.function.getArgument(position);
    ir.function.setArgAttr(position, "np.name", ir.getStringAttr(k < names.size() ? names[k] : param.name));
    if (param.weak)
      ir.function.setArgAttr(position, "np.weak", ir.getUnitAttr());
    if (param.isString)
      ir.function.setArgAttr(position, "np.string", ir.getUnitAttr());
    ++position;
    bool isNumpyScalar = param.kind == ParamType::Kind::Scalar && !param.weak;
    PyValue known = PyValue::runtime(isNumpyScalar ? ir.rankZero(argument) : argument);
    bool isList = param.kind == ParamType::Kind::Array && param.weak;
    values.push_back(isList ? PyValue::list(known, param.rank, true) : param.isString ? numberedString(known) : known);
    if (isList) // made by the caller: a function that gives it back makes no other one
      values.back()->site = values.back()->itemSite = "given";
  }
  return values;
}

bool Interpreter::importBody(const ImportRequest &request, const py::Object &definition) {
  std::vector<std::string> names = parameterNames(definition);
  // Parameters that are not given have their defaults.
  std::vector<py::Object> defaults =
      request.function ? py::Object::borrow(request.function).list("__defaults__") : std::vector<py::Object>();
  if (isGeneratorFunction(definition)) { // also where this call comes to no yield: it gives an iterator all the same
    auto isYield = [](const py::Object &node) { return StringRef(py::typeName(node)).starts_with("Yield"); };
    fail(*llvm::find_if(syntax.nodesIn(definition), isYield),
         "yield cannot be compiled in a function that Python calls", "compile what goes over its items");
    return false;
  }
  py::Object args = definition["args"];
  bool isVariable = !args["vararg"].isNone() || !args["kwarg"].isNone();
  std::optional<Given> given;
  if (!request.structure) {
    bool ok = request.params.size() <= names.size() && request.params.size() + defaults.size() >= names.size();
    if (!ok) {
      fail("the function has " + Twine(names.size()) + " parameters, the signature " + Twine(request.params.size()));
      return false;
    }
    if (isVariable) {
      fail("the parameters of a function that is declared are fixed", "name each parameter");
      return false;
    }
  }
  if (!declareFunction(request, definition))
    return false;
  env.frame->locals = syntax.localNames(definition);
  env.frame->callLoc = loc(definition);
  callStack.push_back(definition.get());
  if (request.structure) {
    for (const char *rest : {"vararg", "kwarg"})
      if (py::Object parameter = args[rest]; !parameter.isNone())
        names.insert(StringRef(rest) == "kwarg" ? names.end() : names.begin() + positionalCount(args),
                     parameter.string("arg"));
    std::vector<PyValue> leaves = parameterValues(request, {});
    size_t arguments = leaves.size() - std::min(leaves.size(), request.arrays.size());
    for (auto [array, leaf] : llvm::zip(request.arrays, ArrayRef<PyValue>(leaves).drop_front(arguments)))
      globalArrays[array] = leaf;
    leaves.resize(arguments);
    given.emplace(*this, std::move(leaves));
    makeTables(*this); // what is given may be rows of them
    NodeScope place(*this, definition);
    std::vector<PyValue> values = given->values(py::Object::borrow(request.structure));
    bool areGiven = !request.assigned.empty() && !request.usesPython;
    if (values.size() != names.size() + areGiven) {
      fail("the function has " + Twine(names.size()) + " parameters, the call " + Twine(values.size()));
      return false;
    }
    assigned = request.assigned;
    if (areGiven) {
      assignedGlobals = values.back();
      values.pop_back();
    }
    for (auto [name, value] : llvm::zip(names, values))
      env.frame->bindings[name] = value;
    given->remember();
    giveObjects(*this);
  } else {
    for (auto [name, value] : llvm::zip(names, parameterValues(request, names)))
      env.frame->bindings[name] = value;
    for (size_t k = request.params.size(); k < names.size(); ++k)
      env.frame->bindings[names[k]] = fromObject(*this, defaults[defaults.size() - (names.size() - k)]);
    makeTables(*this);
    giveObjects(*this);
  }

  defineRemembering(*this);
  env.makeCells();
  LeavingErrors leaving(*this, given ? &*given : nullptr);
  body(definition);
  leaving.addToReturns();
  finish(definition, given ? &*given : nullptr);
  return true;
}

void eraseUnreached(Region &body) {
  llvm::SmallPtrSet<Block *, 16> reached{&body.front()};
  SmallVector<Block *> open{&body.front()}, others;
  while (!open.empty())
    for (Block *next : open.pop_back_val()->getSuccessors())
      if (reached.insert(next).second)
        open.push_back(next);
  for (Block &block : body)
    if (!reached.contains(&block))
      others.push_back(&block);
  for (Block *block : others) {
    block->dropAllDefinedValueUses();
    block->dropAllReferences();
  }
  for (Block *block : others)
    block->erase();
}

/// Where all returns meet.
void Interpreter::finish(const py::Object &definition, const Given *given) {
  NodeScope scope(*this, env.frame->returnNode ? env.frame->returnNode : definition);
  env.joinReturns("%result"); // none: every path fails or loops for ever, as if it returned None
  Results results(*this, given);
  PyValue result = env.isReachable ? env.readName(currentNode, "%result") : PyValue::object(py::none());
  results.addAll(result);
  ir.function->setAttr("np.form", ir.getStringAttr(results.form));
  ArrayRef<Value> values = results.values;
  if (env.isReachable)
    func::ReturnOp::create(ir, loc(definition), values);
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(value.getType());
  endFailed(types);
  ir.function.setFunctionType(ir.getFunctionType(ir.function.getArgumentTypes(), types));
  for (auto [k, isWeak] : llvm::enumerate(results.isWeak))
    if (isWeak)
      ir.function.setResultAttr(k, "np.weak", ir.getUnitAttr());
  closeFunction();
}

void Interpreter::endFailed(TypeRange results) {
  Location end = loc(env.frame->definition);
  for (Block *block : env.failed) {
    ir.setInsertionPointToEnd(block);
    SmallVector<Value> nothing;
    for (Type type : results)
      nothing.push_back(np::UnboundOp::create(ir, end, type, "raise"));
    func::ReturnOp::create(ir, end, nothing);
  }
}

void Interpreter::closeFunction() {
  ir.checkHiddenViews();
  checkDecided(*this);
  checkStoredGlobals(*this);
  forgetCheckedDraws(*this);
  checkReplacedItems(*this);
  checkListedArrays(*this);
  checkListedExtents(*this);
  checkLentArrays(*this);
  eraseUnreached(ir.function.getBody());
  dropUnusedPythonBits(ir.function.getBody());
  // Places nobody reads: what is stored there may then be needed nowhere.
  SmallVector<Operation *> unread;
  for (Block &block : ir.function.getBody())
    for (auto var : block.getOps<np::VarOp>())
      if (llvm::all_of(var->getUsers(), [](Operation *user) { return isa<np::SetOp>(user); }))
        unread.push_back(var);
  for (Operation *place : unread) {
    for (Operation *set : llvm::make_early_inc_range(place->getUsers()))
      set->erase();
    place->erase();
  }
}

} // namespace npcc::frontend
