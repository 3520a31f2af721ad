// Reading a format specification, and padding.
#include "runtime/Format.h"

namespace npcc::rt {

static size_t characterBytes(std::string_view text) {
  size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80)
    ++bytes;
  return bytes;
}

int64_t characterCount(std::string_view utf8) {
  int64_t count = 0;
  for (unsigned char byte : utf8)
    count += (byte & 0xc0) != 0x80;
  return count;
}

static bool isAlign(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

static bool readNumber(std::string_view &text, int64_t &value) {
  size_t digits = 0;
  value = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    value = value * 10 + (text[digits] - '0');
    if (value > INT32_MAX)
      value = INT32_MAX; // more than any line; Python says "Too many decimal digits" far later
    ++digits;
  }
  text.remove_prefix(digits);
  return digits > 0;
}

Status parseFormatSpec(std::string_view text, const char *typeName, FormatSpec &spec) {
  std::string_view whole = text;
  bool isText = std::string_view(typeName) == "str";
  auto invalid = [&] {
    return makeError(NPCC_VALUE_ERROR, "Invalid format specifier '{}' for object of type '{}'", whole, typeName);
  };
  auto take = [&](char c) {
    if (text.empty() || text[0] != c)
      return false;
    text.remove_prefix(1);
    return true;
  };
  bool fillGiven = false;
  if (!text.empty()) {
    size_t bytes = characterBytes(text);
    if (text.size() > bytes && isAlign(text[bytes])) {
      spec.fill = std::string(text.substr(0, bytes));
      spec.align = text[bytes];
      text.remove_prefix(bytes + 1);
      fillGiven = true;
    } else if (isAlign(text[0])) {
      spec.align = text[0];
      text.remove_prefix(1);
    }
  }
  if (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == ' ')) {
    spec.sign = text[0];
    text.remove_prefix(1);
  }
  if (take('z'))
    spec.negativeZero = false;
  if (take('#'))
    spec.alternate = true;
  if (!fillGiven && take('0')) {
    spec.fill = "0";
    if (!spec.align && !isText)
      spec.align = '=';
  }
  int64_t number;
  if (readNumber(text, number))
    spec.width = number;
  if (take(','))
    spec.grouping = ',';
  if (take('_')) {
    if (spec.grouping)
      return Status(NPCC_VALUE_ERROR, "Cannot specify both ',' and '_'.");
    spec.grouping = '_';
  }
  if (!text.empty() && text[0] == ',') {
    if (spec.grouping == '_')
      return Status(NPCC_VALUE_ERROR, "Cannot specify both ',' and '_'.");
    return Status(NPCC_VALUE_ERROR, "Cannot specify ',' with ','.");
  }
  if (take('.')) {
    if (!readNumber(text, number))
      return Status(NPCC_VALUE_ERROR, "Format specifier missing precision");
    spec.precision = number;
  }
  if (text.size() > 1)
    return invalid();
  if (!text.empty())
    spec.type = text[0];
  if (spec.grouping) {
    char type = spec.type ? spec.type : isText ? 's' : 'd';
    bool byThousands = std::string_view("defgEG%F").find(type) != std::string_view::npos;
    bool byFour = spec.grouping == '_' && std::string_view("boxX").find(type) != std::string_view::npos;
    if (!byThousands && !byFour)
      return makeError(NPCC_VALUE_ERROR, "Cannot specify '{}' with '{}'.", spec.grouping, type);
  }
  return {};
}

static std::string repeat(const std::string &text, int64_t count) {
  std::string result;
  for (int64_t k = 0; k < count; ++k)
    result += text;
  return result;
}

std::string pad(const FormatSpec &spec, const std::string &text, char align) {
  int64_t missing = spec.width - characterCount(text);
  if (missing <= 0)
    return text;
  switch (spec.align ? spec.align : align) {
  case '<': return text + repeat(spec.fill, missing);
  case '^': return repeat(spec.fill, missing / 2) + text + repeat(spec.fill, missing - missing / 2);
  default: return repeat(spec.fill, missing) + text;
  }
}

/// Digits with separators, filled with zeros up to `width` characters, which are grouped too.
static std::string group(const std::string &digits, char separator, int size, int64_t width) {
  std::string reversed;
  int inGroup = 0;
  size_t used = 0;
  while (used < digits.size() || static_cast<int64_t>(reversed.size()) < width) {
    if (inGroup == size) {
      reversed += separator;
      inGroup = 0;
      // A separator never leads: a digit must follow, even past the width.
    }
    reversed += used < digits.size() ? digits[digits.size() - 1 - used] : '0';
    ++used;
    ++inGroup;
  }
  return {reversed.rbegin(), reversed.rend()};
}

std::string layOutNumber(const FormatSpec &spec, const std::string &signAndPrefix, const std::string &integer,
                         const std::string &rest, int groupSize) {
  bool zeros = spec.align == '=' && spec.fill == "0";
  std::string digits = integer;
  if (spec.grouping && !integer.empty()) {
    int64_t room = zeros ? spec.width - static_cast<int64_t>(signAndPrefix.size() + rest.size()) : 0;
    digits = group(integer, spec.grouping, groupSize, room);
  }
  if (spec.align == '=') {
    int64_t missing = spec.width - static_cast<int64_t>(signAndPrefix.size() + digits.size() + rest.size());
    return signAndPrefix + repeat(spec.fill, missing) + digits + rest;
  }
  return pad(spec, signAndPrefix + digits + rest, '>');
}

} // namespace npcc::rt
