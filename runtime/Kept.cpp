#include "runtime/Kept.h"
#include "runtime/Buffer.h"
#include "runtime/Frame.h"
#include "runtime/abi/kept.h"
#include <algorithm>
#include <vector>

namespace npcc::rt {
namespace {

struct Kept {
  std::vector<npcc_array> arrays;
  std::vector<size_t> begins; // of the calls that are under way: the place of the first array
};

Kept &kept() {
  static thread_local Kept theKept;
  return theKept;
}

size_t beginOfCall() { return kept().begins.empty() ? 0 : kept().begins.back(); }

Status keep(const npcc_array &array, int64_t &number) {
  Frame *frame;
  NPCC_TRY(requireFrame(frame));
  number = static_cast<int64_t>(kept().arrays.size());
  kept().arrays.push_back(array);
  kept().arrays.back().device = frame->device->id;
  retainBuffer(withoutMark(array.base), frame->ledger);
  return {};
}

Status findAgain(int64_t number, npcc_array &array) {
  Frame *frame;
  NPCC_TRY(requireFrame(frame));
  const npcc_array *found = findKept(number);
  if (found && found->dtype == array.dtype && found->rank == array.rank) {
    array = *found;
    retainBuffer(withoutMark(array.base), frame->ledger);
    return {};
  }
  std::fill_n(array.shape, array.rank, 0);
  std::fill_n(array.strides, array.rank, 1);
  NPCC_TRY(newBuffer(*frame->device, 0, frame->ledger, array.base));
  array.data = array.base;
  return {};
}

} // namespace

void holdKept() { kept().begins.push_back(kept().arrays.size()); }

void letGoKept() {
  for (const npcc_array &array : keptArrays())
    releaseBuffer(withoutMark(array.base), nullptr);
  forgetKept();
  kept().begins.pop_back();
}

void forgetKept() { kept().arrays.resize(beginOfCall()); }

std::span<npcc_array> keptArrays() { return std::span(kept().arrays).subspan(beginOfCall()); }

npcc_array *findKept(int64_t number) {
  std::vector<npcc_array> &arrays = kept().arrays;
  bool isOwn = number >= static_cast<int64_t>(beginOfCall()) && number < static_cast<int64_t>(arrays.size());
  return isOwn ? &arrays[number] : nullptr;
}

} // namespace npcc::rt

using namespace npcc::rt;

int64_t npcc_rt_keep(const npcc_array *array) {
  int64_t number = 0;
  NPCC_OR_FAIL(keep(*array, number));
  return number;
}

void npcc_rt_kept(int64_t number, npcc_array *array) { NPCC_OR_FAIL(findAgain(number, *array)); }
