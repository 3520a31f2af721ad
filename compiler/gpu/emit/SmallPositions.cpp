// Launches whose positions are numbers of 32 bits (npcc-narrow-positions).
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/memory/IntegerRanges.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc::cuda {

/// Arrays of so many elements at most: positions of their components, of complex numbers, and of threads beyond their
/// ends are less than 2^31.
constexpr int64_t mostElements = int64_t(1) << 29;

void markSmallPositions(HostSide &host, gpu::LaunchOp launch) {
  OpBuilder builder(launch);
  IndexMath m = host.math();
  Value most = m.constant(mostElements), range = m.constant(2 * mostElements), areSmall = m.truth(true);
  // Positions are sums of products of what the kernel takes from the host with numbers of blocks and threads, which
  // come to places in arrays in the end.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  auto ask = [&](Value condition) {
    if (decideByRanges(condition) != true)
      areSmall = m.both(areSmall, condition);
  };
  for (Value value : captured) {
    if (!value.getType().isIndex() || getConstantIntValue(value))
      continue;
    bool isPositive = decideByRanges(m.compare(arith::CmpIPredicate::sge, value, m.constant(0))) == true;
    ask(isPositive ? m.compare(arith::CmpIPredicate::ult, value, most)
                   : m.compare(arith::CmpIPredicate::ult, m.add(value, most), range));
  }
  for (const Stream &stream : host.getAccesses().getStreams()) {
    Value reach = m.constant(0);
    for (int64_t axis = 0; axis < stream.getRank(); ++axis) {
      Value stride = host.getStride(stream, axis),
            isForward = m.compare(arith::CmpIPredicate::sge, stride, m.constant(0));
      if (decideByRanges(isForward) != true)
        stride = m.max(stride, m.sub(m.constant(0), stride));
      reach = m.add(reach, m.mul(host.getExtent(stream.memref, axis), stride));
    }
    ask(m.compare(arith::CmpIPredicate::ult, reach, most));
  }
  if (host.holdsInFirstCall("positions of 32 bits", areSmall))
    launch->setAttr("np.small_positions", builder.getUnitAttr());
}

} // namespace npcc::cuda
