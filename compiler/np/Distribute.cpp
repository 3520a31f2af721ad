// One device's part of the program: blocks of the leading axis, by propagation and partition over np.
//
//   %t = np.ufunc "sqrt"(%x)                 %part = np.view %t rows [%lo, %lo + %rows)
//   %a = np.new %t                    ->     %tile = np.empty(%rows + 2h, ...)      np.store %part, rows h.. of %tile
//
// The split extent is the first axis of the first array argument; what has it as its first extent is split, everything
// else is the same on every device. Device r of P owns rows [lo, lo + rows); the last n mod P devices own one row more.
// A split array made here (or carried through a loop, or written) is a tile of its own rows and h ghost rows on either
// side, h being the largest distance at which a store reads a neighbour's row. Everything else keeps naming global
// rows: it sees the tile through a view that starts h - lo rows into it, of which only the device's own rows (and
// ghosts) are touched.
//
// * a store into a split array is cut to the rows that the device owns; if it reads other rows, ghosts are exchanged
//   before
// * a reduction over the split axis reduces the own rows; the partial results of all devices are gathered and combined
//   in rank order, so that every device has the same bits
// * a split array that is returned is gathered; written arguments get their own rows back
//
// What does not fit is an error at its line.
#include "compiler/memory/Region.h"
#include "compiler/np/Passes.h"
#include "compiler/np/SplitRows.h"
#include "dialects/Np/Devices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {
#define GEN_PASS_DEF_DISTRIBUTE
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Distributor : SplitRows {
public:
  explicit Distributor(func::FuncOp function)
      : SplitRows(function), function(function), builder(function.getContext()) {}

  LogicalResult run() {
    if (failed(chooseAxis()))
      return failure();
    collect();
    if (failed(measureHalo()))
      return failure();
    makeTile();
    for (ReduceOp op : reductions)
      splitReduction(op);
    for (Operation *op : sinks)
      cutSink(op);
    for (Value root : roots)
      showTile(root);
    gatherResults();
    giveBack();
    return success();
  }

private:
  //===---- The tile ----===//

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value subtract(Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b); }
  Value smaller(Value a, Value b) { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }
  Value larger(Value a, Value b) { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); }

  void makeTile() {
    loc = function.getLoc();
    builder.setInsertionPointToStart(&function.getBody().front());
    n = DimOp::create(builder, loc, first, 0);
    rank = RankOp::create(builder, loc);
    count = DeviceCountOp::create(builder, loc);
    Value each = arith::DivUIOp::create(builder, loc, n, count), rest = arith::RemUIOp::create(builder, loc, n, count);
    // Devices from `count - rest` on own one row more.
    Value longFrom = subtract(count, rest);
    Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, rank, longFrom);
    rows = add(each, arith::SelectOp::create(builder, loc, isLong, constant(1), constant(0)));
    Value longBefore = larger(subtract(rank, longFrom), constant(0));
    lo = add(arith::MulIOp::create(builder, loc, rank, each), longBefore);
    hi = add(lo, rows);
    haloValue = constant(halo);
    firstGlobalRow = subtract(lo, haloValue);
    tileRows = add(rows, constant(2 * halo));
    for (Value &root : roots)
      if (isArgument(root))
        root = takeTile(root);
  }

  /// A view of `count` rows from `offset` on; all of the other axes.
  Value rowsOf(Value source, Value offset, Value extent) {
    int64_t sourceRank = getRank(source.getType());
    SmallVector<Value> offsets(sourceRank, constant(0)), extents, steps(sourceRank, constant(1));
    SmallVector<int64_t> axes, shape(getShape(source.getType()));
    offsets[0] = offset;
    shape[0] = ShapedType::kDynamic;
    for (int64_t k = 0; k < sourceRank; ++k) {
      axes.push_back(k);
      extents.push_back(k == 0 ? extent : np::getExtent(builder, loc, source, k));
    }
    Type element = getElementType(source.getType());
    Type type = isa<ArrayType>(source.getType()) ? Type(ArrayType::get(builder.getContext(), shape, element, false))
                                                 : Type(RankedTensorType::get(shape, element));
    return ViewOp::create(builder, loc, type, source, offsets, axes, extents, steps);
  }

  Value emptyTile(Value like) {
    SmallVector<int64_t> shape(getShape(like.getType()));
    shape[0] = ShapedType::kDynamic;
    SmallVector<Value> extents;
    for (int64_t k = 0; k < static_cast<int64_t>(shape.size()); ++k)
      if (ShapedType::isDynamic(shape[k]))
        extents.push_back(k == 0 ? tileRows : np::getExtent(builder, loc, like, k));
    auto type = ArrayType::get(builder.getContext(), shape, getElementType(like.getType()), /*contiguous=*/true);
    return EmptyOp::create(builder, loc, type, extents);
  }

  /// An argument's own rows and ghosts, copied.
  Value takeTile(Value argument) {
    Value tile = emptyTile(argument);
    Value from = larger(firstGlobalRow, constant(0)), to = smaller(add(hi, haloValue), n);
    Value have = larger(subtract(to, from), constant(0));
    Value part = LoadOp::create(builder, loc, rowsOf(argument, from, have));
    StoreOp::create(builder, loc, part, rowsOf(tile, subtract(from, firstGlobalRow), have));
    arguments.push_back({argument, tile, builder.saveInsertionPoint()});
    // From here on the function sees the tile.
    Operation *last = &*std::prev(builder.getInsertionPoint());
    argument.replaceUsesWithIf(tile, [&](OpOperand &use) {
      Operation *user = function.getBody().findAncestorOpInRegion(*use.getOwner());
      return !isa<DimOp>(use.getOwner()) && last->isBeforeInBlock(user);
    });
    return tile;
  }

  /// What names global rows sees the tile through a window of all n rows.
  void showTile(Value tile) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(tile);
    Operation *anchor = nullptr;
    for (auto &[argument, owned, point] : arguments)
      if (owned == tile) {
        builder.restoreInsertionPoint(point);
        anchor =
            builder.getInsertionPoint() == builder.getInsertionBlock()->end() ? nullptr : &*builder.getInsertionPoint();
      }
    Value window = rowsOf(tile, subtract(haloValue, lo), n);
    tile.replaceUsesWithIf(window, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (anchor && user->getBlock() == anchor->getBlock() && user->isBeforeInBlock(anchor))
        return false;
      if (user == window.getDefiningOp() ||
          (user->getBlock() == window.getDefiningOp()->getBlock() && user->isBeforeInBlock(window.getDefiningOp())))
        return false;
      return isa<LoadOp, ViewOp, StoreOp, StoreMaskedOp>(user) && !ownViews.contains(user);
    });
  }

  //===---- Statements ----===//

  void cutSink(Operation *op) {
    size_t k = llvm::find(sinks, op) - sinks.begin();
    loc = op->getLoc();
    builder.setInsertionPoint(op);
    for (auto &[array, before] : exchanges[k]) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(before);
      ExchangeHaloOp::create(builder, loc, array, haloValue, haloValue);
    }
    if (auto fresh = dyn_cast<NewOp>(op)) {
      Value tile = emptyTile(fresh.getArray());
      Value target = rowsOf(tile, haloValue, rows);
      ownViews.insert(target.getDefiningOp());
      StoreOp::create(builder, loc, rowsOf(fresh.getValue(), lo, rows), target);
      fresh.getArray().replaceUsesWithIf(tile, [](OpOperand &use) { return !isa<DimOp>(use.getOwner()); });
      for (Operation *user : llvm::make_early_inc_range(fresh.getArray().getUsers()))
        if (auto dim = dyn_cast<DimOp>(user)) {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(dim);
          dim.replaceAllUsesWith(np::getExtent(builder, loc, fresh.getValue(), dim.getAxis()));
          dim.erase();
        }
      fresh.erase();
      roots.push_back(tile);
      return;
    }
    Value array = op->getOperands().back();
    std::optional<int64_t> row = getFirstRow(array);
    if (!row) { // one row: the others store nothing
      auto view = array.getDefiningOp<ViewOp>();
      Value at = view.getOffsets().front();
      Value mine =
          arith::AndIOp::create(builder, loc, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, at, lo),
                                arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, at, hi));
      auto branch = scf::IfOp::create(builder, loc, mine, /*withElseRegion=*/false);
      op->moveBefore(branch.thenYield());
      return;
    }
    // Rows [begin, end) of the stored value are this device's.
    // A whole array is stored into over all n rows, whatever its tile's extent is.
    Value extent = array.getDefiningOp<ViewOp>() ? np::getExtent(builder, loc, array, 0) : n, start = constant(*row);
    Value begin = smaller(larger(subtract(lo, start), constant(0)), extent);
    Value end = larger(smaller(subtract(hi, start), extent), begin);
    Value length = subtract(end, begin);
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (value == array)
        operand.set(rowsOf(array, begin, length));
      else if (isa<RankedTensorType>(value.getType()) && getRank(value.getType()) == getRank(array.getType()) &&
               getShape(value.getType())[0] != 1)
        operand.set(rowsOf(value, begin, length));
      else if (operand.getOperandNumber() == 1 && isa<RankedTensorType>(value.getType())) // a mask of the leading axes
        operand.set(rowsOf(value, begin, length));
    }
  }
  void splitReduction(ReduceOp op) {
    loc = op.getLoc();
    builder.setInsertionPoint(op);
    Value part = ReduceOp::create(builder, loc, op.getKind(), rowsOf(op.getInput(), lo, rows), op.getAxes());
    auto type = cast<RankedTensorType>(part.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), ShapedType::kDynamic);
    SmallVector<Value> extents{count};
    for (int64_t k = 0; k < type.getRank(); ++k)
      if (ShapedType::isDynamic(type.getDimSize(k)))
        extents.push_back(np::getExtent(builder, loc, op.getResult(), k));
    auto gathered = EmptyOp::create(builder, loc,
                                    ArrayType::get(builder.getContext(), shape, type.getElementType(), true), extents);
    // Row `rank` is this device's.
    SmallVector<Value> offsets(shape.size(), constant(0)), steps(type.getRank(), constant(1)), rowExtents;
    offsets[0] = rank;
    SmallVector<int64_t> axes;
    for (int64_t k = 0; k < type.getRank(); ++k) {
      axes.push_back(k + 1);
      rowExtents.push_back(np::getExtent(builder, loc, gathered.getArray(), k + 1));
    }
    Value row = ViewOp::create(builder, loc,
                               ArrayType::get(builder.getContext(), type.getShape(), type.getElementType(), false),
                               gathered.getArray(), offsets, axes, rowExtents, steps);
    StoreOp::create(builder, loc, part, row);
    ExchangeHaloOp::create(builder, loc, gathered.getArray(), rank, subtract(subtract(count, rank), constant(1)));
    Value all = LoadOp::create(builder, loc, gathered.getArray());
    SmallVector<int64_t> firstAxis{0};
    Value whole = ReduceOp::create(builder, loc, op.getKind(), all, builder.getDenseI64ArrayAttr(firstAxis));
    op.replaceAllUsesWith(whole);
    op.erase();
  }

  //===---- The end ----===//

  void gatherResults() {
    for (Value inside : carried)
      showTile(inside);
    function.walk([&](func::ReturnOp op) {
      builder.setInsertionPoint(op);
      loc = op.getLoc();
      for (OpOperand &operand : op->getOpOperands()) {
        Value tile = operand.get();
        bool isTile = llvm::is_contained(roots, tile) || llvm::is_contained(carried, tile);
        if (!isTile)
          continue;
        SmallVector<int64_t> shape(getShape(tile.getType()));
        SmallVector<Value> extents;
        for (int64_t k = 0; k < static_cast<int64_t>(shape.size()); ++k)
          if (ShapedType::isDynamic(shape[k]))
            extents.push_back(k == 0 ? n : np::getExtent(builder, loc, tile, k));
        auto whole = EmptyOp::create(
            builder, loc, ArrayType::get(builder.getContext(), shape, getElementType(tile.getType()), true), extents);
        StoreOp::create(builder, loc, LoadOp::create(builder, loc, rowsOf(tile, haloValue, rows)),
                        rowsOf(whole, lo, rows));
        ExchangeHaloOp::create(builder, loc, whole.getArray(), lo, subtract(n, hi));
        bool isContiguous = cast<ArrayType>(function.getResultTypes()[operand.getOperandNumber()]).getContiguous();
        operand.set(isContiguous ? whole.getArray() : rowsOf(whole.getArray(), constant(0), n));
      }
    });
  }

  void giveBack() {
    builder.setInsertionPoint(function.getBody().back().getTerminator());
    loc = function.getLoc();
    for (auto &[argument, tile, point] : arguments)
      if (written.contains(argument))
        StoreOp::create(builder, loc, LoadOp::create(builder, loc, rowsOf(tile, haloValue, rows)),
                        rowsOf(argument, lo, rows));
  }
  func::FuncOp function;
  OpBuilder builder;
  Location loc = UnknownLoc::get(function.getContext());
  Value n, rank, count, rows, lo, hi, haloValue, firstGlobalRow, tileRows;
  SmallVector<std::tuple<Value, Value, OpBuilder::InsertPoint>> arguments;
  llvm::SmallDenseSet<Operation *> ownViews;
};

struct Distribute : impl::DistributeBase<Distribute> {
  void runOnOperation() override {
    if (!getOperation().isDeclaration() && failed(Distributor(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
} // namespace npcc
