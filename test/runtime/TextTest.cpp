// The table of strings, and what compiled code asks of it.
#include "Fixture.h"
#include "runtime/abi/kept.h"
#include "runtime/abi/text.h"
#include <cmath>
#include <cstring>
#include <string>

namespace {

/// Holds the table, as a call does.
struct Held {
  Held() { npcc_rt_hold(); }
  ~Held() { npcc_rt_let_go(); }
};

int64_t number(const std::string &text) { return npcc_rt_text_new(text.data(), static_cast<int64_t>(text.size())); }

std::string read(int64_t text) {
  std::string result(static_cast<size_t>(npcc_rt_text_read(text, nullptr, 0)), ' ');
  npcc_rt_text_read(text, result.data(), static_cast<int64_t>(result.size()));
  return result;
}

int64_t joined(int64_t left, const std::string &right) {
  npcc_print_item items[2] = {};
  items[0].kind = 't';
  items[0].value.i = left;
  items[1].kind = 's';
  items[1].value.i = static_cast<int64_t>(reinterpret_cast<intptr_t>(right.c_str()));
  return npcc_rt_text(2, items);
}

double asDouble(int64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace

TEST(textNumbers) {
  Held held;
  CHECK(number("a") == 'a');
  CHECK(number("é") == 0xE9);
  CHECK(number("") == 0x110000);
  CHECK(number("ab") > 0x110000);
  CHECK(number("ab") == number("ab"));
  CHECK(number("ab") != number("ba"));
  for (const char *text : {"", "a", "é", "ab", "héllo €𝄞"})
    CHECK(read(number(text)) == text);
  CHECK(npcc_rt_text_length(number("héllo €𝄞")) == 8);
  CHECK(npcc_rt_text_at(number("héllo"), 1) == 0xE9);
  CHECK(npcc_rt_text_at(number("abc"), 3) == 0x110000);
}

TEST(textAppendedIsEqualToWhole) {
  Held held;
  std::string whole;
  int64_t grown = number("");
  for (int k = 0; k < 2000; ++k) {
    std::string more(1, static_cast<char>('a' + k % 26));
    whole += more;
    grown = joined(grown, more);
    if (k % 97 == 0)
      CHECK(number(whole) == grown);
  }
  CHECK(npcc_rt_text_length(grown) == 2000);
  CHECK(joined(number(whole), "!") == joined(grown, "!"));
  CHECK(read(grown) == whole);
  CHECK(npcc_rt_text_at(grown, 1999) == whole.back());
}

TEST(textTableIsEmptiedWhenNobodyHoldsIt) {
  int64_t first, second;
  {
    Held held;
    first = number("first of all");
  }
  {
    Held outer;
    second = number("another one");
    { Held inner; }
    CHECK(read(second) == "another one");
  }
  CHECK(first == second);
}

TEST(textParts) {
  Held held;
  int64_t text = number("banana");
  CHECK(read(npcc_rt_text_slice(text, 1, 4, 1)) == "ana");
  CHECK(read(npcc_rt_text_slice(text, 5, -1, -2)) == "aaa");
  CHECK(npcc_rt_text_slice(text, 4, 2, 1) == 0x110000);
  CHECK(npcc_rt_text_slice(text, 0, 6, 1) == text);
  CHECK(read(npcc_rt_text_repeat(number("ab"), 3)) == "ababab");
  CHECK(npcc_rt_text_repeat(text, -1) == 0x110000);
  CHECK(npcc_rt_text_find(text, number("ana"), 0, INT64_MAX) == 1);
  CHECK(npcc_rt_text_find(text, number("ana"), 2, INT64_MAX) == 3);
  CHECK(npcc_rt_text_find(text, number("ana"), -3, INT64_MAX) == 3);
  CHECK(npcc_rt_text_find(text, number("ana"), 2, 5) == -1);
  CHECK(npcc_rt_text_find(text, number(""), 6, INT64_MAX) == 6);
  CHECK(npcc_rt_text_find(text, number(""), 7, INT64_MAX) == -1);
  CHECK(npcc_rt_text_compare(number("ab"), number("b")) == -1);
  CHECK(npcc_rt_text_compare(number("ab"), number("a")) == 1);
  CHECK(npcc_rt_text_compare(text, text) == 0);
}

TEST(textIntegersAndFloats) {
  Held held;
  struct {
    const char *text;
    int64_t base;
    int64_t isInteger; // 2: one that does not fit into 64 bits
    int64_t value;
  } integers[] = {{"12", 10, true, 12},
                  {" -7\n", 10, true, -7},
                  {"+1_000", 10, true, 1000},
                  {"1__0", 10, false, 0},
                  {"_1", 10, false, 0},
                  {"", 10, false, 0},
                  {"1.5", 10, false, 0},
                  {"ff", 16, true, 255},
                  {"0xFF", 16, true, 255},
                  {"0b101", 2, true, 5},
                  {"102", 2, false, 0},
                  {"+-1", 10, false, 0},
                  {"- 1", 10, false, 0},
                  {"z", 36, true, 35},
                  {"9223372036854775807", 10, true, INT64_MAX},
                  {"9223372036854775808", 10, 2, 0}};
  for (const auto &one : integers) {
    CHECK(npcc_rt_text_is_integer(number(one.text), one.base) == one.isInteger);
    CHECK(npcc_rt_text_to_integer(number(one.text), one.base) == one.value);
  }
  struct {
    const char *text;
    bool isFloat;
    double value;
  } floats[] = {{"1.5", true, 1.5},  {" 1e3 ", true, 1000}, {"-.5", true, -.5},    {"+2.", true, 2},    {"inf", true, HUGE_VAL},
                {"1e999", true, HUGE_VAL}, {"1_0.5", true, 10.5}, {"1e", false, 0}, {".", false, 0},     {"0x1p3", false, 0},
                {"nan(1)", false, 0}, {"1 2", false, 0},    {"", false, 0}};
  for (const auto &one : floats) {
    CHECK(npcc_rt_text_is_float(number(one.text)) == one.isFloat);
    if (one.isFloat)
      CHECK(asDouble(npcc_rt_text_to_float(number(one.text))) == one.value);
  }
}
