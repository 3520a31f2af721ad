// Streams and events of the user's, behind npcc_rt.h.
#include "runtime/abi/streams.h"
#include "runtime/cuda/Find.h"

using namespace npcc::rt;
using namespace npcc::rt::cuda;

npcc_status npcc_rt_stream(int32_t id, void **stream) {
  return toC([&]() -> Status {
    Device *device;
    NPCC_TRY(findDevice(id, device));
    // Whoever asks may put work on it, which other streams must not overlook.
    *stream = device->target == NPCC_TARGET_CUDA ? static_cast<CudaDevice *>(device)->streams.use() : nullptr;
    return {};
  });
}

npcc_status npcc_rt_order_streams(int32_t id, void *foreign, int32_t ours_waits) {
  return toC([&]() -> Status {
    Device *device;
    NPCC_TRY(findDevice(id, device));
    if (device->target != NPCC_TARGET_CUDA)
      return {};
    return static_cast<CudaDevice *>(device)->streams.orderForeign(static_cast<Stream>(foreign), ours_waits != 0);
  });
}

npcc_status npcc_rt_order_buffer(int32_t id, void *base) {
  return onCuda(id, [&](CudaDevice &device) { return device.orderBuffer(base); });
}

static npcc_status enter(int32_t id, void *stream, bool isAwaited, npcc_stream_use *previous) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    CurrentStream before;
    NPCC_TRY(device.streams.enter(static_cast<Stream>(stream), before, isAwaited));
    *previous = {before.streams, before.index, before.isAwaited};
    return {};
  });
}

npcc_status npcc_rt_enter_stream(int32_t id, void *stream, npcc_stream_use *previous) {
  return enter(id, stream, false, previous);
}

npcc_status npcc_rt_enter_awaited_stream(int32_t id, void *stream, npcc_stream_use *previous) {
  return enter(id, stream, true, previous);
}

void npcc_rt_leave_stream(const npcc_stream_use *previous) {
  Streams::leave({static_cast<Streams *>(previous->streams), previous->index, previous->is_awaited != 0});
}

int32_t npcc_rt_has_entered_stream(int32_t id) {
  CudaDevice *device;
  return currentStream.streams && findCudaDevice(id, device).ok() && currentStream.streams == &device->streams;
}

npcc_status npcc_rt_stream_new(int32_t id, int32_t flags, int32_t priority, void **stream) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    Stream made = nullptr;
    NPCC_CUDA_TRY(streamCreateWithPriority(&made, flags, priority));
    device.streams.remember(made);
    *stream = made;
    return {};
  });
}

npcc_status npcc_rt_stream_destroy(int32_t id, void *stream) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    device.streams.forget(static_cast<Stream>(stream));
    NPCC_CUDA_TRY(streamDestroy(static_cast<Stream>(stream)));
    return {};
  });
}

npcc_status npcc_rt_stream_synchronize(int32_t id, void *stream) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    StreamScope on;
    NPCC_TRY(on.enter(device.streams, static_cast<Stream>(stream)));
    return device.synchronize();
  });
}

npcc_status npcc_rt_stream_query(int32_t id, void *stream, int32_t *done) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    Result result = driver().streamQuery(static_cast<Stream>(stream));
    *done = result == success;
    return result == notReady ? Status() : check(result, "cuStreamQuery");
  });
}

npcc_status npcc_rt_stream_wait_event(int32_t id, void *stream, void *event) {
  return onCuda(id, [&](CudaDevice &device) -> Status {
    StreamScope on;
    NPCC_TRY(on.enter(device.streams, static_cast<Stream>(stream)));
    return device.waitEvent(event);
  });
}

npcc_status npcc_rt_event_new(int32_t id, int32_t flags, void **event) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    Event made = nullptr;
    NPCC_CUDA_TRY(eventCreate(&made, flags));
    *event = made;
    return {};
  });
}

npcc_status npcc_rt_event_destroy(int32_t id, void *event) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    NPCC_CUDA_TRY(eventDestroy(static_cast<Event>(event)));
    return {};
  });
}

npcc_status npcc_rt_event_record(int32_t id, void *event, void *stream) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    NPCC_CUDA_TRY(eventRecord(static_cast<Event>(event), static_cast<Stream>(stream)));
    return {};
  });
}

npcc_status npcc_rt_event_synchronize(int32_t id, void *event) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    NPCC_CUDA_TRY(eventSynchronize(static_cast<Event>(event)));
    return {};
  });
}

npcc_status npcc_rt_event_query(int32_t id, void *event, int32_t *done) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    Result result = driver().eventQuery(static_cast<Event>(event));
    *done = result == success;
    return result == notReady ? Status() : check(result, "cuEventQuery");
  });
}

npcc_status npcc_rt_event_elapsed(int32_t id, void *from, void *to, float *milliseconds) {
  return onCuda(id, [&](CudaDevice &) -> Status {
    Result result = driver().eventElapsedTime(milliseconds, static_cast<Event>(from), static_cast<Event>(to));
    if (result == notReady)
      return Status(NPCC_RUNTIME_ERROR, "the elapsed time is not known yet: synchronize the second event first");
    return check(result, "cuEventElapsedTime");
  });
}
