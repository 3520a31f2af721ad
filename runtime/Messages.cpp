#include "runtime/Messages.h"
#include "runtime/Format.h"
#include "runtime/Frame.h"
#include "runtime/abi/frame.h"
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace npcc::rt {

std::string indexErrorMessage(int64_t index, int64_t axis, int64_t size) {
  if (axis < 0) // Python's, of items that are read and stored
    return axis == -2 ? "list assignment index out of range" : "list index out of range";
  return fmt::format("index {} is out of bounds for axis {} with size {}", index, axis, size);
}

std::string formatShape(int64_t rank, const int64_t *extents) {
  std::string text = "(";
  for (int64_t axis = 0; axis < rank; ++axis)
    text += (axis == 0 ? "" : ",") + std::to_string(extents[axis]);
  return text + (rank == 1 ? ",)" : ")");
}

std::string broadcastErrorMessage(int32_t operands, const int64_t *ranks, const int64_t *extents) {
  std::string text = "operands could not be broadcast together with shapes ";
  for (int32_t operand = 0; operand < operands; ++operand) {
    // NumPy ends the list with a blank too.
    text += formatShape(ranks[operand], extents) + " ";
    extents += ranks[operand];
  }
  return text;
}

/// What stands for `{0!f:.2f}`; `text` begins behind the `!`.
static std::string formatArgument(std::string_view text, int64_t position, int32_t count, const int64_t *args) {
  std::string spec(text.substr(2)), shown;
  npcc_print_item item{text[0], 0, spec.empty() ? nullptr : spec.c_str(), {}};
  bool isComplex = strchr("ckCK", text[0]) != nullptr;
  if (position + isComplex >= count) // kernels on a device record three
    return "...";
  std::memcpy(&item.value, args + position, isComplex ? 16 : 8);
  return formatItem(item, shown).ok() ? shown : "...";
}

std::string formatMessage(const char *format, int32_t count, const int64_t *args) {
  std::string text;
  for (const char *next = format; *next; ++next) {
    char *rest = nullptr;
    int64_t number = next[0] == '{' && next[1] >= '0' && next[1] <= '9' ? strtol(next + 1, &rest, 10) : count;
    const char *end =
        rest && number < count && rest[0] == '!' && rest[1] && rest[2] == ':' ? strchr(rest, '}') : nullptr;
    if (rest && number < count && *rest == '}') {
      text += std::to_string(args[number]);
      next = rest;
    } else if (end) {
      text += formatArgument({rest + 1, end}, static_cast<int32_t>(number), count, args);
      next = end;
    } else {
      text += *next;
    }
  }
  return text;
}

const char *defaultMessage(npcc_error error) {
  switch (error) {
  case NPCC_INDEX_ERROR: return "index out of bounds";
  case NPCC_ZERO_DIVISION_ERROR: return "division by zero";
  case NPCC_OVERFLOW_ERROR: return "Python integer out of bounds";
  case NPCC_LINALG_ERROR: return "Singular matrix";
  case NPCC_MEMORY_ERROR: return "out of memory on the device";
  case NPCC_ASSERTION_ERROR: return ""; // Python's own assertion without a message
  default: return "error raised on the device";
  }
}

} // namespace npcc::rt

using namespace npcc::rt;

void npcc_rt_fail(int32_t error, const char *message, const char *file, int32_t line) {
  // A failure that names no error would look like a success at the border.
  auto code = error == NPCC_OK ? NPCC_RUNTIME_ERROR : static_cast<npcc_error>(error);
  report(Status(code, message ? message : defaultMessage(code), file, line));
  leaveFrame();
}

void npcc_rt_fail_index(int64_t index, int64_t axis, int64_t size, const char *file, int32_t line) {
  report(Status(NPCC_INDEX_ERROR, indexErrorMessage(index, axis, size), file, line));
  leaveFrame();
}

void npcc_rt_fail_broadcast(int32_t operands, const int64_t *ranks, const int64_t *extents, const char *file,
                            int32_t line) {
  report(Status(NPCC_VALUE_ERROR, broadcastErrorMessage(operands, ranks, extents), file, line));
  leaveFrame();
}

/// The shape that a ufunc's operands broadcast to, its output among them, which may only stretch the others.
static std::string formatWithOutput(int32_t rank, const int64_t *extents, int32_t outputRank, const int64_t *output) {
  std::vector<int64_t> both(std::max(rank, outputRank), 1);
  std::copy_n(output, outputRank, both.end() - outputRank);
  for (int32_t k = 0; k < rank; ++k)
    if (extents[k] != 1)
      both[both.size() - rank + k] = extents[k];
  return formatShape(int32_t(both.size()), both.data());
}

void npcc_rt_fail_broadcast_store(int32_t kind, int32_t from_rank, const int64_t *from, int32_t to_rank, const int64_t *to,
                                  const char *file, int32_t line) {
  std::string given = formatShape(from_rank, from), wanted = formatShape(to_rank, to);
  if (kind == NPCC_STORE_OUTPUT)
    given = formatWithOutput(from_rank, from, to_rank, to);
  std::string text =
      kind == NPCC_STORE_OUTPUT
          ? fmt::format("non-broadcastable output operand with shape {} doesn't match the broadcast shape {}", wanted, given)
      : kind == NPCC_STORE_POSITIONS
          ? fmt::format("shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}", given, wanted)
          : fmt::format("could not broadcast input array from shape {} into shape {}", given, wanted);
  report(Status(NPCC_VALUE_ERROR, text, file, line));
  leaveFrame();
}

void npcc_rt_fail_format(int32_t error, const char *format, int32_t count, const int64_t *args, const char *file, int32_t line) {
  auto code = error == NPCC_OK ? NPCC_RUNTIME_ERROR : static_cast<npcc_error>(error);
  report(Status(code, formatMessage(format, count, args), file, line));
  leaveFrame();
}
