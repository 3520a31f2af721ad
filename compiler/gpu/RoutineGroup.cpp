#include "compiler/gpu/RoutineGroup.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/MatrixTeam.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Matrices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc::cuda {

// Hermitian matrices that the runtime has a kernel for have more rows than this, and the small ones of these up to 16
// (runtime/cuda/SmallSpectra.cpp).
static constexpr int64_t fewRowsOfSpectrum = 8, mostRowsOfSmall = 16;

Value RoutineGroup::getBase(Value memory) {
  memory = getRoot(memory);
  while (auto reshape = memory.getDefiningOp<np::CallReshapeOp>())
    memory = getRoot(reshape.getSource());
  return memory;
}

RoutineGroup::RoutineGroup(np::RoutineOp routine, FirstCall &first, bool general)
    : routine(routine), first(first), general(general), members{routine} {
  if (std::optional<Factor> factor = inspect(routine)) {
    factors.push_back(*factor);
    rows = factor->rows;
    count = getExtent(routine.getInputs().empty() ? routine.getOutputs()[0] : routine.getInputs()[0], 0);
  }
}

/// Whether a matrix may have no result.
bool RoutineGroup::mayFail(np::RoutineOp routine) {
  StringRef name = routine.getRoutine();
  return name == "solve_rows" || name == "cholesky" || name.starts_with("eig");
}

/// Whether there are so many Hermitian matrices, or so small ones, that the runtime has no faster kernel for them
/// (runtime/cuda/kernels/rotations.cu).
bool RoutineGroup::areMany(Value stack, int64_t rows) {
  if (rows <= fewRowsOfSpectrum)
    return true;
  OpBuilder builder(routine);
  const Tuning &tuning = getTargetProperties(routine).tuning;
  Value least = arith::ConstantIndexOp::create(builder, routine.getLoc(),
                                               rows <= mostRowsOfSmall ? tuning.fewSpectra : tuning.fewLargeSpectra);
  return getKnown(
             arith::CmpIOp::create(builder, routine.getLoc(), arith::CmpIPredicate::sgt, getExtent(stack, 0), least))
             .value_or(0) != 0;
}

/// Nothing if the routine is none that a kernel can do.
std::optional<RoutineGroup::Factor> RoutineGroup::inspect(np::RoutineOp routine) {
  StringRef name = routine.getRoutine();
  bool isSolve = name == "solve_rows", isQr = name == "qr" || name == "qr_raw";
  bool isSpectrum = name.starts_with("eigh") || name.starts_with("eigvalsh");
  if ((!isSolve && !isQr && !isSpectrum && name != "lu" && name != "cholesky") || !routine.getFailed().use_empty())
    return std::nullopt;
  // The first array is the matrix, or the reflections that an orthogonal matrix is made of; the last one is new.
  SmallVector<Value> operands(routine.getInputs());
  llvm::append_range(operands, routine.getOutputs());
  Value matrix = operands.front();
  if (!getExtent(matrix, 0))
    return std::nullopt;
  int64_t most = 1, lanes = 1;
  SmallVector<int64_t> sides;
  for (Value operand : operands) {
    unsigned rank = cast<MemRefType>(operand.getType()).getRank();
    if (operand == matrix && rank != 3)
      return std::nullopt;
    for (unsigned axis = 1; axis < rank; ++axis) {
      std::optional<int64_t> extent = getKnown(getExtent(operand, axis));
      if (!extent || *extent < 1)
        return std::nullopt;
      most = std::max(most, *extent);
      if (operand == matrix)
        sides.push_back(*extent);
      if (operand == matrix || !isSolve) // right sides are shared out, however many there are
        lanes = std::max(lanes, *extent);
    }
  }
  if (most > mostRows || (!isQr && sides[0] != sides[1]) ||
      (isSolve && cast<MemRefType>(operands.back().getType()).getRank() != 3))
    return std::nullopt;
  auto output = getRowView(operands.back());
  if (!output || !output->array || (!isSolve && !getRowView(matrix)) || (isSpectrum && !areMany(matrix, sides[0])))
    return std::nullopt;
  return Factor{routine, lanes, isSolve ? matrix : Value()};
}

/// A constant, or what the extent is in the call that the code is compiled for.
std::optional<int64_t> RoutineGroup::getKnown(Value extent) {
  if (!extent)
    return std::nullopt;
  if (std::optional<int64_t> constant = getConstantIntValue(extent))
    return constant;
  IntegerAttr given = first.evaluate(extent);
  if (!given)
    return std::nullopt;
  if (!llvm::is_contained(known, extent))
    known.push_back(extent);
  return given.getInt();
}

/// As a value that is there before the group; null if there is none.
Value RoutineGroup::getExtent(Value memory, int64_t axis) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  if (auto array = memory.getDefiningOp<np::AllocOp>())
    return array.getExtents()[axis];
  OpBuilder builder(routine);
  if (auto part = memory.getDefiningOp<np::PartOp>())
    return part.getExtents()[axis];
  if (auto reshape = memory.getDefiningOp<np::CallReshapeOp>())
    return reshape.getExtents()[axis];
  if (auto view = memory.getDefiningOp<memref::ReinterpretCastOp>())
    return getValueOrCreateConstantIndexOp(builder, routine.getLoc(), view.getMixedSizes()[axis]);
  if (!isa<BlockArgument>(memory))
    return Value();
  for (Operation *user : memory.getUsers())
    if (auto dim = dyn_cast<memref::DimOp>(user); dim && dim.getConstantIndex() == axis &&
                                                  dim->getBlock() == routine->getBlock() &&
                                                  dim->isBeforeInBlock(routine))
      return dim;
  return memref::DimOp::create(builder, routine.getLoc(), memory, axis);
}

bool RoutineGroup::isCount(Value extent) {
  if (extent == count)
    return true;
  auto dim = extent.getDefiningOp<memref::DimOp>(), other = count.getDefiningOp<memref::DimOp>();
  if (dim && dim.getConstantIndex() && getExtent(dim.getSource(), *dim.getConstantIndex()) == count)
    return true;
  if (dim && other && dim.getSource() == other.getSource() && dim.getConstantIndex() &&
      dim.getConstantIndex() == other.getConstantIndex())
    return true;
  std::optional<int64_t> one = getConstantIntValue(extent), number = getConstantIntValue(count);
  return one && one == number;
}

/// What may stand between two kernels that become one: arrays and views are made before, and released behind. A check
/// that holds in the call that the code is compiled for holds in all calls that run it.
bool RoutineGroup::mayMove(Operation *op) {
  if (auto check = dyn_cast<np::AssertOp>(op))
    return getKnown(check.getCondition()).value_or(0) != 0;
  auto reshape = dyn_cast<np::CallReshapeOp>(op);
  if (!reshape)
    return isa<np::AllocOp, np::ReleaseOp>(op) || isMemoryEffectFree(op);
  // A view, or a copy of what no kernel here changes.
  Value base = getBase(reshape.getSource());
  return getRowView(reshape.getResult()) ||
         llvm::none_of(op->getBlock()->getOps<np::KernelOp>(),
                       [&](np::KernelOp kernel) { return mayWriteTo(kernel, base, general); });
}

SmallVector<RoutineGroup::Access> RoutineGroup::getAccesses(Operation *member) {
  SmallVector<Access> accesses;
  member->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      accesses.push_back({op, load.getMemRef(), load.getIndices(), false});
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      accesses.push_back({op, store.getMemRef(), store.getIndices(), true});
    else if (auto call = dyn_cast<np::RoutineOp>(op)) {
      for (Value input : call.getInputs())
        accesses.push_back({op, input, {}, false});
      for (Value output : call.getOutputs())
        accesses.push_back({op, output, {}, true});
    }
  });
  return accesses;
}

/// Whether an iteration reaches its own row of the array alone. So does the routine.
bool RoutineGroup::isInRow(const Access &access) {
  if (isa<np::RoutineOp>(access.op))
    return true;
  auto kernel = access.op->getParentOfType<np::KernelOp>();
  return !access.indices.empty() && access.indices[0] == kernel.getInductionVars()[0];
}

/// Scalar code and short inner loops, without checks, whose order would be another one.
bool RoutineGroup::isSimple(np::KernelOp kernel) {
  if (kernel.getKind() == np::KernelKind::steps || kernel.getKind() == np::KernelKind::scan ||
      kernel.getKind() == np::KernelKind::updates || !isCount(kernel.getExtents()[0]))
    return false;
  int64_t elements = 1;
  for (Value extent : kernel.getExtents().drop_front()) {
    std::optional<int64_t> size = getKnown(extent);
    if (!size || *size < 1)
      return false;
    elements *= *size;
  }
  const Tuning &tuning = getTargetProperties(kernel).tuning;
  bool isSimple = elements <= tuning.elementsOfLane * int64_t(llvm::PowerOf2Ceil(rows));
  kernel.getBody()->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
      int64_t inside = 1;
      for (Value bound : loop.getUpperBound())
        inside *= getKnown(bound).value_or(tuning.insideOfLane + 1);
      isSimple &= inside <= tuning.insideOfLane;
    } else {
      isSimple &=
          isa<memref::LoadOp, memref::StoreOp, scf::IfOp, scf::YieldOp, scf::ReduceOp, scf::ReduceReturnOp, np::EndOp>(
              op) ||
          isMemoryEffectFree(op);
    }
  });
  return isSimple;
}

/// Whether a neighbour has to do with rows of the group's; nothing if it cannot be in one kernel with the group and
/// what stands between.
std::optional<bool> RoutineGroup::relate(Operation *op, ArrayRef<Operation *> between) {
  auto kernel = dyn_cast<np::KernelOp>(op);
  if (kernel && !isSimple(kernel))
    return std::nullopt;
  if (auto other = dyn_cast<np::RoutineOp>(op)) {
    // Of two that may fail the first one has the say, whichever matrix it fails for: they stay apart.
    auto fails = [](Operation *member) {
      auto routine = dyn_cast<np::RoutineOp>(member);
      return routine && mayFail(routine);
    };
    bool isSecond = fails(other) && (llvm::any_of(members, fails) || llvm::any_of(between, fails));
    if (isSecond || !inspect(other) || !isCount(getExtent(getAccesses(other).front().memory, 0)))
      return std::nullopt;
  }
  bool sharesRows = false;
  SmallVector<Access> own = getAccesses(op);
  for (ArrayRef<Operation *> others : {ArrayRef<Operation *>(members), between})
    for (Operation *other : others)
      for (const Access &theirs : getAccesses(other))
        for (const Access &mine : own) {
          if ((!mine.isStore && !theirs.isStore) || !mayAlias(getBase(mine.memory), getBase(theirs.memory), general))
            continue;
          bool isSame = mine.memory == theirs.memory;
          auto one = getRowView(mine.memory), view = getRowView(theirs.memory);
          isSame |= one && view && one->array == view->array;
          if (!isSame || !isInRow(mine) || !isInRow(theirs))
            return std::nullopt;
          sharesRows |= others.data() == members.data();
        }
  return sharesRows;
}

Operation *RoutineGroup::findNeighbour(Operation *op, bool forward) {
  auto next = [&](Operation *from) { return forward ? from->getNextNode() : from->getPrevNode(); };
  for (op = next(op); op; op = next(op)) {
    if (isa<np::KernelOp, np::RoutineOp>(op))
      return op;
    if (!mayMove(op))
      break;
  }
  return nullptr;
}

/// What has nothing to do with the group comes in if something behind it has: an array is filled before the next
/// routine writes it.
void RoutineGroup::grow(bool takesRoutines) {
  for (bool isForward : {false, true}) {
    SmallVector<Operation *> between;
    for (;;) {
      Operation *last = !between.empty() ? between.back() : isForward ? members.back() : members.front();
      Operation *next = findNeighbour(last, isForward);
      std::optional<bool> shares;
      if (next && (takesRoutines || isa<np::KernelOp>(next)))
        shares = relate(next, between);
      if (!shares)
        break;
      between.push_back(next);
      if (!*shares)
        continue;
      for (Operation *taken : between) {
        members.insert(isForward ? members.end() : members.begin(), taken);
        if (auto other = dyn_cast<np::RoutineOp>(taken)) {
          factors.push_back(*inspect(other));
          rows = std::max(rows, factors.back().rows);
        }
      }
      between.clear();
    }
  }
}

} // namespace npcc::cuda
