// Kernels that store along one axis and load along another: y = x.T, a + a.T.
//
//   block (32, 8), tile of 32 x 32: of each load that runs along the other axis the block first brings its part of the array into shared memory,
//   reading along that axis; then each thread computes 4 elements along the stores' axis with what lies there.
//   Rows of the tile are 33 elements long, so that both directions use all banks.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/kernels/Transpositions.h"

using namespace mlir;
namespace npcc::cuda {

static constexpr int64_t tileSide = 32, tileThreads = 8, perThread = tileSide / tileThreads;
static constexpr int64_t mostTileBytes = 40 * 1024;

/// As many of the loads as tiles have room for; others run along the other axis as they are.
static Transposition chooseTiles(np::KernelOp kernel, KernelAccesses &accesses) {
  Transposition tiled = findTransposition(kernel, accesses);
  int64_t bytes = 0;
  llvm::erase_if(tiled.loads, [&](memref::LoadOp load) {
    int64_t size = ElementLayout(accesses.lookup(load).stream->getType().getElementType()).bytes * tileSide * (tileSide + 1);
    bool hasRoom = bytes + size <= mostTileBytes;
    bytes += hasRoom ? size : 0;
    return !hasRoom;
  });
  return tiled;
}

namespace {
class TransposeEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;
  llvm::DenseMap<Operation *, Value> tiles;
  Value tileRow, tileColumn; // of lane 0; later lanes are `tileThreads` columns on

  Value loadElement(memref::LoadOp op, Lane &lane) { return emitScalarLoad(accesses.lookup(op), lane); }

protected:
  void emitLoad(memref::LoadOp op, Lanes lanes) override {
    Value tile = tiles.lookup(op);
    if (!tile)
      return BodyEmitter::emitLoad(op, lanes);
    for (auto [number, lane] : llvm::enumerate(lanes)) {
      Value column = math().add(tileColumn, number * tileThreads);
      lane.values.map(op.getResult(), memref::LoadOp::create(builder, loc, tile, ValueRange{tileRow, column}));
    }
  }
};
} // namespace

void emitTranspose(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  TransposeEmitter body(host, builder, loc);
  Transposition tiling = chooseTiles(kernel, accesses);
  IndexMath h = host.math();
  Value one = h.constant(1), side = h.constant(tileSide);
  SmallVector<Value> extents(kernel.getExtents());
  Value columns = extents[tiling.along], rows = extents[tiling.across], outer = one;
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (axis != tiling.along && axis != tiling.across)
      outer = h.mul(outer, extent);
  Value rowTiles = h.ceilDiv(rows, side), most = h.constant(maxGridRows);
  auto launch = beginLaunch(host, builder, {h.ceilDiv(columns, side), h.min(rowTiles, most), h.min(outer, most)},
                            {side, h.constant(tileThreads), one}, "transpose");
  IndexMath m = body.math();
  gpu::KernelDim3 thread = launch.getThreadIds(), block = launch.getBlockIds(), grid = launch.getGridSize();
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  for (memref::LoadOp load : tiling.loads) {
    auto type = MemRefType::get({tileSide, tileSide + 1}, load.getType(), MemRefLayoutAttrInterface(), space);
    body.tiles[load] = launch.addWorkgroupAttribution(type, loc);
  }

  // All threads of a block take the same tiles.
  auto outerLoop = scf::ForOp::create(builder, loc, block.z, outer, grid.z);
  builder.setInsertionPointToStart(outerLoop.getBody());
  Lane base;
  Value linear = outerLoop.getInductionVar();
  for (int64_t axis = extents.size() - 1; axis >= 0; --axis) {
    if (axis == tiling.along || axis == tiling.across)
      continue;
    body.setPosition(base, kernel.getInductionVars()[axis], m.rem(linear, extents[axis]), 0);
    linear = m.div(linear, extents[axis]);
  }
  auto rowLoop = scf::ForOp::create(builder, loc, block.y, rowTiles, grid.y);
  builder.setInsertionPointToStart(rowLoop.getBody());
  Value row0 = m.mul(rowLoop.getInductionVar(), side), column0 = m.mul(block.x, side);
  Value rowPosition = kernel.getInductionVars()[tiling.across], columnPosition = kernel.getInductionVars()[tiling.along];
  auto isBelow = [&](Value a, Value b) { return m.compare(arith::CmpIPredicate::slt, a, b); };
  Value isWhole = m.both(m.compare(arith::CmpIPredicate::sle, m.add(row0, side), rows),
                         m.compare(arith::CmpIPredicate::sle, m.add(column0, side), columns));

  // Into shared memory: neighbouring threads along the loads' axis. Out of it: along the stores'.
  auto emitPhase = [&](bool isLoading) {
    Value row = m.add(row0, isLoading ? thread.x : thread.y), column = m.add(column0, isLoading ? thread.y : thread.x);
    auto emitLanes = [&](Value firstRow, Value firstColumn, Value inTile, int64_t count) {
      SmallVector<Lane> lanes;
      for (int64_t number = 0; number < count; ++number) {
        Lane &lane = lanes.emplace_back(base);
        body.setPosition(lane, rowPosition, firstRow, isLoading ? 0 : number * tileThreads);
        body.setPosition(lane, columnPosition, firstColumn, isLoading ? number * tileThreads : 0);
      }
      body.forget();
      if (!isLoading) {
        body.tileRow = thread.x;
        body.tileColumn = inTile;
        body.emitBlock(*kernel.getBody(), lanes);
        return;
      }
      for (memref::LoadOp load : tiling.loads) {
        SmallVector<Value> values;
        for (Lane &lane : lanes)
          values.push_back(body.loadElement(load, lane));
        for (auto [number, value] : llvm::enumerate(values))
          memref::StoreOp::create(builder, loc, value, body.tiles[load], ValueRange{m.add(inTile, number * tileThreads), thread.x});
      }
    };
    auto whole = scf::IfOp::create(builder, loc, isWhole, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(whole.thenBlock());
    emitLanes(row, column, thread.y, perThread);
    builder.setInsertionPointToStart(whole.elseBlock());
    auto loop = scf::ForOp::create(builder, loc, m.constant(0), side, m.constant(tileThreads));
    builder.setInsertionPointToStart(loop.getBody());
    Value moved = loop.getInductionVar();
    row = isLoading ? row : m.add(row, moved);
    column = isLoading ? m.add(column, moved) : column;
    auto inside = scf::IfOp::create(builder, loc, m.both(isBelow(row, rows), isBelow(column, columns)), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(inside.thenBlock());
    emitLanes(row, column, m.add(thread.y, moved), 1);
  };
  emitPhase(true);
  gpu::BarrierOp::create(builder, loc);
  emitPhase(false);
  gpu::BarrierOp::create(builder, loc); // before the tile is filled again
  markSmallPositions(host, launch);
}

} // namespace npcc::cuda
