// An array whose size is known when it is made, on the stack up to N elements: the path of a call allocates nothing. The
// elements start uninitialised.
#ifndef NPCC_RUNTIME_INLINEARRAY_H
#define NPCC_RUNTIME_INLINEARRAY_H

#include <cstddef>
#include <memory>
#include <type_traits>

namespace npcc::rt {

template <typename T, size_t N>
class InlineArray {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  explicit InlineArray(size_t size) { resize(size); }
  InlineArray(const InlineArray &) = delete;
  InlineArray &operator=(const InlineArray &) = delete;

  /// Forgets what was in it.
  void resize(size_t size) {
    if (size > N)
      heap.reset(new Storage[size]);
    elements = size > N ? reinterpret_cast<T *>(heap.get()) : reinterpret_cast<T *>(inlined);
  }
  T &operator[](size_t i) { return elements[i]; }
  const T &operator[](size_t i) const { return elements[i]; }
  T *data() { return elements; }

private:
  struct alignas(T) Storage {
    std::byte bytes[sizeof(T)];
  };
  Storage inlined[N];
  std::unique_ptr<Storage[]> heap;
  T *elements;
};

} // namespace npcc::rt

#endif
