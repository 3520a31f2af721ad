// npcc-check-undefined: an element that was never written may be copied, and nothing may be computed of it. See
// Passes.td.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/debug/Debug.h"
#include "compiler/debug/Layout.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "mlir/Interfaces/CastInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_CHECKUNDEFINED
#include "compiler/debug/Passes.h.inc"

using namespace mlir;

namespace {
struct CheckUndefined : impl::CheckUndefinedBase<CheckUndefined> {
  void runOnOperation() override {
    known.clear();
    required.clear();
    never.clear();
    SmallVector<Operation *> ops; // what is inside of an operation comes before it
    SmallVector<np::UndefinedOp> sources;
    getOperation()->walk([&](Operation *op) {
      ops.push_back(op);
      if (auto source = dyn_cast<np::UndefinedOp>(op))
        sources.push_back(source);
    });
    for (Operation *op : ops)
      visit(op);
    for (np::UndefinedOp source : sources) {
      OpBuilder builder(source);
      source.replaceAllUsesWith(makeZero(builder, source.getLoc(), source.getType()));
      source.erase();
    }
  }

  /// Whether `value` is defined: an i1. Null stands for true.
  Value isDefined(Value value) const { return known.lookup(value); }

  static Value makeTruth(OpBuilder &builder, Location loc, bool value) {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
  }
  static Value orTrue(OpBuilder &builder, Location loc, Value truth) {
    return truth ? truth : makeTruth(builder, loc, true);
  }

  static Value makeZero(OpBuilder &builder, Location loc, Type type) {
    auto complexType = dyn_cast<ComplexType>(type);
    if (!complexType)
      return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    Attribute part = builder.getZeroAttr(complexType.getElementType());
    return complex::ConstantOp::create(builder, loc, complexType, builder.getArrayAttr({part, part}));
  }

  void visit(Operation *op) {
    Location loc = op->getLoc();
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    if (isa<np::UndefinedOp>(op) || isHoisted(op)) {
      known[op->getResult(0)] = makeTruth(builder, loc, false);
      never.insert(op->getResult(0));
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      requireAll(op);
      known[load] = askRuntime(builder, load);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      visitBranch(branch);
    } else if (isa<scf::YieldOp>(op) && isa<scf::IfOp>(op->getParentOp())) {
      return; // with its branch
    } else if (auto choice = dyn_cast<arith::SelectOp>(op)) {
      Value chosen = isDefined(choice.getTrueValue()), other = isDefined(choice.getFalseValue());
      require(op, choice.getCondition());
      if (chosen || other)
        known[choice] = arith::SelectOp::create(builder, loc, choice.getCondition(), orTrue(builder, loc, chosen),
                                                orTrue(builder, loc, other));
    } else if (isa<CastOpInterface>(op) && op->getNumOperands() == 1) {
      if (Value defined = isDefined(op->getOperand(0)))
        known[op->getResult(0)] = defined;
    } else if (auto store = dyn_cast<memref::StoreOp>(op); store && isDefined(store.getValueToStore())) {
      for (Value index : store.getIndices())
        require(op, index);
      forget(builder, store, isDefined(store.getValueToStore()));
    } else {
      requireAll(op);
    }
  }

  /// What is computed of nothing but values of the whole function was taken out of the loops over the elements: nobody
  /// may need it, if there are no elements. What is made of it for one element does.
  bool isHoisted(Operation *op) const {
    if (!isPure(op) || op->getNumResults() != 1 || op->getNumRegions())
      return false;
    // What a known condition chooses may be defined.
    if (auto choice = dyn_cast<arith::SelectOp>(op); choice && !never.contains(choice.getCondition()))
      return false;
    auto isOfFunction = [&](Value value) { return isa<func::FuncOp>(value.getParentRegion()->getParentOp()); };
    return llvm::any_of(op->getOperands(), [&](Value value) { return never.contains(value); }) &&
           llvm::all_of(op->getOperands(), [&](Value value) {
             return never.contains(value) || (isOfFunction(value) && !isDefined(value));
           });
  }

  Value askRuntime(OpBuilder &builder, memref::LoadOp load) {
    Location loc = load.getLoc();
    Layout layout(builder, loc, load.getMemref());
    Value bytes = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(layout.elementBytes));
    Type i32 = builder.getI32Type();
    Value written = callFunction(builder, loc, getOperation(), "npcc_rt_debug_is_written", i32,
                                 {layout.getAddress(builder, loc, load.getIndices()), bytes})
                        .getResult();
    Value no = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, written, no);
  }

  void requireAll(Operation *op) {
    for (Value operand : op->getOperands())
      require(op, operand);
  }

  /// An error in front of `op`, which needs it, if `value` is not defined. Once is enough for what comes behind.
  void require(Operation *op, Value value) {
    Value defined = isDefined(value);
    if (!defined)
      return;
    SmallPtrSet<Block *, 4> &blocks = required[value];
    for (Block *block = op->getBlock(); block; block = block->getParentOp()->getBlock())
      if (blocks.contains(block))
        return;
    blocks.insert(op->getBlock());
    OpBuilder builder(op);
    np::AssertOp::create(builder, op->getLoc(), defined, "RuntimeError", "an element is read that was never written",
                         ValueRange{});
  }

  /// A branch whose results may be undefined gives for each of them one more: whether it is not.
  void visitBranch(scf::IfOp branch) {
    require(branch, branch.getCondition());
    if (branch.getNumResults() == 0)
      return;
    scf::YieldOp yields[] = {branch.thenYield(), branch.elseYield()};
    SmallVector<unsigned> doubtful;
    for (unsigned k = 0; k < branch.getNumResults(); ++k)
      if (llvm::any_of(yields, [&](scf::YieldOp yield) { return bool(isDefined(yield.getOperand(k))); }))
        doubtful.push_back(k);
    if (doubtful.empty())
      return;
    OpBuilder builder(branch);
    SmallVector<Type> types(branch.getResultTypes());
    types.append(doubtful.size(), builder.getI1Type());
    for (scf::YieldOp yield : yields) {
      builder.setInsertionPoint(yield);
      SmallVector<Value> truths;
      for (unsigned k : doubtful)
        truths.push_back(orTrue(builder, yield.getLoc(), isDefined(yield.getOperand(k))));
      yield.getResultsMutable().append(truths);
    }
    builder.setInsertionPoint(branch);
    auto larger = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
    for (auto [from, to] : llvm::zip_equal(branch.getRegions(), larger.getRegions()))
      to->takeBody(*from);
    for (auto [k, result] : llvm::enumerate(branch.getResults()))
      result.replaceAllUsesWith(larger.getResult(k));
    for (auto [n, k] : llvm::enumerate(doubtful))
      known[larger.getResult(k)] = larger.getResult(branch.getNumResults() + n);
    branch.erase();
  }

  /// What was stored counts as never written, where it is undefined.
  void forget(OpBuilder &builder, memref::StoreOp store, Value defined) {
    Location loc = store.getLoc();
    auto branch = scf::IfOp::create(builder, loc, TypeRange(), defined, /*withElseRegion=*/true);
    OpBuilder inside = branch.getElseBodyBuilder();
    Layout layout(inside, loc, store.getMemref());
    Value bytes = LLVM::ConstantOp::create(inside, loc, inside.getI64IntegerAttr(layout.elementBytes));
    callFunction(inside, loc, getOperation(), "npcc_rt_debug_forget", nullptr,
                 {layout.getAddress(inside, loc, store.getIndices()), bytes});
  }

  DenseMap<Value, Value> known;
  DenseSet<Value> never;                             // these are not defined at all
  DenseMap<Value, SmallPtrSet<Block *, 4>> required; // in these blocks an error came before already
};
} // namespace
} // namespace npcc
