// Kernels of the kind `rows` that factorise small matrices (np.factor): a team of neighbouring lanes of a warp for each
// iteration, at least one for each row of the matrix, and the team's arrays in shared memory.
//
//   np.kernel rows (%i) = (%n) {                         block of up to 64 threads, 8 lanes for each matrix of 8 x 8
//     %m = memref.alloca() : memref<8x8xf64, shared>     %tiles = shared memory for the matrices of 8 teams
//     scf.parallel (%r, %c) ... store .., %m[%r, %c]     for rows r: lane c stores %tiles[team][r][c]      wait
//     %good = np.factor "solve_rows"(%m, %x)       ->    elimination by rows (MatrixTeam.cpp)
//     scf.parallel (%r, %c) ... load %x[%c, %r] ..       for rows r: lane c loads %tiles[team][c][r] ..    wait
//   }
//
// Lanes of a warp wait for each other and not for the block. Teams behind the last iteration compute that one again and
// store nothing. Code outside of loops is every lane's; the first one stores.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/MatrixTeam.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

constexpr int64_t threadsForMatrices = 64, sharedBytes = 48 * 1024; // of a block; what every GPU has

class MatricesEmitter : public BodyEmitter {
public:
  MatricesEmitter(HostSide &host, OpBuilder &builder, Location loc, gpu::LaunchOp launch, int64_t lanes,
                  int64_t threads)
      : BodyEmitter(host, builder, loc), launch(launch), thread(launch.getThreadIds().x), lanes(lanes),
        threads(threads) {}

  gpu::LaunchOp launch;
  Value thread;
  int64_t lanes, threads; // of a team, of a block
  Value isValid, isFirst; // the team has an iteration of its own; and this is its first lane
  llvm::DenseMap<Value, MatrixTile> tiles;

  MatrixTeam getTeam() { return {builder, loc, thread, lanes}; }

protected:
  void emitLoad(memref::LoadOp op, Lanes all) override {
    auto tile = tiles.find(op.getMemRef());
    if (tile == tiles.end())
      return BodyEmitter::emitLoad(op, all);
    for (Lane &lane : all) {
      auto [row, column] = getPlace(tile->second, op.getIndices(), lane);
      lane.values.map(op.getResult(), tile->second.load(math(), row, column));
    }
  }

  void emitStore(memref::StoreOp op, Lanes all) override {
    auto tile = tiles.find(op.getMemRef());
    if (tile == tiles.end())
      return BodyEmitter::emitStore(op, all);
    OpBuilder::InsertionGuard guard(builder);
    if (leader && !isShared) { // shared out: also teams without an iteration fill their own arrays
      auto guarded = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(guarded.thenBlock());
    }
    for (Lane &lane : all) {
      auto [row, column] = getPlace(tile->second, op.getIndices(), lane);
      tile->second.store(math(), lane.values.lookupOrDefault(op.getValueToStore()), row, column);
    }
  }

  void emitFactor(np::FactorOp op, Lanes all) override {
    MatrixTeam team = getTeam();
    MatrixTile a = tiles.at(op.getArrays()[0]);
    Value good;
    if (op.getRoutine().starts_with("qr")) {
      emitTeamCall(op, op.getRoutine(), getNumbersOfQr(op), /*hasResult=*/false);
      good = math().truth(true);
    } else if (op.getRoutine().starts_with("eig")) {
      good = emitTeamCall(op, "eigh", getNumbersOfSpectrum(op), /*hasResult=*/true);
    } else if (op.getRoutine() == "solve_rows") {
      good = team.solve(a, tiles.at(op.getArrays()[1]));
    } else if (op.getRoutine() == "lu") {
      team.factorise(a.transpose(), tiles.at(op.getArrays()[1]));
      good = math().truth(true);
    } else {
      good = team.cholesky(a.transpose());
    }
    for (Lane &lane : all)
      lane.values.map(op.getSucceeded(), good);
  }

  /// A function of the runtime's (runtime/cuda/kernels/teams.cu): where the arrays of the team begin in shared memory,
  /// and numbers. Whether it succeeded, if it says so.
  Value emitTeamCall(np::FactorOp op, StringRef routine, ArrayRef<int64_t> numbers, bool hasResult) {
    Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
    SmallVector<Value> operands;
    for (Value array : op.getArrays()) {
      const MatrixTile &tile = tiles.at(array);
      int64_t bytes = ElementLayout(cast<MemRefType>(array.getType()).getElementType()).bytes;
      Value begin = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, tile.memory);
      Value place = math().add(begin, math().mul(tile.first, bytes));
      operands.push_back(arith::IndexCastOp::create(builder, loc, i64, place));
    }
    for (int64_t number : numbers)
      operands.push_back(arith::ConstantIntOp::create(builder, loc, number, 32));
    StringRef type = getTypeName(cast<MemRefType>(op.getArrays()[0].getType()).getElementType());
    std::string name = ("npcc_team_" + routine + "_" + type).str();
    auto call = np::CallLinkedOp::create(builder, loc, hasResult ? TypeRange(i32) : TypeRange(), name, operands);
    if (!hasResult)
      return {};
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, call.getResult(0), zero);
  }

  /// Rows of the matrix, which lies column by column in rows of the array; of Q its reflections; columns; lanes.
  SmallVector<int64_t> getNumbersOfQr(np::FactorOp op) {
    auto tileOf = [&](unsigned number) { return tiles.at(op.getArrays()[number]); };
    if (op.getRoutine() == "qr")
      return {tileOf(0).columns, tileOf(1).columns, tileOf(2).rows, lanes};
    return {tileOf(0).columns, tileOf(0).rows, lanes};
  }

  /// From column to column, rows, lanes, which triangle is read, and whether vectors are wanted.
  SmallVector<int64_t> getNumbersOfSpectrum(np::FactorOp op) {
    int64_t rows = tiles.at(op.getArrays()[0]).rows;
    return {MatrixTile::getStep(rows), rows, lanes, op.getRoutine().ends_with("_upper"),
            op.getRoutine().starts_with("eigh")};
  }

  static StringRef getTypeName(Type element) {
    auto complex = dyn_cast<ComplexType>(element);
    bool isDouble = (complex ? complex.getElementType() : element).isF64();
    return complex ? (isDouble ? "complex128" : "complex64") : isDouble ? "float64" : "float32";
  }

  /// What a lane stores others may still be reading, and will read next.
  void prepare(Operation &op) override {
    if (isOfAllLanes(op) && (mayWrite(&op) || isa<np::FactorOp>(op)))
      getTeam().synchronise();
  }
  void finish(Operation &op) override {
    if (!isOfAllLanes(op) || !mayWrite(&op))
      return;
    getTeam().synchronise();
    forget();
  }

  void emitParallel(scf::ParallelOp op, Lanes all) override {
    if (!isOfAllLanes(*op))
      return BodyEmitter::emitParallel(op, all);
    llvm::SaveAndRestore<bool> inside(isShared, true);
    llvm::SaveAndRestore<Value> storing(leader, isValid);
    forget();
    if (op.getNumResults() > 0)
      return reduce(op, all.front());
    int64_t last = getExtent(op, op.getNumLoops() - 1), outer = 1;
    for (unsigned axis = 0; axis + 1 < op.getNumLoops(); ++axis)
      outer *= getExtent(op, axis);
    // A row for all lanes, if it is about as long as there are lanes; else the elements in order.
    if (last <= lanes && 2 * last > lanes)
      emitByRows(op, all.front(), outer, last);
    else
      emitInOrder(op, all.front(), outer * last);
    forget();
  }

private:
  static int64_t getExtent(scf::ParallelOp op, unsigned axis) { return *getConstantIntValue(op.getUpperBound()[axis]); }

  /// As constants of the code at hand: those of the kernel go with it.
  SmallVector<Value> getExtents(scf::ParallelOp op) {
    SmallVector<Value> extents;
    for (unsigned axis = 0; axis < op.getNumLoops(); ++axis)
      extents.push_back(math().constant(getExtent(op, axis)));
    return extents;
  }

  std::pair<Value, Value> getPlace(const MatrixTile &tile, ValueRange indices, Lane &lane) {
    IndexMath m = math();
    Value row = m.constant(0), column = m.constant(0);
    if (!indices.empty())
      column = lane.values.lookupOrDefault(indices.back());
    if (indices.size() > 1)
      row = lane.values.lookupOrDefault(indices.front());
    return {row, column};
  }

  bool isOfAllLanes(Operation &op) { return !isShared && op.getParentOp() == host.getKernel(); }

  Value getLane() { return math().bitAnd(thread, math().constant(lanes - 1)); }

  /// Each lane combines its own elements, and then the lanes what they have: all get the result.
  void reduce(scf::ParallelOp op, Lane &outside) {
    int64_t count = 1;
    for (unsigned axis = 0; axis < op.getNumLoops(); ++axis)
      count *= getExtent(op, axis);
    SmallVector<Value> totals;
    for (Value init : op.getInitVals()) // changes nothing
      totals.push_back(outside.values.lookupOrDefault(init));
    emitLoop(getLane(), math().constant(count), math().constant(lanes), totals,
             [&](Value number, SmallVector<Value> &carried) {
               Lane lane = outside;
               setPositions(op, lane, math().unravel(number, getExtents(op)));
               forget();
               emitIterations(op, lane, carried);
             });
    auto combiners = cast<scf::ReduceOp>(op.getBody()->getTerminator()).getReductions();
    totals = emitTeamReduce(
        builder, loc, launch, math().constant(lanes), math().truth(false), totals,
        [&](unsigned number, Value left, Value right) { return emitCombine(combiners[number], left, right); }, threads);
    outside.values.map(op.getResults(), totals);
    forget();
  }

  void emitRounds(scf::ParallelOp op, Lane &outside, int64_t rounds, function_ref<void(Lane &, Value)> place) {
    int64_t unroll = chooseUnroll(*op.getBody(), 1, 4), whole = rounds / unroll * unroll;
    auto emit = [&](int64_t from, int64_t to, int64_t step) {
      if (from == to)
        return;
      auto loop = scf::ForOp::create(builder, loc, math().constant(from), math().constant(to), math().constant(step));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Lane> copies(step, outside);
      for (auto [number, copy] : llvm::enumerate(copies))
        place(copy, math().add(loop.getInductionVar(), number));
      forget();
      emitBlock(*op.getBody(), copies);
      forget();
    };
    emit(0, whole, unroll);
    emit(whole, rounds, 1);
  }

  void setPositions(scf::ParallelOp op, Lane &lane, ValueRange positions) {
    for (auto [name, position] : llvm::zip_equal(op.getInductionVars(), positions))
      setPosition(lane, name, position, 0);
  }

  void emitByRows(scf::ParallelOp op, Lane &outside, int64_t rows, int64_t columns) {
    OpBuilder::InsertionGuard guard(builder);
    if (columns < lanes) {
      Value has = math().compare(arith::CmpIPredicate::slt, getLane(), math().constant(columns));
      auto some = scf::IfOp::create(builder, loc, has, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(some.thenBlock());
    }
    Value column = getLane();
    emitRounds(op, outside, rows, [&](Lane &lane, Value row) {
      SmallVector<Value> positions = math().unravel(row, ArrayRef(getExtents(op)).drop_back());
      positions.push_back(column);
      setPositions(op, lane, positions);
    });
  }

  void emitInOrder(scf::ParallelOp op, Lane &outside, int64_t count) {
    auto positionOf = [&](Value round) { return math().add(math().mul(round, lanes), getLane()); };
    int64_t whole = count / lanes;
    emitRounds(op, outside, whole, [&](Lane &lane, Value round) {
      setPositions(op, lane, math().unravel(positionOf(round), getExtents(op)));
    });
    if (whole * lanes == count)
      return;
    Value rest = positionOf(math().constant(whole));
    OpBuilder::InsertionGuard guard(builder);
    auto some = scf::IfOp::create(builder, loc, math().compare(arith::CmpIPredicate::slt, rest, math().constant(count)),
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(some.thenBlock());
    Lane lane = outside;
    setPositions(op, lane, math().unravel(rest, getExtents(op)));
    forget();
    emitBlock(*op.getBody(), lane);
  }

  bool isShared = false; // the code at hand is a part of a loop that lanes share out
};

/// A power of two, at least the rows and columns of every matrix.
int64_t countLanes(np::KernelOp kernel) {
  int64_t most = 1;
  for (auto factor : kernel.getBody()->getOps<np::FactorOp>()) {
    // Lanes share out right sides, however many there are, and what a function works with.
    bool hasOne = !factor.getRoutine().starts_with("qr");
    for (Value array : hasOne ? factor.getArrays().take_front() : factor.getArrays())
      most = std::max<int64_t>(most, *llvm::max_element(cast<MemRefType>(array.getType()).getShape()));
  }
  return llvm::PowerOf2Ceil(most);
}

MatrixTile layOut(MemRefType type) {
  ArrayRef<int64_t> shape = type.getShape();
  return {{}, {}, shape.size() > 1 ? shape.front() : 1, shape.empty() ? 1 : shape.back()};
}

int64_t countElements(const MatrixTile &tile) { return tile.rows * MatrixTile::getStep(tile.columns); }

} // namespace

int64_t countTeamsOfMatrices(int64_t lanes, int64_t bytes) {
  return llvm::bit_floor<uint64_t>(std::max<int64_t>(std::min(threadsForMatrices / lanes, sharedBytes / bytes), 1));
}

void emitMatrices(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  IndexMath h = host.math();
  SmallVector<memref::AllocaOp> arrays(kernel.getBody()->getOps<memref::AllocaOp>());
  int64_t lanes = countLanes(kernel), bytes = 0;
  for (memref::AllocaOp array : arrays)
    bytes += countElements(layOut(array.getType())) * ElementLayout(array.getType().getElementType()).bytes;
  int64_t teams = countTeamsOfMatrices(lanes, bytes), threads = teams * lanes;
  Value rows = h.constant(1), one = h.constant(1);
  for (Value extent : kernel.getExtents())
    rows = h.mul(rows, extent);
  auto launch = beginLaunch(host, builder, {h.ceilDiv(rows, h.constant(teams)), one, one},
                            {h.constant(threads), one, one}, "rows");
  Value thread = launch.getThreadIds().x;
  MatricesEmitter body(host, builder, loc, launch, lanes, threads);
  IndexMath m = body.math();
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  Value team = m.div(thread, m.constant(lanes));
  for (memref::AllocaOp array : arrays) {
    MatrixTile tile = layOut(array.getType());
    int64_t elements = countElements(tile);
    auto type =
        MemRefType::get({elements * teams}, array.getType().getElementType(), MemRefLayoutAttrInterface(), space);
    tile.memory = launch.addWorkgroupAttribution(type, loc);
    tile.first = m.mul(team, elements);
    body.tiles[array] = tile;
  }
  TeamPlace place = emitTeamPlace(m, launch, h.constant(lanes), h.constant(teams), rows, threads);
  body.isFirst = m.compare(arith::CmpIPredicate::eq, place.member, m.constant(0));
  body.isValid = place.isValid;
  body.leader = m.both(place.isValid, body.isFirst);
  body.emitIteration(kernel, place.row);
}

} // namespace npcc::cuda
