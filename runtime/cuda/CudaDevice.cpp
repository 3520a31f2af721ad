#include "runtime/Device.h"
namespace npcc::rt {
Status makeCudaDevice(int32_t ordinal, Device *&out) { return Status(NPCC_NOT_IMPLEMENTED_ERROR, "CUDA devices"); }
} // namespace npcc::rt
