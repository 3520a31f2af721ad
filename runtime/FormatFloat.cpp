// Floating-point numbers, as CPython's PyOS_double_to_string and its format() write them.
#include "runtime/Element.h"
#include "runtime/Format.h"
#include <charconv>
#include <cmath>
#include <cstdio>

namespace npcc::rt {

/// Digits and point of "d.ddde+xx".
static Decimal fromScientific(std::string_view text, bool negative) {
  size_t e = text.find('e');
  Decimal result{"", 0, negative};
  for (char c : text.substr(0, e))
    if (c != '.')
      result.digits += c;
  int exponent = 0;
  std::string_view tail = text.substr(e + 1);
  if (tail[0] == '+')
    tail.remove_prefix(1);
  std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
  result.point = exponent + 1;
  return result;
}

Decimal shortestDigits(double value, Precision precision) {
  bool negative = std::signbit(value);
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return {"0", 1, negative};
  char buffer[64];
  std::to_chars_result end;
  if (precision == Precision::Double) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), magnitude, std::chars_format::scientific);
  } else if (precision == Precision::Single) {
    end = std::to_chars(buffer, buffer + sizeof(buffer), static_cast<float>(magnitude), std::chars_format::scientific);
  } else {
    // Five significant digits always tell binary16 numbers apart.
    for (int64_t count = 1;; ++count) {
      Decimal decimal = significantDigits(value, count);
      double readBack = strtod(fmt::format("0.{}e{}", decimal.digits, decimal.point).c_str(), nullptr);
      if (count == 5 || halfFromDouble(readBack) == halfFromDouble(magnitude))
        return decimal;
    }
  }
  Decimal result = fromScientific({buffer, static_cast<size_t>(end.ptr - buffer)}, negative);
  while (result.digits.size() > 1 && result.digits.back() == '0')
    result.digits.pop_back();
  return result;
}

static std::string print(const char *format, int64_t precision, double magnitude) {
  // glibc rounds exactly, to even, as Python does.
  int length = snprintf(nullptr, 0, format, static_cast<int>(precision), magnitude);
  std::string text(length + 1, '\0');
  snprintf(text.data(), text.size(), format, static_cast<int>(precision), magnitude);
  text.pop_back();
  return text;
}

Decimal significantDigits(double value, int64_t count) {
  return fromScientific(print("%.*e", count - 1, std::fabs(value)), std::signbit(value));
}

Decimal fixedDigits(double value, int64_t places) {
  std::string text = print("%.*f", places, std::fabs(value));
  size_t dot = text.find('.');
  Decimal result{text, static_cast<int64_t>(dot == std::string::npos ? text.size() : dot), std::signbit(value)};
  if (dot != std::string::npos)
    result.digits.erase(dot, 1);
  return result;
}

namespace {

/// A number's text without sign, cut before what grouping must not touch.
struct NumberText {
  std::string integer, rest;
};

std::string exponentText(int64_t exponent, char letter) {
  return fmt::format("{}{}{:02}", letter, exponent < 0 ? '-' : '+', std::abs(exponent));
}

NumberText fixedText(const Decimal &decimal, int64_t places, bool point) {
  const std::string &digits = decimal.digits;
  int64_t count = static_cast<int64_t>(digits.size());
  NumberText text;
  if (decimal.point <= 0) {
    text.integer = "0";
    text.rest = std::string(-decimal.point, '0') + digits;
  } else if (decimal.point >= count) {
    text.integer = digits + std::string(decimal.point - count, '0');
  } else {
    text.integer = digits.substr(0, decimal.point);
    text.rest = digits.substr(decimal.point);
  }
  if (static_cast<int64_t>(text.rest.size()) < places)
    text.rest.append(places - text.rest.size(), '0');
  if (!text.rest.empty() || point)
    text.rest = "." + text.rest;
  return text;
}

NumberText scientificText(const Decimal &decimal, char letter, bool point) {
  NumberText text{decimal.digits.substr(0, 1), decimal.digits.substr(1)};
  if (!text.rest.empty() || point)
    text.rest = "." + text.rest;
  text.rest += exponentText(decimal.point - 1, letter);
  return text;
}

struct Style {
  char type;         // e f g r (shortest), in either case
  int64_t precision;
  bool alternate;
  bool addDotZero;   // repr's "1.0"
  Precision shortest = Precision::Double;
};

/// NumPy's rule for its narrow scalars (2.4): the powers of ten are those up to which they hold every integer's digits, and
/// the value itself is compared, not its digits.
bool narrowIsScientific(double magnitude, Precision precision) {
  return magnitude != 0 && (magnitude < 1e-4 || magnitude >= (precision == Precision::Single ? 1e6 : 1e3));
}

NumberText finiteText(double value, const Style &style) {
  char lower = static_cast<char>(style.type | 0x20);
  char letter = style.type == lower ? 'e' : 'E';
  if (lower == 'f')
    return fixedText(fixedDigits(value, style.precision), style.precision, style.alternate);
  if (lower == 'e')
    return scientificText(significantDigits(value, style.precision + 1), letter, style.alternate);
  Decimal decimal;
  int64_t precision = style.precision;
  bool scientific;
  if (lower == 'r') {
    decimal = shortestDigits(value, style.shortest);
    scientific = style.shortest == Precision::Double ? decimal.point <= -4 || decimal.point > 16
                                                     : narrowIsScientific(std::fabs(value), style.shortest);
  } else {
    precision = precision == 0 ? 1 : precision;
    decimal = significantDigits(value, precision);
    if (value == 0)
      decimal.point = 1;
    scientific = decimal.point <= -4 || decimal.point > precision - (style.addDotZero ? 1 : 0);
    if (!style.alternate)
      while (decimal.digits.size() > 1 && decimal.digits.back() == '0')
        decimal.digits.pop_back();
  }
  if (scientific)
    return scientificText(decimal, letter, style.alternate);
  bool dotZero = style.addDotZero && decimal.point >= static_cast<int64_t>(decimal.digits.size());
  return fixedText(decimal, dotZero ? 1 : 0, style.alternate || dotZero);
}

NumberText magnitudeText(double value, const Style &style) {
  bool upper = style.type >= 'A' && style.type <= 'Z';
  if (std::isnan(value))
    return {"", upper ? "NAN" : "nan"};
  if (std::isinf(value))
    return {"", upper ? "INF" : "inf"};
  return finiteText(value, style);
}

std::string signText(double value, const FormatSpec &spec, const NumberText &text) {
  bool negative = std::signbit(value) && !std::isnan(value);
  if (negative && !spec.negativeZero &&
      (text.integer + text.rest).find_first_of("123456789inf") == std::string::npos)
    negative = false;
  if (negative)
    return "-";
  return spec.sign == '+' ? "+" : spec.sign == ' ' ? " " : "";
}

Status styleOf(const FormatSpec &spec, const char *typeName, Style &style) {
  style = {spec.type, spec.precision, spec.alternate, false};
  switch (spec.type) {
  case 0:
    style.addDotZero = spec.precision >= 0;
    style.type = spec.precision >= 0 ? 'g' : 'r';
    break;
  case 'n':
    style.type = 'g';
    break;
  case '%':
    style.type = 'f';
    break;
  case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
    break;
  default:
    return makeError(NPCC_VALUE_ERROR, "Unknown format code '{}' for object of type '{}'", spec.type, typeName);
  }
  if (style.precision < 0)
    style.precision = 6;
  return {};
}

} // namespace

std::string shortestFloat(double value, Precision precision) {
  NumberText text = magnitudeText(value, {'r', 0, false, true, precision});
  return signText(value, {}, text) + text.integer + text.rest;
}

Status formatFloat(double value, std::string_view text, std::string &out) {
  if (text.empty()) {
    out = shortestFloat(value);
    return {};
  }
  FormatSpec spec;
  NPCC_TRY(parseFormatSpec(text, "float", spec));
  Style style;
  NPCC_TRY(styleOf(spec, "float", style));
  if (style.type == 'r')
    style.addDotZero = true;
  if (spec.type == '%')
    value *= 100;
  NumberText number = magnitudeText(value, style);
  std::string sign = signText(value, spec, number);
  if (spec.type == '%')
    number.rest += '%';
  // "inf" and "nan" are not grouped, but stand where digits do.
  out = layOutNumber(spec, sign, number.integer, number.rest, 3);
  return {};
}

std::string shortestComplex(npcc_complex value, Precision precision) {
  Style style{'r', 0, false, false, precision};
  NumberText imaginary = magnitudeText(value.im, style);
  std::string imaginaryText = imaginary.integer + imaginary.rest + "j";
  if (value.re == 0 && !std::signbit(value.re))
    return signText(value.im, {}, imaginary) + imaginaryText;
  NumberText real = magnitudeText(value.re, style);
  FormatSpec plus;
  plus.sign = '+';
  return "(" + signText(value.re, {}, real) + real.integer + real.rest + signText(value.im, plus, imaginary) +
         imaginaryText + ")";
}

Status formatComplex(npcc_complex value, std::string_view text, std::string &out) {
  if (text.empty()) {
    out = shortestComplex(value);
    return {};
  }
  FormatSpec spec;
  NPCC_TRY(parseFormatSpec(text, "complex", spec));
  if (spec.fill == "0")
    return Status(NPCC_VALUE_ERROR, "Zero padding is not allowed in complex format specifier");
  if (spec.align == '=')
    return Status(NPCC_VALUE_ERROR, "'=' alignment flag is not allowed in complex format specifier");
  if (spec.type == '%')
    return makeError(NPCC_VALUE_ERROR, "Unknown format code '%' for object of type 'complex'");
  Style style;
  NPCC_TRY(styleOf(spec, "complex", style));
  bool asRepr = spec.type == 0; // parentheses, and no real part that is +0
  style.addDotZero = false;
  FormatSpec bare = spec; // the parts are grouped; the whole is padded
  bare.width = -1;
  bare.align = 0;
  FormatSpec plus = bare;
  plus.sign = '+';
  auto part = [&](double component, const FormatSpec &partSpec) {
    NumberText number = magnitudeText(component, style);
    return layOutNumber(partSpec, signText(component, partSpec, number), number.integer, number.rest, 3);
  };
  bool onlyImaginary = asRepr && value.re == 0 && !std::signbit(value.re);
  std::string body = onlyImaginary ? part(value.im, bare) + "j" : part(value.re, bare) + part(value.im, plus) + "j";
  out = pad(spec, asRepr && !onlyImaginary ? "(" + body + ")" : body, '>');
  return {};
}

} // namespace npcc::rt
