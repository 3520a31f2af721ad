// Collectives by direct copies from the peers' memory: on one host every device can read every other's.
#include "runtime/Counters.h"
#include "runtime/Frame.h"
#include "runtime/abi/group.h"
#include "runtime/comm/Group.h"
#include <algorithm>

namespace npcc::rt {

template <typename Read>
Status Group::exchange(int32_t rank, Read &&read) {
  auto broken = [&]() -> Status {
    if (context.frame)
      context.frame->groupBroken = true;
    return Status(NPCC_RUNTIME_ERROR, rankFailed() ? "another device of the group failed"
                                                   : "a device of the group ended while others were waiting for it");
  };
  Device &self = *devices[rank];
  NPCC_TRY(self.recordEvent(posts[rank].ready));
  if (!barrier())
    return broken();
  for (int32_t peer = 0; peer < size(); ++peer)
    if (peer != rank)
      NPCC_TRY(self.waitEvent(posts[peer].ready));
  NPCC_TRY(read());
  NPCC_TRY(self.recordEvent(posts[rank].done));
  if (!barrier())
    return broken();
  // Whoever owns what was read may overwrite it only now. A peer records these events anew only after the next barrier,
  // which needs this rank too.
  for (int32_t peer = 0; peer < size(); ++peer)
    if (peer != rank)
      NPCC_TRY(self.waitEvent(posts[peer].done));
  return {};
}

Status Group::copyFrom(int32_t rank, int32_t peer, void *to, const void *from, int64_t bytes) {
  if (bytes == 0)
    return {};
  if (devices[peer] == devices[rank])
    return devices[rank]->copyWithin(to, from, bytes);
  return devices[rank]->copyFromPeer(to, *devices[peer], from, bytes);
}

Status Group::allGather(int32_t rank, void *out, const void *in, int64_t bytes) {
  posts[rank].data = static_cast<const char *>(in);
  return exchange(rank, [&]() -> Status {
    for (int32_t step = 0; step < size(); ++step) {
      // Each rank starts with another peer, so that no device is read by all at once.
      int32_t peer = (rank + step) % size();
      NPCC_TRY(copyFrom(rank, static_cast<int32_t>(peer), static_cast<char *>(out) + peer * bytes, posts[peer].data, bytes));
    }
    return {};
  });
}

Status Group::haloExchange(int32_t rank, void *tile, int64_t rows, int64_t rowBytes, int64_t before, int64_t after) {
  char *own = static_cast<char *>(tile) + before * rowBytes;
  posts[rank].data = own;
  posts[rank].rows = rows;
  return exchange(rank, [&]() -> Status {
    // A neighbour with fewer rows than there are ghosts gives all it has; the rest comes from the one behind it.
    for (int64_t peer = rank - 1, missing = before; peer >= 0 && missing > 0; --peer) {
      int64_t count = std::min<int64_t>(missing, posts[peer].rows);
      missing -= count;
      NPCC_TRY(copyFrom(rank, static_cast<int32_t>(peer), static_cast<char *>(tile) + missing * rowBytes,
                        posts[peer].data + (posts[peer].rows - count) * rowBytes, count * rowBytes));
    }
    char *to = own + rows * rowBytes;
    for (int64_t peer = rank + 1, missing = after; peer < size() && missing > 0; ++peer) {
      int64_t count = std::min<int64_t>(missing, posts[peer].rows);
      NPCC_TRY(copyFrom(rank, static_cast<int32_t>(peer), to, posts[peer].data, count * rowBytes));
      to += count * rowBytes;
      missing -= count;
    }
    return {};
  });
}

} // namespace npcc::rt

using namespace npcc::rt;

int64_t npcc_rt_rank(void) { return context.frame ? context.frame->rank : 0; }

int64_t npcc_rt_size(void) { return context.frame && context.frame->group ? context.frame->group->size() : 1; }

void npcc_rt_all_gather(void *out, const void *in, int64_t bytes) {
  Frame *frame;
  auto gather = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    if (!frame->group)
      return bytes == 0 || out == in ? Status() : frame->device->copyWithin(out, in, bytes);
    return frame->group->allGather(frame->rank, out, in, bytes);
  };
  NPCC_OR_FAIL(gather());
}

void npcc_rt_halo_exchange(void *tile, int64_t rows, int64_t row_bytes, int64_t lo, int64_t hi) {
  Frame *frame;
  auto exchange = [&]() -> Status {
    NPCC_TRY(requireFrame(frame));
    return frame->group ? frame->group->haloExchange(frame->rank, tile, rows, row_bytes, lo, hi) : Status();
  };
  NPCC_OR_FAIL(exchange());
}
