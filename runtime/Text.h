// The table of strings. Compiled code has a string as a number: equal strings have equal numbers, so that comparing and
// hashing need no calls. A character alone is the number of its code point, the empty string 0x110000, None a number
// below 0. The table is emptied when nobody holds it any more: a call holds it until its results are Python's.
#ifndef NPCC_RUNTIME_TEXT_H
#define NPCC_RUNTIME_TEXT_H

#include "runtime/Device.h"
#include "runtime/abi/arrays.h"
#include <string>
#include <string_view>

namespace npcc::rt {

/// A string as code points: a view of the table's memory, or of `single`.
class Characters {
public:
  explicit Characters(int64_t number);
  Characters(const Characters &) = delete;
  operator std::u32string_view() const { return view; }
  const std::u32string_view *operator->() const { return &view; }

private:
  char32_t single;
  std::u32string_view view;
};

int64_t textNumber(std::u32string_view text);
/// Of a string and more behind it.
int64_t textNumber(int64_t left, std::u32string_view more);
int64_t textLength(int64_t number);
std::u32string fromUtf8(std::string_view text);
int64_t textNumberOfUtf8(std::string_view text);
std::string textAsUtf8(int64_t number);

/// Routines that make a string and store its number into the last operand.
///   text K D   str() and repr() of an array of dtype D as NumPy has them, by whoever can (npcc_rt_set_text_hooks); K
///              says what is made: 's' str(), 'r' repr(), 'l' str() of the list of its items
///   text e D X what the Python expression X of `numpy` and of `a`, the array, gives: a string, or None for the empty
///              one
///   text o D   an object of Python's with the array's elements
///   text w D   what Python has stored into such an object, whose number is the first operand, is stored into the
///   array,
///              the second one
///   join       strings one behind the other, with another one between them: two arrays of numbers
bool isTextRoutine(std::string_view name);
Status callText(Device &device, std::string_view name, int32_t count, const npcc_array *operands);

} // namespace npcc::rt

#endif
