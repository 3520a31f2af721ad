#include "compiler/gpu/HostGroups.h"
#include "compiler/gpu/HostCopies.h"
#include "compiler/gpu/SerialLoops.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
namespace npcc {

bool HostGroup::isFromBefore(Value member) const { return !loop->isAncestor(member.getParentRegion()->getParentOp()); }

static bool take(HostGroup &group, Operation *user) {
  bool isAccess = isa<memref::LoadOp, memref::StoreOp>(user);
  if (auto kernel = user->getParentOfType<np::KernelOp>()) {
    group.users.insert(kernel);
    return isAccess || isa<memref::DimOp>(user);
  }
  if (isa<np::CallSortOp, np::CallMatmulOp, np::RoutineOp>(user))
    return group.users.insert(user), true;
  if (auto returned = dyn_cast<func::ReturnOp>(user)) {
    if (group.returned)
      return false;
    group.returned = returned;
    return llvm::count_if(returned.getOperands(),
                          [&](Value value) { return llvm::is_contained(group.members, value); }) == 1;
  }
  if (isAccess)
    group.accesses.push_back(user);
  return isAccess || handsOnArrays(user) || isa<memref::DimOp, np::RetainOp, np::ReleaseOp>(user);
}

std::optional<HostGroup> findHostGroup(ArrayRef<Value> members) {
  HostGroup group;
  llvm::append_range(group.members, members);
  for (Value member : members) {
    Operation *op = member.getDefiningOp();
    bool isMadeHere = op ? isa<np::AllocOp>(op) || handsOnArrays(op)
                         : handsOnArrays(cast<BlockArgument>(member).getOwner()->getParentOp());
    if (!isMadeHere || cast<MemRefType>(member.getType()).getMemorySpace())
      return std::nullopt;
    for (Operation *user : member.getUsers())
      if (!take(group, user))
        return std::nullopt;
  }
  return group;
}

/// Whether a mirror can be used where the array is. What is neither the host's nor a kernel's keeps the array.
static bool takeForMirror(HostGroup &mirror, Operation *user, np::KernelOp kernel) {
  if (kernel)
    mirror.users.insert(kernel);
  else if (isa<memref::LoadOp>(user))
    mirror.accesses.push_back(user);
  bool handsOn = handsOnArrays(user) && !isa<memref::ReinterpretCastOp, memref::CastOp>(user);
  return kernel ? isa<memref::LoadOp, memref::DimOp>(user)
                : !handsOn && !isa<np::RetainOp, np::ReleaseOp, func::ReturnOp>(user);
}

SmallVector<HostGroup> findMirrors(ArrayRef<Value> members, func::FuncOp function) {
  llvm::MapVector<Operation *, HostGroup> mirrors;
  llvm::SmallDenseSet<Operation *> refused;
  for (Value member : members)
    for (Operation *user : member.getUsers()) {
      auto kernel = user->getParentOfType<np::KernelOp>();
      Operation *loop = getOutermostLoop(kernel ? kernel : user);
      if (!loop)
        continue;
      HostGroup &mirror = mirrors[loop];
      mirror.loop = loop;
      if (mirror.members.empty() || mirror.members.back() != member)
        mirror.members.push_back(member);
      if (!takeForMirror(mirror, user, kernel))
        refused.insert(loop);
    }
  SmallVector<HostGroup> found;
  Aliasing aliasing(function->hasAttr("np.general"));
  for (auto &[loop, mirror] : mirrors) {
    bool canBe = !refused.contains(loop) && llvm::all_of(mirror.members, [&](Value member) {
      if (cast<MemRefType>(member.getType()).getMemorySpace())
        return false;
      if (mirror.isFromBefore(member))
        return isContiguous(member) && !aliasing.mayWriteTo(loop, member);
      return isa_and_present<memref::ReinterpretCastOp, memref::CastOp>(member.getDefiningOp());
    });
    if (canBe)
      found.push_back(std::move(mirror));
  }
  return found;
}

} // namespace npcc
