#include "compiler/codegen/Describe.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace npcc;

//===---- What is written ----------------------------------------------------------------------------------------------===//

namespace {
/// Follows a value to all others that may be the same array or a view of it. Slots are followed without regard to order, which gives too much
/// rather than too little.
class Flow {
public:
  /// Whether `asked` says yes to a use of the value or of one that it reaches.
  bool has(Value root, llvm::function_ref<bool(OpOperand &)> asked) {
    reach(root);
    while (!work.empty()) {
      Value value = work.pop_back_val();
      for (OpOperand &use : value.getUses()) {
        if (asked(use))
          return true;
        follow(use);
      }
    }
    return false;
  }

private:
  void reach(Value value) {
    if (isa<np::ArrayType, np::SlotType>(value.getType()) && seen.insert(value).second)
      work.push_back(value);
  }

  void follow(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto set = dyn_cast<np::SetOp>(op))
      reach(set.getSlot());
    else if (isa<np::GetOp, np::ViewOp, np::ReshapeOp, np::ReshapeStridedOp, np::PartOp, np::FieldOp, arith::SelectOp>(
                 op))
      reach(op->getResult(0));
    else if (auto call = dyn_cast<func::CallOp>(op)) {
      reach(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr()).getArgument(use.getOperandNumber()));
      for (Value result : call.getResults())
        reach(result);
    } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
      if (auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
        reach(*argument);
    } else if (op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>()) {
      // Structured control flow: to any argument or result of the same type.
      Operation *region = op->getNumRegions() ? op : op->getParentOp();
      for (Region &each : region->getRegions())
        for (BlockArgument argument : each.getArguments())
          if (argument.getType() == use.get().getType())
            reach(argument);
      for (Value result : region->getResults())
        if (result.getType() == use.get().getType())
          reach(result);
    }
  }

  llvm::DenseSet<Value> seen;
  SmallVector<Value> work;
};

bool isWritten(Value array);

bool isStore(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto store = dyn_cast<np::StoreOp>(op))
    return use.get() == store.getArray();
  if (auto store = dyn_cast<np::StoreMaskedOp>(op))
    return use.get() == store.getArray();
  if (auto store = dyn_cast<np::ScatterOp>(op))
    return use.get() == store.getArray();
  if (isa<np::WriteElementOp, np::AtomicOp>(op))
    return true;
  if (auto routine = dyn_cast<np::RoutineOp>(op))
    return llvm::is_contained(routine.getOutputs(), use.get());
  if (isa<np::KeepOp>(op)) // who stores into what is kept is not followed
    return true;
  if (isa<np::IsReadOnlyOp>(op)) // who asks would store: the fast version is for arrays that may be written
    return true;
  if (auto launch = dyn_cast<np::LaunchOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getCalleeAttr());
    unsigned number = use.getOperandNumber() - launch.getArguments().getBeginOperandIndex();
    return !callee || isWritten(callee.getArgument(number));
  }
  return false;
}

bool isWritten(Value array) { return Flow().has(array, isStore); }

/// Whether the function does something else with an array whose elements do not lie one behind the other: a reshape of
/// it is a copy, which matters where one of the two is written or the copy is returned.
bool tellsLayout(BlockArgument argument, bool written) {
  return Flow().has(argument, [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<np::IsContiguousOp, np::StrideOp>(op))
      return true;
    auto view = dyn_cast<np::ViewOp>(op);
    bool mayCopy = isa<np::ReshapeOp, np::ReshapeStridedOp>(op) || (view && view.getMayCopy());
    return mayCopy && (written || Flow().has(op->getResult(0), [](OpOperand &of) {
             return isa<func::ReturnOp>(of.getOwner());
           }));
  });
}
} // namespace

SmallVector<bool> npcc::findWrittenArguments(Operation *op) {
  SmallVector<bool> written;
  for (BlockArgument argument : cast<func::FuncOp>(op).getArguments())
    written.push_back(isWritten(argument));
  return written;
}

/// Whether what is returned is a view that the function makes, or new, on all paths: no argument itself.
static bool isNeverArgument(Value value, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return true;
  if (auto get = value.getDefiningOp<np::GetOp>())
    return llvm::all_of(get.getSlot().getUsers(), [&](Operation *user) {
      auto set = dyn_cast<np::SetOp>(user);
      return !set || isNeverArgument(set.getValue(), seen);
    });
  // A join's, or an array that may lie as asked for.
  if (auto view = value.getDefiningOp<np::ViewOp>(); view && view.getSame())
    return isNeverArgument(view.getSource(), seen);
  if (auto reshape = value.getDefiningOp<np::ReshapeStridedOp>(); reshape && reshape.getSame())
    return isNeverArgument(reshape.getSource(), seen);
  return isa_and_nonnull<np::ViewOp, np::ReshapeOp, np::ReshapeStridedOp, np::PartOp, np::NewOp, np::EmptyOp,
                         np::UnboundOp>(value.getDefiningOp());
}

static bool isNeverArgument(func::FuncOp function, unsigned result) {
  bool never = true;
  function.walk([&](func::ReturnOp op) {
    llvm::DenseSet<Value> seen;
    never &= isNeverArgument(op.getOperand(result), seen);
  });
  return never;
}

//===---- Functions ----------------------------------------------------------------------------------------------------===//

static npcc_dtype getDtype(Type element) {
  if (element.isIndex())
    return NPCC_INT64;
  return getMemoryDtype(element, element.isUnsignedInteger());
}

static ParamInfo describe(Type type, bool weak) {
  ParamInfo info;
  if (auto generator = dyn_cast<np::GeneratorType>(type)) {
    info.kind = NPCC_GENERATOR;
    info.dtype = npcc_dtype(generator.getKind() == "RandomState" ? NPCC_RANDOM_STATE : NPCC_RANDOM_GENERATOR);
    return info;
  }
  info.dtype = getDtype(np::getElementType(type));
  info.rank = np::getRank(type);
  info.kind = isa<np::ArrayType>(type) ? NPCC_ARRAY : NPCC_SCALAR;
  info.weak = weak;
  for (auto [axis, extent] : llvm::enumerate(np::getShape(type)))
    if (extent == 1)
      info.unitAxes |= 1u << axis;
  return info;
}

static std::string getText(Operation *op, StringRef attribute, StringRef otherwise) {
  auto text = op->getAttrOfType<StringAttr>(attribute);
  return text ? text.str() : otherwise.str();
}

/// What tells the entries of one function apart when the objects of several compilations are linked together.
static std::string mangle(const FunctionInfo &info, const Options &options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const ParamInfo &param : info.params)
    out << "." << int(param.kind) << "_" << int(param.dtype) << "_" << param.rank << "_" << param.unitAxes << (param.weak ? param.weak == NPCC_WEAK_STRING ? "s" : "w" : "") << (param.isView ? "v" : "");
  out << "." << options.target << (options.general ? ".general" : "");
  if (options.devices > 1)
    out << ".devices";
  return text;
}

/// One result stands for itself, several are a tuple.
static std::string getPlainForm(size_t results) {
  if (results < 2)
    return std::string(1, results ? NPCC_FORM_RESULT : NPCC_FORM_NONE);
  return "(" + std::string(results, NPCC_FORM_RESULT) + ")";
}

/// How many captured generators a call hands over: also for functions that it calls, which are no part of it where they
/// call themselves.
static int32_t countGenerators(func::FuncOp entry, const SymbolTable &symbols) {
  int32_t count = 0;
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t k = 0; k < reached.size(); ++k) {
    reached[k]->walk([&](np::CapturedGeneratorOp op) { count = std::max<int32_t>(count, op.getNumber() + 1); });
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(reached[k]);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *callee = symbols.lookup(use.getSymbolRef().getRootReference()))
        reached.insert(callee);
  }
  return count;
}

std::vector<FunctionInfo> npcc::describeFunctions(ModuleOp module, const Options &options) {
  std::vector<FunctionInfo> functions;
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    FunctionInfo info;
    info.symbol = function.getName().str();
    info.name = getText(function, "np.python_name", function.getName());
    info.signature = getText(function, "np.signature", info.name);
    auto [file, line] = getSourcePosition(function.getLoc());
    info.file = file.str();
    info.line = line;
    info.resultForm = getText(function, "np.form", getPlainForm(function.getNumResults()));
    SmallVector<bool> written = findWrittenArguments(function);
    for (auto [k, type] : llvm::enumerate(function.getArgumentTypes())) {
      ParamInfo param = describe(type, function.getArgAttr(k, "np.weak") != nullptr);
      if (function.getArgAttr(k, "np.string"))
        param.weak = NPCC_WEAK_STRING;
      if (auto name = function.getArgAttrOfType<StringAttr>(k, "np.name"))
        param.name = name.str();
      param.written = written[k];
      auto array = dyn_cast<np::ArrayType>(type);
      param.isView = array && !array.getContiguous() && !options.general;
      param.tellsLayout = tellsLayout(function.getArgument(k), param.written);
      info.params.push_back(param);
    }
    for (auto [k, type] : llvm::enumerate(function.getResultTypes())) {
      info.results.push_back(describe(type, function.getResultAttr(k, "np.weak") != nullptr));
      info.results.back().isView = isa<np::ArrayType>(type) && isNeverArgument(function, k);
    }
    info.generatorCount = countGenerators(function, symbols);
    VariantInfo variant;
    variant.target = findTarget(options.target)->getDevice();
    variant.assumptions = options.general ? 0 : NPCC_ASSUME_CONTIGUOUS | NPCC_ASSUME_NO_ALIAS | NPCC_ASSUME_WRITABLE;
    variant.distributed = options.devices > 1;
    variant.awaits = variant.target == NPCC_TARGET_CUDA && !variant.distributed;
    variant.moved = options.movedUpTo > 0;
    variant.entry = getEntrySymbol(info.symbol + mangle(info, options));
    info.variants.push_back(variant);
    functions.push_back(std::move(info));
  }
  return functions;
}

void npcc::completeDescriptions(ModuleOp module, std::vector<FunctionInfo> &functions) {
  for (FunctionInfo &info : functions) {
    auto function = module.lookupSymbol<func::FuncOp>(info.symbol);
    if (!function)
      continue;
    for (auto [k, result] : llvm::enumerate(info.results))
      if (result.kind == NPCC_SCALAR)
        function.setResultAttr(k, "np.scalar", UnitAttr::get(module.getContext()));
    function->setAttr("np.entry", StringAttr::get(module.getContext(), info.variants[0].entry));
    if (function->hasAttr("np.small_integers"))
      info.variants[0].assumptions |= NPCC_ASSUME_SMALL_INTEGERS;
    if (auto guards = function->getAttrOfType<DenseI64ArrayAttr>("np.guards"))
      for (size_t k = 0; k + 3 < size_t(guards.size()); k += 4)
        info.variants[0].guards.push_back({int16_t(guards[k]), int16_t(guards[k + 1]), int16_t(guards[k + 2]), int16_t(guards[k + 3])});
  }
}
