#include "runtime/Copy.h"
#include "runtime/Buffer.h"
#include "runtime/Counters.h"
#include "runtime/Element.h"
#include <algorithm>

namespace npcc::rt {

Status copyOnDevice(Device &device, View to, View from) {
  if (elementCount(to) == 0)
    return {};
  normalise(to, from);
  if (to.rank == 0)
    return device.copyWithin(to.data, from.data, to.elementSize);
  if (to.rank == 1 && to.strides[0] == 1 && from.strides[0] == 1)
    return device.copyWithin(to.data, from.data, to.shape[0] * to.elementSize);
  return device.copyStrided(to, from);
}

Status copyBytes(Device &toDevice, void *to, Device &fromDevice, const void *from, int64_t bytes) {
  if (bytes == 0)
    return {};
  if (&toDevice == &fromDevice) {
    DeviceScope scope(toDevice);
    return toDevice.copyWithin(to, from, bytes);
  }
  if (fromDevice.onHost() && !toDevice.onHost()) {
    DeviceScope scope(toDevice);
    return toDevice.copyIn(to, from, bytes);
  }
  if (!fromDevice.onHost() && toDevice.onHost()) {
    DeviceScope scope(fromDevice);
    return fromDevice.copyOut(to, from, bytes);
  }
  // Two devices of one kind: the reader's stream waits for what the owner's has under way, and the owner's stream for
  // the reader, because the owner may release the memory as soon as this returns.
  void *ready = nullptr, *done = nullptr;
  auto copy = [&]() -> Status {
    {
      DeviceScope scope(fromDevice);
      NPCC_TRY(fromDevice.recordEvent(ready));
    }
    {
      DeviceScope scope(toDevice);
      NPCC_TRY(toDevice.waitEvent(ready));
      NPCC_TRY(toDevice.copyFromPeer(to, fromDevice, from, bytes));
      NPCC_TRY(toDevice.recordEvent(done));
    }
    DeviceScope scope(fromDevice);
    return fromDevice.waitEvent(done);
  };
  Status status = copy();
  fromDevice.destroyEvent(ready);
  toDevice.destroyEvent(done);
  return status;
}

/// A view and its contiguous twin on the same device: itself if it is contiguous, else a buffer.
static Status twin(Device &device, const View &view, OwnedBuffer &buffer, View &contiguous) {
  if (isContiguous(view)) {
    contiguous = contiguousLike(view, view.data);
    return {};
  }
  DeviceScope scope(device);
  NPCC_TRY(buffer.allocate(device, elementCount(view) * view.elementSize));
  contiguous = contiguousLike(view, buffer.get());
  return {};
}

Status copyView(Device &toDevice, const View &to, Device &fromDevice, const View &from) {
  int64_t bytes = elementCount(to) * to.elementSize;
  if (bytes == 0)
    return {};
  bool bothOnHost = toDevice.onHost() && fromDevice.onHost();
  if (&toDevice == &fromDevice || bothOnHost) {
    DeviceScope scope(toDevice);
    if (!rangeOf(to).overlaps(rangeOf(from)))
      return copyOnDevice(toDevice, to, from);
    // As NumPy's assignment: as if the source were copied first.
    OwnedBuffer buffer;
    NPCC_TRY(buffer.allocate(toDevice, bytes));
    View copy = contiguousLike(from, buffer.get());
    NPCC_TRY(copyOnDevice(toDevice, copy, from));
    return copyOnDevice(toDevice, to, copy);
  }
  OwnedBuffer fromBuffer, toBuffer;
  View fromTwin, toTwin;
  NPCC_TRY(twin(fromDevice, from, fromBuffer, fromTwin));
  NPCC_TRY(twin(toDevice, to, toBuffer, toTwin));
  if (fromBuffer.get()) {
    DeviceScope scope(fromDevice);
    NPCC_TRY(copyOnDevice(fromDevice, fromTwin, from));
  }
  NPCC_TRY(copyBytes(toDevice, toTwin.data, fromDevice, fromTwin.data, bytes));
  if (toBuffer.get()) {
    DeviceScope scope(toDevice);
    NPCC_TRY(copyOnDevice(toDevice, to, toTwin));
  }
  return {};
}

} // namespace npcc::rt

using namespace npcc::rt;

npcc_status npcc_rt_copy(npcc_array *to, const npcc_array *from) {
  return toC([&]() -> Status {
    if (to->dtype != from->dtype || !isDtype(to->dtype) || to->rank != from->rank ||
        !std::equal(to->shape, to->shape + to->rank, from->shape))
      return Status(NPCC_VALUE_ERROR, "arrays of a copy differ in dtype or shape");
    if (to->flags & NPCC_READONLY)
      return Status(NPCC_VALUE_ERROR, "assignment destination is read-only");
    Device *toDevice, *fromDevice;
    NPCC_TRY(findDevice(to->device, toDevice));
    NPCC_TRY(findDevice(from->device, fromDevice));
    NPCC_TRY(toDevice->orderBuffer(to->base));
    NPCC_TRY(fromDevice->orderBuffer(from->base));
    for (const npcc_array *array : {static_cast<const npcc_array *>(to), from})
      if (array->device == NPCC_CPU)
        NPCC_TRY(waitForHost(rangeOf(viewOf(*array))));
    NPCC_TRY(copyView(*toDevice, viewOf(*to), *fromDevice, viewOf(*from)));
    // Blocking, and a place where errors of earlier asynchronous work come to light.
    for (Device *device : {toDevice, fromDevice}) {
      DeviceScope scope(*device);
      NPCC_TRY(device->synchronize());
    }
    return {};
  });
}
