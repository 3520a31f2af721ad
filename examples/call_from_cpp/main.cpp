// Calls the functions of heat.so from C++: no Python runs. Built by
//
//   npcc examples/heat.py -o heat.so
//   c++ main.cpp heat.so libnpcc_rt.so -o call_heat -Wl,-rpath,'$ORIGIN'
#include "heat.h"
#include <cstdio>
#include <vector>

/// A C-contiguous matrix as the runtime sees it.
static npcc_array describe(std::vector<double> &values, int64_t rows, int64_t columns) {
  npcc_array array{};
  array.base = array.data = values.data();
  array.dtype = NPCC_FLOAT64;
  array.rank = 2;
  array.device = NPCC_CPU;
  array.shape[0] = rows;
  array.shape[1] = columns;
  array.strides[0] = columns;
  array.strides[1] = 1;
  return array;
}

int main() {
  const int64_t n = 64;
  std::vector<double> plate(n * n);
  for (int64_t i = n / 3; i < 2 * n / 3; ++i)
    for (int64_t j = n / 3; j < 2 * n / 3; ++j)
      plate[i * n + j] = 100;
  npcc_array u = describe(plate, n, n), result;
  if (diffuse(&u, 0.2, 100, &result)) {
    std::fprintf(stderr, "%s\n", npcc_rt_last_error());
    return 1;
  }
  auto *values = static_cast<const double *>(result.data);
  double sum = 0;
  for (int64_t k = 0; k < n * n; ++k)
    sum += values[k];
  std::printf("centre %.6f, mean %.6f\n", values[n / 2 * n + n / 2], sum / (n * n));
  if (result.base != u.base)
    npcc_rt_release(result.base);

  // Errors are codes with a text; nothing is thrown and nothing printed.
  u.rank = 1;
  int32_t error = diffuse(&u, 0.2, 1, &result);
  std::printf("error %d: %s\n", error, npcc_rt_last_error());
  return error == NPCC_TYPE_ERROR ? 0 : 1;
}
