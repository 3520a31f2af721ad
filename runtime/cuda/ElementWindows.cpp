#include "runtime/cuda/ElementWindows.h"
#include "runtime/cuda/CudaDevice.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace npcc::rt::cuda {

thread_local constinit ElementWindows *ElementWindows::current = nullptr;

ElementWindows &ElementWindows::makeForThread() {
  static thread_local std::unique_ptr<ElementWindows> owner;
  owner = std::make_unique<ElementWindows>();
  current = owner.get();
  return *owner;
}

/// Most elements are of 8 bytes.
static void copyElement(void *to, const void *from, int64_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, static_cast<size_t>(bytes));
}

void ElementWindows::drop() {
  flush();
  ++generation;
  device = nullptr;
  nextBytes = leastBytes;
  writes = 0;
  hasWaited = false;
}

bool ElementWindows::Window::note(const Range &range) {
  Range *free = nullptr;
  for (Range &other : written) {
    if (other.isEmpty()) {
      free = &other;
    } else if (range.low <= other.high && other.low <= range.high) {
      other = {std::min(other.low, range.low), std::max(other.high, range.high)};
      return true;
    }
  }
  if (free)
    *free = range;
  return free != nullptr;
}

bool ElementWindows::areGood(CudaDevice &of) {
  static const bool areOff = getenv("NPCC_ELEMENT_WINDOWS") && !strcmp(getenv("NPCC_ELEMENT_WINDOWS"), "0");
  if (areOff)
    return false;
  if (device == &of && of.streams.isQuiet() && !of.replay.isPending() && of.streams.issuedCount() == seen)
    return true;
  drop();
  return false;
}

void ElementWindows::settle(CudaDevice &of, uint64_t before, uint64_t work) {
  seen = of.streams.issuedCount();
  bool isOurs = seen == before + work && of.streams.isQuiet() && !of.replay.isPending();
  if (!isOurs)
    drop();
  else
    device = &of;
}

void ElementWindows::sendWritten() {
  isWritten = false; // also for the streams, which ask before each copy
  uint64_t before = device->streams.issuedCount(), work = 0;
  for (Window &window : windows) {
    if (!std::exchange(window.isWritten, false))
      continue;
    for (Range &range : window.written) {
      if (range.isEmpty())
        continue;
      ++work;
      // What fails here fails again at the next use of the device.
      (void)device->copyIn(reinterpret_cast<void *>(range.low), window.at(range.low), int64_t(range.high - range.low))
          .ok();
      range = {};
    }
  }
  if (device->streams.issuedCount() == before + work)
    seen = before + work;
}

Status ElementWindows::makeWindow(CudaDevice &of, uint64_t address, int64_t bytes, Window *&made) {
  Address base = 0;
  size_t size = 0;
  made = nullptr;
  if (driver().memGetAddressRange(&base, &size, address) != success)
    return {};
  uint64_t first = address - address % nextBytes, low = std::max<uint64_t>(base, first),
           high = std::min<uint64_t>(base + size, first + nextBytes);
  if (high < address + static_cast<uint64_t>(bytes))
    return {};
  Window &window = placeOf(address);
  flush();
  window.generation = 0;
  if (!window.bytes)
    window.bytes = std::make_unique_for_overwrite<char[]>(mostBytes);
  uint64_t before = of.streams.issuedCount();
  NPCC_TRY(of.copyOut(window.bytes.get(), reinterpret_cast<const void *>(low), static_cast<int64_t>(high - low)));
  settle(of, before, 1);
  if (!device)
    return {};
  window.low = low;
  window.high = high;
  window.generation = generation;
  nextBytes = std::min(4 * nextBytes, mostBytes);
  hasWaited = true;
  made = &window;
  return {};
}

Status ElementWindows::read(CudaDevice &of, void *to, const void *from, int64_t bytes) {
  auto address = reinterpret_cast<uint64_t>(from);
  if (areGood(of)) {
    Window *window = find(address, bytes);
    if (!window)
      NPCC_TRY(makeWindow(of, address, bytes, window));
    if (window) {
      copyElement(to, window->at(address), bytes);
      return {};
    }
  }
  flush();
  of.streams.current(); // sends what was kept
  uint64_t before = of.streams.issuedCount();
  NPCC_TRY(of.copyOut(to, from, bytes));
  settle(of, before, 1);
  hasWaited = device != nullptr;
  return {};
}

Status ElementWindows::write(CudaDevice &of, void *to, const void *from, int64_t bytes) {
  auto address = reinterpret_cast<uint64_t>(to);
  if (areGood(of)) {
    Window *window = find(address, bytes);
    if (!window && (hasWaited || writes >= writesAlone))
      NPCC_TRY(makeWindow(of, address, bytes, window));
    if (window) {
      copyElement(window->at(address), from, bytes);
      Range range{address, address + static_cast<uint64_t>(bytes)};
      if (!window->note(range)) {
        flush();
        window->note(range);
      }
      window->isWritten = true;
      isWritten = true;
      return {};
    }
    flush();
  }
  of.streams.current();
  uint64_t before = of.streams.issuedCount();
  NPCC_TRY(of.copyIn(to, from, bytes));
  // It may lie over the end of a window, or of two.
  for (uint64_t byte : {address, address + static_cast<uint64_t>(bytes) - 1})
    placeOf(byte).generation = 0;
  settle(of, before, 1);
  ++writes;
  return {};
}

} // namespace npcc::rt::cuda
