#include "FakePtxNumbers.h"
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

/// Which of `count` blocks or threads runs as the one of this number: NPCC_FAKE_CUDA_ORDER=backwards begins with the
/// last.
unsigned inOrder(size_t number, size_t count) {
  static const char *order = getenv("NPCC_FAKE_CUDA_ORDER");
  static const bool isBackwards = order && strcmp(order, "backwards") == 0;
  return unsigned(isBackwards ? count - 1 - number : number);
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
      if (!released &&
          std::any_of(threads.begin(), threads.end(), [](const Thread &t) { return t.wait == Wait::Grid; }))
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
  const Instruction &last(const Thread &thread) const { return kernel.code[thread.place ? thread.place - 1 : 0]; }

  uint64_t special(const Thread &thread, const Operand &operand) const {
    Word name = operand.name;
    if (name == "%tid")
      return thread.id[operand.value];
    if (name == "%ntid")
      return launch.block[operand.value];
    if (name == "%ctaid")
      return block[operand.value];
    if (name == "%nctaid")
      return launch.grid[operand.value];
    if (name == "%cluster_nctaid") // the fake driver makes no clusters
      return 1;
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
    die("special register of " + last(thread).text);
  }

  uint64_t read(const Thread &thread, const Operand &operand) const {
    switch (operand.kind) {
    case Operand::Register:
      return thread.registers[operand.reg];
    case Operand::Immediate:
      return operand.value;
    case Operand::Special:
      return special(thread, operand);
    default:
      die("operand of " + last(thread).text + " in " + kernel.name);
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
  bool meet(size_t from, size_t to);
  bool atomic(Thread &thread, const Instruction &in);

  const Kernel &kernel;
  const Launch &launch;
  const Reach &reach;
  std::string shared;
  unsigned block[3];
  std::vector<Thread> threads;
};

bool Block::atomic(Thread &thread, const Instruction &in) {
  size_t first = in.op == "red" ? 0 : 1;
  char *place = memory(thread, in, in.operands[first], in.bits / 8);
  if (!place)
    return false;
  uint64_t old = 0, value = read(thread, in.operands[first + 1]), result;
  memcpy(&old, place, in.bits / 8);
  if (in.has("exch"))
    result = value;
  else if (in.has("cas"))
    result = truncated(value, in.bits) == old ? read(thread, in.operands[first + 2]) : old;
  else if (in.has("inc"))
    result = old >= value ? 0 : old + 1;
  else if (in.has("dec"))
    result = old == 0 || old > value ? value : old - 1;
  else {
    Word op = in.op;
    for (Word each : {Word("add"), Word("min"), Word("max"), Word("and"), Word("or"), Word("xor")})
      if (in.has(each))
        op = each;
    result = arithmetic(in, op, old, value, 0);
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
  uint64_t ballot = 0, all = 0;
  for (size_t t = from; t < to; ++t)
    all |= uint64_t(threads[t].wait != Wait::Done) << (t - from);
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
      write(thread, in.operands[0],
            in.has("ballot") ? ballot
            : in.has("any")  ? ballot != 0
                             : ballot == all || (in.has("uni") && !ballot));
    } else if (in.op == "match") {
      uint64_t same = 0, bits = in.bits == 64 ? ~uint64_t(0) : 0xffffffff;
      for (size_t k = from; k < to; ++k)
        same |= uint64_t(threads[k].wait == Wait::Warp && ((values[k - from] ^ values[lane]) & bits) == 0)
                << (k - from);
      bool alike = same == all;
      write(thread, in.operands[0], in.has("any") ? same : alike ? all : 0);
      if (in.operands[0].parts.size() == 1)
        write(thread, in.operands[0].parts[0], alike);
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
  Word op = in.op;
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
  if (op == "shfl" || op == "vote" || op == "match" || op == "activemask" || (op == "bar" && in.has("warp"))) {
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
    bool isProduct = op == "mad" || op == "madc", takesCarry = op == "addc" || op == "madc";
    uint64_t product = truncated(operand(1), in.bits);
    if (isProduct) {
      unsigned __int128 all = (unsigned __int128)product * truncated(operand(2), in.bits);
      product = truncated(uint64_t(in.has("hi") ? all >> in.bits : all), in.bits);
    }
    unsigned __int128 sum =
        (unsigned __int128)product + truncated(operand(isProduct ? 3 : 2), in.bits) + (takesCarry && thread.carry);
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
    uint64_t value = arithmetic(in, op, operand(1), operand(2), operand(3));
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
