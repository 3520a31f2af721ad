// int() and float() of strings, as Python reads them.
#include "runtime/Text.h"
#include "runtime/abi/text.h"
#include <charconv>
#include <cstring>
#include <optional>

namespace npcc::rt {
namespace {

bool isSpace(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F) || c == 0x85 || c == 0xA0; }

/// The text without blanks around it, and without single underscores between digits; nothing if it has other
/// characters than ASCII's, or other underscores.
std::optional<std::string> digitsOf(std::u32string_view text) {
  while (!text.empty() && isSpace(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back()))
    text.remove_suffix(1);
  std::string result;
  auto isDigit = [](char32_t c) { return c < 0x80 && isalnum(static_cast<int>(c)); };
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] >= 0x80)
      return std::nullopt;
    if (text[k] == '_' && (k == 0 || k + 1 == text.size() || !isDigit(text[k - 1]) || !isDigit(text[k + 1])))
      return std::nullopt;
    if (text[k] != '_')
      result += static_cast<char>(text[k]);
  }
  return result;
}

/// from_chars takes no plus sign.
bool dropPlus(std::string &digits) {
  if (digits.starts_with('+')) {
    digits.erase(0, 1);
    return !digits.starts_with('-');
  }
  return true;
}

struct ReadInteger {
  int64_t value = 0;
  bool fits = true; // into 64 bits
};

std::optional<ReadInteger> readInteger(int64_t number, int64_t base) {
  std::optional<std::string> digits = digitsOf(Characters(number));
  if (!digits || !dropPlus(*digits))
    return std::nullopt;
  bool isNegative = digits->starts_with('-');
  std::string_view rest = std::string_view(*digits).substr(isNegative);
  char letter = base == 2 ? 'b' : base == 8 ? 'o' : base == 16 ? 'x' : 0;
  if (letter && rest.size() > 2 && rest[0] == '0' && tolower(rest[1]) == letter)
    rest.remove_prefix(2);
  std::string signedDigits = (isNegative ? "-" : "") + std::string(rest);
  ReadInteger read;
  const char *first = signedDigits.data(), *last = first + signedDigits.size();
  auto [end, error] = std::from_chars(first, last, read.value, static_cast<int>(base));
  read.fits = error != std::errc::result_out_of_range;
  bool isAll = !rest.empty() && isalnum(rest[0]) && end == last;
  return isAll && (error == std::errc() || !read.fits) ? std::optional(read) : std::nullopt;
}

std::optional<double> readFloat(int64_t number) {
  std::optional<std::string> digits = digitsOf(Characters(number));
  if (!digits || !dropPlus(*digits))
    return std::nullopt;
  double value = 0;
  const char *first = digits->data(), *last = first + digits->size();
  auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range) // to zero or to infinity, as strtod has it
    value = strtod(first, nullptr);
  else if (error != std::errc())
    return std::nullopt;
  bool isPlain = digits->find('(') == std::string::npos; // nan(chars) is C's
  return end == last && isPlain ? std::optional(value) : std::nullopt;
}

} // namespace
} // namespace npcc::rt

using namespace npcc::rt;

int64_t npcc_rt_text_is_integer(int64_t text, int64_t base) {
  std::optional<ReadInteger> read = readInteger(text, base);
  return !read ? 0 : read->fits ? 1 : 2;
}
int64_t npcc_rt_text_to_integer(int64_t text, int64_t base) {
  return readInteger(text, base).value_or(ReadInteger()).value;
}
int64_t npcc_rt_text_is_float(int64_t text) { return readFloat(text).has_value(); }
int64_t npcc_rt_text_to_float(int64_t text) {
  double value = readFloat(text).value_or(0);
  int64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
