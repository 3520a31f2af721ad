#include "runtime/Status.h"
#include <algorithm>
#include <cstring>

namespace npcc::rt {

/// Cuts between UTF-8 characters, never inside one: the text becomes a Python string.
static void copyText(char *to, size_t capacity, const std::string &from) {
  size_t length = std::min(from.size(), capacity - 1);
  if (length < from.size())
    while (length > 0 && (static_cast<unsigned char>(from[length]) & 0xc0) == 0x80)
      --length;
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

void Status::write(npcc_status &out) const {
  out.error = NPCC_OK;
  out.line = 0;
  out.file[0] = '\0';
  out.message[0] = '\0';
  if (!error)
    return;
  out.error = error->code;
  out.line = error->line;
  copyText(out.file, sizeof(out.file), error->file);
  copyText(out.message, sizeof(out.message), error->message);
}

std::string formatBytes(int64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

} // namespace npcc::rt
