// Copies between views on any two devices.
#ifndef NPCC_RUNTIME_COPY_H
#define NPCC_RUNTIME_COPY_H

#include "runtime/Device.h"

namespace npcc::rt {

/// Views on one device, of the same shape, not overlapping.
Status copyOnDevice(Device &device, View to, View from);

/// Views of the same shape. Ordered on both devices' streams; blocking where the host is one of them. If both are on one
/// device they may overlap.
Status copyView(Device &toDevice, const View &to, Device &fromDevice, const View &from);

/// Bytes, between any two devices.
Status copyBytes(Device &toDevice, void *to, Device &fromDevice, const void *from, int64_t bytes);

} // namespace npcc::rt

#endif
