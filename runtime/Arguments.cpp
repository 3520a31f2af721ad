#include "runtime/Arguments.h"
#include "runtime/Copy.h"
#include "runtime/Element.h"
#include <algorithm>

namespace npcc::rt {

Arguments::~Arguments() {
  for (int32_t k = 0; k < transferCount; ++k)
    if (transfers[k].passage)
      delete transfers[k].passage;
    else if (transfers[k].base)
      releaseBuffer(transfers[k].base, nullptr);
}

static View callerView(const ArrayArgument &array) { return viewOf(*array.caller); }

static View deviceView(const ArrayArgument &array) {
  View view = callerView(array);
  view.data = array.data;
  std::copy_n(array.strides, view.rank, view.strides);
  return view;
}

static bool alignedTo(const void *data, int32_t dtype) {
  return reinterpret_cast<uintptr_t>(data) % elementAlignment(dtype) == 0;
}

Status Arguments::bindArray(int32_t k) {
  const npcc_param &param = function.params[k];
  const npcc_array *given = values[k].a;
  if (!given || given->dtype != param.dtype || given->rank != param.rank || param.rank > NPCC_MAX_RANK)
    return makeError(NPCC_TYPE_ERROR, "{}: argument {} is not a {} array of rank {}", function.signature, param.name,
                     npcc_rt_dtype_name(static_cast<npcc_dtype>(param.dtype)), param.rank);
  for (int32_t axis = 0; axis < given->rank; ++axis) {
    if (given->shape[axis] < 0)
      return Status(NPCC_VALUE_ERROR, "negative dimensions are not allowed");
    if ((param.unit_axes >> axis & 1) && given->shape[axis] != 1)
      return makeError(NPCC_TYPE_ERROR, "{}: axis {} of argument {} must have extent 1, not {}", function.signature,
                       axis, param.name, given->shape[axis]);
  }

  ArrayArgument &array = arrays[k];
  array.caller = given;
  array.param = &param;
  array.source = nullptr;
  array.transfer = -1;
  array.base = given->base;
  array.data = static_cast<char *>(given->data);
  View view = callerView(array);
  array.range = rangeOf(view);
  array.contiguous = isContiguous(view);
  array.aligned = alignedTo(given->data, given->dtype);
  std::copy_n(given->strides, given->rank, array.strides);
  if (given->device != NPCC_CPU)
    everyArrayOnHost = false;
  else
    NPCC_TRY(waitForHost(array.range));
  if (given->device != device->id)
    NPCC_TRY(findDevice(given->device, array.source));
  return (array.source ? array.source : device)->orderBuffer(given->base);
}

Status Arguments::bind(Device &target) {
  device = &target;
  bool any = false;
  for (int32_t k = 0; k < function.param_count; ++k) {
    const npcc_param &param = function.params[k];
    if (!isDtype(param.dtype))
      return makeError(NPCC_TYPE_ERROR, "{}: unknown dtype {}", function.signature, param.dtype);
    if (param.kind != NPCC_ARRAY)
      continue;
    NPCC_TRY(bindArray(k));
    any = any || arrays[k].source;
  }
  if (any)
    planTransfers();
  return {};
}

/// Arrays that must be brought and overlap, directly or through others, share a transfer. One that the function may not
/// see in another layout comes with all that lies between its elements.
void Arguments::planTransfers() {
  transfers.resize(function.param_count);
  for (int32_t k = 0; k < function.param_count; ++k) {
    if (function.params[k].kind != NPCC_ARRAY || !arrays[k].source || arrays[k].transfer >= 0)
      continue;
    Transfer &transfer = transfers[transferCount];
    bool staysAsItIs = function.params[k].tells_layout && !arrays[k].contiguous;
    transfer = {k, staysAsItIs, arrays[k].range, nullptr, nullptr, nullptr};
    arrays[k].transfer = transferCount;
    for (bool grown = true; grown;) {
      grown = false;
      for (int32_t other = k + 1; other < function.param_count; ++other) {
        if (function.params[other].kind != NPCC_ARRAY || arrays[other].source != arrays[k].source ||
            arrays[other].transfer >= 0 || arrays[other].range.empty() || transfer.callerRange.empty() ||
            !arrays[other].range.overlaps(transfer.callerRange))
          continue;
        arrays[other].transfer = transferCount;
        transfer.covering = grown = true;
        transfer.callerRange = {std::min(transfer.callerRange.low, arrays[other].range.low),
                                std::max(transfer.callerRange.high, arrays[other].range.high)};
      }
    }
    ++transferCount;
  }
}

Status Arguments::bringContiguous(Transfer &transfer) {
  ArrayArgument &array = arrays[transfer.first];
  View from = callerView(array);
  if (array.contiguous && array.source->onHost() && !device->onHost()) {
    std::unique_ptr<Passage> passage;
    NPCC_TRY(device->beginPassage(array.range, passage));
    transfer.passage = passage.release();
    if (transfer.passage)
      transfer.passage->mayDepart = array.param->written && !array.refusesStores() && !array.param->weak;
  }
  if (transfer.passage)
    transfer.base = transfer.passage->base;
  else
    NPCC_TRY(newBuffer(*device, elementCount(from) * from.elementSize, nullptr, transfer.base));
  View to = contiguousLike(from, transfer.base);
  transfer.deviceLow = to.data;
  array.base = transfer.base;
  array.data = to.data;
  array.contiguous = array.aligned = true;
  std::copy_n(to.strides, to.rank, array.strides);
  return transfer.passage ? Status() : copyView(*device, to, *array.source, from);
}

Status Arguments::bringCovering(Transfer &transfer) {
  constexpr int64_t room = 64;
  const ArrayArgument &first = arrays[transfer.first];
  NPCC_TRY(newBuffer(*device, transfer.callerRange.bytes() + room, nullptr, transfer.base));
  // The array of the widest elements becomes aligned to them, whatever the caller's address was: of fields of records all are then.
  const ArrayArgument *widest = &first;
  for (int32_t k = transfer.first; k < function.param_count; ++k)
    if (function.params[k].kind == NPCC_ARRAY && arrays[k].transfer == first.transfer &&
        elementAlignment(arrays[k].caller->dtype) > elementAlignment(widest->caller->dtype))
      widest = &arrays[k];
  int64_t offset = static_cast<const char *>(widest->caller->data) - transfer.callerRange.low;
  int64_t shift = (room - offset % room) % room;
  transfer.deviceLow = static_cast<char *>(transfer.base) + shift;
  for (int32_t k = transfer.first; k < function.param_count; ++k) {
    if (function.params[k].kind != NPCC_ARRAY || arrays[k].transfer != arrays[transfer.first].transfer)
      continue;
    ArrayArgument &array = arrays[k];
    array.base = transfer.base;
    array.data = transfer.deviceLow + (static_cast<char *>(array.caller->data) - transfer.callerRange.low);
    array.aligned = alignedTo(array.data, array.caller->dtype);
    if (!array.aligned)
      return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "{}: overlapping arguments of which some are not aligned cannot be "
                       "brought to {}", function.signature, device->name());
  }
  return copyBytes(*device, transfer.deviceLow, *first.source, transfer.callerRange.low, transfer.callerRange.bytes());
}

Status Arguments::bringIn() {
  for (int32_t k = 0; k < transferCount; ++k)
    NPCC_TRY(transfers[k].covering ? bringCovering(transfers[k]) : bringContiguous(transfers[k]));
  return sendParts();
}

/// The arrays of which least was sent come next: a loop that takes a part of each in every iteration has them together.
Status Arguments::sendParts() {
  for (;;) {
    Passage *next = nullptr;
    for (int32_t k = 0; k < transferCount; ++k)
      if (Passage *one = transfers[k].passage; one && one->sent() < (next ? next->sent() : 1))
        next = one;
    if (!next)
      return {};
    NPCC_TRY(next->sendNext());
  }
}

Status Arguments::arrive() {
  for (int32_t k = 0; k < transferCount; ++k)
    if (transfers[k].passage)
      NPCC_TRY(transfers[k].passage->arrive());
  return {};
}

bool Arguments::anyPassage() const {
  for (int32_t k = 0; k < transferCount; ++k)
    if (transfers[k].passage)
      return true;
  return false;
}

const Transfer *Arguments::passageAt(const char *address) const {
  for (int32_t k = 0; k < transferCount; ++k) {
    const Transfer &transfer = transfers[k];
    if (transfer.passage && address >= transfer.deviceLow &&
        address < transfer.deviceLow + transfer.callerRange.bytes())
      return &transfer;
  }
  return nullptr;
}

/// Bytes [low, high) from an address in the array, counted from its beginning; high < 0: up to its end.
static std::pair<int64_t, int64_t> bytesOf(const Transfer &transfer, const char *address, int64_t low, int64_t high) {
  int64_t offset = address - transfer.deviceLow, bytes = transfer.callerRange.bytes();
  return {std::max<int64_t>(offset + low, 0), high < 0 ? bytes : std::min(offset + high, bytes)};
}

Status Arguments::arrive(const char *address, int64_t low, int64_t high) {
  const Transfer *transfer = passageAt(address);
  if (!transfer)
    return {};
  auto [first, end] = bytesOf(*transfer, address, low, high);
  return transfer->passage->arrive(first, end);
}

Status Arguments::written(const char *address, int64_t low, int64_t high) {
  const Transfer *transfer = passageAt(address);
  if (!transfer || !transfer->passage->mayDepart)
    return {};
  auto [first, end] = bytesOf(*transfer, address, low, high);
  return transfer->passage->written(first, end);
}

Status Arguments::bringBack(bool overlaps) {
  for (int32_t k = 0; k < function.param_count; ++k) {
    if (function.params[k].kind != NPCC_ARRAY || !function.params[k].written || arrays[k].transfer < 0 || arrays[k].refusesStores())
      continue;
    // Only the array's own elements: others may lie between them.
    const ArrayArgument &array = arrays[k];
    // A list is put together of the elements when the call returns.
    if (Passage *passage = transfers[array.transfer].passage; passage && passage->mayDepart) {
      NPCC_TRY(passage->depart(overlaps));
      continue;
    }
    NPCC_TRY(copyView(*array.source, callerView(array), *device, deviceView(array)));
  }
  return {};
}

/// Does a written argument overlap another one?
bool Arguments::aliased() const {
  for (int32_t k = 0; k < function.param_count; ++k) {
    if (function.params[k].kind != NPCC_ARRAY || !function.params[k].written || arrays[k].range.empty())
      continue;
    for (int32_t other = 0; other < function.param_count; ++other)
      if (other != k && function.params[other].kind == NPCC_ARRAY && !arrays[other].range.empty() &&
          arrays[other].caller->device == arrays[k].caller->device && arrays[k].range.overlaps(arrays[other].range) &&
          !areInterleaved(callerView(arrays[k]), callerView(arrays[other])))
        return true;
  }
  return false;
}

bool Arguments::holds(const npcc_variant &variant) const {
  if (variant.assumptions & NPCC_ASSUME_CONTIGUOUS)
    for (int32_t k = 0; k < function.param_count; ++k)
      if (function.params[k].kind == NPCC_ARRAY && !((arrays[k].contiguous || function.params[k].is_view) && arrays[k].aligned))
        return false;
  if (variant.assumptions & NPCC_ASSUME_WRITABLE)
    for (int32_t k = 0; k < function.param_count; ++k)
      if (function.params[k].kind == NPCC_ARRAY && arrays[k].refusesStores())
        return false;
  if (variant.assumptions & NPCC_ASSUME_SMALL_INTEGERS)
    for (int32_t k = 0; k < function.param_count; ++k) {
      const npcc_param &param = function.params[k];
      bool isPythonInt = param.kind == NPCC_SCALAR && param.weak == 1 && param.dtype == NPCC_INT64;
      if (isPythonInt && (values[k].i < -(int64_t(1) << 31) || values[k].i > int64_t(1) << 31))
        return false;
    }
  for (int32_t k = 0; k < variant.guard_count; ++k) {
    const npcc_extent_guard &guard = variant.guards[k];
    int64_t expected = guard.array_a < 0 ? guard.axis_a : extent(guard.array_a, guard.axis_a);
    if (expected != extent(guard.array_b, guard.axis_b))
      return false;
  }
  return !(variant.assumptions & NPCC_ASSUME_NO_ALIAS) || !aliased();
}

const ArrayArgument *Arguments::ownerOf(void *base, const char *data) const {
  const ArrayArgument *owner = nullptr;
  for (int32_t k = 0; k < function.param_count; ++k) {
    if (function.params[k].kind != NPCC_ARRAY || arrays[k].base != base || !base)
      continue;
    const ArrayArgument &array = arrays[k];
    // Of several views of one base, the one whose elements the address lies in.
    int64_t offset = array.transfer >= 0 ? data - array.data : data - static_cast<char *>(array.caller->data);
    const char *inCaller = static_cast<char *>(array.caller->data) + offset;
    if (!owner || (inCaller >= array.range.low && inCaller < array.range.high))
      owner = &array;
  }
  return owner;
}

} // namespace npcc::rt
