// How many threads work on one row together, and which thread works on which row.
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/target/Target.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
namespace npcc::cuda {

// A few elements a thread for short rows, a warp, or a block for long rows and where there are few rows.
Team emitTeam(HostSide &host, Value rows, Value extent, int64_t width, bool isBlock, int64_t walks) {
  IndexMath m = host.math();
  const Tuning &tuning = getTargetProperties(host.getKernel()).tuning;
  Value block = m.constant(threadsPerBlock);
  if (isBlock || !extent)
    return {block, m.truth(true)};
  auto isSeveralWarps = [&](Value size) {
    return host.choose("several warps for a row", m.compare(arith::CmpIPredicate::sgt, size, m.constant(32)));
  };
  // Rows that are walked over again should still be near: fewer of them at a time, with one step for the whole row if
  // it can be.
  if (walks > 1) {
    Value size = m.powerOfTwo(m.ceilDiv(extent, m.constant(tuning.manyPerThread * width)), 1, threadsPerBlock);
    return {size, isSeveralWarps(size)};
  }
  auto atLeast = [&](Value a, int64_t b) { return m.compare(arith::CmpIPredicate::sge, a, m.constant(b)); };
  Value perThread = m.select(atLeast(extent, tuning.warpRow), m.constant(tuning.manyPerThread * width),
                             m.constant(tuning.fewPerThread * width));
  Value warp = m.powerOfTwo(m.ceilDiv(extent, perThread), 1, 32);
  Value isFew = m.compare(arith::CmpIPredicate::slt, rows, m.constant(tuning.fewTeams));
  Value isLong = m.compare(arith::CmpIPredicate::sge, extent,
                           m.select(isFew, m.constant(tuning.blockRowOfFew), m.constant(tuning.blockRow)));
  isLong = host.choose("a block for a row", isLong);
  return {m.select(isLong, block, warp), isLong};
}

Team emitTeamOfLoop(HostSide &host, Value elements) {
  IndexMath m = host.math();
  Value size = m.constant(threadsPerBlock), warp = m.constant(32);
  if (elements) {
    Value isShort = m.compare(arith::CmpIPredicate::sle, elements, warp);
    Value most = m.select(isShort, elements, m.max(m.ceilDiv(elements, m.constant(2)), warp));
    size = m.powerOfTwo(most, 1, threadsPerBlock);
  }
  return {size, m.compare(arith::CmpIPredicate::sgt, size, warp)};
}

Value emitSharedLength(HostSide &host, Value rows, ArrayRef<Value> extents) {
  IndexMath m = host.math();
  Value all = m.product(extents);
  Value few = m.constant(getTargetProperties(host.getKernel()).tuning.fewTeams);
  return m.select(m.compare(arith::CmpIPredicate::slt, rows, few), all, extents.back());
}

TeamPlace emitTeamPlace(IndexMath m, gpu::LaunchOp launch, Value size, Value teams, Value rows, int64_t threads) {
  Value thread = launch.getThreadIds().x, block = launch.getBlockIds().x;
  if (getConstantIntValue(size) == threads) // a block is a team, and there is one for each row
    return {block, thread, m.truth(true)};
  Value row = m.add(m.mul(block, teams), m.narrowDiv(thread, size));
  return {m.min(row, m.sub(rows, 1)), m.bitAnd(thread, m.sub(size, 1)),
          m.compare(arith::CmpIPredicate::slt, row, rows)};
}

} // namespace npcc::cuda
