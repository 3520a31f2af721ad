// Who would take how long for a whole call: a GPU, or its host.
#include "compiler/gpu/CallTimes.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
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
  /// About the most that an extent is. Where only memory knows it, the host might have much to do: the device keeps the
  /// call then.
  double getNumber(Value value) {
    std::optional<double> most = findMost(value);
    isKnown &= most.has_value();
    return std::max(most.value_or(usualCount), 0.0);
  }

  std::optional<double> findMost(Value value) {
    if (IntegerAttr number = first.evaluate(value))
      return number.getInt();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      bool isPosition = loop && argument == loop.getInductionVar();
      // What a loop carries, the length of a list above all, grows with the iterations, which both go through.
      return isPosition ? findMost(loop.getUpperBound()) : usualCount;
    }
    Operation *op = value.getDefiningOp();
    if (isa<LoopLikeOpInterface>(op))
      return usualCount;
    if (isa<ub::PoisonOp>(op)) // where nobody reads it
      return 0;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      std::optional<double> a = findMost(branch.thenYield().getOperand(number));
      std::optional<double> b = findMost(branch.elseYield().getOperand(number));
      return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
    }
    if (auto meet = dyn_cast<np::BroadcastExtentOp>(op)) {
      std::optional<double> a = findMost(meet.getLhs()), b = findMost(meet.getRhs());
      return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
    }
    if (auto dim = dyn_cast<memref::DimOp>(op)) {
      std::optional<int64_t> axis = dim.getConstantIndex();
      return axis ? findMostOf(dim.getSource(), *axis) : std::nullopt;
    }
    if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp, np::CheckIndexOp>(op))
      return findMost(op->getOperand(op->getNumOperands() > 1 ? 1 : 0));
    if (op->getNumOperands() < 2)
      return std::nullopt;
    std::optional<double> a = findMost(op->getOperand(op->getNumOperands() - 2));
    if (isa<arith::SubIOp, arith::RemSIOp, arith::RemUIOp>(op))
      return a;
    std::optional<double> b = findMost(op->getOperand(op->getNumOperands() - 1));
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
      return a ? std::optional(std::ceil(*a / std::max(b.value_or(1), 1.0))) : std::nullopt; // by what is positive
    if (isa<arith::MinSIOp>(op) && (!a || !b))
      return a ? a : b;
    if (!a || !b)
      return std::nullopt;
    if (isa<arith::MinSIOp>(op))
      return std::min(*a, *b);
    if (isa<arith::MaxSIOp, arith::SelectOp>(op))
      return std::max(*a, *b);
    if (isa<arith::AddIOp>(op))
      return *a + *b;
    return isa<arith::MulIOp>(op) ? std::optional(*a * *b) : std::nullopt;
  }

  /// About the most that an extent of an array is.
  std::optional<double> findMostOf(Value array, int64_t axis) {
    if (auto type = cast<MemRefType>(array.getType()); !type.isDynamicDim(axis))
      return type.getDimSize(axis);
    if (IntegerAttr extent = first.evaluateExtent(array, axis))
      return extent.getInt();
    if (auto carried = dyn_cast<BlockArgument>(array))
      return isa<LoopLikeOpInterface>(carried.getOwner()->getParentOp()) ? std::optional(usualCount) : std::nullopt;
    Operation *op = array.getDefiningOp();
    if (isa<LoopLikeOpInterface>(op))
      return usualCount;
    if (auto made = dyn_cast<np::AllocOp>(op))
      return findMost(made.getExtents()[made.getType().getDynamicDimIndex(axis)]);
    if (auto part = dyn_cast<memref::ReinterpretCastOp>(op))
      return part.isDynamicSize(axis) ? findMost(part.getDynamicSize(axis)) : part.getStaticSize(axis);
    std::optional<double> a, b;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(array).getResultNumber();
      a = findMostOf(branch.thenYield().getOperand(number), axis);
      b = findMostOf(branch.elseYield().getOperand(number), axis);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      a = findMostOf(select.getTrueValue(), axis);
      b = findMostOf(select.getFalseValue(), axis);
    }
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
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

  /// A loop that counts, and may be left in the middle: it is taken to be, in the first quarter.
  double countIterations(scf::WhileOp loop) {
    std::optional<double> most = findBound(loop.getConditionOp().getCondition(), loop);
    return most ? std::max(usualCount, *most / 4) : usualCount;
  }
  /// What a number of the loop has to be below for the next iteration to come.
  std::optional<double> findBound(Value condition, scf::WhileOp loop) {
    Operation *op = condition.getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      return std::nullopt;
    if (auto comparison = dyn_cast<arith::CmpIOp>(op)) {
      Value bound = comparison.getRhs();
      if (comparison.getPredicate() == arith::CmpIPredicate::sgt)
        bound = comparison.getLhs();
      else if (comparison.getPredicate() != arith::CmpIPredicate::slt)
        return std::nullopt;
      IntegerAttr number = first.evaluate(bound);
      return number ? std::optional<double>(number.getInt()) : std::nullopt;
    }
    if (!isa<arith::AndIOp, arith::SelectOp>(op))
      return std::nullopt;
    for (Value part : op->getOperands())
      if (std::optional<double> bound = findBound(part, loop))
        return bound;
    return std::nullopt;
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
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return ofRegions(op, countIterations(loop));
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
                     : isa<scf::WhileOp>(op) ? countIterations(cast<scf::WhileOp>(op))
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
