// npcc_rt_copy between any devices, layouts and element sizes, against copying element by element.
#include "Fixture.h"
#include <algorithm>
#include <random>

namespace {

/// A view with random strides into a new buffer, and where its elements are.
struct RandomView {
  OwnedArray whole;
  npcc_array view;

  RandomView(std::mt19937 &random, int32_t device, int32_t dtype, const Extents &shape)
      : whole(device, dtype, {size(shape)}), view(whole.array) {
    std::vector<size_t> order(shape.size());
    for (size_t axis = 0; axis < order.size(); ++axis)
      order[axis] = axis;
    if (random() % 2)
      std::shuffle(order.begin(), order.end(), random);
    view.rank = static_cast<int32_t>(shape.size());
    int64_t stride = random() % 3 ? 1 : 2, offset = 0;
    for (size_t k = order.size(); k-- > 0;) {
      size_t axis = order[k];
      view.shape[axis] = shape[axis];
      bool backwards = random() % 4 == 0;
      view.strides[axis] = backwards ? -stride : stride;
      if (backwards && shape[axis] > 0)
        offset += (shape[axis] - 1) * stride;
      stride *= std::max<int64_t>(shape[axis], 1) + (random() % 3 == 0);
    }
    view.data = static_cast<char *>(whole.array.data) + offset * npcc_rt_dtype_size(static_cast<npcc_dtype>(dtype));
  }

  static int64_t size(const Extents &shape) {
    int64_t total = 2;
    for (int64_t extent : shape)
      total *= std::max<int64_t>(extent, 1) + 1;
    return total;
  }
};

/// Bytes of the elements in C order, by npcc_array alone.
std::string elements(const npcc_array &array, const std::string &buffer, const void *bufferBase) {
  std::string out;
  int64_t size = npcc_rt_dtype_size(static_cast<npcc_dtype>(array.dtype));
  int64_t count = 1;
  for (int32_t axis = 0; axis < array.rank; ++axis)
    count *= array.shape[axis];
  for (int64_t k = 0; k < count; ++k) {
    int64_t rest = k, offset = static_cast<char *>(array.data) - static_cast<const char *>(bufferBase);
    for (int32_t axis = array.rank - 1; axis >= 0; --axis) {
      offset += rest % array.shape[axis] * array.strides[axis] * size;
      rest /= array.shape[axis];
    }
    out += buffer.substr(offset, size);
  }
  return out;
}

/// The whole buffer, contiguous: a plain copy, which the tests of transfers trust no further.
std::string bytesOf(const OwnedArray &array) {
  OwnedArray host(NPCC_CPU, array.array.dtype, {array.array.shape[0]});
  CHECK_OK(npcc_rt_copy(&host.array, &array.array));
  return {static_cast<char *>(host.array.data),
          static_cast<size_t>(array.array.shape[0] * npcc_rt_dtype_size(static_cast<npcc_dtype>(array.array.dtype)))};
}

void randomise(std::mt19937 &random, OwnedArray &array) {
  OwnedArray host(NPCC_CPU, array.array.dtype, {array.array.shape[0]});
  int64_t bytes = array.array.shape[0] * npcc_rt_dtype_size(static_cast<npcc_dtype>(array.array.dtype));
  for (int64_t k = 0; k < bytes; ++k)
    static_cast<unsigned char *>(host.array.data)[k] = static_cast<unsigned char>(random());
  CHECK_OK(npcc_rt_copy(&array.array, &host.array));
}

} // namespace

DEVICE_TEST(copiesOfRandomViews) {
  std::mt19937 random(7);
  std::vector<int32_t> others = {NPCC_CPU, NPCC_LOGICAL_CPU + 1, device};
  if (npcc_rt_cuda_device_count() > 0)
    others.push_back(npcc_rt_cuda_device_count() - 1);
  const Extents shapes[] = {{}, {1}, {0}, {17}, {4, 5}, {33, 40}, {3, 0, 2}, {5, 1, 7}, {20, 3, 18}, {2, 3, 4, 5},
                            {1, 2, 1, 2, 1, 2}};
  const int32_t dtypes[] = {NPCC_INT8, NPCC_FLOAT16, NPCC_FLOAT32, NPCC_FLOAT64, NPCC_COMPLEX128};
  for (int32_t other : others)
    for (const Extents &shape : shapes)
      for (int32_t dtype : dtypes)
        for (int direction = 0; direction < 2; ++direction) {
          RandomView from(random, direction ? device : other, dtype, shape);
          RandomView to(random, direction ? other : device, dtype, shape);
          randomise(random, from.whole);
          randomise(random, to.whole);
          std::string before = bytesOf(to.whole), source = bytesOf(from.whole);
          CHECK_OK(npcc_rt_copy(&to.view, &from.view));
          std::string after = bytesOf(to.whole);
          CHECK(elements(to.view, after, to.whole.array.base) == elements(from.view, source, from.whole.array.base));
          // What lies between the elements is untouched: only as many bytes may differ as were copied.
          size_t changed = 0;
          for (size_t k = 0; k < after.size(); ++k)
            changed += after[k] != before[k];
          CHECK(changed <= product(shape) * size_t(npcc_rt_dtype_size(static_cast<npcc_dtype>(dtype))));
        }
}

DEVICE_TEST(largeTransposition) {
  constexpr int64_t rows = 700, columns = 1100;
  for (int32_t dtype : {NPCC_INT8, NPCC_FLOAT64, NPCC_COMPLEX128}) {
    OwnedArray from(device, dtype, {rows, columns}), to(device, dtype, {columns, rows});
    std::mt19937 random(3);
    OwnedArray flat(NPCC_CPU, dtype, {rows * columns});
    randomise(random, flat);
    npcc_array shaped = describe(nullptr, flat.array.data, dtype, NPCC_CPU, {rows, columns}, {columns, 1});
    CHECK_OK(npcc_rt_copy(&from.array, &shaped));
    npcc_array transposed = describe(nullptr, from.array.data, dtype, device, {columns, rows}, {1, columns});
    CHECK_OK(npcc_rt_copy(&to.array, &transposed));
    OwnedArray back(NPCC_CPU, dtype, {columns, rows});
    CHECK_OK(npcc_rt_copy(&back.array, &to.array));
    int64_t size = npcc_rt_dtype_size(static_cast<npcc_dtype>(dtype));
    bool same = true;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        same = same && memcmp(static_cast<char *>(back.array.data) + (j * rows + i) * size,
                              static_cast<char *>(flat.array.data) + (i * columns + j) * size, size) == 0;
    CHECK(same);
  }
}

DEVICE_TEST(elementsNeedOnlyTheirPartsAligned) {
  // complex128 numbers at an address that is a multiple of 8 only.
  OwnedArray doubles(device, NPCC_FLOAT64, {41});
  fill(doubles.array, iota<double>(41));
  npcc_array view = describe(nullptr, static_cast<double *>(doubles.array.data) + 1, NPCC_COMPLEX128, device, {10}, {2});
  OwnedArray to(device, NPCC_COMPLEX128, {10});
  CHECK_OK(npcc_rt_copy(&to.array, &view));
  auto got = fetch<std::complex<double>>(to.array);
  for (int k = 0; k < 10; ++k)
    CHECK_EQ(got[k], std::complex<double>(4 * k + 1, 4 * k + 2));
}

DEVICE_TEST(overlappingCopiesAreAsIfTheSourceWereCopiedFirst) {
  OwnedArray array(device, NPCC_INT64, {100});
  fill(array.array, iota<int64_t>(100));
  auto *data = static_cast<int64_t *>(array.array.data);
  npcc_array from = describe(nullptr, data, NPCC_INT64, device, {99}, {1});
  npcc_array to = describe(nullptr, data + 1, NPCC_INT64, device, {99}, {1});
  CHECK_OK(npcc_rt_copy(&to, &from));
  std::vector<int64_t> got = fetch<int64_t>(array.array);
  for (int k = 0; k < 100; ++k)
    CHECK_EQ(got[k], k == 0 ? 0 : k - 1);
  npcc_array reversed = describe(nullptr, data + 99, NPCC_INT64, device, {100}, {-1});
  CHECK_OK(npcc_rt_copy(&array.array, &reversed));
  std::vector<int64_t> turned = fetch<int64_t>(array.array);
  for (int k = 0; k < 100; ++k)
    CHECK_EQ(turned[k], got[99 - k]);
}

TEST(copiesOfDifferentShapesAreErrors) {
  OwnedArray a(NPCC_CPU, NPCC_FLOAT64, {3}), b(NPCC_CPU, NPCC_FLOAT64, {4}), c(NPCC_CPU, NPCC_FLOAT32, {3});
  CHECK_ERROR(npcc_rt_copy(&a.array, &b.array), NPCC_VALUE_ERROR, "differ");
  CHECK_ERROR(npcc_rt_copy(&a.array, &c.array), NPCC_VALUE_ERROR, "differ");
  OwnedArray d(NPCC_CPU, NPCC_FLOAT64, {3});
  a.array.flags = NPCC_READONLY;
  CHECK_ERROR(npcc_rt_copy(&a.array, &d.array), NPCC_VALUE_ERROR, "read-only");
}
