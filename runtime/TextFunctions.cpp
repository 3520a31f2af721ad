// What compiled code asks of strings (np.text, np.text_function). Python's other methods are Python's (TextHooks.cpp).
#include "runtime/Format.h"
#include "runtime/Frame.h"
#include "runtime/Text.h"
#include <algorithm>

namespace npcc::rt {
namespace {

Status makeText(int32_t count, const npcc_print_item *items, int64_t &number) {
  std::string text, piece;
  bool isExtended = count > 0 && items[0].kind == 't' && !items[0].spec;
  for (int32_t k = isExtended; k < count; ++k) {
    NPCC_TRY(formatItem(items[k], piece));
    text += piece;
  }
  number = isExtended ? textNumber(items[0].value.i, fromUtf8(text)) : textNumberOfUtf8(text);
  return {};
}

/// A position as slices have it: from the end if it is negative, within the string.
int64_t clamped(int64_t position, int64_t length) {
  return std::clamp<int64_t>(position < 0 ? position + length : position, 0, length);
}

} // namespace
} // namespace npcc::rt

using namespace npcc::rt;

int64_t npcc_rt_text(int32_t count, const npcc_print_item *items) {
  int64_t number;
  NPCC_OR_FAIL(makeText(count, items, number));
  return number;
}

int64_t npcc_rt_text_length(int64_t text) { return textLength(text); }

int64_t npcc_rt_text_at(int64_t text, int64_t position) {
  Characters characters(text);
  return static_cast<uint64_t>(position) < characters->size() ? static_cast<int64_t>(std::u32string_view(characters)[position])
                                                              : textNumber({});
}

int64_t npcc_rt_text_slice(int64_t text, int64_t start, int64_t stop, int64_t step) {
  Characters characters(text);
  std::u32string_view view = characters;
  if (step == 1)
    return textNumber(start < stop ? view.substr(start, stop - start) : std::u32string_view());
  std::u32string part;
  for (int64_t k = start; step > 0 ? k < stop : k > stop; k += step)
    part += view[k];
  return textNumber(part);
}

int64_t npcc_rt_text_repeat(int64_t text, int64_t count) {
  Characters characters(text);
  std::u32string result;
  for (int64_t k = 0; k < count; ++k)
    result += characters;
  return textNumber(result);
}

int64_t npcc_rt_text_compare(int64_t left, int64_t right) {
  int order = std::u32string_view(Characters(left)).compare(Characters(right));
  return order < 0 ? -1 : order > 0;
}

int64_t npcc_rt_text_find(int64_t text, int64_t part, int64_t start, int64_t stop) {
  Characters all(text), wanted(part);
  int64_t length = all->size(), first = start < 0 ? clamped(start, length) : start, end = clamped(stop, length);
  if (first > end)
    return -1;
  size_t found = all->substr(first, end - first).find(wanted);
  return found == std::u32string_view::npos ? -1 : static_cast<int64_t>(found) + first;
}

int64_t npcc_rt_text_starts_with(int64_t text, int64_t part) { return Characters(text)->starts_with(Characters(part)); }
int64_t npcc_rt_text_ends_with(int64_t text, int64_t part) { return Characters(text)->ends_with(Characters(part)); }
