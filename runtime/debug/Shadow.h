// What the target "debug" knows of memory: beside each place that was accessed lies a cell with its history. Cells are
// made when they are first needed, in pages, as many to a page as the size of the elements asks for.
#ifndef NPCC_RUNTIME_DEBUG_SHADOW_H
#define NPCC_RUNTIME_DEBUG_SHADOW_H
#include "runtime/Frame.h"
#include "runtime/debug/Spaces.h"
#include <memory>
#include <unordered_map>

namespace npcc::rt::debug {

/// When, and in which line of the source.
struct Stamp {
  uint64_t time : 40 = 0;
  uint64_t line : 24 = 0;
};

/// The accesses of one kind to a place, as far as they matter: the latest, and for each space that the program was in
/// the latest one before the iteration which the latest one was made in. So there is always one of another iteration,
/// if there was any.
struct History {
  static constexpr size_t levels = 3;
  Stamp latest, before[levels];

  void add(Stamp stamp, const std::vector<Space> &spaces);
  /// One that another iteration made; null if there is none.
  const Stamp *findOther(const std::vector<Space> &spaces) const;
};

enum class Access { Read, Write, Update };
enum class State : uint8_t { Written, New, Released };

struct Cell {
  Stamp write; // the latest is enough: two iterations that write are an error already
  History reads, updates;
  State state = State::Written;
};

class Shadow {
public:
  explicit Shadow(uint64_t seed) : spaces(seed) {}

  /// An error if the access must not be made. Reads of what was never written are for the caller to judge.
  Status access(Access kind, const void *address, int64_t bytes, const char *file, int32_t line);
  void setState(const void *address, int64_t bytes, State state);

  bool isWritten(const void *address, int64_t bytes);
  /// It counts as never written again, and keeps its history.
  Status forget(const void *address, int64_t bytes);

  Spaces spaces;
  std::unordered_map<const void *, int64_t> sizes; // bytes of the arrays that there are, by base

private:
  static constexpr uintptr_t pageBytes = 4096;
  /// The cells of `pageBytes` bytes; each stands for 1 << shift of them.
  struct Page {
    int shift;
    std::unique_ptr<Cell[]> cells;
  };
  /// With cells that are no larger than `alignment`, a power of two, allows.
  Page &findPage(uintptr_t address, uintptr_t alignment);
  template <typename Visit> Status forEachCell(const void *address, int64_t bytes, Visit visit);

  std::unordered_map<uintptr_t, Page> pages;
  uintptr_t lastNumber = ~uintptr_t(0);
  Page *lastPage = nullptr;
};

Status neverWritten(const char *file, int32_t line);

/// The frame's, made at the first call.
Status findShadow(Shadow *&shadow);
void drop(Frame &frame);

} // namespace npcc::rt::debug

#endif
