// Fourier transforms of lines in memory of any strides, against their definition.
#include "Fixture.h"
#include "runtime/abi/routines.h"
#include <cmath>
#include <random>

namespace {

struct Request {
  const char *name;
  npcc_array operands[2];
};
Request request;
void entry(void **) { npcc_rt_routine(request.name, 1, 2, request.operands); }

using Complex = std::complex<double>;

/// The sums that the routine gives for one line.
std::vector<Complex> transform(const std::string &name, std::vector<Complex> line, int64_t outputs) {
  bool isReal = name != "fft" && name != "ifft", forward = name == "fft" || name[0] == 'r';
  int64_t length = name == "rfft_even" ? 2 * (outputs - 1) : name == "rfft_odd" ? 2 * outputs - 1 : outputs;
  if (isReal && !forward) { // the other half
    line.resize(length / 2 + 1);
    line[0] = line[0].real();
    if (length % 2 == 0)
      line[length / 2] = line[length / 2].real();
    for (int64_t k = length / 2 + 1; k < length; ++k)
      line.push_back(std::conj(line[length - k]));
  }
  line.resize(length);
  std::vector<Complex> result(outputs);
  for (int64_t j = 0; j < outputs; ++j)
    for (int64_t k = 0; k < length; ++k)
      result[j] += line[k] * std::polar(1.0, (forward ? -2 : 2) * M_PI * double(j * k % length) / double(length));
  return result;
}

/// A view of an array with its axes in another order, the first one backwards if asked.
npcc_array permuted(const npcc_array &array, const Extents &order, bool backwards) {
  npcc_array view = array;
  for (size_t axis = 0; axis < order.size(); ++axis) {
    view.shape[axis] = array.shape[order[axis]];
    view.strides[axis] = array.strides[order[axis]];
  }
  if (backwards && view.shape[0]) {
    int64_t size = array.dtype == NPCC_COMPLEX128 ? 16 : array.dtype == NPCC_FLOAT32 ? 4 : 8;
    view.data = static_cast<char *>(view.data) + (view.shape[0] - 1) * view.strides[0] * size;
    view.strides[0] = -view.strides[0];
  }
  return view;
}

template <typename T> void toComplex(const std::vector<T> &from, std::vector<Complex> &to) {
  for (const T &x : from)
    to.push_back(Complex(x));
}

template <typename In, typename Out>
void test(int32_t device, const char *name, Extents shape, int64_t outputs, const Extents &order, bool backwards) {
  std::mt19937 random(5);
  std::vector<In> data(product(shape));
  for (In &x : data) {
    x = In(int(random() % 64) - 32);
    if constexpr (!std::is_floating_point_v<In>)
      x += In(0, int(random() % 64) - 32);
  }
  // `order` says which axis of memory each axis of the views is; the last one of the views is transformed.
  OwnedArray in(device, dtypeOf<In>(), shape);
  fill(in.array, data);
  npcc_array input = permuted(in.array, order, backwards);
  Extents outShape = shape;
  outShape[order.back()] = outputs;
  OwnedArray out(device, dtypeOf<Out>(), outShape);
  request = {name, {input, permuted(out.array, order, false)}};
  TestFunction function({}, {});
  function.variant(targetOf(device), entry);
  CHECK_OK(function.call(device, {}));
  std::vector<Complex> given, got;
  toComplex(fetch<In>(input), given);
  toComplex(fetch<Out>(request.operands[1]), got);
  int64_t length = shape[order.back()], lines = length ? product(shape) / length : 0;
  double worst = 0;
  for (int64_t line = 0; line < lines; ++line) {
    std::vector<Complex> want =
        transform(name, {given.begin() + line * length, given.begin() + (line + 1) * length}, outputs);
    for (int64_t k = 0; k < outputs; ++k)
      worst = std::max(worst,
                       std::abs((std::is_floating_point_v<Out> ? want[k].real() : want[k]) - got[line * outputs + k]));
  }
  CHECK(worst < (sizeof(Out) == 16 || std::is_same_v<Out, double> ? 1e-9 : 2e-2));
}

template <typename T> void testDtype(int32_t device) {
  using C = std::complex<T>;
  const std::pair<Extents, Extents> layouts[] = {
      {{8}, {0}}, {{3, 7}, {0, 1}}, {{5, 6}, {1, 0}}, {{2, 6, 3}, {0, 2, 1}}, {{4, 3, 2}, {2, 1, 0}}, {{0, 4}, {0, 1}}};
  for (const auto &[shape, order] : layouts)
    for (int64_t outputs : {1, 3, 6, 8, 11})
      for (bool backwards : {false, true}) {
        if (backwards && order.size() == 1)
          continue;
        test<C, C>(device, "fft", shape, outputs, order, backwards);
        test<C, C>(device, "ifft", shape, outputs, order, backwards);
        test<T, C>(device, outputs > 1 ? "rfft_even" : "rfft_odd", shape, outputs, order, backwards);
        test<T, C>(device, "rfft_odd", shape, outputs, order, backwards);
        test<C, T>(device, "irfft", shape, outputs, order, backwards);
      }
}

/// What is at the same positions of an array with other extents, and zeros elsewhere.
std::vector<Complex> fitted(const std::vector<Complex> &data, const npcc_array &from, const npcc_array &to) {
  int64_t elements = 1;
  for (int32_t axis = 0; axis < to.rank; ++axis)
    elements *= to.shape[axis];
  std::vector<Complex> result(elements);
  for (int64_t place = 0; place < elements; ++place) {
    int64_t rest = place, source = 0, stride = 1;
    bool isInside = true;
    for (int32_t axis = to.rank; axis-- > 0;) {
      int64_t position = rest % to.shape[axis];
      rest /= to.shape[axis];
      isInside &= position < from.shape[axis];
      source += position * stride;
      stride *= from.shape[axis];
    }
    if (isInside)
      result[place] = data[source];
  }
  return result;
}

/// Several axes at once: the transforms along each. Lines become as long as `outputs` says.
void testAxes(int32_t device, const std::string &name, int32_t axes, const Extents &shape, const Extents &order,
              Extents outputs = {}) {
  if (outputs.empty())
    outputs = shape;
  std::mt19937 random(6);
  std::vector<Complex> data(product(shape));
  for (Complex &x : data)
    x = Complex(int(random() % 64) - 32, int(random() % 64) - 32);
  OwnedArray in(device, NPCC_COMPLEX128, shape), out(device, NPCC_COMPLEX128, outputs);
  fill(in.array, data);
  std::string routine = name + std::to_string(axes);
  request = {routine.c_str(), {permuted(in.array, order, false), permuted(out.array, order, false)}};
  TestFunction function({}, {});
  CHECK_OK(function.variant(targetOf(device), entry).call(device, {}));
  const npcc_array &from = request.operands[0], &to = request.operands[1];
  std::vector<Complex> want = fitted(fetch<Complex>(from), from, to), got = fetch<Complex>(to);
  int64_t stride = 1;
  for (size_t axis = order.size(); axis-- > order.size() - axes;) {
    int64_t n = to.shape[axis];
    for (int64_t first = 0; first < int64_t(want.size()); ++first) {
      if (first / stride % n)
        continue;
      std::vector<Complex> line;
      for (int64_t k = 0; k < n; ++k)
        line.push_back(want[first + k * stride]);
      line = transform(name, line, n);
      for (int64_t k = 0; k < n; ++k)
        want[first + k * stride] = line[k];
    }
    stride *= n;
  }
  double worst = 0;
  for (size_t k = 0; k < want.size(); ++k)
    worst = std::max(worst, std::abs(want[k] - got[k]));
  CHECK(worst < 1e-8);
}

DEVICE_TEST(fourierTransformsOfSeveralAxes) {
  for (const char *name : {"fft", "ifft"}) {
    testAxes(device, name, 2, {4, 6}, {0, 1});
    testAxes(device, name, 2, {4, 6}, {1, 0});
    testAxes(device, name, 2, {3, 4, 5}, {0, 1, 2});
    testAxes(device, name, 2, {3, 4, 5}, {2, 0, 1});
    testAxes(device, name, 3, {3, 4, 5}, {0, 1, 2});
    testAxes(device, name, 3, {2, 3, 4, 5}, {0, 1, 2, 3});
    testAxes(device, name, 3, {2, 3, 4, 5}, {3, 1, 0, 2});
    testAxes(device, name, 2, {4, 6}, {0, 1}, {5, 3});
    testAxes(device, name, 2, {3, 4, 5}, {2, 0, 1}, {6, 7, 5});
    testAxes(device, name, 3, {2, 3, 4, 5}, {0, 1, 2, 3}, {2, 5, 2, 8});
    testAxes(device, name, 3, {2, 3, 4, 5}, {3, 1, 0, 2}, {1, 2, 3, 5});
  }
}

DEVICE_TEST(fourierTransforms) {
  testDtype<double>(device);
  testDtype<float>(device);
}

} // namespace
