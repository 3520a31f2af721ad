// Who would take how long for a whole call: a GPU, or its host.
#include "compiler/gpu/CallTimes.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
namespace npcc {
namespace {

/// What is known of no loop or axis: how many iterations it is taken to have.
constexpr double usualCount = 16;

class Estimate {
public:
  explicit Estimate(func::FuncOp function)
      : function(function), first(function), tuning(getTargetProperties(function).tuning) {}

  std::optional<CallTimes> make() {
    CallTimes all = ofBlock(function.getBody().front());
    if (!isKnown)
      return std::nullopt;
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()))
        all.device += tuning.copyBegins + getBytes(argument) / tuning.bytesPerNanosecond;
    return all;
  }

private:
  double getNumber(Value value) {
    IntegerAttr number = first.evaluate(value);
    return number ? std::max<double>(number.getInt(), 0) : usualCount;
  }

  double countElements(Value array) {
    if (auto made = array.getDefiningOp<np::AllocOp>())
      return countAll(made.getExtents()) * countKnown(made.getType());
    auto type = cast<MemRefType>(array.getType());
    double elements = 1;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      IntegerAttr extent;
      if (type.isDynamicDim(axis))
        extent = first.evaluateExtent(array, axis);
      elements *= !type.isDynamicDim(axis) ? type.getDimSize(axis) : extent ? extent.getInt() : usualCount;
    }
    return elements;
  }

  static double countKnown(MemRefType type) {
    double elements = 1;
    for (int64_t extent : type.getShape())
      elements *= ShapedType::isDynamic(extent) ? 1 : extent;
    return elements;
  }

  double getBytes(Value array) {
    return countElements(array) * getElementBytes(cast<MemRefType>(array.getType()).getElementType());
  }

  double countIterations(scf::ForOp loop) {
    IntegerAttr lower = first.evaluate(loop.getLowerBound()), upper = first.evaluate(loop.getUpperBound());
    IntegerAttr step = first.evaluate(loop.getStep());
    if (!lower || !upper || !step)
      return usualCount;
    double span = double(upper.getInt()) - lower.getInt();
    return std::max(std::ceil(span / std::max<double>(step.getInt(), 1)), 0.0);
  }

  double countAll(ValueRange extents) {
    double all = 1;
    for (Value extent : extents)
      all *= getNumber(extent);
    return all;
  }

  CallTimes ofBlock(Block &block) {
    CallTimes all;
    bool hasRead = false; // without a kernel since, the next element comes with the one before
    for (Operation &op : block) {
      CallTimes more = ofOperation(&op, hasRead);
      all.host += more.host;
      all.device += more.device;
    }
    return all;
  }

  CallTimes ofRegions(Operation *op, double times) {
    CallTimes all;
    for (Region &region : op->getRegions())
      if (!region.empty()) {
        CallTimes more = ofBlock(region.front());
        all.host += times * more.host;
        all.device += times * more.device;
      }
    return all;
  }

  CallTimes ofOperation(Operation *op, bool &hasRead) {
    if (auto kernel = dyn_cast<np::KernelOp>(op)) {
      hasRead = false;
      return ofKernel(kernel);
    }
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return ofRegions(loop, countIterations(loop));
    if (isa<scf::WhileOp>(op))
      return ofRegions(op, usualCount);
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) // some of them, and no one knows which
      return ofRegions(op, 1.0 / op->getNumRegions());
    if (isa<np::CallMatmulOp, np::CallSortOp, np::RoutineOp, np::DrawOp, np::DrawInTurnsOp>(op)) {
      hasRead = false;
      return ofLibrary(op);
    }
    bool isLoad = isa<memref::LoadOp>(op), isAccess = isLoad || isa<memref::StoreOp>(op);
    if (isAccess && !isInHostMemory(op->getOperand(isLoad ? 0 : 1).getType())) {
      bool waits = isLoad && !hasRead;
      hasRead = isLoad;
      return {2, double(waits ? tuning.readByHost : isLoad ? 2 : tuning.storeByHost)};
    }
    if (isa<np::PrintOp, np::TextOp, np::TextFunctionOp, np::AllocOp>(op))
      return {100, 200};
    // Functions that call each other, threads of the user's own kernels, parts that Python runs.
    isKnown &= !isa<func::CallOp, np::PythonOp, np::ExchangeHaloOp, np::LaunchOp, np::CallLinkedOp>(op);
    double own = ofHost(cuda::countOp(op));
    return {own, own};
  }

  double ofHost(double operations) { return operations * tuning.hostOperation / 16; }

  CallTimes ofLibrary(Operation *op) {
    double most = 0, all = 0;
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType())) {
        all += countElements(operand);
        most = std::max(most, countElements(operand));
      }
    double side = std::sqrt(most); // of a matrix, and about what sorts and transforms do to an element, too
    if (isa<np::DrawOp, np::DrawInTurnsOp>(op))
      side = 8;
    double work = all * side;
    return {tuning.libraryBegins / 16.0 + ofHost(work), tuning.libraryBegins + ofHost(work) / tuning.groupedPerHost};
  }

  CallTimes ofKernel(np::KernelOp kernel) {
    double elements = countAll(kernel.getExtents());
    bool isOfGrid = kernel.getRunner() == np::Runner::grid;
    double teamThreads = isOfGrid ? tuning.threadsAtOnce : tuning.sharedInAnyOrder;
    CallTimes one = inKernel(*kernel.getBody(), teamThreads);
    double waves = std::max(1.0, elements / tuning.threadsAtOnce);
    return {elements * one.host, tuning.launch + waves * one.device};
  }

  /// What one thread does, and where the threads of a team share a loop, the team.
  CallTimes inKernel(Block &block, double teamThreads) {
    CallTimes all;
    for (Operation &op : block) {
      double own = cuda::countOp(&op);
      all.host += ofHost(own);
      all.device += own * tuning.threadOperation / 16;
      if (op.getNumRegions() == 0)
        continue;
      CallTimes inside;
      for (Region &region : op.getRegions())
        if (!region.empty()) {
          CallTimes more = inKernel(region.front(), teamThreads);
          inside.host += more.host;
          inside.device += more.device;
        }
      if (auto shared = dyn_cast<scf::ParallelOp>(op)) {
        double elements = countAll(shared.getUpperBound());
        all.host += elements * inside.host;
        all.device += tuning.sharingBegins + std::max(1.0, elements / teamThreads) * inside.device;
        continue;
      }
      auto loop = dyn_cast<scf::ForOp>(op);
      auto fold = dyn_cast<np::FoldOp>(op);
      double times = loop                    ? countIterations(loop)
                     : fold                  ? getNumber(fold.getExtent())
                     : isa<scf::WhileOp>(op) ? usualCount
                                             : 1;
      if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
        times = 1.0 / op.getNumRegions();
      all.host += times * inside.host;
      all.device += times * inside.device;
    }
    return all;
  }

  func::FuncOp function;
  FirstCall first;
  const Tuning &tuning;
  bool isKnown = true;
};
} // namespace

std::optional<CallTimes> estimateCall(func::FuncOp function) { return Estimate(function).make(); }

} // namespace npcc
