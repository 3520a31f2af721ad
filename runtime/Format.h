// Python's str() of scalars and its format specifications, character for character.
#ifndef NPCC_RUNTIME_FORMAT_H
#define NPCC_RUNTIME_FORMAT_H

#include "runtime/Status.h"
#include "runtime/abi/text.h"
#include <string>
#include <string_view>

namespace npcc::rt {

/// [[fill]align][sign][#][0][width][grouping][.precision][type], as Python's format() reads it.
struct FormatSpec {
  std::string fill = " ";  // one character, in UTF-8
  char align = 0;          // < > = ^; 0: the type's own
  char sign = 0;           // + - or blank
  bool negativeZero = true; // false with 'z': -0 is written as 0
  bool alternate = false;
  int64_t width = -1;
  char grouping = 0;       // , or _
  int64_t precision = -1;
  char type = 0;
};

/// ValueError in Python's words. `typeName`: "float", "int", "str", "complex".
Status parseFormatSpec(std::string_view text, const char *typeName, FormatSpec &spec);

/// format(value, spec) for the five kinds; an empty spec is str(value). Errors are ValueErrors in Python's words.
Status formatFloat(double value, std::string_view spec, std::string &out);
Status formatSigned(int64_t value, std::string_view spec, std::string &out);
Status formatUnsigned(uint64_t value, std::string_view spec, std::string &out);
Status formatBool(bool value, std::string_view spec, std::string &out);
Status formatComplex(npcc_complex value, std::string_view spec, std::string &out);
Status formatText(std::string_view value, std::string_view spec, std::string &out);
/// An item of print(), by its kind (npcc_rt.h).
Status formatItem(const npcc_print_item &item, std::string &out);

/// The shortest text that reads back as the value in its own precision: str() of a Python float or of NumPy's scalar.
enum class Precision { Double, Single, Half };
std::string shortestFloat(double value, Precision precision = Precision::Double);
std::string shortestComplex(npcc_complex value, Precision precision = Precision::Double);

/// Digits d1 d2 ... of a finite value, and where the point stands: 0.d1d2... * 10^point.
struct Decimal {
  std::string digits;
  int64_t point;
  bool negative;
};
Decimal shortestDigits(double value, Precision precision);
/// `count` significant digits, rounded exactly.
Decimal significantDigits(double value, int64_t count);
/// `places` digits after the point, rounded exactly.
Decimal fixedDigits(double value, int64_t places);

/// Pads a number's parts to the width: sign and prefix, then digits (grouped), then what follows them.
std::string layOutNumber(const FormatSpec &spec, const std::string &signAndPrefix, const std::string &integer,
                         const std::string &rest, int groupSize);
/// Pads text to the width; `align` is what stands for none.
std::string pad(const FormatSpec &spec, const std::string &text, char align);
int64_t characterCount(std::string_view utf8);

} // namespace npcc::rt

#endif
