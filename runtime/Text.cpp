#include "runtime/Text.h"
#include "runtime/Kept.h"
#include "runtime/Element.h"
#include "runtime/abi/kept.h"
#include "runtime/abi/text.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace npcc::rt {
namespace {

/// The number of the empty string; those below are characters alone.
constexpr int64_t emptyText = 0x110000, firstText = emptyText + 1;

/// A polynomial of the characters modulo a prime, so that the hash of two strings one behind the other is made of theirs.
constexpr uint64_t modulus = (uint64_t(1) << 61) - 1, hashBase = 0x9E3779B97F4A7C15 % modulus;

/// 2**61 is 1 for this modulus, so that the bits above count as often as those below: no division is needed.
uint64_t reduced(unsigned __int128 value) {
  uint64_t sum = (static_cast<uint64_t>(value) & modulus) + static_cast<uint64_t>(value >> 61);
  sum = (sum & modulus) + (sum >> 61);
  return sum == modulus ? 0 : sum;
}

uint64_t extendedHash(uint64_t hash, std::u32string_view text) {
  for (char32_t c : text)
    hash = reduced(static_cast<unsigned __int128>(hash) * hashBase + c + 1);
  return hash;
}

struct Entry {
  std::u32string characters; // behind those of `left`, if that is one
  int64_t left = -1;
  int64_t length = 0;
  uint64_t hash = 0;
  std::atomic<bool> isWhole{true};
};

/// Strings at places that do not move: whoever has a number reads its string without a lock. A string that is made of a
/// long one and more, as in a loop that appends, holds the other's number until somebody asks for its characters.
class Table {
public:
  std::u32string_view at(int64_t number) {
    Entry &entry = entryOf(number);
    if (!entry.isWhole.load(std::memory_order_acquire)) {
      std::lock_guard lock(mutex);
      makeWhole(entry);
    }
    return entry.characters;
  }

  int64_t length(int64_t number) { return entryOf(number).length; }

  int64_t numberOf(std::u32string_view text) {
    std::lock_guard lock(mutex);
    uint64_t hash = extendedHash(0, text);
    auto isIt = [&](Entry &entry) {
      makeWhole(entry);
      return entry.characters == text;
    };
    if (int64_t number = find(hash, static_cast<int64_t>(text.size()), isIt); number >= 0)
      return number;
    return add(-1, text, static_cast<int64_t>(text.size()), hash);
  }

  int64_t numberOf(int64_t left, std::u32string_view more) {
    std::lock_guard lock(mutex);
    Entry &before = entryOf(left);
    int64_t length = before.length + static_cast<int64_t>(more.size());
    uint64_t hash = extendedHash(before.hash, more);
    auto isIt = [&](Entry &entry) {
      makeWhole(entry);
      makeWhole(before);
      return std::u32string_view(entry.characters).starts_with(before.characters) &&
             std::u32string_view(entry.characters).ends_with(more);
    };
    if (int64_t number = find(hash, length, isIt); number >= 0)
      return number;
    return add(left, more, length, hash);
  }

  void hold() { holders.fetch_add(1); }

  void letGo() {
    if (holders.fetch_sub(1) != 1 || !blocks[0].load(std::memory_order_relaxed))
      return;
    std::lock_guard lock(mutex);
    if (holders.load() > 0) // it has no number yet, or waits here for its first
      return;
    numbers.clear();
    owned.clear();
    for (auto &block : blocks)
      block.store(nullptr, std::memory_order_relaxed);
  }

private:
  static constexpr size_t firstBlock = 64;

  /// Block k has firstBlock << k entries.
  static std::pair<size_t, size_t> placeOf(int64_t number) {
    size_t shifted = static_cast<size_t>(number - firstText) + firstBlock;
    size_t block = 63 - __builtin_clzll(shifted) - __builtin_ctzll(firstBlock);
    return {block, shifted - (firstBlock << block)};
  }

  Entry &entryOf(int64_t number) {
    auto [block, place] = placeOf(number);
    return blocks[block].load(std::memory_order_acquire)[place];
  }

  template <typename Equal>
  int64_t find(uint64_t hash, int64_t length, Equal isIt) {
    auto [first, last] = numbers.equal_range(hash);
    for (; first != last; ++first) {
      Entry &entry = entryOf(first->second);
      if (entry.length == length && isIt(entry))
        return first->second;
    }
    return -1;
  }

  int64_t add(int64_t left, std::u32string_view characters, int64_t length, uint64_t hash) {
    int64_t number = firstText + static_cast<int64_t>(numbers.size());
    auto [block, place] = placeOf(number);
    Entry *entries = blocks[block].load(std::memory_order_relaxed);
    if (!entries) {
      owned.emplace_back(new Entry[firstBlock << block]);
      entries = owned.back().get();
      blocks[block].store(entries, std::memory_order_release);
    }
    Entry &entry = entries[place];
    entry.characters = characters;
    entry.left = left;
    entry.length = length;
    entry.hash = hash;
    entry.isWhole.store(left < 0, std::memory_order_release);
    numbers.emplace(hash, number);
    return number;
  }

  void makeWhole(Entry &entry) {
    if (entry.isWhole.load(std::memory_order_relaxed))
      return;
    std::u32string whole(static_cast<size_t>(entry.length), U' ');
    size_t end = whole.size();
    for (const Entry *part = &entry;; part = &entryOf(part->left)) {
      end -= part->characters.size();
      std::copy(part->characters.begin(), part->characters.end(), whole.begin() + static_cast<ptrdiff_t>(end));
      if (part->isWhole.load(std::memory_order_relaxed))
        break;
    }
    entry.characters = std::move(whole);
    entry.isWhole.store(true, std::memory_order_release);
  }

  std::mutex mutex;
  std::unordered_multimap<uint64_t, int64_t> numbers; // by their hashes
  std::vector<std::unique_ptr<Entry[]>> owned;
  std::array<std::atomic<Entry *>, 48> blocks{};
  std::atomic<int64_t> holders{0};
};

Table &table() {
  static Table theTable;
  return theTable;
}

void appendUtf8(std::string &out, char32_t c) {
  auto put = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (c < 0x80)
    return put(c);
  if (c < 0x800)
    put(0xC0 | c >> 6);
  else if (c < 0x10000)
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F));
  else
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F));
  put(0x80 | (c & 0x3F));
}

/// Of well-formed UTF-8 (single surrogates, as Python's "surrogatepass" writes them, too).
} // namespace

std::u32string fromUtf8(std::string_view text) {
  std::u32string result;
  for (size_t k = 0; k < text.size();) {
    auto byte = static_cast<unsigned char>(text[k++]);
    int more = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    char32_t c = more == 0 ? byte : byte & (0x3F >> more);
    for (; more > 0 && k < text.size(); --more)
      c = c << 6 | (static_cast<unsigned char>(text[k++]) & 0x3F);
    result += c;
  }
  return result;
}

Characters::Characters(int64_t number) : single(static_cast<char32_t>(number)) {
  if (number < emptyText)
    view = {&single, 1};
  else if (number > emptyText)
    view = table().at(number);
}

int64_t textNumber(std::u32string_view text) {
  return text.empty() ? emptyText : text.size() == 1 ? text[0] : table().numberOf(text);
}

/// A string is copied whole where it is short.
constexpr int64_t shortText = 64;

int64_t textNumber(int64_t left, std::u32string_view more) {
  if (more.empty())
    return left;
  if (textLength(left) >= shortText)
    return table().numberOf(left, more);
  std::u32string whole(std::u32string_view{Characters(left)});
  return textNumber(whole.append(more));
}

int64_t textLength(int64_t number) { return number < emptyText ? 1 : number == emptyText ? 0 : table().length(number); }

int64_t textNumberOfUtf8(std::string_view text) { return textNumber(fromUtf8(text)); }

std::string textAsUtf8(int64_t number) {
  std::string result;
  for (char32_t c : std::u32string_view(Characters(number)))
    appendUtf8(result, c);
  return result;
}

} // namespace npcc::rt

using namespace npcc::rt;

void npcc_rt_hold(void) {
  table().hold();
  holdKept();
}
void npcc_rt_let_go(void) {
  letGoKept();
  table().letGo();
}

int64_t npcc_rt_text_new(const char *utf8, int64_t bytes) {
  return textNumberOfUtf8({utf8, static_cast<size_t>(bytes)});
}

int64_t npcc_rt_text_read(int64_t number, char *utf8, int64_t bytes) {
  std::string text = textAsUtf8(number);
  std::memcpy(utf8, text.data(), std::min<size_t>(text.size(), static_cast<size_t>(bytes)));
  return static_cast<int64_t>(text.size());
}
