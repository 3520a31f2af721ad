// libcufft for the fake driver: plans with strides, and each transform by its definition, on the stream and in the
// stream's order.
//
// It is as strict as cuFFT's documentation: a plan without a work area does nothing, and a backward transform to real
// numbers spoils its input.
#include "FakeCuda.h"
#include <complex>
#include <map>
#include <vector>

namespace {

constexpr int success = 0, invalidPlan = 1, invalidValue = 4, execFailed = 6;

struct Plan {
  std::vector<long long> lengths;
  long long length = 0, batch = 0, inStride = 0, inDistance = 0, outStride = 0, outDistance = 0;
  int kind = 0;
  void *stream = nullptr, *work = nullptr;
};
std::map<int, Plan> plans;
int newest = 0;

template <typename T> using Complex = std::complex<T>;

template <typename In, typename Out, typename Sum>
void eachLine(const Plan &plan, const void *in, void *out, int64_t outputs, int device, Sum sum) {
  const In *from = static_cast<const In *>(fake::reach(in, device));
  Out *to = static_cast<Out *>(fake::reach(out, device));
  for (long long line = 0; line < plan.batch; ++line) {
    std::vector<Out> results(outputs);
    for (int64_t j = 0; j < outputs; ++j)
      results[j] = sum([&](int64_t k) { return from[line * plan.inDistance + k * plan.inStride]; }, j);
    for (int64_t j = 0; j < outputs; ++j)
      to[line * plan.outDistance + j * plan.outStride] = results[j];
  }
}

template <typename T> Complex<T> unit(double turns) {
  return Complex<T>(std::polar(1.0, 2 * 3.14159265358979323846 * turns));
}

/// By how many turns the term `k` of the sum `j` is turned; both count the elements of all axes.
double turnsOf(const Plan &plan, int64_t j, int64_t k) {
  double turns = 0;
  for (size_t axis = plan.lengths.size(); axis-- > 0;) {
    int64_t n = plan.lengths[axis];
    turns += double(j % n * (k % n) % n) / double(n);
    j /= n;
    k /= n;
  }
  return turns;
}

template <typename T> int complexToComplex(int handle, void *in, void *out, int direction) {
  if (!plans.count(handle))
    return invalidPlan;
  Plan plan = plans[handle];
  if (!plan.work)
    return invalidValue;
  bool done = fake::enqueue(plan.stream, [=](int device) {
    eachLine<Complex<T>, Complex<T>>(plan, in, out, plan.length, device, [&](auto element, int64_t j) {
      Complex<T> sum = 0;
      for (int64_t k = 0; k < plan.length; ++k)
        sum += element(k) * unit<T>(direction * turnsOf(plan, j, k));
      return sum;
    });
  });
  return done ? success : execFailed;
}

template <typename T> int realToComplex(int handle, void *in, void *out) {
  if (!plans.count(handle))
    return invalidPlan;
  Plan plan = plans[handle];
  bool done = fake::enqueue(plan.stream, [=](int device) {
    eachLine<T, Complex<T>>(plan, in, out, plan.length / 2 + 1, device, [&](auto element, int64_t j) {
      Complex<T> sum = 0;
      for (int64_t k = 0; k < plan.length; ++k)
        sum += element(k) * unit<T>(-double(j * k % plan.length) / plan.length);
      return sum;
    });
  });
  return done ? success : execFailed;
}

template <typename T> int complexToReal(int handle, void *in, void *out) {
  if (!plans.count(handle))
    return invalidPlan;
  Plan plan = plans[handle];
  bool done = fake::enqueue(plan.stream, [=](int device) {
    eachLine<Complex<T>, T>(plan, in, out, plan.length, device, [&](auto element, int64_t j) {
      T sum = element(0).real() + element(0).imag(); // which does not count, and must be zero
      for (int64_t k = 1; k < plan.length; ++k) {
        Complex<T> x = 2 * k > plan.length ? std::conj(element(plan.length - k)) : element(k);
        sum += (x * unit<T>(double(j * k % plan.length) / plan.length)).real();
        if (2 * k == plan.length)
          sum += x.imag();
      }
      return sum;
    });
    static_cast<T *>(fake::reach(in, device))[0] = -1;
  });
  return done ? success : execFailed;
}

} // namespace

extern "C" {

int cufftCreate(int *handle) {
  plans[ *handle = ++newest] = {};
  return success;
}
int cufftDestroy(int handle) { return plans.erase(handle) ? success : invalidPlan; }
int cufftSetAutoAllocation(int, int automatic) { return automatic ? invalidValue : success; }
int cufftMakePlanMany64(int handle, int rank, long long *lengths, long long *inEmbed, long long inStride,
                        long long inDistance, long long *outEmbed, long long outStride, long long outDistance, int kind,
                        long long batch, size_t *workBytes) {
  if (rank < 1 || rank > 3 || (rank > 1 && (inStride != 1 || outStride != 1)) || !inEmbed || !outEmbed || batch < 1)
    return invalidValue;
  std::vector<long long> all(lengths, lengths + rank);
  long long points = 1;
  for (long long length : all)
    points *= length;
  plans[handle] = {all, points, batch, inStride, inDistance, outStride, outDistance, kind};
  *workBytes = 64;
  return success;
}
int cufftSetStream(int handle, void *stream) {
  plans[handle].stream = stream;
  return success;
}
int cufftSetWorkArea(int handle, void *work) {
  plans[handle].work = work;
  return success;
}
int cufftExecC2C(int handle, void *in, void *out, int direction) {
  return complexToComplex<float>(handle, in, out, direction);
}
int cufftExecZ2Z(int handle, void *in, void *out, int direction) {
  return complexToComplex<double>(handle, in, out, direction);
}
int cufftExecR2C(int handle, void *in, void *out) { return realToComplex<float>(handle, in, out); }
int cufftExecD2Z(int handle, void *in, void *out) { return realToComplex<double>(handle, in, out); }
int cufftExecC2R(int handle, void *in, void *out) { return complexToReal<float>(handle, in, out); }
int cufftExecZ2D(int handle, void *in, void *out) { return complexToReal<double>(handle, in, out); }
}
