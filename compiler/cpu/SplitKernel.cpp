#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/cpu/Loops.h"
#include "compiler/cpu/ReductionBlocks.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace npcc;

scf::ParallelOp npcc::findOnlyReduction(np::KernelOp kernel) {
  scf::ParallelOp found;
  for (Operation &op : kernel.getBody()->without_terminator()) {
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (!loop) {
      bool repeatable = isMemoryEffectFree(&op) || isa<memref::LoadOp>(op);
      if (op.getNumRegions() || isa<func::CallOp>(op) || (!found && !repeatable))
        return nullptr;
      continue;
    }
    if (found || loop.getInitVals().empty() || !isVectorizable(loop.getBody()))
      return nullptr;
    found = loop;
  }
  auto known = [&](Value value) { return kernel.isDefinedOutsideOfLoop(value); };
  if (!found || !llvm::all_of(found.getLowerBound(), [](Value bound) { return matchPattern(bound, m_Zero()); }) ||
      !llvm::all_of(found.getUpperBound(), known) || !llvm::all_of(found.getInitVals(), known))
    return nullptr;
  // Known at compile time to be short?
  int64_t elements = 1;
  for (Value bound : found.getUpperBound()) {
    APInt value;
    if (!matchPattern(bound, m_ConstantInt(&value)))
      return found;
    elements *= value.getSExtValue();
  }
  return elements >= getTargetProperties(kernel).tuning.longRow ? found : nullptr;
}

namespace {
/// The function that a reduction becomes: (what it uses, bounds) -> its results.
struct OutlinedReduction {
  OutlinedReduction(ReductionBlocks &blocks) : blocks(blocks) {
    scf::ParallelOp reduction = blocks.reduction;
    auto parent = reduction->getParentOfType<func::FuncOp>();
    auto module = parent->getParentOfType<ModuleOp>();
    Location loc = reduction.getLoc();
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(reduction.getRegion(), used);
    used.insert(reduction.getInitVals().begin(), reduction.getInitVals().end());
    used.insert(blocks.rowExtents.begin(), blocks.rowExtents.end());
    SmallVector<Value> constants;
    for (Value value : used)
      (matchPattern(value, m_Constant()) ? constants : captured).push_back(value);
    OpBuilder builder(parent->getContext());
    builder.setInsertionPointAfter(parent);
    unsigned number = 0;
    auto getName = [&] { return (parent.getName() + ".reduction" + Twine(number)).str(); };
    while (module.lookupSymbol(getName()))
      ++number;
    size_t axes = blocks.rowExtents.empty() ? 1 : 2;
    SmallVector<Type> types = llvm::to_vector(ValueRange(captured).getTypes());
    types.append(2 * axes, builder.getIndexType());
    function = func::FuncOp::create(builder, loc, getName(), builder.getFunctionType(types, reduction.getResultTypes()));
    function.setPrivate();
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping map;
    for (Value value : constants)
      map.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    map.map(captured, entry->getArguments().take_front(captured.size()));
    auto bounds = entry->getArguments().drop_front(captured.size());
    scf::ParallelOp loop = blocks.build(builder, {llvm::to_vector_of<Value>(bounds.take_front(axes)), llvm::to_vector_of<Value>(bounds.drop_front(axes))}, map);
    func::ReturnOp::create(builder, loc, loop.getResults());
  }

  func::CallOp call(OpBuilder &builder, const ReductionBlocks::Bounds &bounds, const IRMapping &map) {
    SmallVector<Value> arguments;
    for (Value value : captured)
      arguments.push_back(map.lookupOrDefault(value));
    llvm::append_range(arguments, bounds.first);
    llvm::append_range(arguments, bounds.second);
    auto call = func::CallOp::create(builder, blocks.reduction.getLoc(), function, arguments);
    setLoopCost(call, blocks.reduction.getBody(), bounds.second.size());
    return call;
  }

  ReductionBlocks &blocks;
  SmallVector<Value> captured;
  func::FuncOp function;
};
} // namespace

bool npcc::splitKernel(np::KernelOp kernel) {
  if (kernel.getCold()) // it combines few values already
    return false;
  scf::ParallelOp reduction = findOnlyReduction(kernel);
  if (!reduction)
    return false;
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  SmallVector<Value> extents = llvm::to_vector(kernel.getExtents());
  Value iterations = product(builder, loc, extents), zero = index(0);
  ReductionBlocks blocks(builder, reduction);
  OutlinedReduction outlined(blocks);
  Value elements = arith::MulIOp::create(builder, loc, blocks.rows, blocks.columns);
  const Tuning &tuning = getTargetProperties(kernel).tuning; // enough iterations are not split
  Value few = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, iterations, index(tuning.manyRows));
  Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, iterations, zero);
  Value many = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, elements, index(tuning.longRow));
  Value split = arith::AndIOp::create(builder, loc, arith::AndIOp::create(builder, loc, few, some), many);
  auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "rows in parts", split);

  builder.setInsertionPointToStart(offer.getOfferedBlock());
  Value count = arith::MulIOp::create(builder, loc, blocks.count, iterations);
  SmallVector<Value> partials;
  for (Type type : reduction.getResultTypes())
    partials.push_back(np::AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, type), ValueRange{count}));
  auto place = [&](OpBuilder &at, Value block, ValueRange positions) -> Value {
    Value position = arith::MulIOp::create(at, loc, block, iterations), iteration = positions[0];
    for (auto [each, extent] : llvm::zip(positions.drop_front(), ValueRange(extents).drop_front()))
      iteration = arith::AddIOp::create(at, loc, arith::MulIOp::create(at, loc, iteration, extent), each);
    return arith::AddIOp::create(at, loc, position, iteration);
  };

  // The blocks, outermost; for each the kernel up to its reduction.
  SmallVector<Value> space{blocks.count};
  space.append(extents);
  auto first = np::KernelOp::create(builder, loc, space);
  // The time goes into the function, here nothing is worth many instructions.
  first.setCold(true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.getBody());
    SmallVector<Value> positions(first.getInductionVars());
    IRMapping map;
    map.map(kernel.getInductionVars(), ValueRange(positions).drop_front());
    for (Operation &op : *kernel.getBody()) {
      if (&op == reduction.getOperation())
        break;
      builder.clone(op, map);
    }
    func::CallOp part = outlined.call(builder, blocks.getBlock(builder, positions[0]), map);
    Value position = place(builder, positions[0], ValueRange(positions).drop_front());
    for (auto [partial, value] : llvm::zip_equal(partials, part.getResults()))
      memref::StoreOp::create(builder, loc, value, partial, position);
  }

  // The kernel with the partial results in place of the elements.
  IRMapping map;
  auto second = cast<np::KernelOp>(builder.clone(*kernel, map));
  second.setCold(true);
  Operation *loop = map.lookup(reduction.getOperation());
  {
    OpBuilder inside(loop);
    SmallVector<Value> positions(second.getInductionVars());
    scf::ParallelOp combined = blocks.combine(inside, partials, [&](OpBuilder &at, Value block) { return place(at, block, positions); });
    loop->replaceAllUsesWith(combined.getResults());
    loop->erase();
  }
  for (Value partial : partials)
    np::ReleaseOp::create(builder, loc, partial);

  // The kernel as it was, calling the function.
  builder.setInsertionPoint(reduction);
  func::CallOp whole = outlined.call(builder, blocks.getWhole(builder), IRMapping());
  reduction.replaceAllUsesWith(whole.getResults());
  reduction.erase();
  offer.setGeneral(kernel);
  return true;
}
