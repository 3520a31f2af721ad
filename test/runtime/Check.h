// A check reports its place and both values, counts, and lets the test go on.
#ifndef NPCC_TEST_RUNTIME_CHECK_H
#define NPCC_TEST_RUNTIME_CHECK_H

#include "runtime/abi/status.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace check {

struct Test {
  const char *name;
  void (*run)();                     // once
  void (*runOnDevice)(int32_t device); // or on every device
};

std::vector<Test> &tests();
struct Registration {
  Registration(Test test) { tests().push_back(test); }
};

void passed();
void failed(const char *file, int line, const std::string &what);
int failures();
/// Says in the summary what could not be tested on this machine.
void skipped(const std::string &what);
/// A number worth seeing that is no check (a time).
void note(const std::string &what);

template <typename A, typename B>
void equal(const A &a, const B &b, const char *text, const char *file, int line) {
  if (a == b)
    return passed();
  std::ostringstream out;
  out << text << ": " << a << " != " << b;
  failed(file, line, out.str());
}

inline void status(const npcc_status &status, int32_t error, const char *text, const char *file, int line) {
  if (status.error == error && (!text || strstr(status.message, text)))
    return passed();
  std::ostringstream out;
  out << "status is " << status.error << " \"" << status.message << "\", wanted " << error << " \""
      << (text ? text : "") << "\"";
  failed(file, line, out.str());
}

} // namespace check

#define TEST(name)                                                                                                     \
  static void name();                                                                                                  \
  static check::Registration name##Registration({#name, name, nullptr});                                               \
  static void name()
#define DEVICE_TEST(name)                                                                                              \
  static void name(int32_t device);                                                                                    \
  static check::Registration name##Registration({#name, nullptr, name});                                               \
  static void name(int32_t device)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (condition)                                                                                                     \
      check::passed();                                                                                                 \
    else                                                                                                               \
      check::failed(__FILE__, __LINE__, #condition);                                                                   \
  } while (false)
#define CHECK_EQ(a, b) check::equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_OK(call) check::status((call), NPCC_OK, nullptr, __FILE__, __LINE__)
#define CHECK_ERROR(call, error, text) check::status((call), (error), (text), __FILE__, __LINE__)

#endif
