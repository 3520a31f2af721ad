// npcc-plan-alternatives: which of the alternatives that passes offer are compiled. An offer is an np.choice: a value
// of host code that decides, when the code runs, which way it goes.
//
//   func.func @f(%a: memref<?xf64> {np.first = array<i64: 1000000, 0>}) {     // the first call's extents, and the
//   address
//     %n = memref.dim %a, %c0
//     %many = arith.cmpi sge, %n, %c65536
//     %split = np.choice "parts of rows" %many : i1
//     scf.if %split { A } else { B }
//
// Where nothing is known of a first call (modules that are made ahead of time), the choice becomes its operand: both A
// and B are compiled. Here `%many` is true in the first call. So A alone is kept, and a function is made that says
// whether the same choices hold for other arguments:
//
//   func.func @f(%a: memref<?xf64>) { A }
//   func.func @f.choice(%a: memref<?xf64>) -> i1 {
//     %n = memref.dim %a, %c0
//     %many = arith.cmpi sge, %n, %c65536
//     return %many
//   }
//
// The runtime asks it before each call (npcc_variant::choice). The first call for which it says no has the function
// compiled anew, with all alternatives. Either code chooses by the same values, so a call gives the same bits whichever
// of them runs it.
//
// The pass runs behind each pass that offers, so that what is not needed is not worked on any further. What a choice
// depends on is followed through operations without effects to extents, addresses and integers that the function is
// given. A choice that depends on anything else (an element of an array, the iteration of a loop) stays in the code.
#include "compiler/kernels/Passes.h"
#include "dialects/Np/Choice.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_PLANALTERNATIVES
#include "compiler/kernels/Passes.h.inc"
namespace {

/// Computes what values are in the first call, and emits the same computations for other calls.
class FirstCall {
public:
  explicit FirstCall(func::FuncOp function) : function(function) {}

  /// A constant, or null where the value depends on more than is known.
  Attribute evaluate(Value value) {
    auto [known, isNew] = results.try_emplace(value, Attribute());
    if (!isNew)
      return known->second;
    Attribute result = compute(value);
    return results[value] = result;
  }

  /// The value for the arguments of `guard`, which has the function's own. It was evaluated.
  Value emit(Value value, OpBuilder &builder, Block *guard, IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value result = emitNew(value, builder, guard, mapping);
    mapping.map(value, result);
    return result;
  }

private:
  /// The argument whose memory this is, seen through casts.
  BlockArgument getArgument(Value memory) {
    while (auto cast = memory.getDefiningOp<memref::CastOp>())
      memory = cast.getSource();
    auto argument = dyn_cast<BlockArgument>(memory);
    return argument && argument.getOwner() == &function.getBody().front() ? argument : BlockArgument();
  }

  /// What the caller said of the argument: extents and the address, or the value.
  std::optional<int64_t> getGiven(BlockArgument argument, int64_t number) {
    auto given = argument ? function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), "np.first") : nullptr;
    if (!given || number >= given.size())
      return std::nullopt;
    return given[number];
  }

  static std::optional<int64_t> getAxis(memref::DimOp dim) { return dim.getConstantIndex(); }

  Attribute toAttribute(Type type, std::optional<int64_t> value) {
    return value && type.isIntOrIndex() ? IntegerAttr::get(type, *value) : Attribute();
  }

  Attribute compute(Value value) {
    if (!value.getType().isIntOrIndex())
      return {};
    if (auto argument = dyn_cast<BlockArgument>(value))
      return toAttribute(value.getType(), getGiven(getArgument(argument), 0));
    Operation *op = value.getDefiningOp();
    if (auto dim = dyn_cast<memref::DimOp>(op)) {
      if (auto alloc = dim.getSource().getDefiningOp<np::AllocOp>(); alloc && getAxis(dim))
        return evaluateExtent(alloc, *getAxis(dim));
      return toAttribute(value.getType(),
                         getAxis(dim) ? getGiven(getArgument(dim.getSource()), *getAxis(dim)) : std::nullopt);
    }
    if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
      if (isNew(address))
        return toAttribute(value.getType(), 0);
      return toAttribute(value.getType(), getGiven(getArgument(address.getSource()),
                                                   cast<MemRefType>(address.getSource().getType()).getRank()));
    }
    if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
      return evaluateMeeting(meet);
    if (!isPure(op) && !isDivision(op))
      return {};
    if (op->getNumRegions() || op->getNumOperands() == 0)
      return foldOperation(op, value, {});
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(evaluate(operand));
    return foldOperation(op, value, operands);
  }

  Attribute foldOperation(Operation *op, Value value, ArrayRef<Attribute> operands) {
    SmallVector<OpFoldResult> folded;
    if (op->getNumRegions() || failed(op->fold(operands, folded)) || folded.empty())
      return {};
    OpFoldResult result = folded[cast<OpResult>(value).getResultNumber()];
    // One operand of several may decide, and the others be unknown: what is emitted would need them.
    if (llvm::any_of(operands, [](Attribute operand) { return !operand; }))
      return {};
    if (auto value = dyn_cast<Value>(result))
      return evaluate(value);
    return dyn_cast<IntegerAttr>(cast<Attribute>(result)); // and not poison
  }

  Attribute evaluateExtent(np::AllocOp alloc, int64_t axis) {
    auto type = alloc.getBuffer().getType();
    auto memory = cast<MemRefType>(type);
    Type index = IndexType::get(function.getContext());
    if (!memory.isDynamicDim(axis))
      return IntegerAttr::get(index, memory.getDimSize(axis));
    return evaluate(alloc.getExtents()[memory.getDynamicDimIndex(axis)]);
  }

  /// The extent of two that broadcast; nothing where the call fails.
  Attribute evaluateMeeting(np::BroadcastExtentOp meet) {
    auto left = dyn_cast_or_null<IntegerAttr>(evaluate(meet.getLhs()));
    auto right = dyn_cast_or_null<IntegerAttr>(evaluate(meet.getRhs()));
    if (!left || !right || (left != right && left.getInt() != 1 && right.getInt() != 1))
      return {};
    return left.getInt() == 1 ? right : left;
  }

  /// The address of an array that the function makes: as np.choice has it, 0 for all that may depend on it.
  static bool isNew(memref::ExtractAlignedPointerAsIndexOp address) {
    return address.getSource().getDefiningOp<np::AllocOp>() != nullptr;
  }

  /// Pure but for a divisor of 0.
  static bool isDivision(Operation *op) {
    return isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
               arith::FloorDivSIOp>(op);
  }

  Value emitNew(Value value, OpBuilder &builder, Block *guard, IRMapping &mapping) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return guard->getArgument(argument.getArgNumber());
    Operation *op = value.getDefiningOp();
    Location loc = op->getLoc();
    if (auto dim = dyn_cast<memref::DimOp>(op)) {
      if (auto alloc = dim.getSource().getDefiningOp<np::AllocOp>()) {
        auto memory = cast<MemRefType>(alloc.getBuffer().getType());
        int64_t axis = *getAxis(dim);
        if (!memory.isDynamicDim(axis))
          return arith::ConstantIndexOp::create(builder, loc, memory.getDimSize(axis));
        return emit(alloc.getExtents()[memory.getDynamicDimIndex(axis)], builder, guard, mapping);
      }
      return memref::DimOp::create(builder, loc, guard->getArgument(getArgument(dim.getSource()).getArgNumber()),
                                   *getAxis(dim));
    }
    if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
      if (isNew(address))
        return arith::ConstantIndexOp::create(builder, loc, 0);
      return memref::ExtractAlignedPointerAsIndexOp::create(
          builder, loc, guard->getArgument(getArgument(address.getSource()).getArgNumber()));
    }
    // Where the extents do not broadcast, either code fails.
    if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) {
      Value left = emit(meet.getLhs(), builder, guard, mapping), right = emit(meet.getRhs(), builder, guard, mapping);
      Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, left,
                                          makeInteger(builder, loc, left.getType(), 1));
      return arith::SelectOp::create(builder, loc, isOne, right, left);
    }
    for (Value operand : op->getOperands())
      emit(operand, builder, guard, mapping);
    // Here nothing stands before the division that might have kept it from being made.
    if (isDivision(op) && !matchPattern(op->getOperand(1), m_Constant())) {
      Value divisor = mapping.lookup(op->getOperand(1)), one = makeInteger(builder, loc, divisor.getType(), 1);
      Value isBad = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, divisor,
                                          makeInteger(builder, loc, divisor.getType(), 0));
      IRMapping inner(mapping);
      inner.map(op->getOperand(1), arith::SelectOp::create(builder, loc, isBad, one, divisor).getResult());
      return builder.clone(*op, inner)->getResult(cast<OpResult>(value).getResultNumber());
    }
    Operation *made = builder.clone(*op, mapping);
    SmallVector<Value> folded;
    unsigned number = cast<OpResult>(value).getResultNumber();
    return succeeded(builder.tryFold(made, folded)) && !folded.empty() ? folded[number] : made->getResult(number);
  }

  static Value makeInteger(OpBuilder &builder, Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, value));
  }

  func::FuncOp function;
  llvm::DenseMap<Value, Attribute> results;
};

struct PlanAlternatives : impl::PlanAlternativesBase<PlanAlternatives> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getModule().getOps<func::FuncOp>()))
      if (!function.isDeclaration())
        plan(function);
  }

  ModuleOp getModule() { return cast<ModuleOp>(getOperation()); }

  void plan(func::FuncOp function) {
    bool knowsFirst = llvm::any_of(llvm::seq(function.getNumArguments()),
                                   [&](unsigned k) { return function.getArgAttr(k, "np.first"); });
    // One after the other: with an alternative that is not kept go the choices in it.
    while (np::ChoiceOp choice = findFirst(function)) {
      FirstCall first(function);
      Attribute known = knowsFirst ? first.evaluate(choice.getValue()) : Attribute();
      if (!known) {
        choice.replaceAllUsesWith(choice.getValue());
        choice.erase();
        continue;
      }
      addGuard(function, first, choice.getValue(), known);
      OpBuilder builder(choice);
      Value constant = arith::ConstantOp::create(builder, choice.getLoc(), cast<TypedAttr>(known));
      SmallVector<Operation *> users(choice->getUsers());
      choice.replaceAllUsesWith(constant);
      choice.erase();
      if (constant.getType().isInteger(1))
        for (Operation *user : users)
          if (auto branch = dyn_cast<scf::IfOp>(user))
            keepOne(branch, cast<IntegerAttr>(known).getValue().isOne());
    }
  }

  static np::ChoiceOp findFirst(func::FuncOp function) {
    np::ChoiceOp found;
    function.walk<WalkOrder::PreOrder>([&](np::ChoiceOp choice) {
      found = choice;
      return WalkResult::interrupt();
    });
    return found;
  }

  static void keepOne(scf::IfOp branch, bool taken) {
    Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
    if (!region.empty()) {
      Block &block = region.front();
      branch.replaceAllUsesWith(block.getTerminator()->getOperands());
      block.getTerminator()->erase();
      branch->getBlock()->getOperations().splice(branch->getIterator(), block.getOperations());
    }
    branch.erase();
  }

  /// `value` is `expected` in the calls for which the code is right.
  void addGuard(func::FuncOp function, FirstCall &first, Value value, Attribute expected) {
    func::FuncOp guard = getGuard(function);
    Block &body = guard.getBody().front();
    Operation *end = body.getTerminator();
    OpBuilder builder(end);
    Location loc = value.getLoc();
    IRMapping mapping;
    Value actual = first.emit(value, builder, &body, mapping);
    Value wanted = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(expected));
    Value holds = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, actual, wanted);
    end->setOperand(0, builder.createOrFold<arith::AndIOp>(loc, end->getOperand(0), holds));
    // What is so for all arguments is no question.
    if (matchPattern(end->getOperand(0), m_One()))
      guard.erase();
  }

  /// The function that says whether the choices made so far are those for its arguments.
  func::FuncOp getGuard(func::FuncOp function) {
    auto entry = function->getAttrOfType<StringAttr>("npcc.choice");
    for (auto known : getModule().getOps<func::FuncOp>())
      if (entry ? known->getAttr("npcc.entry") == entry : known.getName() == (function.getName() + ".choice").str())
        return known;
    OpBuilder builder(function);
    Location loc = function.getLoc();
    builder.setInsertionPointAfter(function);
    auto type = builder.getFunctionType(function.getArgumentTypes(), builder.getI1Type());
    auto guard = func::FuncOp::create(builder, loc, (function.getName() + ".choice").str(), type);
    if (auto target = function->getAttr("np.target"))
      guard->setAttr("np.target", target);
    if (entry)
      guard->setAttr("npcc.entry", entry);
    builder.setInsertionPointToStart(guard.addEntryBlock());
    Value holds = arith::ConstantIntOp::create(builder, loc, 1, 1);
    func::ReturnOp::create(builder, loc, holds);
    return guard;
  }
};

} // namespace
} // namespace npcc
