#include "runtime/Results.h"
#include "runtime/Copy.h"
#include "runtime/Element.h"
#include "runtime/Frame.h"
#include "runtime/Kept.h"
#include "runtime/abi/kept.h"
#include <algorithm>
#include <cstring>
#include <cstdlib>

namespace npcc::rt {

// A memref descriptor in words: allocated, aligned, offset, sizes[rank], strides[rank].
static int64_t wordsOf(const npcc_param &param) { return param.kind == NPCC_ARRAY ? 3 + 2 * param.rank : 2; }

static size_t wordsOf(const npcc_function &function) {
  size_t words = 0;
  for (int32_t k = 0; k < function.param_count; ++k)
    words += wordsOf(function.params[k]);
  for (int32_t k = 0; k < function.result_count; ++k)
    words += wordsOf(function.results[k]);
  return words;
}

static void describe(const ArrayArgument &array, int64_t *words) {
  int32_t rank = array.caller->rank;
  words[0] = reinterpret_cast<int64_t>(array.base) | (array.refusesStores() ? readOnlyBit : 0);
  words[1] = reinterpret_cast<int64_t>(array.data);
  words[2] = 0;
  std::copy_n(array.caller->shape, rank, words + 3);
  if (!array.contiguous) {
    std::copy_n(array.strides, rank, words + 3 + rank);
    return;
  }
  // Strides of axes of extent 1 may be anything in NumPy; contiguous code may rely on them all.
  int64_t stride = 1;
  for (int32_t axis = rank - 1; axis >= 0; --axis) {
    words[3 + rank + axis] = stride;
    stride *= std::max<int64_t>(array.caller->shape[axis], 1);
  }
}

Slots::Slots(const Arguments &arguments)
    : arguments(arguments), pointers(arguments.function.param_count + arguments.function.result_count),
      words(wordsOf(arguments.function)) {
  const npcc_function &function = arguments.function;
  int64_t *next = words.data();
  for (int32_t k = 0; k < function.param_count; ++k) {
    const npcc_param &param = function.params[k];
    pointers[k] = next;
    if (param.kind == NPCC_ARRAY)
      describe(arguments.array(k), next);
    else if (param.kind == NPCC_SCALAR)
      storeScalar(next, param.dtype, arguments.values[k]);
    else if (param.kind == NPCC_GENERATOR)
      *next = reinterpret_cast<int64_t>(arguments.values[k].g);
    next += wordsOf(param);
  }
  for (int32_t k = 0; k < function.result_count; ++k) {
    pointers[function.param_count + k] = next;
    next += wordsOf(function.results[k]);
  }
}

void Slots::discardResults() const {
  for (int32_t k = 0; k < arguments.function.result_count; ++k)
    if (arguments.function.results[k].kind == NPCC_ARRAY)
      releaseBuffer(withoutMark(reinterpret_cast<void *>(result(k)[0])), nullptr);
}

namespace {

npcc_array readDescriptor(const npcc_param &result, const int64_t *words, int32_t device) {
  npcc_array array;
  array.base = withoutMark(reinterpret_cast<void *>(words[0]));
  array.data = reinterpret_cast<char *>(words[1]) + words[2] * elementSize(result.dtype);
  array.dtype = result.dtype;
  array.rank = result.rank;
  array.device = device;
  array.flags =
      withoutMark(reinterpret_cast<void *>(words[0])) == reinterpret_cast<void *>(words[0]) ? 0 : NPCC_READONLY;
  std::copy_n(words + 3, result.rank, array.shape);
  std::copy_n(words + 3 + result.rank, result.rank, array.strides);
  return array;
}

/// The position in a contiguous array of this shape of its element number `offset`.
void unravel(const npcc_array &shape, int64_t offset, int64_t *index) {
  for (int32_t axis = shape.rank - 1; axis >= 0; --axis) {
    index[axis] = offset % shape.shape[axis];
    offset /= shape.shape[axis];
  }
}

/// A view of an array's contiguous copy as a view of the array itself: false where that is no strided view. Positions in
/// the copy are unique, so each axis of the view is a step in every axis of the array, found from its second element; that
/// the view stays inside the array at its corners makes the steps right everywhere.
bool mapThroughCopy(const npcc_array &caller, const char *copyData, npcc_array &view) {
  int64_t size = elementSize(caller.dtype);
  // Where the array itself lies as its copy does, so does every view, reshaped ones too.
  if (isContiguous(viewOf(caller))) {
    view.data = static_cast<char *>(caller.data) + (static_cast<const char *>(view.data) - copyData);
    return true;
  }
  if (view.dtype != caller.dtype) {
    // The real or the imaginary parts of complex numbers lie where the numbers do.
    int64_t half = elementSize(view.dtype);
    if (2 * half != size)
      return false;
    int64_t place = (static_cast<const char *>(view.data) - copyData) % size;
    npcc_array whole = view;
    whole.dtype = caller.dtype;
    whole.data = static_cast<char *>(view.data) - place;
    for (int32_t axis = 0; axis < view.rank; ++axis)
      whole.strides[axis] = view.strides[axis] / 2;
    if (!mapThroughCopy(caller, copyData, whole))
      return false;
    view.data = static_cast<char *>(whole.data) + place;
    for (int32_t axis = 0; axis < view.rank; ++axis)
      view.strides[axis] = whole.strides[axis] * 2;
    return true;
  }
  int64_t first = (static_cast<const char *>(view.data) - copyData) / size;
  int64_t start[NPCC_MAX_RANK], low[NPCC_MAX_RANK], high[NPCC_MAX_RANK], second[NPCC_MAX_RANK];
  int64_t strides[NPCC_MAX_RANK];
  int64_t total = 1;
  for (int32_t axis = 0; axis < caller.rank; ++axis)
    total *= caller.shape[axis];
  bool emptyView = false;
  for (int32_t axis = 0; axis < view.rank; ++axis)
    emptyView = emptyView || view.shape[axis] == 0;
  if (total == 0 || emptyView) { // no element to map; any address will do
    view.data = caller.data;
    return true;
  }
  if (first < 0 || first >= total)
    return false;
  unravel(caller, first, start);
  std::copy_n(start, caller.rank, low);
  std::copy_n(start, caller.rank, high);
  for (int32_t axis = 0; axis < view.rank; ++axis) {
    strides[axis] = view.strides[axis];
    if (view.shape[axis] == 1)
      continue;
    int64_t next = first + view.strides[axis], stride = 0;
    if (next < 0 || next >= total)
      return false;
    unravel(caller, next, second);
    for (int32_t k = 0; k < caller.rank; ++k) {
      int64_t step = second[k] - start[k], reach = step * (view.shape[axis] - 1);
      (reach < 0 ? low : high)[k] += reach;
      stride += step * caller.strides[k];
    }
    strides[axis] = stride;
  }
  char *data = static_cast<char *>(caller.data);
  for (int32_t k = 0; k < caller.rank; ++k) {
    if (low[k] < 0 || high[k] >= caller.shape[k])
      return false;
    data += start[k] * caller.strides[k] * size;
  }
  view.data = data;
  std::copy_n(strides, view.rank, view.strides);
  return true;
}

/// A result in an argument's memory, as a view of the caller's array.
bool mapOntoCaller(const Arguments &arguments, const ArrayArgument &owner, npcc_array &view) {
  if (owner.transfer >= 0) {
    const Transfer &transfer = arguments.transferOf(owner);
    if (transfer.covering)
      view.data = transfer.callerRange.low + (static_cast<char *>(view.data) - transfer.deviceLow);
    else if (!mapThroughCopy(*owner.caller, transfer.deviceLow, view))
      return false;
  }
  view.base = owner.caller->base;
  view.device = owner.caller->device;
  view.flags |= owner.caller->flags;
  return true;
}

/// Moves results of one base to the CPU; `views` are the results that share it. `overlaps`: the elements may come later, but for numbers, which are read
/// when the call returns.
Status bringToHost(Device &device, npcc_array **views, int32_t count, bool overlaps) {
  Device *host;
  NPCC_TRY(findDevice(NPCC_CPU, host));
  ByteRange covering = rangeOf(viewOf(*views[0]));
  for (int32_t k = 1; k < count; ++k) {
    ByteRange range = rangeOf(viewOf(*views[k]));
    covering = {std::min(covering.low, range.low), std::max(covering.high, range.high)};
  }
  View first = viewOf(*views[0]);
  void *base;
  // A view without gaps (a transposition, a broadcast) keeps its strides, as do several views of one base, which must go
  // on sharing their elements.
  if (count > 1 || covering.bytes() <= elementCount(first) * first.elementSize) {
    NPCC_TRY(newBuffer(*host, covering.bytes(), nullptr, base));
    bool later = overlaps && !covering.empty() && std::all_of(views, views + count, [](npcc_array *view) { return view->rank > 0; });
    ByteRange to{static_cast<char *>(base), static_cast<char *>(base) + covering.bytes()};
    Status status = later ? device.beginDeparture(to, base, covering.low, views[0]->base)
                          : copyBytes(*host, base, device, covering.low, covering.bytes());
    if (!status.ok()) {
      releaseBuffer(base, nullptr);
      return status;
    }
    for (int32_t k = 0; k < count; ++k)
      views[k]->data = static_cast<char *>(base) + (static_cast<char *>(views[k]->data) - covering.low);
  } else {
    NPCC_TRY(newBuffer(*host, elementCount(first) * first.elementSize, nullptr, base));
    View to = contiguousLike(first, base);
    if (Status status = copyView(*host, to, device, first); !status.ok()) {
      releaseBuffer(base, nullptr);
      return status;
    }
    views[0]->data = base;
    std::copy_n(to.strides, to.rank, views[0]->strides);
  }
  for (int32_t k = 0; k < count; ++k) {
    if (k > 0)
      retainBuffer(base, nullptr);
    releaseBuffer(views[k]->base, nullptr);
    views[k]->base = base;
    views[k]->device = NPCC_CPU;
  }
  return {};
}

/// A kept array as the caller knows it: a view of its own memory, where it lies in an argument's.
void giveKept(const Arguments &arguments, const Device &device, npcc_array &array) {
  void *seenBase = withoutMark(array.base);
  array.flags = seenBase == array.base ? 0 : NPCC_READONLY;
  array.base = seenBase;
  const ArrayArgument *owner = arguments.ownerOf(seenBase, static_cast<char *>(array.data));
  if (owner && mapOntoCaller(arguments, *owner, array)) {
    retainBuffer(array.base, nullptr);
    releaseBuffer(seenBase, nullptr);
  } else if (device.onHost() && (device.id == NPCC_CPU || !arguments.anyTransferred())) {
    array.device = NPCC_CPU;
  }
}

Status takeKept(int64_t number, bool toHost, npcc_array &array) {
  npcc_array *found = findKept(number);
  if (!found)
    return Status(NPCC_INDEX_ERROR, "there is no kept array of this number");
  if (toHost && found->device != NPCC_CPU) {
    Device *device;
    NPCC_TRY(findDevice(found->device, device));
    std::vector<npcc_array *> same;
    for (npcc_array &other : keptArrays())
      if (other.base == found->base && other.device == found->device)
        same.push_back(&other);
    NPCC_TRY(bringToHost(*device, same.data(), static_cast<int32_t>(same.size()), false));
  }
  array = *found;
  retainBuffer(array.base, nullptr);
  return {};
}

} // namespace

/// Whether Python looks into the arrays when the call returns: to make lists of them, say. Tuples and lists of arrays hold them as they are.
static bool areReadAtOnce(const npcc_function &function) {
  const char *form = function.result_form;
  return form && form[strspn(form, ".N()[]")] != '\0';
}

Status giveResults(const Arguments &arguments, const Slots &slots, Device &device, bool overlaps, npcc_value *results) {
  const npcc_function &function = arguments.function;
  InlineArray<npcc_array *, 8> own(function.result_count); // results that own their reference
  int32_t ownCount = 0;
  for (int32_t k = 0; k < function.result_count; ++k) {
    const npcc_param &result = function.results[k];
    if (result.kind == NPCC_SCALAR)
      results[k] = loadScalar(slots.result(k), result.dtype);
    if (result.kind != NPCC_ARRAY)
      continue;
    npcc_array &array = *results[k].a;
    array = readDescriptor(result, slots.result(k), device.id);
    void *seenBase = array.base;
    const ArrayArgument *owner = arguments.ownerOf(seenBase, static_cast<char *>(array.data));
    if (owner && mapOntoCaller(arguments, *owner, array))
      releaseBuffer(seenBase, nullptr); // the entry retained it; the caller holds the array anyway
    else
      own[ownCount++] = &array;
  }
  for (npcc_array &array : keptArrays())
    giveKept(arguments, device, array);
  if (!arguments.allOnHost())
    return {};
  Status status;
  overlaps = overlaps && !areReadAtOnce(function);
  for (int32_t k = 0; k < ownCount; ++k) {
    if (device.onHost() && (device.id == NPCC_CPU || !arguments.anyTransferred()))
      own[k]->device = NPCC_CPU; // a logical device's memory is the host's
    if (own[k]->device == NPCC_CPU)
      continue;
    InlineArray<npcc_array *, 8> same(ownCount);
    int32_t count = 0;
    for (int32_t other = k; other < ownCount; ++other)
      if (own[other]->base == own[k]->base && own[other]->device != NPCC_CPU)
        same[count++] = own[other];
    status = bringToHost(device, same.data(), count, overlaps);
    if (!status.ok())
      break;
  }
  if (!status.ok())
    for (int32_t k = 0; k < ownCount; ++k)
      releaseBuffer(own[k]->base, nullptr);
  return status;
}

} // namespace npcc::rt

npcc_status npcc_rt_take_kept(int64_t number, int32_t to_host, npcc_array *array) {
  using namespace npcc::rt;
  npcc_status status;
  guarded([&] { return takeKept(number, to_host != 0, *array); }).write(status);
  return status;
}
