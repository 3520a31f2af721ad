// What steps of a shuffle leave where, without taking the steps one after the other. Compiled offline to positions.ptx
// (make-kernels.sh).
//
// Fisher and Yates go down from the last element: step i exchanges it with drawn[i] <= i. What stands at i when step i
// comes to it was put there by the last step before, which is the least i' > i that drew i, and was at i' when that
// step came to it: so one goes from i to i', and on, until no step has drawn the place. Few steps draw one place, log(n
// / i) or so, and those that do are a list.
#include "RandomParams.h"

namespace {

__device__ inline int64_t beginOfGrid() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline int64_t strideOfGrid() { return int64_t(gridDim.x) * blockDim.x; }

struct Steps {
  const ShuffleParams &p;
  __device__ explicit Steps(const ShuffleParams &p) : p(p) {}
  __device__ int32_t drawnBy(int32_t step) const { return int32_t(p.drawn[p.length - 1 - step]); }
  /// The least step above `step` that drew the place; -1 if there is none.
  __device__ int32_t nextOf(int32_t place, int32_t step) const {
    int32_t least = -1;
    for (int32_t at = p.heads[place]; at >= 0; at = p.links[at])
      if (at > step && (least < 0 || at < least))
        least = at;
    return least;
  }
  /// What stands at a place when the step of that number comes to it.
  __device__ int32_t valueAt(int32_t place) const {
    for (int32_t next; (next = p.nexts[place]) >= 0;)
      place = next;
    return place;
  }
};

} // namespace

extern "C" __global__ void npcc_positions_clear(ShuffleParams p) {
  for (int64_t k = beginOfGrid(); k < p.length; k += strideOfGrid())
    p.heads[k] = -1;
}

extern "C" __global__ void npcc_positions_link(ShuffleParams p) {
  Steps steps(p);
  for (int64_t step = p.last + beginOfGrid(); step < p.length; step += strideOfGrid())
    p.links[step] = atomicExch(&p.heads[steps.drawnBy(int32_t(step))], int32_t(step));
}

extern "C" __global__ void npcc_positions_next(ShuffleParams p) {
  Steps steps(p);
  for (int64_t place = beginOfGrid(); place < p.length; place += strideOfGrid())
    p.nexts[place] = steps.nextOf(int32_t(place), int32_t(place));
}

extern "C" __global__ void npcc_positions_shuffle(ShuffleParams p) {
  Steps steps(p);
  for (int64_t k = p.kept + beginOfGrid(); k < p.length; k += strideOfGrid()) {
    auto step = int32_t(k);
    int32_t from = step >= p.last ? steps.drawnBy(step) : step, value;
    if (from == step)
      value = steps.valueAt(step);
    else if (int32_t next = steps.nextOf(from, step); next >= 0)
      value = steps.valueAt(next);
    else
      value = from;
    p.out[k - p.kept] = p.values ? p.values[value] : value;
  }
}

extern "C" __global__ void npcc_positions_forget(SampleParams p) {
  for (int64_t k = beginOfGrid(); k < p.population; k += strideOfGrid())
    p.firsts[k] = INT32_MAX;
}

extern "C" __global__ void npcc_positions_first(SampleParams p) {
  for (int64_t k = beginOfGrid(); k < p.count; k += strideOfGrid())
    atomicMin(&p.firsts[p.drawn[k]], int32_t(k));
}

/// A number is in the sample already if one before it is the same, or if one before it stands for it instead of for
/// itself.
extern "C" __global__ void npcc_positions_sample(SampleParams p) {
  for (int64_t k = beginOfGrid(); k < p.count; k += strideOfGrid()) {
    bool isTaken = false;
    for (int64_t at = k;;) {
      int64_t number = p.drawn[at], other = number - p.least;
      isTaken = p.firsts[number] < at;
      if (isTaken || other < 0 || other >= at)
        break;
      at = other;
    }
    p.out[k] = isTaken ? p.least + k : p.drawn[k];
  }
}
