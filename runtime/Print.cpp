#include "runtime/Format.h"
#include "runtime/Frame.h"
#include "runtime/Text.h"
#include <atomic>
#include <cstdio>

namespace npcc::rt {

Status formatItem(const npcc_print_item &item, std::string &out) {
  std::string_view spec = item.spec ? item.spec : "";
  const npcc_value &value = item.value;
  switch (item.kind) {
  case 's': return formatText(reinterpret_cast<const char *>(value.i), spec, out);
  case 't': return formatText(textAsUtf8(value.i), spec, out);
  case 'i': return formatSigned(value.i, spec, out);
  case 'u': return formatUnsigned(value.u, spec, out);
  case 'b': return formatBool(value.i != 0, spec, out);
  case 'f': return formatFloat(value.f, spec, out);
  case 'c': return formatComplex(value.c, spec, out);
  // NumPy's narrow scalars: their own shortest text; with a specification NumPy converts them to Python's types first.
  case 'g':
  case 'h':
    if (!spec.empty())
      return formatFloat(value.f, spec, out);
    out = shortestFloat(value.f, item.kind == 'g' ? Precision::Single : Precision::Half);
    return {};
  case 'n': return formatFloat(value.f, spec.empty() ? "g" : spec, out); // as ml_dtypes writes bfloat16
  case 'k':
    if (!spec.empty())
      return formatComplex(value.c, spec, out);
    out = shortestComplex(value.c, Precision::Single);
    return {};
  // Inside np.complex128(...), whose parentheses are enough.
  case 'C':
  case 'K':
    out = shortestComplex(value.c, item.kind == 'K' ? Precision::Single : Precision::Double);
    if (out.front() == '(')
      out = out.substr(1, out.size() - 2);
    return {};
  default: return makeError(NPCC_RUNTIME_ERROR, "print of unknown kind {}", item.kind);
  }
}

namespace {

using Writer = void (*)(const char *text, int64_t bytes);
std::atomic<Writer> writer{nullptr};

Status print(int32_t count, const npcc_print_item *items, const char *separator, const char *end) {
  std::string line, text;
  for (int32_t k = 0; k < count; ++k) {
    if (k > 0)
      line += separator ? separator : " ";
    NPCC_TRY(formatItem(items[k], text));
    line += text;
  }
  line += end ? end : "\n";
  if (Writer write = writer.load(std::memory_order_acquire)) {
    write(line.data(), static_cast<int64_t>(line.size()));
    return {};
  }
  fwrite(line.data(), 1, line.size(), stdout);
  fflush(stdout);
  return {};
}

} // namespace
} // namespace npcc::rt

void npcc_rt_set_print(void (*write)(const char *text, int64_t bytes)) {
  npcc::rt::writer.store(write, std::memory_order_release);
}

void npcc_rt_print(int32_t count, const npcc_print_item *items, const char *separator, const char *end) {
  NPCC_OR_FAIL(npcc::rt::print(count, items, separator, end));
}
