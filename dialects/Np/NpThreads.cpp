// What threads do together: how many values each action takes and gives, and whether others wait.
#include "dialects/Np/Threads.h"

using namespace mlir;
namespace npcc::np {

bool isFence(ThreadAction action) {
  return action == ThreadAction::fence_block || action == ThreadAction::fence_grid ||
         action == ThreadAction::fence_system;
}

bool waitsForOthers(ThreadAction action) {
  switch (action) {
  case ThreadAction::fence_block:
  case ThreadAction::fence_grid:
  case ThreadAction::fence_system:
  case ThreadAction::active_mask:
  case ThreadAction::lane_mask_lt:
  case ThreadAction::lane_id:
  case ThreadAction::nanosleep:
    return false;
  default:
    return true;
  }
}

/// How many operands and results an action has.
static std::pair<unsigned, unsigned> getArity(ThreadAction action) {
  switch (action) {
  case ThreadAction::syncthreads:
  case ThreadAction::grid_sync:
  case ThreadAction::fence_block:
  case ThreadAction::fence_grid:
  case ThreadAction::fence_system:
    return {0, 0};
  case ThreadAction::syncwarp:
  case ThreadAction::nanosleep:
    return {1, 0};
  case ThreadAction::active_mask:
  case ThreadAction::lane_mask_lt:
  case ThreadAction::lane_id:
    return {0, 1};
  case ThreadAction::syncthreads_count:
  case ThreadAction::syncthreads_and:
  case ThreadAction::syncthreads_or:
    return {1, 1};
  case ThreadAction::vote_all:
  case ThreadAction::vote_any:
  case ThreadAction::vote_eq:
  case ThreadAction::ballot:
  case ThreadAction::match_any:
    return {2, 1};
  case ThreadAction::match_all:
    return {2, 2};
  case ThreadAction::shuffle_idx:
  case ThreadAction::shuffle_up:
  case ThreadAction::shuffle_down:
  case ThreadAction::shuffle_xor:
    return {4, 2};
  }
  llvm_unreachable("a case for each action");
}

LogicalResult ThreadOp::verify() {
  auto [operands, results] = getArity(getAction());
  if (getOperands().size() == operands && getNumResults() == results)
    return success();
  return emitOpError() << "\"" << stringifyThreadAction(getAction()) << "\" takes " << operands << " values and gives "
                       << results;
}

} // namespace npcc::np
