// Launches whose positions are numbers of 32 bits (npcc-narrow-positions).
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/memory/IntegerRanges.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc::cuda {

/// Arrays of so many elements at most: positions of their components, of complex numbers, and of threads beyond their
/// ends are less than 2^31.
constexpr int64_t mostElements = int64_t(1) << 29;

/// The most iterations of a nest of loops in the block: a null value where there are no loops, nothing where the kernel
/// computes how many there are. `ends`: of the loops.
static std::optional<Value> emitIterations(IndexMath m, Block &block, Operation *kernel, llvm::DenseSet<Value> &ends) {
  Value most;
  for (Operation &op : block) {
    if (isa<scf::WhileOp>(op))
      return std::nullopt;
    Value own;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      for (OpFoldResult bound : loop.getLoopUpperBounds().value_or(SmallVector<OpFoldResult>())) {
        Value end = dyn_cast<Value>(bound);
        if (!end || !isInvariant(end, kernel))
          return std::nullopt;
        ends.insert(end);
        own = own ? m.mul(own, end) : end;
      }
    for (Region &region : op.getRegions())
      for (Block &inside : region) {
        std::optional<Value> inner = emitIterations(m, inside, kernel, ends);
        if (!inner)
          return std::nullopt;
        Value nest = own && *inner ? m.mul(own, *inner) : own ? own : *inner;
        most = most && nest ? m.max(most, nest) : nest ? nest : most;
      }
  }
  return most;
}

void markSmallPositions(HostSide &host, gpu::LaunchOp launch) {
  OpBuilder builder(launch);
  IndexMath m = host.math();
  auto kernel = cast<np::KernelOp>(host.getKernel());
  // A store that asks for a failed check compares places in the order of all checks of all iterations, which may be
  // more than 32 bits hold.
  if (launch.walk([](np::IsReachedOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return;
  // The result of argmin is the number of an iteration. There may be more iterations than any array has elements: all
  // pairs of two vectors.
  llvm::DenseSet<Value> ends(kernel.getExtents().begin(), kernel.getExtents().end());
  std::optional<Value> ofNests = emitIterations(m, *kernel.getBody(), kernel, ends);
  if (!ofNests)
    return;
  Value iterations = m.product(kernel.getExtents());
  if (*ofNests)
    iterations = m.mul(iterations, *ofNests);
  Value most = m.constant(mostElements), range = m.constant(2 * mostElements), areSmall = m.truth(true);
  // Positions are sums of products of what the kernel takes from the host with numbers of blocks and threads, which
  // come to places in arrays in the end.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  auto ask = [&](Value condition) {
    if (decideByRanges(condition) != true)
      areSmall = m.both(areSmall, condition);
  };
  ask(m.compare(arith::CmpIPredicate::ult, iterations, most));
  for (Value value : captured) {
    if (!value.getType().isIndex() || getConstantIntValue(value) || ends.contains(value))
      continue;
    bool isPositive = decideByRanges(m.compare(arith::CmpIPredicate::sge, value, m.constant(0))) == true;
    ask(isPositive ? m.compare(arith::CmpIPredicate::ult, value, most)
                   : m.compare(arith::CmpIPredicate::ult, m.add(value, most), range));
  }
  for (const Stream &stream : host.getAccesses().getStreams()) {
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < stream.getRank(); ++axis)
      extents.push_back(host.getExtent(stream.memref, axis));
    Value reach = m.constant(0);
    if (stream.getType().getLayout().isIdentity())
      reach = m.product(extents);
    else
      for (auto [axis, extent] : llvm::enumerate(extents)) {
        Value stride = host.getStride(stream, axis);
        reach = m.add(reach, m.mul(extent, m.max(stride, m.sub(m.constant(0), stride))));
      }
    ask(m.compare(arith::CmpIPredicate::ult, reach, most));
  }
  if (host.holdsInFirstCall("positions of 32 bits", areSmall))
    launch->setAttr("np.small_positions", builder.getUnitAttr());
}

} // namespace npcc::cuda
