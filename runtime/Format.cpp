// Integers, truth values and text.
#include "runtime/Format.h"

namespace npcc::rt {

static std::string inBase(uint64_t value, uint64_t base, bool upper) {
  const char *alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string digits;
  do {
    digits += alphabet[value % base];
    value /= base;
  } while (value);
  return {digits.rbegin(), digits.rend()};
}

static void appendUtf8(std::string &out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 63));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 63));
    out += static_cast<char>(0x80 | (code & 63));
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 63));
    out += static_cast<char>(0x80 | (code >> 6 & 63));
    out += static_cast<char>(0x80 | (code & 63));
  }
}

static Status formatInteger(bool negative, uint64_t magnitude, std::string_view text, const char *typeName,
                            std::string &out) {
  FormatSpec spec;
  NPCC_TRY(parseFormatSpec(text, typeName, spec));
  int base = 10;
  const char *prefix = "";
  switch (spec.type) {
  case 'b': base = 2; prefix = "0b"; break;
  case 'o': base = 8; prefix = "0o"; break;
  case 'x': base = 16; prefix = "0x"; break;
  case 'X': base = 16; prefix = "0X"; break;
  case 0: case 'd': case 'n': case 'c': break;
  case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case '%':
    return formatFloat(negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude), text, out);
  default:
    return makeError(NPCC_VALUE_ERROR, "Unknown format code '{}' for object of type '{}'", spec.type, typeName);
  }
  if (spec.precision >= 0)
    return Status(NPCC_VALUE_ERROR, "Precision not allowed in integer format specifier");
  if (!spec.negativeZero)
    return Status(NPCC_VALUE_ERROR, "Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type == 'c') {
    if (spec.sign)
      return Status(NPCC_VALUE_ERROR, "Sign not allowed with integer format specifier 'c'");
    if (spec.alternate)
      return Status(NPCC_VALUE_ERROR, "Alternate form (#) not allowed with integer format specifier 'c'");
    if (negative || magnitude > 0x10ffff)
      return Status(NPCC_OVERFLOW_ERROR, "%c arg not in range(0x110000)");
    std::string character;
    appendUtf8(character, static_cast<uint32_t>(magnitude));
    out = pad(spec, character, '>');
    return {};
  }
  std::string sign = negative ? "-" : spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
  if (spec.alternate)
    sign += prefix;
  out = layOutNumber(spec, sign, inBase(magnitude, base, spec.type == 'X'), "", base == 10 ? 3 : 4);
  return {};
}

Status formatSigned(int64_t value, std::string_view spec, std::string &out) {
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return formatInteger(value < 0, magnitude, spec, "int", out);
}

Status formatUnsigned(uint64_t value, std::string_view spec, std::string &out) {
  return formatInteger(false, value, spec, "int", out);
}

Status formatBool(bool value, std::string_view spec, std::string &out) {
  if (!spec.empty()) // a bool with a specification is an int
    return formatInteger(false, value, spec, "bool", out);
  out = value ? "True" : "False";
  return {};
}

Status formatText(std::string_view value, std::string_view text, std::string &out) {
  FormatSpec spec;
  NPCC_TRY(parseFormatSpec(text, "str", spec));
  if (spec.type && spec.type != 's')
    return makeError(NPCC_VALUE_ERROR, "Unknown format code '{}' for object of type 'str'", spec.type);
  if (spec.sign)
    return Status(NPCC_VALUE_ERROR, spec.sign == ' ' ? "Space not allowed in string format specifier"
                                                     : "Sign not allowed in string format specifier");
  if (!spec.negativeZero)
    return Status(NPCC_VALUE_ERROR, "Negative zero coercion (z) not allowed in string format specifier");
  if (spec.alternate)
    return Status(NPCC_VALUE_ERROR, "Alternate form (#) not allowed in string format specifier");
  if (spec.align == '=')
    return Status(NPCC_VALUE_ERROR, "'=' alignment not allowed in string format specifier");
  if (spec.precision >= 0) {
    size_t bytes = 0;
    for (int64_t count = 0; bytes < value.size(); ++bytes)
      if ((static_cast<unsigned char>(value[bytes]) & 0xc0) != 0x80 && count++ == spec.precision)
        break;
    value = value.substr(0, bytes);
  }
  out = pad(spec, std::string(value), '<');
  return {};
}

} // namespace npcc::rt
