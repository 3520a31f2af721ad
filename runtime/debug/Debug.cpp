// The functions that code of the target "debug" calls.
#include "runtime/abi/debug.h"
#include "runtime/debug/Shadow.h"

using namespace npcc::rt;
using namespace npcc::rt::debug;

/// In a function of part 3: `use` has the frame's shadow, and what it returns decides whether the frame goes on.
template <typename Use> static void withShadow(Use use) {
  auto run = [&]() -> Status {
    Shadow *shadow;
    NPCC_TRY(findShadow(shadow));
    return use(*shadow);
  };
  NPCC_OR_FAIL(run());
}

static void noteAccess(Access kind, const void *address, int64_t bytes, const char *file, int32_t line) {
  withShadow([&](Shadow &shadow) { return shadow.access(kind, address, bytes, file, line); });
}

/// The elements of an array, line by line.
static void noteAll(Access kind, const void *address, int64_t bytes, int64_t rank, const int64_t *extents,
                    const int64_t *strides, const char *file, int32_t line) {
  withShadow([&](Shadow &shadow) -> Status {
    int64_t count = 1, position[NPCC_MAX_RANK] = {};
    for (int64_t axis = 0; axis < rank; ++axis)
      count *= extents[axis];
    for (int64_t k = 0; k < count; ++k) {
      int64_t offset = 0;
      for (int64_t axis = 0; axis < rank; ++axis)
        offset += position[axis] * strides[axis];
      const char *element = static_cast<const char *>(address) + offset * bytes;
      NPCC_TRY(shadow.access(kind, element, bytes, file, line));
      if (kind == Access::Read && !shadow.isWritten(element, bytes))
        return neverWritten(file, line);
      for (int64_t axis = rank; axis-- > 0 && ++position[axis] == extents[axis];)
        position[axis] = 0;
    }
    return {};
  });
}

void npcc_rt_debug_begin(int64_t iterations, int32_t ordered) {
  withShadow([&](Shadow &shadow) -> Status {
    shadow.spaces.begin(iterations, ordered);
    return {};
  });
}

int64_t npcc_rt_debug_next(void) {
  int64_t number = 0;
  withShadow([&](Shadow &shadow) -> Status {
    number = shadow.spaces.next();
    return {};
  });
  return number;
}

void npcc_rt_debug_end(void) {
  withShadow([](Shadow &shadow) -> Status {
    shadow.spaces.end();
    return {};
  });
}

void npcc_rt_debug_new(const void *base, int64_t bytes) {
  withShadow([&](Shadow &shadow) -> Status {
    shadow.sizes[base] = bytes;
    shadow.setState(base, bytes, State::New);
    return {};
  });
}

void npcc_rt_debug_release(const void *marked) {
  withShadow([&](Shadow &shadow) -> Status {
    void *base = withoutMark(const_cast<void *>(marked));
    auto found = shadow.sizes.find(base);
    if (found == shadow.sizes.end() || npcc_rt_refcount(base) != 1)
      return {};
    shadow.setState(base, found->second, State::Released);
    shadow.sizes.erase(found);
    return {};
  });
}

void npcc_rt_debug_reshaped(const void *from, const void *to, int64_t bytes) {
  if (withoutMark(const_cast<void *>(from)) == withoutMark(const_cast<void *>(to)))
    return;
  withShadow([&](Shadow &shadow) -> Status {
    shadow.sizes[to] = bytes;
    shadow.setState(to, bytes, State::Written);
    return {};
  });
}

int32_t npcc_rt_debug_is_written(const void *address, int64_t bytes) {
  bool written = true;
  withShadow([&](Shadow &shadow) -> Status {
    written = shadow.isWritten(address, bytes);
    return {};
  });
  return written;
}

void npcc_rt_debug_forget(const void *address, int64_t bytes) {
  withShadow([&](Shadow &shadow) { return shadow.forget(address, bytes); });
}

void npcc_rt_debug_read(const void *address, int64_t bytes, const char *file, int32_t line) {
  noteAccess(Access::Read, address, bytes, file, line);
}
void npcc_rt_debug_write(const void *address, int64_t bytes, const char *file, int32_t line) {
  noteAccess(Access::Write, address, bytes, file, line);
}
void npcc_rt_debug_update(const void *address, int64_t bytes, const char *file, int32_t line) {
  noteAccess(Access::Update, address, bytes, file, line);
}

void npcc_rt_debug_read_all(const void *address, int64_t element_bytes, int64_t rank, const int64_t *extents,
                            const int64_t *strides, const char *file, int32_t line) {
  noteAll(Access::Read, address, element_bytes, rank, extents, strides, file, line);
}

void npcc_rt_debug_write_all(const void *address, int64_t element_bytes, int64_t rank, const int64_t *extents,
                             const int64_t *strides, const char *file, int32_t line) {
  noteAll(Access::Write, address, element_bytes, rank, extents, strides, file, line);
}
