// Strings that are made of arrays: by Python and NumPy, where a process has them, and by joining strings.
#include "runtime/Copy.h"
#include "runtime/Frame.h"
#include "runtime/Text.h"
#include "runtime/View.h"
#include "runtime/abi/text.h"
#include <atomic>
#include <cstring>
#include <vector>

namespace npcc::rt {
namespace {

std::atomic<const npcc_text_hooks *> hooks{nullptr};

Status failure(const char *message) {
  std::string_view text = message;
  size_t colon = text.find(": ");
  npcc_error code = text.starts_with("ValueError") ? NPCC_VALUE_ERROR : text.starts_with("TypeError") ? NPCC_TYPE_ERROR : NPCC_RUNTIME_ERROR;
  return makeError(code, "{}", text.substr(colon == text.npos ? 0 : colon + 2));
}

Status callMethod(const char *method, int32_t count, const int64_t *arguments, int64_t &result) {
  const npcc_text_hooks *current = hooks.load(std::memory_order_acquire);
  if (!current)
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "str.{} is Python's: it is not there outside of it", method);
  char message[256] = "";
  if (context.frame) // Python runs, which may do anything
    context.frame->device->forgetElements();
  if (!current->method(method, count, arguments, &result, message, sizeof(message)))
    return {};
  return failure(message);
}

} // namespace

/// The elements of an array on a device, in C order, in host memory.
static Status readElements(Device &device, const npcc_array &array, std::vector<char> &bytes) {
  View from = viewOf(array);
  bytes.resize(elementCount(from) * from.elementSize + 1); // data() of none is null
  Device *host;
  NPCC_TRY(findDevice(NPCC_CPU, host));
  return copyView(*host, contiguousLike(from, bytes.data()), device, from);
}

static Status showArray(Device &device, std::string_view name, const npcc_array &array, int64_t &number) {
  const npcc_text_hooks *current = hooks.load(std::memory_order_acquire);
  if (!current)
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "arrays are written by NumPy: it is not there outside of Python");
  std::vector<char> bytes;
  NPCC_TRY(readElements(device, array, bytes));
  npcc_array copy = array;
  copy.data = bytes.data();
  std::string dtype(name.substr(7));
  char message[256] = "";
  number = reinterpret_cast<intptr_t>(array.data);
  if (current->array(&copy, dtype.c_str(), name[5], &number, message, sizeof(message)))
    return failure(message);
  return {};
}

/// What Python has stored into an object that has an array's elements.
static Status takeBack(Device &device, std::string_view name, const npcc_array *operands, int64_t &number) {
  const npcc_text_hooks *current = hooks.load(std::memory_order_acquire);
  if (!current)
    return makeError(NPCC_NOT_IMPLEMENTED_ERROR, "objects are Python's: they are not there outside of it");
  std::vector<char> object, bytes;
  NPCC_TRY(readElements(device, operands[0], object));
  NPCC_TRY(readElements(device, operands[1], bytes));
  std::memcpy(&number, object.data(), sizeof(number));
  npcc_array copy = operands[1];
  copy.data = bytes.data();
  std::string dtype(name.substr(7));
  char message[256] = "";
  if (current->array(&copy, dtype.c_str(), name[5], &number, message, sizeof(message)))
    return failure(message);
  if (!number)
    return {};
  Device *host;
  NPCC_TRY(findDevice(NPCC_CPU, host));
  View to = viewOf(operands[1]);
  return copyView(device, to, *host, contiguousLike(to, bytes.data()));
}

static Status joinTexts(Device &device, const npcc_array &texts, const npcc_array &separator, int64_t &number) {
  std::vector<char> numbers, between;
  NPCC_TRY(readElements(device, texts, numbers));
  NPCC_TRY(readElements(device, separator, between));
  auto at = [](const std::vector<char> &bytes, size_t k) {
    int64_t element;
    std::memcpy(&element, bytes.data() + k * sizeof(element), sizeof(element));
    return element;
  };
  std::u32string whole;
  Characters middle(at(between, 0));
  for (size_t k = 0; k < numbers.size() / sizeof(int64_t); ++k) {
    if (k > 0)
      whole += middle;
    whole += Characters(at(numbers, k));
  }
  number = textNumber(whole);
  return {};
}

bool isTextRoutine(std::string_view name) { return name.starts_with("text ") || name == "join"; }

Status callText(Device &device, std::string_view name, int32_t count, const npcc_array *operands) {
  int64_t number;
  NPCC_TRY(name == "join"   ? joinTexts(device, operands[0], operands[1], number)
           : name[5] == 'w' ? takeBack(device, name, operands, number)
                            : showArray(device, name, operands[0], number));
  return device.copyIn(operands[count - 1].data, &number, sizeof(number));
}

} // namespace npcc::rt

using namespace npcc::rt;

void npcc_rt_set_text_hooks(const npcc_text_hooks *given) { hooks.store(given, std::memory_order_release); }

int64_t npcc_rt_text_method(const char *method, int32_t count, const int64_t *arguments) {
  int64_t result;
  NPCC_OR_FAIL(callMethod(method, count, arguments, result));
  return result;
}
