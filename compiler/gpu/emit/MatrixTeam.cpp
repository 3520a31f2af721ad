#include "compiler/gpu/emit/MatrixTeam.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc::cuda {

using Less = arith::CmpIPredicate;
using Compare = arith::CmpFPredicate;

/// Elements that a lane has under way at once: each is loaded, changed and stored, which takes long for one alone.
constexpr int64_t elementsAtOnce = 4;

Value MatrixTile::getPlace(IndexMath math, Value row, Value column) const {
  return math.add(first, math.add(math.mul(row, getStep(columns)), column));
}
Value MatrixTile::load(IndexMath math, Value row, Value column) const {
  if (isTransposed)
    std::swap(row, column);
  return memref::LoadOp::create(math.builder, math.loc, memory, getPlace(math, row, column));
}
void MatrixTile::store(IndexMath math, Value value, Value row, Value column) const {
  if (isTransposed)
    std::swap(row, column);
  memref::StoreOp::create(math.builder, math.loc, value, memory, getPlace(math, row, column));
}
MatrixTile MatrixTile::transpose() const {
  MatrixTile other = *this;
  other.isTransposed = !isTransposed;
  return other;
}

MatrixTeam::MatrixTeam(OpBuilder &builder, Location loc, Value thread, int64_t lanes)
    : builder(builder), loc(loc), lanes(lanes) {
  lane = m().bitAnd(thread, m().constant(lanes - 1));
  firstOfTeam = m().sub(m().bitAnd(thread, m().constant(31)), lane);
}

void MatrixTeam::synchronise() {
  NVVM::SyncWarpOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, -1, 32));
}

//===---- Numbers ----===//

Value MatrixTeam::subtractProduct(Value from, Value a, Value b) {
  if (isa<ComplexType>(from.getType()))
    return complex::SubOp::create(builder, loc, from, complex::MulOp::create(builder, loc, a, b));
  return math::FmaOp::create(builder, loc, arith::NegFOp::create(builder, loc, a), b, from);
}
Value MatrixTeam::divide(Value a, Value b) {
  if (isa<ComplexType>(a.getType()))
    return complex::DivOp::create(builder, loc, a, b);
  return arith::DivFOp::create(builder, loc, a, b);
}
Value MatrixTeam::conjugate(Value a) {
  return isa<ComplexType>(a.getType()) ? complex::ConjOp::create(builder, loc, a).getResult() : a;
}
Value MatrixTeam::realOf(Value a) {
  return isa<ComplexType>(a.getType()) ? complex::ReOp::create(builder, loc, a).getResult() : a;
}
Value MatrixTeam::ofReal(Value a, Type type) {
  if (!isa<ComplexType>(type))
    return a;
  return complex::CreateOp::create(builder, loc, type, a, real(a.getType(), 0));
}
Value MatrixTeam::sizeOf(Value a) {
  auto size = [&](Value x) -> Value { return math::AbsFOp::create(builder, loc, x); };
  if (!isa<ComplexType>(a.getType()))
    return size(a);
  return arith::AddFOp::create(builder, loc, size(complex::ReOp::create(builder, loc, a)),
                               size(complex::ImOp::create(builder, loc, a)));
}
Value MatrixTeam::real(Type type, double value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}

//===---- Loops ----===//

Value MatrixTeam::isLess(Value a, Value b) { return m().compare(Less::slt, a, b); }

void MatrixTeam::loop(Value from, Value to, int64_t step, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, m().constant(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}
void MatrixTeam::when(Value condition, function_ref<void()> body) {
  if (std::optional<int64_t> known = getConstantIntValue(condition); known && *known)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}
void MatrixTeam::share(int64_t count, function_ref<void(Value)> body) {
  for (int64_t done = 0; done < count; done += lanes) {
    Value mine = m().add(lane, done);
    when(done + lanes <= count ? m().truth(true) : isLess(mine, m().constant(count)), [&] { body(mine); });
  }
}

void MatrixTeam::subtractProducts(Value from, Value to, function_ref<Value(Value)> load,
                                  function_ref<void(Value, Value)> store,
                                  function_ref<std::pair<Value, Value>(Value)> getFactors) {
  auto emit = [&](Value first, int64_t count) {
    SmallVector<Value> places, results;
    for (int64_t number = 0; number < count; ++number) {
      places.push_back(m().add(first, number));
      auto [a, b] = getFactors(places.back());
      results.push_back(subtractProduct(load(places.back()), a, b));
    }
    for (auto [place, result] : llvm::zip_equal(places, results))
      store(place, result);
  };
  Value some = m().constant(elementsAtOnce);
  Value whole = m().add(from, m().mul(m().div(m().sub(to, from), some), some));
  loop(from, whole, elementsAtOnce, [&](Value first) { emit(first, elementsAtOnce); });
  loop(whole, to, 1, [&](Value first) { emit(first, 1); });
}

//===---- Elimination ----===//

/// The row with the largest element in a column, of those that are left; the first of several. Where NaN is among them
/// the lanes may find different ones: the first lane's counts.
Value MatrixTeam::findPivot(const MatrixTile &a, Value step) {
  IndexMath math = m();
  Value last = math.constant(a.rows - 1);
  Value size = sizeOf(a.load(math, math.min(lane, last), step));
  Value takesPart = math.both(math.compare(Less::sle, step, lane), math.compare(Less::sle, lane, last));
  Value best = arith::SelectOp::create(builder, loc, takesPart, size, real(size.getType(), -1));
  Type i32 = builder.getI32Type();
  Value pivot = arith::IndexCastOp::create(builder, loc, i32, lane);
  for (int64_t by = lanes / 2; by; by /= 2) {
    Value distance = arith::ConstantIntOp::create(builder, loc, by, 32);
    Value other = emitShuffle(builder, loc, best, distance, gpu::ShuffleMode::XOR);
    Value place = emitShuffle(builder, loc, pivot, distance, gpu::ShuffleMode::XOR);
    Value isMore = arith::CmpFOp::create(builder, loc, Compare::OGT, other, best);
    Value isSame = arith::CmpFOp::create(builder, loc, Compare::OEQ, other, best);
    Value isBefore = arith::CmpIOp::create(builder, loc, Less::slt, place, pivot);
    Value takes = math.either(isMore, math.both(isSame, isBefore));
    best = arith::SelectOp::create(builder, loc, takes, other, best);
    pivot = arith::SelectOp::create(builder, loc, takes, place, pivot);
  }
  Value first = arith::IndexCastOp::create(builder, loc, i32, firstOfTeam);
  pivot = emitShuffle(builder, loc, pivot, first, gpu::ShuffleMode::IDX);
  Value found = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), pivot);
  Value isOne = math.both(math.compare(Less::sle, step, found), math.compare(Less::sle, found, last));
  return math.select(isOne, found, step);
}

void MatrixTeam::swapRows(const MatrixTile &a, const MatrixTile *sides, Value one, Value other) {
  auto swap = [&](const MatrixTile &tile, Value column) {
    Value first = tile.load(m(), one, column), second = tile.load(m(), other, column);
    tile.store(m(), second, one, column);
    tile.store(m(), first, other, column);
  };
  when(m().compare(Less::ne, one, other), [&] {
    share(a.rows, [&](Value column) { swap(a, column); });
    if (sides)
      share(sides->rows, [&](Value column) { swap(sides->transpose(), column); });
  });
}

/// Also of the right sides, if `withSides`; their rows change places in any case.
MatrixTeam::Elimination MatrixTeam::eliminate(const MatrixTile &a, const MatrixTile *sides, bool withSides) {
  IndexMath math = m();
  Value rows = math.constant(a.rows), no = math.truth(false);
  auto steps = scf::ForOp::create(builder, loc, math.constant(0), rows, math.constant(1), ValueRange{no, no});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(steps.getBody());
  Value step = steps.getInductionVar();
  Value pivot = findPivot(a, step);
  Value moves = math.compare(Less::ne, step, pivot);
  swapRows(a, sides, step, pivot);
  synchronise();
  Value diagonal = a.load(math, step, step), size = sizeOf(diagonal);
  Value isZero = arith::CmpFOp::create(builder, loc, Compare::OEQ, size, real(size.getType(), 0));
  Value isNone = arith::XOrIOp::create(builder, loc, isZero, math.truth(true));
  Value isBelow = math.both(isLess(step, lane), isLess(lane, rows));
  when(math.both(isBelow, isNone), [&] {
    Value factor = divide(a.load(math, lane, step), diagonal);
    a.store(math, factor, lane, step);
    subtractProducts(
        math.add(step, 1), rows, [&](Value j) { return a.load(math, lane, j); },
        [&](Value j, Value value) { a.store(math, value, lane, j); },
        [&](Value j) { return std::pair(factor, a.load(math, step, j)); });
    if (withSides)
      subtractProducts(
          math.constant(0), math.constant(sides->rows), [&](Value c) { return sides->load(math, c, lane); },
          [&](Value c, Value value) { sides->store(math, value, c, lane); },
          [&](Value c) { return std::pair(factor, sides->load(math, c, step)); });
  });
  synchronise();
  scf::YieldOp::create(builder, loc,
                       ValueRange{math.either(steps.getRegionIterArg(0), isZero),
                                  arith::XOrIOp::create(builder, loc, steps.getRegionIterArg(1), moves)});
  return {steps.getResult(0), steps.getResult(1)};
}

void MatrixTeam::substituteByColumns(const MatrixTile &a, const MatrixTile &sides) {
  IndexMath math = m();
  Value zero = math.constant(0), rows = math.constant(a.rows);
  share(sides.rows, [&](Value column) {
    auto subtract = [&](Value from, Value to, Value step) {
      Value known = sides.load(math, column, step);
      subtractProducts(
          from, to, [&](Value i) { return sides.load(math, column, i); },
          [&](Value i, Value value) { sides.store(math, value, column, i); },
          [&](Value i) { return std::pair(a.load(math, i, step), known); });
    };
    loop(zero, rows, 1, [&](Value step) { subtract(math.add(step, 1), rows, step); });
    loop(zero, rows, 1, [&](Value done) {
      Value step = math.sub(math.constant(a.rows - 1), done);
      sides.store(math, divide(sides.load(math, column, step), a.load(math, step, step)), column, step);
      subtract(zero, step, step);
    });
  });
  synchronise();
}

void MatrixTeam::substituteByRows(const MatrixTile &a, const MatrixTile &sides) {
  IndexMath math = m();
  loop(math.constant(0), math.constant(a.rows), 1, [&](Value done) {
    Value step = math.sub(math.constant(a.rows - 1), done), diagonal = a.load(math, step, step);
    share(sides.rows,
          [&](Value column) { sides.store(math, divide(sides.load(math, column, step), diagonal), column, step); });
    synchronise();
    when(isLess(lane, step), [&] {
      Value factor = a.load(math, lane, step);
      subtractProducts(
          math.constant(0), math.constant(sides.rows), [&](Value c) { return sides.load(math, c, lane); },
          [&](Value c, Value value) { sides.store(math, value, c, lane); },
          [&](Value c) { return std::pair(factor, sides.load(math, c, step)); });
    });
    synchronise();
  });
}

Value MatrixTeam::solve(const MatrixTile &a, const MatrixTile &sides) {
  bool areMany = 2 * sides.rows > a.rows;
  Elimination found = eliminate(a, &sides, /*withSides=*/!areMany);
  if (areMany)
    substituteByColumns(a, sides);
  else
    substituteByRows(a, sides);
  when(found.isSingular, [&] {
    share(a.rows, [&](Value row) {
      Type type = cast<MemRefType>(sides.memory.getType()).getElementType();
      auto part = isa<ComplexType>(type) ? cast<ComplexType>(type).getElementType() : type;
      Value nan = ofReal(real(part, std::numeric_limits<double>::quiet_NaN()), type);
      loop(m().constant(0), m().constant(sides.rows), 1, [&](Value column) { sides.store(m(), nan, column, row); });
    });
  });
  synchronise();
  return arith::XOrIOp::create(builder, loc, found.isSingular, m().truth(true));
}

void MatrixTeam::factorise(const MatrixTile &a, const MatrixTile &parity) {
  Elimination found = eliminate(a, nullptr, false);
  Type type = cast<MemRefType>(parity.memory.getType()).getElementType();
  Type part = isa<ComplexType>(type) ? cast<ComplexType>(type).getElementType() : type;
  Value sign = arith::SelectOp::create(builder, loc, found.isOdd, real(part, -1), real(part, 1));
  Value zero = m().constant(0);
  when(m().compare(Less::eq, lane, zero), [&] { parity.store(m(), ofReal(sign, type), zero, zero); });
  synchronise();
}

Value MatrixTeam::cholesky(const MatrixTile &a) {
  IndexMath math = m();
  Value rows = math.constant(a.rows), isRow = isLess(lane, rows);
  auto steps = scf::ForOp::create(builder, loc, math.constant(0), rows, math.constant(1), ValueRange{math.truth(true)});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(steps.getBody());
    Value step = steps.getInductionVar();
    Value diagonal = a.load(math, step, step), square = realOf(diagonal);
    Type type = diagonal.getType();
    // NaN is no error, as in LAPACK.
    Value isGood = arith::CmpFOp::create(builder, loc, Compare::UGT, square, real(square.getType(), 0));
    Value root = ofReal(math::SqrtOp::create(builder, loc, square), type);
    synchronise();
    Value isBelow = math.both(isLess(step, lane), isRow);
    when(math.compare(Less::eq, lane, step), [&] { a.store(math, root, step, step); });
    when(isBelow, [&] { a.store(math, divide(a.load(math, lane, step), root), lane, step); });
    synchronise();
    when(isBelow, [&] {
      Value factor = a.load(math, lane, step);
      subtractProducts(
          math.add(step, 1), math.add(lane, 1), [&](Value j) { return a.load(math, lane, j); },
          [&](Value j, Value value) { a.store(math, value, lane, j); },
          [&](Value j) { return std::pair(factor, conjugate(a.load(math, j, step))); });
    });
    synchronise();
    scf::YieldOp::create(builder, loc, math.both(steps.getRegionIterArg(0), isGood));
  }
  Value isBad = arith::XOrIOp::create(builder, loc, steps.getResult(0), math.truth(true));
  when(math.both(isBad, isRow), [&] {
    Type type = cast<MemRefType>(a.memory.getType()).getElementType();
    Type part = isa<ComplexType>(type) ? cast<ComplexType>(type).getElementType() : type;
    Value nan = ofReal(real(part, std::numeric_limits<double>::quiet_NaN()), type);
    loop(math.constant(0), rows, 1, [&](Value column) { a.store(math, nan, lane, column); });
  });
  synchronise();
  return steps.getResult(0);
}

} // namespace npcc::cuda
