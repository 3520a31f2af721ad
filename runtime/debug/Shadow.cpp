#include "runtime/debug/Shadow.h"
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>

namespace npcc::rt::debug {

//===---- Histories ----===//

void History::add(Stamp stamp, const std::vector<Space> &spaces) {
  for (size_t level = 0; level < std::min(spaces.size(), levels); ++level)
    if (latest.time < spaces[level].iteration)
      before[level] = latest;
  latest = stamp;
}

const Stamp *History::findOther(const std::vector<Space> &spaces) const {
  for (size_t level = 0; level < spaces.size(); ++level) {
    const Stamp *stamp = latest.time < spaces[level].iteration || level >= levels ? &latest : &before[level];
    if (spaces[level].hadInOtherIteration(stamp->time))
      return stamp;
  }
  return nullptr;
}

static const Stamp *findOther(const Stamp &stamp, const std::vector<Space> &spaces) {
  bool other = std::any_of(spaces.begin(), spaces.end(),
                           [&](const Space &space) { return space.hadInOtherIteration(stamp.time); });
  return other ? &stamp : nullptr;
}

//===---- Cells ----===//

Shadow::Page &Shadow::findPage(uintptr_t address, uintptr_t alignment) {
  uintptr_t number = address / pageBytes;
  int shift = std::min(std::countr_zero(alignment), 3);
  if (number != lastNumber) {
    auto [found, isNew] = pages.try_emplace(number, Page{shift, nullptr});
    if (isNew)
      found->second.cells = std::make_unique<Cell[]>(pageBytes >> shift);
    lastNumber = number;
    lastPage = &found->second; // elements of an unordered_map stay where they are
  }
  Page &page = *lastPage;
  if (shift < page.shift) {
    auto finer = std::make_unique<Cell[]>(pageBytes >> shift);
    for (uintptr_t k = 0; k < pageBytes >> shift; ++k)
      finer[k] = page.cells[k >> (page.shift - shift)];
    page = {shift, std::move(finer)};
  }
  return page;
}

template <typename Visit> Status Shadow::forEachCell(const void *address, int64_t bytes, Visit visit) {
  auto from = reinterpret_cast<uintptr_t>(address), to = from + bytes;
  while (from < to) {
    uintptr_t end = std::min(to, (from / pageBytes + 1) * pageBytes);
    Page &page = findPage(from, from | end);
    for (uintptr_t k = (from % pageBytes) >> page.shift; k < (from % pageBytes + end - from) >> page.shift; ++k)
      NPCC_TRY(visit(page.cells[k]));
    from = end;
  }
  return {};
}

void Shadow::setState(const void *address, int64_t bytes, State state) {
  (void)forEachCell(address, bytes, [&](Cell &cell) -> Status {
    cell = Cell();
    cell.state = state;
    return {};
  });
}

bool Shadow::isWritten(const void *address, int64_t bytes) {
  bool written = true;
  (void)forEachCell(address, bytes, [&](Cell &cell) -> Status {
    written &= cell.state == State::Written;
    return {};
  });
  return written;
}

Status Shadow::forget(const void *address, int64_t bytes) {
  return forEachCell(address, bytes, [](Cell &cell) -> Status {
    cell.state = State::New;
    return {};
  });
}

//===---- Accesses ----===//

static const char *nameOf(Access kind) {
  return kind == Access::Read ? "reads" : kind == Access::Write ? "writes" : "updates";
}

Status neverWritten(const char *file, int32_t line) {
  return Status(NPCC_RUNTIME_ERROR, "an element is read that was never written", file, line);
}

Status Shadow::access(Access kind, const void *address, int64_t bytes, const char *file, int32_t line) {
  const std::vector<Space> &within = spaces.all();
  Stamp now{spaces.now(), static_cast<uint64_t>(line)};
  auto race = [&](Access earlier, const Stamp &stamp) {
    return Status(NPCC_RUNTIME_ERROR,
                  fmt::format("two iterations of one kernel meet: one {} an element that another one {} (line {})",
                              nameOf(kind), nameOf(earlier), uint64_t(stamp.line)),
                  file, line);
  };
  return forEachCell(address, bytes, [&](Cell &cell) -> Status {
    if (cell.state == State::Released)
      return Status(NPCC_RUNTIME_ERROR, "an array is accessed that was released", file, line);
    if (cell.state == State::New && kind == Access::Update)
      return neverWritten(file, line);
    if (!within.empty()) {
      if (const Stamp *other = findOther(cell.write, within))
        return race(Access::Write, *other);
      if (kind != Access::Read)
        if (const Stamp *other = cell.reads.findOther(within))
          return race(Access::Read, *other);
      if (kind != Access::Update)
        if (const Stamp *other = cell.updates.findOther(within))
          return race(Access::Update, *other);
    }
    if (kind == Access::Write) {
      cell.state = State::Written;
      cell.write = now;
    } else {
      (kind == Access::Read ? cell.reads : cell.updates).add(now, within);
    }
    return {};
  });
}

//===---- The frame's ----===//

Status findShadow(Shadow *&shadow) {
  Frame *frame;
  NPCC_TRY(requireFrame(frame));
  if (!frame->shadow) {
    const char *seed = std::getenv("NPCC_SEED");
    frame->shadow = new Shadow(seed ? std::strtoull(seed, nullptr, 10) : 0);
  }
  shadow = frame->shadow;
  return {};
}

void drop(Frame &frame) {
  delete frame.shadow;
  frame.shadow = nullptr;
}

} // namespace npcc::rt::debug
