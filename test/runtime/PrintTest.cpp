// print() and format specifications against Python itself.
#include "Fixture.h"
#include "runtime/abi/text.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace {

std::string printed;
void capture(const char *text, int64_t bytes) { printed.append(text, bytes); }

std::vector<npcc_print_item> pending;
const char *separator, *lineEnd;
void printPending(void **) {
  npcc_rt_print(static_cast<int32_t>(pending.size()), pending.data(), separator, lineEnd);
}

/// What print writes, or "!" and the error's message.
std::string print(std::vector<npcc_print_item> items, const char *with = nullptr, const char *end = "") {
  pending = std::move(items);
  separator = with;
  lineEnd = end;
  printed.clear();
  TestFunction function({}, {});
  npcc_status status = function.variant(NPCC_TARGET_CPU, printPending).call(NPCC_CPU, {});
  if (status.error)
    return std::string("!") + (status.error == NPCC_VALUE_ERROR ? "" : "wrong kind: ") + status.message;
  return printed;
}

npcc_print_item item(int kind, npcc_value value, const char *spec = nullptr) {
  npcc_print_item result{};
  result.kind = kind;
  result.spec = spec;
  result.value = value;
  return result;
}
npcc_value text(const char *characters) { return value(static_cast<int64_t>(reinterpret_cast<intptr_t>(characters))); }

/// One case as a line for Python and as an item for us.
struct Case {
  char kind;
  npcc_value value;
  std::string text, spec;
};

std::string forPython(const Case &c) {
  char buffer[128];
  switch (c.kind) {
  case 'f': snprintf(buffer, sizeof(buffer), "f %a", c.value.f); break;
  case 'i': snprintf(buffer, sizeof(buffer), "i %lld", static_cast<long long>(c.value.i)); break;
  case 'u': snprintf(buffer, sizeof(buffer), "i %llu", static_cast<unsigned long long>(c.value.u)); break;
  case 'b': snprintf(buffer, sizeof(buffer), "b %d", c.value.i != 0); break;
  case 'c': snprintf(buffer, sizeof(buffer), "c %a:%a", c.value.c.re, c.value.c.im); break;
  default: return "s " + c.text + "\t" + c.spec;
  }
  return std::string(buffer) + "\t" + c.spec;
}

const char *const python = R"(
import sys
sys.stdin.reconfigure(encoding='utf-8'); sys.stdout.reconfigure(encoding='utf-8')
for line in sys.stdin:
    what, spec = line.rstrip('\n').split('\t')
    kind, text = what[0], what[2:]
    if kind == 'f': value = float.fromhex(text)
    elif kind == 'i': value = int(text)
    elif kind == 'b': value = text == '1'
    elif kind == 'c': value = complex(*map(float.fromhex, text.split(':')))
    else: value = text
    try: out = format(value, spec)
    except ValueError as error: out = '!' + str(error)
    print(out)
)";

std::vector<double> interestingDoubles() {
  std::vector<double> values = {0.0,    -0.0,   1.0,     -1.0,   0.1,     0.5,      1.5,     2.5,    1e15,   1e16,
                                1e17,   123456789012345680.0,    1e-4,    1e-5,     0.00012345,      9.9999e-5,
                                1e22,   1e23,   5e-324,  2.2250738585072014e-308,   1.7976931348623157e308,
                                99.995, 999999.5, 9.5,   0.05,   1234567.891,       -1234.5, 1e100,  3.14159265358979,
                                INFINITY, -INFINITY, NAN};
  std::mt19937_64 random(11);
  for (int k = 0; k < 300; ++k) {
    uint64_t bits = random();
    double value;
    memcpy(&value, &bits, 8);
    values.push_back(k % 2 ? value : std::ldexp(double(random() % 2000001) - 1000000, int(random() % 60) - 40));
  }
  return values;
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  std::mt19937 random(5);
  auto pick = [&](std::initializer_list<const char *> options) { return *(options.begin() + random() % options.size()); };
  auto randomSpec = [&](bool integer, bool textual) {
    std::string spec = pick({"", "", "<", ">", "^", "=", "*<", "0>", "\xc3\xa9^", "x=", " ="});
    if (textual ? random() % 12 == 0 : random() % 2)
      spec += pick({"+", "-", " "});
    if (random() % (textual ? 15 : 5) == 0)
      spec += "#";
    if (random() % 4 == 0)
      spec += "0";
    if (random() % 2)
      spec += std::to_string(random() % 30);
    if (random() % (textual ? 15 : 4) == 0)
      spec += pick({",", "_"});
    if (random() % (integer ? 8 : 2) == 0)
      spec += "." + std::to_string(random() % 20);
    return spec + (integer ? pick({"", "d", "b", "o", "x", "X", "n", "e", "f", ".2f", "%", "q", "s"})
                   : textual ? pick({"", "s", "s", "d"})
                             : pick({"", "e", "E", "f", "F", "g", "G", "n", "%", "d", "x", "s"}));
  };
  for (double x : interestingDoubles()) {
    for (const char *spec : {"", ".3f", ".0f", ".17g", ".3", "g", "e", "%", "015.3f", "#.0f", "+.2e", ",.2f", ".0e", "#g"})
      cases.push_back({'f', value(x), "", spec});
    for (int k = 0; k < 6; ++k)
      cases.push_back({'f', value(x), "", randomSpec(false, false)});
  }
  const int64_t integers[] = {0, 1, -1, 7, 255, -256, 1000, -1234567, 1234567890123, INT64_MAX, INT64_MIN};
  for (int64_t i : integers)
    for (int k = 0; k < 60; ++k)
      cases.push_back({'i', value(i), "", k == 0 ? "" : randomSpec(true, false)});
  npcc_value large;
  large.u = UINT64_MAX;
  for (const char *spec : {"", "d", "x", ",", "e", "30_b"})
    cases.push_back({'u', large, "", spec});
  for (int64_t b : {0, 1})
    for (const char *spec : {"", "d", "5", "x", "05d", ".1f", "s"})
      cases.push_back({'b', value(b), "", spec});
  for (const char *t : {"", "abc", "h\xc3\xa9llo w\xc3\xb6rld", "\xe2\x82\xac\xf0\x9f\x98\x80"})
    for (int k = 0; k < 60; ++k)
      cases.push_back({'s', text(t), t, k == 0 ? "" : randomSpec(false, true)});
  std::vector<double> parts = {0.0, -0.0, 1.0, -2.5, 0.1, 1e20, INFINITY, -INFINITY, NAN, 1234.5678};
  for (double re : parts)
    for (double im : parts)
      for (const char *spec : {"", ".2f", "g", "e", ">30", "<30.3", "+.1f", ",.2f", "^+40", ".3", "030", "=10", "%", "#.3"}) {
        npcc_value v;
        v.c = {re, im};
        cases.push_back({'c', v, "", spec});
      }
  return cases;
}

/// Python 3.12 says more of an invalid specifier than 3.11 does.
bool sameError(const std::string &ours, const std::string &theirs) {
  if (theirs == "!Invalid format specifier" && ours.rfind("!Invalid format specifier", 0) == 0)
    return true;
  return ours == theirs;
}

} // namespace

TEST(formatsAreThoseOfPython) {
  npcc_rt_set_print(capture);
  char directory[] = "/tmp/npcc-print-XXXXXX";
  CHECK(mkdtemp(directory) != nullptr);
  std::string base = directory;
  std::vector<Case> cases = allCases();
  FILE *script = fopen((base + "/format.py").c_str(), "w");
  fputs(python, script);
  fclose(script);
  FILE *input = fopen((base + "/cases").c_str(), "w");
  for (const Case &c : cases)
    fprintf(input, "%s\n", forPython(c).c_str());
  fclose(input);
  std::string command = "python3 " + base + "/format.py < " + base + "/cases 2>/dev/null";
  FILE *output = popen(command.c_str(), "r");
  size_t compared = 0;
  char line[2048];
  while (output && compared < cases.size() && fgets(line, sizeof(line), output)) {
    std::string expected = line;
    expected.pop_back();
    const Case &c = cases[compared];
    std::string got = print({item(c.kind, c.value, c.spec.c_str())});
    if (!sameError(got, expected))
      check::failed(__FILE__, __LINE__, forPython(c) + " gives \"" + got + "\", Python \"" + expected + "\"");
    else
      check::passed();
    ++compared;
  }
  int status = output ? pclose(output) : -1;
  if (status != 0 && compared == 0)
    check::skipped("there is no python3 to compare with");
  else
    CHECK_EQ(compared, cases.size());
  (void)!system(("rm -r " + base).c_str());
  npcc_rt_set_print(nullptr);
}

TEST(printJoinsItems) {
  npcc_rt_set_print(capture);
  CHECK_EQ(print({}, nullptr, nullptr), "\n");
  CHECK_EQ(print({item('s', text("x")), item('i', value(int64_t(-3))), item('f', value(2.0)), item('b', value(int64_t(1)))},
                 nullptr, nullptr),
           "x -3 2.0 True\n");
  CHECK_EQ(print({item('i', value(int64_t(1))), item('f', value(0.12345), ".2f")}, ", ", "!"), "1, 0.12!");
  // What NumPy's narrow scalars print as.
  CHECK_EQ(print({item('g', value(double(0.1f)))}), "0.1");
  CHECK_EQ(print({item('g', value(0.0))}), "0.0");
  CHECK_EQ(print({item('g', value(999999.0))}), "999999.0");
  CHECK_EQ(print({item('g', value(1e6))}), "1e+06");
  CHECK_EQ(print({item('g', value(double(123456789.0f)))}), "1.2345679e+08");
  CHECK_EQ(print({item('g', value(double(1e-4f)))}), "1e-04"); // the nearest float32 is below 1e-4
  CHECK_EQ(print({item('h', value(0.0999755859375))}), "0.1");
  CHECK_EQ(print({item('h', value(999.0))}), "999.0");
  CHECK_EQ(print({item('h', value(1001.0))}), "1.001e+03");
  CHECK_EQ(print({item('h', value(65504.0))}), "6.55e+04");
  CHECK_EQ(print({item('h', value(0.00010001659393310547))}), "0.0001");
  CHECK_EQ(print({item('h', value(0.333251953125))}), "0.3333");
  npcc_value c;
  c.c = {double(0.1f), double(-2.7f)};
  CHECK_EQ(print({item('k', c)}), "(0.1-2.7j)");
  c.c = {1e8, 16777216};
  CHECK_EQ(print({item('k', c)}), "(1e+08+1.6777216e+07j)");
  npcc_rt_set_print(nullptr);
}
