// Which rows stay in registers from one loop of a kernel to the next (EmitRows.cpp).
#include "compiler/gpu/emit/HeldRows.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/RowLengths.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Memory.h"
#include <set>

using namespace mlir;
namespace npcc::cuda {
namespace {

constexpr int64_t mostHeldWords = 64; // registers of a thread for elements

/// Where an access is, but for the loop that it stands in.
struct Place {
  Value memref;
  std::vector<SmallVector<Term, 2>> terms;
  bool operator==(const Place &) const = default;
};

class Finder {
public:
  Finder(HostSide &host, np::KernelOp kernel, KernelAccesses &accesses, const RowLoops &plans,
         const llvm::DenseSet<Value> &own, Value size)
      : host(host), kernel(kernel), accesses(accesses), plans(plans), own(own), size(size) {}

  HeldRows find() {
    if (!findLoops())
      return HeldRows();
    setWidth();
    if (!findPlaces() || !findSteps())
      return HeldRows();
    for (Operation *op : accesses.getOps())
      if (auto store = dyn_cast<memref::StoreOp>(op); store && store->getParentOp() != kernel)
        addStore(store);
    return std::move(held);
  }

private:
  /// All loops of the kernel, which stand in it directly and go over the same positions, and nothing else that a
  /// position beyond the row would hurt.
  bool findLoops() {
    for (Operation &op : kernel.getBody()->without_terminator()) {
      auto loop = dyn_cast<scf::ParallelOp>(op);
      if (!loop) {
        if (op.getNumRegions() && mayWrite(&op))
          return false;
        continue;
      }
      auto plan = plans.find(loop);
      if (plan == plans.end() || loop.getNumLoops() > 1 || plan->second.extents.size() != 1)
        return false;
      if (!loops.empty() && plan->second.extents != plans.find(loops.front())->second.extents)
        return false;
      for (Operation &inside : loop.getBody()->without_terminator())
        if (inside.getNumRegions() || isa<memref::AtomicRMWOp, np::AssertOp, np::CheckIndexOp>(inside))
          return false;
      loops.push_back(loop);
    }
    return loops.size() > 1;
  }

  /// Vectors, where all loops have them in one frame and the call that the code is compiled for says that rows begin
  /// with one and are whole ones.
  void setWidth() {
    held.width = 16;
    for (scf::ParallelOp loop : loops) {
      const RowLoop &plan = plans.find(loop)->second;
      bool isAligned = plan.mode.position && plan.mode.frame == 0 && getConstantIntValue(plan.aligned).value_or(0);
      held.width = std::min(held.width, isAligned ? plan.mode.width : 1);
    }
    Value isWhole = held.width > 1 ? emitIsMultiple(host, getExtent(), held.width) : Value();
    if (held.width > 1 && !(isWhole && host.holdsInFirstCall("whole vectors", isWhole)))
      held.width = 1;
  }

  /// Which streams are the same. Something must be, or nothing is saved.
  bool findPlaces() {
    std::vector<std::pair<Place, unsigned>> known;
    std::map<unsigned, std::set<Operation *>> users;
    for (Operation *op : accesses.getOps()) {
      auto loop = dyn_cast<scf::ParallelOp>(op->getParentOp());
      const Stream *stream = accesses.lookup(op).stream;
      if (!loop || !stream->uses(loop.getInductionVars().back()))
        continue;
      Place place{stream->memref, {}};
      llvm::append_range(place.terms, stream->terms);
      for (auto &axis : place.terms)
        for (Term &term : axis)
          if (term.leaf == loop.getInductionVars().back())
            term.leaf = loops.front().getInductionVars().back();
      auto found = llvm::find_if(known, [&](auto &one) { return one.first == place; });
      if (found == known.end()) {
        words += std::max<int64_t>(ElementLayout(stream->getType().getElementType()).bytes / 4, 1);
        found = known.insert(known.end(), {place, stream->id});
      }
      held.same[stream] = found->second;
      users[found->second].insert(loop);
    }
    return llvm::any_of(users, [](auto &one) { return one.second.size() > 1; });
  }

  bool findSteps() {
    IndexMath h = host.math();
    Value hasOne = h.compare(arith::CmpIPredicate::sge, getExtent(), h.constant(1));
    for (int64_t steps : {1, 2, 3, 4, 6, 8, 12, 16}) {
      if (steps * held.width * words > mostHeldWords)
        return false;
      Value isShort = h.compare(arith::CmpIPredicate::sle, getExtent(), h.mul(size, held.width * steps));
      if (!host.holdsInFirstCall("rows in registers", h.both(hasOne, isShort)))
        continue;
      held.steps = steps;
      return true;
    }
    return false;
  }

  bool isSamePlace(Operation *a, Operation *b) {
    const KernelAccess &one = accesses.lookup(a), &other = accesses.lookup(b);
    auto number = held.same.find(one.stream), otherNumber = held.same.find(other.stream);
    return number != held.same.end() && otherNumber != held.same.end() && number->second == otherNumber->second &&
           one.constants == other.constants;
  }

  void addStore(memref::StoreOp store) {
    Value memref = accesses.lookup(store).stream->memref;
    bool isGeneral = kernel->getParentOfType<func::FuncOp>()->hasAttr("np.general");
    bool isOwn = llvm::all_of(accesses.getOps(), [&](Operation *op) {
      return !mayAlias(accesses.lookup(op).stream->memref, memref, isGeneral) || isSamePlace(op, store);
    });
    Operation *loop = store->getParentOp();
    if (!isOwn) {
      held.shared.insert(loop);
      return;
    }
    bool isStoredAgain = llvm::any_of(accesses.getOps(), [&](Operation *op) {
      return accesses.lookup(op).isStore && op->getParentOp() != loop && loop->isBeforeInBlock(op->getParentOp()) &&
             isSamePlace(op, store);
    });
    if (isStoredAgain || own.contains(memref))
      held.unwritten.insert(store);
  }

  Value getExtent() { return plans.find(loops.front())->second.extents.front(); }

  HostSide &host;
  np::KernelOp kernel;
  KernelAccesses &accesses;
  const RowLoops &plans;
  const llvm::DenseSet<Value> &own;
  Value size;
  SmallVector<scf::ParallelOp> loops;
  int64_t words = 0;
  HeldRows held;
};

} // namespace

llvm::DenseSet<Value> findOwnArrays(np::KernelOp kernel, KernelAccesses &accesses) {
  llvm::DenseSet<Value> own;
  for (const Stream &stream : accesses.getStreams()) {
    auto made = stream.memref.getDefiningOp<np::AllocOp>();
    if (made && llvm::all_of(made->getUsers(), [&](Operation *user) {
          return kernel->isAncestor(user) || isa<np::ReleaseOp, memref::DimOp>(user);
        }))
      own.insert(stream.memref);
  }
  return own;
}

HeldRows findHeldRows(HostSide &host, np::KernelOp kernel, KernelAccesses &accesses, const RowLoops &loops,
                      const llvm::DenseSet<Value> &own, Value size) {
  return Finder(host, kernel, accesses, loops, own, size).find();
}

} // namespace npcc::cuda
