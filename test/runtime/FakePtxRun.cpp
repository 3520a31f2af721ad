#include "FakePtx.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

namespace fake::ptx {
namespace {

// Addresses of shared and local memory where an instruction names no space.
constexpr uint64_t sharedWindow = uint64_t(0x7e) << 56, localWindow = uint64_t(0x7d) << 56,
                   windowMask = uint64_t(0xff) << 56;

[[noreturn]] void die(const std::string &what) {
  fprintf(stderr, "fake PTX: %s\n", what.c_str());
  abort();
}

/// Which of `count` blocks or threads runs as the one of this number: NPCC_FAKE_CUDA_ORDER=backwards begins with the last.
unsigned inOrder(size_t number, size_t count) {
  static const char *order = getenv("NPCC_FAKE_CUDA_ORDER");
  static const bool isBackwards = order && strcmp(order, "backwards") == 0;
  return unsigned(isBackwards ? count - 1 - number : number);
}

double halfToDouble(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                    : std::ldexp(fraction, -24);
  return half >> 15 ? -magnitude : magnitude;
}

uint16_t doubleToHalf(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (std::isnan(value))
    return 0x7fff;
  if (value >= 65520)
    return sign | 0x7c00;
  int exponent;
  std::frexp(value, &exponent);
  exponent = std::max(exponent, -13);
  double steps = std::nearbyint(std::ldexp(value, 11 - exponent)); // of the last place
  if (steps == 0)
    return sign;
  if (steps >= 2048)
    steps /= 2, ++exponent;
  return sign | (steps < 1024 ? uint16_t(steps) : uint16_t((exponent + 14) << 10 | (int(steps) - 1024)));
}

double toDouble(uint64_t raw, int bits) {
  if (bits == bfloatBits)
    return std::bit_cast<float>(uint32_t(raw) << 16);
  if (bits == 64)
    return std::bit_cast<double>(raw);
  return bits == 32 ? std::bit_cast<float>(uint32_t(raw)) : halfToDouble(uint16_t(raw));
}

uint64_t fromDouble(double value, int bits) {
  if (bits == bfloatBits) {
    uint32_t word = std::bit_cast<uint32_t>(float(value));
    return std::isnan(value) ? 0x7fff : uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  if (bits == 64)
    return std::bit_cast<uint64_t>(value);
  return bits == 32 ? std::bit_cast<uint32_t>(float(value)) : doubleToHalf(value);
}

uint64_t truncated(uint64_t value, int bits) { return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1); }
int64_t extended(uint64_t value, int bits) {
  return bits >= 64 ? int64_t(value) : int64_t(value << (64 - bits)) >> (64 - bits);
}

enum class Wait { None, Block, Warp, Grid, Done };
enum class Outcome { Done, Failed, Waits };

struct Thread {
  std::vector<uint64_t> registers;
  std::string local;
  size_t place = 0;
  Wait wait = Wait::None;
  unsigned id[3];
  bool carry = false; // of the last sum of several words
};

class Block {
public:
  Block(const Kernel &kernel, const Launch &launch, const Reach &reach, const unsigned index[3])
      : kernel(kernel), launch(launch), reach(reach), shared(kernel.sharedBytes + launch.dynamicShared + 16, '\0') {
    std::copy_n(index, 3, block);
    for (unsigned z = 0; z < launch.block[2]; ++z)
      for (unsigned y = 0; y < launch.block[1]; ++y)
        for (unsigned x = 0; x < launch.block[0]; ++x)
          threads.push_back({std::vector<uint64_t>(kernel.registers),
                             std::string(kernel.localBytes + 16, '\0'),
                             0,
                             Wait::None,
                             {x, y, z}});
  }

  /// bar.red: all threads that wait get whether any of them, or all, had a predicate that holds, or how many.
  void reduceAtBarrier() {
    bool any = false, all = true;
    uint64_t count = 0;
    auto reduction = [&](const Thread &thread) -> const Instruction * {
      const Instruction *in = thread.wait == Wait::Block ? &kernel.code[thread.place - 1] : nullptr;
      return in && in->has("red") ? in : nullptr;
    };
    for (const Thread &thread : threads)
      if (const Instruction *in = reduction(thread)) {
        bool holds = read(thread, in->operands.back()) != 0;
        any |= holds;
        all &= holds;
        count += holds;
      }
    for (Thread &thread : threads)
      if (const Instruction *in = reduction(thread))
        write(thread, in->operands[0], in->has("popc") ? count : in->has("and") ? all : any);
  }

  /// Until all threads are done, or nobody can go on before another block has.
  Outcome run() {
    for (Thread &thread : threads)
      if (thread.wait == Wait::Grid)
        thread.wait = Wait::None;
    for (;;) {
      bool ran = false;
      for (size_t number = 0; number < threads.size(); ++number)
        if (Thread &thread = threads[inOrder(number, threads.size())]; thread.wait == Wait::None) {
          ran = true;
          while (thread.wait == Wait::None)
            if (!step(thread))
              return Outcome::Failed;
        }
      if (std::all_of(threads.begin(), threads.end(), [](const Thread &t) { return t.wait == Wait::Done; }))
        return Outcome::Done;
      bool released = false;
      for (size_t warp = 0; warp < threads.size(); warp += 32)
        released |= meet(warp, std::min(warp + 32, threads.size()));
      if (!released && std::any_of(threads.begin(), threads.end(), [](const Thread &t) { return t.wait == Wait::Grid; }))
        return Outcome::Waits;
      if (!released &&
          std::none_of(threads.begin(), threads.end(), [](const Thread &t) { return t.wait == Wait::Warp; })) {
        reduceAtBarrier();
        for (Thread &thread : threads)
          if (thread.wait == Wait::Block)
            thread.wait = Wait::None, released = true;
      }
      if (!ran && !released)
        die("threads of " + kernel.name + " wait for what the others do not reach");
    }
  }

private:
  uint64_t special(const Thread &thread, const std::string &name) const {
    static const char axes[] = "xyz";
    const char *axis = name.size() > 2 && name[name.size() - 2] == '.' ? strchr(axes, name.back()) : nullptr;
    if (axis) {
      std::string base = name.substr(0, name.size() - 2);
      size_t k = axis - axes;
      if (base == "%tid")
        return thread.id[k];
      if (base == "%ntid")
        return launch.block[k];
      if (base == "%ctaid")
        return block[k];
      if (base == "%nctaid")
        return launch.grid[k];
      if (base == "%cluster_nctaid") // the fake driver makes no clusters
        return 1;
    }
    uint64_t lane = (&thread - threads.data()) % 32;
    if (name == "%laneid")
      return lane;
    if (name == "%warpid")
      return (&thread - threads.data()) / 32;
    if (name == "%lanemask_lt")
      return (uint64_t(1) << lane) - 1;
    if (name == "%lanemask_le")
      return (uint64_t(2) << lane) - 1;
    if (name == "%lanemask_gt")
      return uint32_t(-1) - ((uint64_t(2) << lane) - 1);
    if (name == "%clock" || name == "%clock64" || name == "%globaltimer")
      return 0;
    die("special register " + name);
  }

  uint64_t read(const Thread &thread, const Operand &operand) const {
    switch (operand.kind) {
    case Operand::Register:
      return thread.registers[operand.reg];
    case Operand::Immediate:
      return operand.value;
    case Operand::Special:
      return special(thread, operand.name);
    default:
      die("operand of " + kernel.code[thread.place ? thread.place - 1 : 0].text + " in " + kernel.name);
    }
  }

  void write(Thread &thread, const Operand &operand, uint64_t value) {
    if (operand.kind == Operand::Register)
      thread.registers[operand.reg] = value;
  }

  char *memory(Thread &thread, const Instruction &in, const Operand &operand, size_t bytes) {
    uint64_t address = operand.value + (operand.reg >= 0 ? thread.registers[operand.reg] : 0);
    Space space = in.space;
    if (space == Space::Generic && (address & windowMask) == sharedWindow)
      space = Space::Shared;
    else if (space == Space::Generic && (address & windowMask) == localWindow)
      space = Space::Local;
    if (space == Space::Shared || space == Space::Local) // of 32 bits, in which a sum wraps around
      address = uint32_t(address);
    switch (space) {
    case Space::Shared:
      return address + bytes <= shared.size() ? shared.data() + address : nullptr;
    case Space::Local:
      return address + bytes <= thread.local.size() ? thread.local.data() + address : nullptr;
    case Space::Param:
      return const_cast<char *>(launch.parameters.data()) + address;
    default:
      return address % std::min<size_t>(bytes, 16) ? nullptr : reach(address, bytes);
    }
  }

  bool step(Thread &thread);
  uint64_t arithmetic(const Instruction &in, uint64_t a, uint64_t b, uint64_t c) const;
  uint64_t integer(const Instruction &in, uint64_t a, uint64_t b, uint64_t c) const;
  uint64_t convert(const Instruction &in, uint64_t value) const;
  bool compare(const Instruction &in, uint64_t a, uint64_t b) const;
  bool meet(size_t from, size_t to);
  bool atomic(Thread &thread, const Instruction &in);

  const Kernel &kernel;
  const Launch &launch;
  const Reach &reach;
  std::string shared;
  unsigned block[3];
  std::vector<Thread> threads;
};

uint64_t Block::integer(const Instruction &in, uint64_t a, uint64_t b, uint64_t c) const {
  int bits = in.bits;
  bool isSigned = in.kind == 's';
  int64_t sa = extended(a, bits), sb = extended(b, bits);
  uint64_t ua = truncated(a, bits), ub = truncated(b, bits);
  const std::string &op = in.op;
  if (op == "mul" || op == "mad") {
    __int128 product = isSigned ? __int128(sa) * sb : __int128((unsigned __int128)ua * ub);
    uint64_t value = in.has("hi") ? uint64_t(product >> bits) : uint64_t(product);
    return (op == "mad" ? value + c : value);
  }
  if (op == "add")
    return ua + ub;
  if (op == "sub")
    return ua - ub;
  if (op == "div")
    return !ub ? ~uint64_t(0) : isSigned ? (sb == -1 ? uint64_t(0) - ua : uint64_t(sa / sb)) : ua / ub;
  if (op == "rem")
    return !ub ? ua : isSigned ? (sb == -1 ? 0 : uint64_t(sa % sb)) : ua % ub;
  if (op == "min")
    return isSigned ? std::min(sa, sb) : std::min(ua, ub);
  if (op == "max")
    return isSigned ? std::max(sa, sb) : std::max(ua, ub);
  if (op == "neg")
    return uint64_t(0) - ua;
  if (op == "abs")
    return sa < 0 ? uint64_t(0) - ua : ua;
  if (op == "and")
    return ua & ub;
  if (op == "or")
    return ua | ub;
  if (op == "xor")
    return ua ^ ub;
  if (op == "not")
    return in.kind == 'p' ? !ua : ~ua;
  if (op == "shl")
    return uint32_t(b) >= unsigned(bits) ? 0 : ua << uint32_t(b);
  if (op == "shr") {
    unsigned count = std::min<uint32_t>(uint32_t(b), isSigned ? bits - 1 : 64);
    return isSigned ? uint64_t(sa >> count) : count >= unsigned(bits) ? 0 : ua >> count;
  }
  if (op == "popc")
    return std::popcount(ua);
  if (op == "clz")
    return std::countl_zero(ua) - (64 - bits);
  if (op == "bfind" && in.kind == 'u') { // where the highest bit is, or how far a shift puts it there
    int zeros = std::countl_zero(ua) - (64 - bits);
    return !ua ? ~uint64_t(0) : in.has("shiftamt") ? uint64_t(zeros) : uint64_t(bits - 1 - zeros);
  }
  if (op == "brev") {
    uint64_t reversed = 0;
    for (int bit = 0; bit < bits; ++bit)
      reversed |= (ua >> bit & 1) << (bits - 1 - bit);
    return reversed;
  }
  if (op == "bmsk") {
    uint64_t start = std::min<uint64_t>(uint32_t(a), 32), length = std::min<uint64_t>(uint32_t(b), 32);
    return truncated(truncated(~uint64_t(0), int(length)) << start, 32);
  }
  if (op == "lop3") {
    uint64_t table = in.operands[4].value, result = 0;
    for (int bit = 0; bit < bits; ++bit)
      result |= (table >> ((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)) & 1) << bit;
    return result;
  }
  if (op == "bfe") {
    uint64_t start = b & 255, length = c & 255, value = start >= 64 ? 0 : ua >> start;
    return isSigned ? uint64_t(extended(value, length ? int(length) : 1)) : truncated(value, int(length));
  }
  die("instruction " + in.text);
}

uint64_t Block::arithmetic(const Instruction &in, uint64_t a, uint64_t b, uint64_t c) const {
  if (in.kind != 'f')
    return integer(in, a, b, c);
  int bits = in.bits;
  double x = toDouble(a, bits), y = toDouble(b, bits), z = toDouble(c, bits);
  auto round = [&](double exact) { return fromDouble(exact, bits); };
  const std::string &op = in.op;
  uint64_t sign = uint64_t(1) << (bits == bfloatBits ? 15 : bits - 1);
  bool givesNan = in.has("NaN") && (std::isnan(x) || std::isnan(y)); // min and max otherwise take the number
  // Sums and products of floats are rounded once: double holds the exact ones closely enough, but for the fused ones.
  if (op == "add")
    return bits == 32 ? fromDouble(float(x) + float(y), 32) : round(x + y);
  if (op == "sub")
    return bits == 32 ? fromDouble(float(x) - float(y), 32) : round(x - y);
  if (op == "mul")
    return bits == 32 ? fromDouble(float(x) * float(y), 32) : round(x * y);
  if (op == "div")
    return bits == 32 ? fromDouble(float(x) / float(y), 32) : round(x / y);
  if (op == "fma" || op == "mad")
    return bits == 32 ? fromDouble(std::fma(float(x), float(y), float(z)), 32) : round(std::fma(x, y, z));
  if (op == "neg")
    return a ^ sign;
  if (op == "abs")
    return a & ~sign;
  if (op == "min")
    return round(givesNan ? NAN : std::fmin(x, y));
  if (op == "max")
    return round(givesNan ? NAN : std::fmax(x, y));
  if (op == "sqrt")
    return round(bits == 32 ? double(std::sqrt(float(x))) : std::sqrt(x));
  if (op == "rsqrt")
    return round(1 / std::sqrt(x));
  if (op == "rcp")
    return round(1 / x);
  if (op == "ex2")
    return round(std::exp2(x));
  if (op == "lg2")
    return round(std::log2(x));
  if (op == "sin")
    return round(std::sin(x));
  if (op == "cos")
    return round(std::cos(x));
  if (op == "tanh")
    return round(std::tanh(x));
  if (op == "copysign")
    return round(std::copysign(y, x));
  die("instruction " + in.text);
}

uint64_t Block::convert(const Instruction &in, uint64_t value) const {
  if (in.fromKind == 'f') {
    double x = toDouble(value, in.fromBits);
    if (in.kind == 'f') {
      if (in.has("rzi"))
        x = std::trunc(x);
      else if (in.has("rni"))
        x = std::nearbyint(x);
      else if (in.has("rmi"))
        x = std::floor(x);
      else if (in.has("rpi"))
        x = std::ceil(x);
      return fromDouble(in.has("sat") ? std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0) : x, in.bits);
    }
    x = in.has("rni")   ? std::nearbyint(x)
        : in.has("rmi") ? std::floor(x)
        : in.has("rpi") ? std::ceil(x)
                        : std::trunc(x);
    double high = std::ldexp(1.0, in.kind == 's' ? in.bits - 1 : in.bits), low = in.kind == 's' ? -high : 0;
    if (std::isnan(x))
      return in.bits == 64 ? uint64_t(1) << 63 : 0;
    if (x >= high)
      return in.kind == 's' ? truncated(~uint64_t(0), in.bits - 1) : truncated(~uint64_t(0), in.bits);
    if (x < low)
      return in.kind == 's' ? uint64_t(1) << (in.bits - 1) : 0;
    return in.kind == 's' ? uint64_t(int64_t(x)) : uint64_t(x);
  }
  uint64_t wide = in.fromKind == 's' ? uint64_t(extended(value, in.fromBits)) : truncated(value, in.fromBits);
  if (in.kind != 'f')
    return in.kind == 's' ? uint64_t(extended(wide, in.bits)) : truncated(wide, in.bits);
  if (in.bits == 32)
    return std::bit_cast<uint32_t>(in.fromKind == 's' ? float(int64_t(wide)) : float(wide));
  return fromDouble(in.fromKind == 's' ? double(int64_t(wide)) : double(wide), in.bits);
}

bool Block::compare(const Instruction &in, uint64_t a, uint64_t b) const {
  const std::string &how = in.suffixes[0];
  if (in.kind == 'f') {
    double x = toDouble(a, in.bits), y = toDouble(b, in.bits);
    bool unordered = std::isnan(x) || std::isnan(y);
    if (how == "nan" || how == "num")
      return unordered == (how == "nan");
    if (unordered)
      return how.size() == 3; // equ, ltu, ...
    std::string base = how.substr(0, 2);
    return base == "eq"   ? x == y
           : base == "ne" ? x != y
           : base == "lt" ? x < y
           : base == "le" ? x <= y
           : base == "gt" ? x > y
                          : x >= y;
  }
  uint64_t ua = truncated(a, in.bits), ub = truncated(b, in.bits);
  int64_t sa = extended(a, in.bits), sb = extended(b, in.bits);
  bool less = in.kind == 's' ? sa < sb : ua < ub, equal = ua == ub;
  if (how == "eq")
    return equal;
  if (how == "ne")
    return !equal;
  if (how == "lt" || how == "lo")
    return less;
  if (how == "le" || how == "ls")
    return less || equal;
  if (how == "gt" || how == "hi")
    return !less && !equal;
  if (how == "ge" || how == "hs")
    return !less;
  die("comparison " + in.text);
}

bool Block::atomic(Thread &thread, const Instruction &in) {
  size_t first = in.op == "red" ? 0 : 1;
  char *place = memory(thread, in, in.operands[first], in.bits / 8);
  if (!place)
    return false;
  uint64_t old = 0, value = read(thread, in.operands[first + 1]), result;
  memcpy(&old, place, in.bits / 8);
  Instruction same = in;
  if (in.has("exch"))
    result = value;
  else if (in.has("cas"))
    result = truncated(value, in.bits) == old ? read(thread, in.operands[first + 2]) : old;
  else if (in.has("inc"))
    result = old >= value ? 0 : old + 1;
  else if (in.has("dec"))
    result = old == 0 || old > value ? value : old - 1;
  else {
    for (const char *op : {"add", "min", "max", "and", "or", "xor"})
      if (in.has(op))
        same.op = op;
    result = arithmetic(same, old, value, 0);
  }
  memcpy(place, &result, in.bits / 8);
  if (!first)
    return true;
  write(thread, in.operands[0], old);
  return true;
}

/// Shuffles, votes and matches: once all threads of the warp that are not done have come to one.
bool Block::meet(size_t from, size_t to) {
  size_t leader = to;
  for (size_t t = from; t < to; ++t) {
    if (threads[t].wait == Wait::Done)
      continue;
    if (threads[t].wait != Wait::Warp)
      return false;
    if (leader == to)
      leader = t;
    else if (threads[t].place != threads[leader].place)
      die("threads of a warp of " + kernel.name + " are at different shuffles");
  }
  if (leader == to)
    return false;
  const Instruction &in = kernel.code[threads[leader].place];
  std::vector<uint64_t> values(to - from);
  uint64_t ballot = 0;
  for (size_t t = from; t < to; ++t)
    if (threads[t].wait == Wait::Warp && in.op != "bar" && in.op != "activemask") {
      values[t - from] = read(threads[t], in.operands[1]);
      ballot |= uint64_t(values[t - from] != 0) << (t - from);
    }
  for (size_t t = from; t < to; ++t) {
    Thread &thread = threads[t];
    if (thread.wait != Wait::Warp)
      continue;
    size_t lane = t - from;
    if (in.op == "shfl") {
      unsigned b = unsigned(read(thread, in.operands[2])), c = unsigned(read(thread, in.operands[3]));
      unsigned mask = c >> 8 & 31, clamp = c & 31, low = unsigned(lane) & mask, high = low | (clamp & ~mask), source;
      bool inside;
      if (in.has("down"))
        source = unsigned(lane) + b, inside = source <= high;
      else if (in.has("up"))
        source = unsigned(lane) - b, inside = int(source) >= int(high);
      else if (in.has("bfly"))
        source = unsigned(lane) ^ b, inside = source <= high;
      else
        source = low | (b & ~mask), inside = source <= high;
      if (!inside || source >= values.size())
        source = unsigned(lane);
      write(thread, in.operands[0], values[source]);
      if (in.operands[0].parts.size() == 1)
        write(thread, in.operands[0].parts[0], inside);
    } else if (in.op == "vote") {
      uint64_t all = 0;
      for (size_t k = from; k < to; ++k)
        all |= uint64_t(threads[k].wait != Wait::Done) << (k - from);
      write(thread, in.operands[0], in.has("ballot") ? ballot : in.has("any") ? ballot != 0 : ballot == all);
    } else if (in.op == "match") {
      uint64_t same = 0, bits = in.bits == 64 ? ~uint64_t(0) : 0xffffffff;
      for (size_t k = from; k < to; ++k)
        same |= uint64_t(threads[k].wait == Wait::Warp && ((values[k - from] ^ values[lane]) & bits) == 0) << (k - from);
      write(thread, in.operands[0], same);
    } else if (in.op == "activemask") {
      write(thread, in.operands[0], to - from == 32 ? 0xffffffffu : (1u << (to - from)) - 1);
    }
  }
  for (size_t t = from; t < to; ++t)
    if (threads[t].wait == Wait::Warp)
      threads[t].wait = Wait::None, ++threads[t].place;
  return true;
}

bool Block::step(Thread &thread) {
  if (thread.place >= kernel.code.size()) {
    thread.wait = Wait::Done;
    return true;
  }
  const Instruction &in = kernel.code[thread.place];
  if (in.predicate >= 0 && (thread.registers[in.predicate] != 0) == in.negated) {
    ++thread.place;
    return true;
  }
  const std::string &op = in.op;
  if (op == "bra") {
    thread.place = in.operands[0].value;
    return true;
  }
  if (op == "brx") {
    uint32_t number = thread.registers[in.operands[0].reg];
    if (number >= in.operands[1].parts.size())
      return false;
    thread.place = in.operands[1].parts[number].value;
    return true;
  }
  if (op == "ret" || op == "exit") {
    thread.wait = Wait::Done;
    return true;
  }
  if (op == "trap")
    return false;
  if (op == "shfl" || op == "vote" || (op == "match" && in.has("any")) || op == "activemask" || (op == "bar" && in.has("warp"))) {
    thread.wait = Wait::Warp;
    return true;
  }
  ++thread.place;
  if (op == "bar" || op == "barrier") {
    thread.wait = Wait::Block;
    return true;
  }
  if (op == "membar" || op == "fence" || op == "nanosleep" || op == "pragma")
    return true;
  if (op == "atom" || op == "red")
    return atomic(thread, in);
  if (op == "ld" || op == "ldu" || op == "st") {
    bool load = op != "st";
    const Operand &place = in.operands[load ? 1 : 0], &values = in.operands[load ? 0 : 1];
    size_t size = in.bits / 8;
    char *bytes = memory(thread, in, place, size * in.lanes);
    if (!bytes)
      return false;
    for (int lane = 0; lane < in.lanes; ++lane) {
      const Operand &value = values.kind == Operand::Vector ? values.parts[lane] : values;
      uint64_t raw = 0;
      if (load) {
        memcpy(&raw, bytes + lane * size, size);
        write(thread, value, in.kind == 's' ? uint64_t(extended(raw, in.bits)) : raw);
        // What asks again and again whether another block has come: the others go on first.
        if (launch.isCooperative && (in.has("acquire") || in.has("volatile")))
          thread.wait = Wait::Grid;
      } else {
        raw = read(thread, value);
        memcpy(bytes + lane * size, &raw, size);
      }
    }
    return true;
  }
  if (op == "mov" && (in.operands[0].kind == Operand::Vector || in.operands[1].kind == Operand::Vector)) {
    const Operand &to = in.operands[0], &from = in.operands[1];
    uint64_t value = 0;
    size_t parts = std::max(to.parts.size(), from.parts.size()), width = in.bits / parts;
    for (size_t k = 0; k < from.parts.size(); ++k)
      value |= truncated(read(thread, from.parts[k]), int(width)) << (k * width);
    if (from.kind != Operand::Vector)
      value = read(thread, from);
    for (size_t k = 0; k < to.parts.size(); ++k)
      write(thread, to.parts[k], truncated(value >> (k * width), int(width)));
    if (to.kind != Operand::Vector)
      write(thread, to, value);
    return true;
  }
  const Operand &to = in.operands[0];
  auto operand = [&](size_t k) { return k < in.operands.size() ? read(thread, in.operands[k]) : 0; };
  if (op == "mov") {
    write(thread, to, operand(1));
  } else if (op == "cvta") {
    uint64_t value = operand(1), window = in.space == Space::Shared  ? sharedWindow
                                          : in.space == Space::Local ? localWindow
                                                                     : 0;
    write(thread, to, in.has("to") ? (window ? value & ~windowMask : value) : value | window);
  } else if (op == "cvt") {
    if (in.operands.size() == 3) { // two numbers of f32 to a pair of narrow ones, the first above
      int narrow = in.kind == 'k' ? bfloatBits : 16;
      auto half = [&](uint64_t raw) { return fromDouble(toDouble(raw, 32), narrow) & 0xffff; };
      write(thread, to, half(operand(1)) << 16 | half(operand(2)));
    } else {
      write(thread, to, convert(in, operand(1)));
    }
  } else if (op == "setp") {
    bool result = compare(in, operand(1), operand(2));
    if (in.operands.size() > 3) {
      bool other = operand(3) != 0;
      result = in.has("and") ? result && other : in.has("or") ? result || other : result != other;
    }
    write(thread, to, result);
    if (to.parts.size() == 1)
      write(thread, to.parts[0], !result);
  } else if (op == "selp") {
    write(thread, to, operand(3) ? operand(1) : operand(2));
  } else if (op == "slct") {
    write(thread, to, extended(operand(3), 32) >= 0 ? operand(1) : operand(2));
  } else if (op == "testp") {
    double x = toDouble(operand(1), in.bits);
    write(thread, to,
          in.has("finite")       ? std::isfinite(x)
          : in.has("infinite")   ? std::isinf(x)
          : in.has("notanumber") ? std::isnan(x)
                                 : !std::isnan(x));
  } else if (op == "bfi") {
    uint64_t start = operand(3) & 255, length = operand(4) & 255, mask = truncated(~uint64_t(0), int(length)) << start;
    write(thread, to, truncated((operand(2) & ~mask) | (operand(1) << start & mask), in.bits));
  } else if (op == "prmt") {
    uint64_t both = truncated(operand(1), 32) | operand(2) << 32, choice = operand(3), result = 0;
    for (int k = 0; k < 4; ++k) {
      uint64_t pick = choice >> (4 * k) & 15, byte = both >> (8 * (pick & 7)) & 255;
      result |= (pick & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * k);
    }
    write(thread, to, result);
  } else if (op == "addc" || op == "madc" || ((op == "add" || op == "mad") && in.has("cc"))) {
    bool isProduct = op[0] == 'm', takesCarry = op.back() == 'c';
    uint64_t product = truncated(operand(1), in.bits);
    if (isProduct) {
      unsigned __int128 all = (unsigned __int128)product * truncated(operand(2), in.bits);
      product = truncated(uint64_t(in.has("hi") ? all >> in.bits : all), in.bits);
    }
    unsigned __int128 sum = (unsigned __int128)product + truncated(operand(isProduct ? 3 : 2), in.bits) + (takesCarry && thread.carry);
    if (in.has("cc"))
      thread.carry = (sum >> in.bits) & 1;
    write(thread, to, truncated(uint64_t(sum), in.bits));
  } else if (op == "subc" || (op == "sub" && in.has("cc"))) {
    unsigned __int128 taken = (unsigned __int128)truncated(operand(2), in.bits) + (op == "subc" && thread.carry);
    uint64_t from = truncated(operand(1), in.bits);
    if (in.has("cc"))
      thread.carry = taken > from;
    write(thread, to, truncated(from - uint64_t(taken), in.bits));
  } else if (op == "shf") {
    uint64_t both = truncated(operand(1), 32) | operand(2) << 32,
             count = in.has("wrap") ? operand(3) & 31 : std::min<uint64_t>(operand(3), 32);
    write(thread, to, truncated(in.has("l") ? both << count >> 32 : both >> count, 32));
  } else if ((op == "mul" || op == "mad") && in.has("wide")) {
    uint64_t a = operand(1), b = operand(2);
    uint64_t product = in.kind == 's' ? uint64_t(extended(a, in.bits) * extended(b, in.bits))
                                      : truncated(a, in.bits) * truncated(b, in.bits);
    write(thread, to, truncated(op == "mad" ? product + operand(3) : product, 2 * in.bits));
  } else {
    uint64_t value = arithmetic(in, operand(1), operand(2), operand(3));
    write(thread, to, in.op == "popc" || in.op == "clz" ? value : truncated(value, in.kind == 'p' ? 1 : in.bits));
  }
  return true;
}

} // namespace

bool Module::run(const Kernel &kernel, const Launch &launch, const Reach &reach) const {
  std::deque<Block> waiting; // of a cooperative launch, the blocks take turns
  for (unsigned z = 0; z < launch.grid[2]; ++z)
    for (unsigned y = 0; y < launch.grid[1]; ++y)
      for (unsigned x = 0; x < launch.grid[0]; ++x) {
        unsigned index[] = {inOrder(x, launch.grid[0]), inOrder(y, launch.grid[1]), inOrder(z, launch.grid[2])};
        waiting.emplace_back(kernel, launch, reach, index);
        if (launch.isCooperative)
          continue;
        if (waiting.front().run() != Outcome::Done)
          return false;
        waiting.clear();
      }
  while (!waiting.empty())
    for (size_t left = waiting.size(); left > 0; --left) {
      Outcome outcome = waiting.front().run();
      if (outcome == Outcome::Failed)
        return false;
      if (outcome == Outcome::Waits)
        waiting.push_back(std::move(waiting.front()));
      waiting.pop_front();
    }
  return true;
}

} // namespace fake::ptx
