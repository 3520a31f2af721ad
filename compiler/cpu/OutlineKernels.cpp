// npcc-outline-kernels: each kernel becomes a function on a range of its iterations, and a call of npcc_rt_run_kernel.
//
//   np.kernel (%i, %j) = (%n, %m) { body }
// becomes
//   llvm.call @npcc_rt_run_kernel(%n * %m, %grain, @f.kernel0, %context, "f.kernel0\tfile.py:12")
//   func.func private @f.kernel0(%lo, %hi, %context) {
//     (%i0, %j0) = position of %lo; (%i1, %j1) = position of %hi - 1
//     for %i = %i0 to %i1 + 1 {
//       for %j = (%i == %i0 ? %j0 : 0) to (%i == %i1 ? %j1 + 1 : %m) { body } } }
// where %context is a struct on the stack with what the body uses.
//
// All axes are cut as one, so a loop of few long rows is spread as well as one of many short ones. The innermost loop
// is vectorised; checks of what it has in common (the number of a row that is taken) stand before it. The grain is such
// that a chunk is worth handing over, by an estimate of what an iteration costs. Kernels that are alike, as those that
// copy lists to where there is more room, are one function.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {
struct OutlineKernels : npcc::impl::OutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      SmallVector<np::KernelOp> kernels;
      function.walk([&](np::KernelOp loop) { kernels.push_back(loop); });
      for (auto [k, loop] : llvm::enumerate(kernels))
        outline(function, loop, ".kernel" + std::to_string(k), symbols);
    }
    for (Made &one : made)
      annotateMap(one.innermost);
    made.clear();
  }

  void outline(func::FuncOp parent, np::KernelOp loop, const std::string &suffix, SymbolTable &symbols) {
    std::string name = parent.getName().str() + suffix;
    StringRef shown = parent.getName();
    shown.consume_back("_body"); // which code of a function has for the linker
    MLIRContext *context = &getContext();
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    SmallVector<Value> extents = llvm::to_vector(loop.getExtents());
    Value cost = estimateCost(builder, loc, loop.getBody());
    Value total = product(builder, loc, extents), grain = getGrain(builder, loop, cost);

    // What the body uses: constants are made again inside, the rest goes through the context.
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    if (extents.size() > 1)
      used.insert(extents.begin(), extents.end());
    SmallVector<Value> constants, captured;
    for (Value value : used)
      (matchPattern(value, m_Constant()) ? constants : captured).push_back(value);

    Type pointer = LLVM::LLVMPointerType::get(context), index = builder.getIndexType();
    LLVMTypeConverter converter(context);
    SmallVector<Type> types;
    for (Value value : captured)
      types.push_back(converter.convertType(value.getType()));
    Type layout = LLVM::LLVMStructType::getLiteral(context, types);

    // The function.
    builder.setInsertionPointAfter(parent);
    auto kernel = func::FuncOp::create(builder, loc, name, builder.getFunctionType({index, index, pointer}, {}));
    kernel.setPrivate();
    if (loop.getCold())
      kernel->setAttr("passthrough", builder.getStrArrayAttr({"optsize"}));
    Block *entry = kernel.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping map;
    for (Value value : constants)
      map.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    for (auto [k, value] : llvm::enumerate(captured)) {
      Value address = LLVM::GEPOp::create(builder, loc, pointer, layout, entry->getArgument(2),
                                          ArrayRef<LLVM::GEPArg>{0, int32_t(k)});
      map.map(value, convert(builder, loc, LLVM::LoadOp::create(builder, loc, types[k], address), value.getType()));
    }
    SmallVector<Value> insideExtents;
    if (extents.size() > 1)
      for (Value extent : extents)
        insideExtents.push_back(map.lookup(extent));
    scf::ForOp innermost = buildRange(builder, loop, map, entry->getArgument(0), entry->getArgument(1), insideExtents);
    func::ReturnOp::create(builder, loc);
    // A kernel's scratch memory is made once, not in each iteration.
    kernel.walk([&](memref::AllocaOp alloca) { alloca->moveBefore(entry, entry->begin()); });
    kernel = asMade(kernel, innermost);
    name = kernel.getName().str();

    // The call.
    builder.setInsertionPoint(loop);
    Value room = allocateOnStack(builder, loop, layout, 1);
    for (auto [k, value] : llvm::enumerate(captured)) {
      Value address = LLVM::GEPOp::create(builder, loc, pointer, layout, room, ArrayRef<LLVM::GEPArg>{0, int32_t(k)});
      LLVM::StoreOp::create(builder, loc, convert(builder, loc, value, types[k]), address);
    }
    Value body = convert(
        builder, loc,
        func::ConstantOp::create(builder, loc, kernel.getFunctionType(), SymbolRefAttr::get(context, name)), pointer);
    Type i64 = builder.getI64Type();
    Value label = getTextAddress(builder, loc, symbols, getTraceLabel(shown.str() + suffix, loc));
    callFunction(builder, loc, symbols, "npcc_rt_run_kernel", nullptr,
                 {convert(builder, loc, total, i64), convert(builder, loc, grain, i64), body, room, label});
    loop.erase();
  }

  /// A kernel that is there already and does the same; this one where there is none. What fails says where it stands,
  /// so kernels with checks are like no other.
  func::FuncOp asMade(func::FuncOp kernel, scf::ForOp innermost) {
    size_t operations = 0;
    bool mayFail = kernel
                       .walk([&](Operation *op) {
                         ++operations;
                         bool isPlain = isa<func::FuncOp, func::ReturnOp, UnrealizedConversionCastOp, LLVM::GEPOp,
                                            LLVM::LoadOp, memref::LoadOp, memref::StoreOp, memref::AllocaOp>(op);
                         isPlain |= isa<arith::ArithDialect, scf::SCFDialect>(op->getDialect());
                         return isPlain ? WalkResult::advance() : WalkResult::interrupt();
                       })
                       .wasInterrupted();
    for (Made &one : made)
      if (!mayFail && one.operations == operations &&
          one.function->getAttr("passthrough") == kernel->getAttr("passthrough") &&
          OperationEquivalence::isRegionEquivalentTo(&one.function.getBody(), &kernel.getBody(),
                                                     OperationEquivalence::IgnoreLocations)) {
        kernel.erase();
        return one.function;
      }
    made.push_back({kernel, innermost, mayFail ? 0 : operations});
    return kernel;
  }

  /// An index is an i64 in the end, a memref a descriptor.
  static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
    return value.getType() == type ? value : UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
  }

  /// Iterations that are worth a chunk; a multiple of 64 if the cost of one is known, so that chunks begin at a cache
  /// line.
  Value getGrain(OpBuilder &builder, np::KernelOp loop, Value cost) {
    Location loc = loop.getLoc();
    int64_t chunkCost = getTargetProperties(loop).tuning.chunkCost;
    APInt known;
    if (matchPattern(cost, m_ConstantInt(&known))) {
      int64_t grain = chunkCost / std::max<int64_t>(known.getSExtValue(), 1);
      return arith::ConstantIndexOp::create(builder, loc, grain >= 64 ? grain / 64 * 64 : std::max<int64_t>(grain, 1));
    }
    Value one = arith::ConstantIndexOp::create(builder, loc, 1),
          chunk = arith::ConstantIndexOp::create(builder, loc, chunkCost);
    Value atLeastOne = arith::MaxUIOp::create(builder, loc, cost, one);
    return arith::MaxUIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, chunk, atLeastOne), one);
  }

  /// The loops over positions lo to hi - 1; gives the innermost one.
  scf::ForOp buildRange(OpBuilder &builder, np::KernelOp loop, IRMapping &map, Value lo, Value hi,
                        ArrayRef<Value> extents) {
    Location loc = loop.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(builder, loc, x, y); };
    auto select = [&](Value c, Value x, Value y) -> Value { return arith::SelectOp::create(builder, loc, c, x, y); };
    auto equal = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x, y);
    };
    OpBuilder::InsertionGuard guard(builder);
    scf::ForOp innermost;
    if (extents.empty()) {
      innermost = scf::ForOp::create(builder, loc, lo, hi, one);
      map.map(loop.getInductionVars()[0], innermost.getInductionVar());
      builder.setInsertionPointToStart(innermost.getBody());
    } else {
      SmallVector<Value> first = delinearize(builder, loc, lo, extents);
      SmallVector<Value> last = delinearize(builder, loc, arith::SubIOp::create(builder, loc, hi, one), extents);
      Value atFirst, atLast; // are all outer positions those of lo, of hi - 1?
      for (auto [k, position] : llvm::enumerate(loop.getInductionVars())) {
        Value from = atFirst ? select(atFirst, first[k], zero) : first[k];
        Value end = add(last[k], one), to = atLast ? select(atLast, end, extents[k]) : end;
        innermost = scf::ForOp::create(builder, loc, from, to, one);
        builder.setInsertionPointToStart(innermost.getBody());
        map.map(position, innermost.getInductionVar());
        if (k + 1 == extents.size())
          break;
        Value isFirst = equal(innermost.getInductionVar(), first[k]),
              isLast = equal(innermost.getInductionVar(), last[k]);
        atFirst = atFirst ? arith::AndIOp::create(builder, loc, atFirst, isFirst).getResult() : isFirst;
        atLast = atLast ? arith::AndIOp::create(builder, loc, atLast, isLast).getResult() : isLast;
      }
    }
    // Checks of what is the same along the last axis (a row that is taken by its number) would keep vectors from its
    // loop.
    llvm::SmallPtrSet<Operation *, 8> outside;
    if (extents.size() > 1)
      outside = findOutside(loop);
    OpBuilder before(innermost);
    for (Operation &op : loop.getBody()->without_terminator())
      (outside.contains(&op) ? before : builder).clone(op, map);
    return innermost;
  }

  /// What a kernel computes before its first store without its last position; nothing of one without such checks.
  static llvm::SmallPtrSet<Operation *, 8> findOutside(np::KernelOp kernel) {
    llvm::SmallPtrSet<Operation *, 8> outside;
    bool hasChecks = false;
    for (Operation &op : kernel.getBody()->without_terminator()) {
      if (!isa<memref::LoadOp, np::CheckIndexOp>(op) && (op.getNumRegions() > 0 || !isPure(&op)))
        break;
      bool isOutside = llvm::all_of(op.getOperands(), [&](Value operand) {
        return operand != kernel.getInductionVars().back() &&
               (kernel.isDefinedOutsideOfLoop(operand) || isa<BlockArgument>(operand) ||
                outside.contains(operand.getDefiningOp()));
      });
      if (isOutside)
        outside.insert(&op);
      hasChecks |= isOutside && isa<np::CheckIndexOp>(op);
    }
    if (!hasChecks)
      outside.clear();
    return outside;
  }

  struct Made {
    func::FuncOp function;
    scf::ForOp innermost;
    size_t operations; // 0 of one that no other one is like
  };
  SmallVector<Made> made;
};
} // namespace
