// The part of the C ABI that generated code draws random numbers by.
#include "runtime/Element.h"
#include "runtime/Frame.h"
#include "runtime/random/DeviceDraws.h"
#include "runtime/random/HostDraws.h"
#include <limits>
#include <mutex>
#include <string_view>

namespace npcc::rt::random {
namespace {

/// numpy.random's own state where no Python gives it: of programs that call compiled functions from C.
struct ProcessGenerator {
  std::mutex mutex;
  OwnGenerator generator{};
};

ProcessGenerator &processGenerator() {
  static ProcessGenerator process;
  return process;
}

/// The seed's integers, which may be on a device.
Status readSeed(Device &device, const int64_t *seed, int64_t count, std::vector<int64_t> &integers) {
  integers.resize(count);
  if (!count)
    return {};
  return device.copyOut(integers.data(), seed, count * int64_t(sizeof(int64_t)));
}

Status setState(OwnGenerator &generator, std::string_view bits) {
  if (bits.empty())
    return {};
  generator.state = makeBitGenerator(bits, *generator.seed);
  if (!generator.state)
    return makeError(NPCC_RUNTIME_ERROR, "there is no bit generator {}", bits);
  generator.bits = &generator.state->bits;
  generator.bitsName = generator.state->name;
  generator.bits_kind = generator.state->kind;
  return {};
}

/// The state of an MT19937 anew, as numpy.random.seed does it.
Status seedLegacy(npcc_generator &generator, std::string_view seeding, const std::vector<int64_t> &integers) {
  if (generator.bits_kind != NPCC_BITS_MT19937)
    return Status(NPCC_TYPE_ERROR, "can only re-seed a MT19937 BitGenerator");
  auto &state = *static_cast<MersenneState *>(bitsOf(generator)->state);
  std::vector<uint32_t> words;
  if (seeding == "entropy") {
    NPCC_TRY(systemEntropy(words));
    seedMersenne(state, SeedSequence(words));
  } else {
    if (integers.empty())
      return Status(NPCC_VALUE_ERROR, "Seed must be non-empty");
    for (int64_t integer : integers) {
      if (integer < 0 || integer > std::numeric_limits<uint32_t>::max())
        return Status(NPCC_VALUE_ERROR, "Seed must be between 0 and 2**32 - 1");
      words.push_back(uint32_t(integer));
    }
    if (seeding == "legacy" || (seeding == "legacy_squeezed" && words.size() == 1))
      seedMersenne(state, words[0]);
    else
      seedMersenne(state, words.data(), int64_t(words.size()));
  }
  generator.has_gauss = 0;
  generator.gauss = 0.0;
  return {};
}

constexpr const char *spawnsNothing = "The underlying SeedSequence does not implement spawning.";

Status sequenceOf(npcc_generator *parent, OwnGenerator *&own) {
  own = parent->is_own ? static_cast<OwnGenerator *>(parent) : nullptr;
  return own && own->seed ? Status() : Status(NPCC_TYPE_ERROR, spawnsNothing);
}

/// A child of the caller's object, which is the caller's too.
Status spawnOuter(npcc_generator *parent, std::shared_ptr<npcc_generator> &result) {
  npcc_generator *child = parent->spawn(parent->object);
  if (!child)
    return Status(NPCC_TYPE_ERROR, spawnsNothing);
  result = std::shared_ptr<npcc_generator>(child, [](npcc_generator *) {});
  return {};
}

Status makeGenerator(Device &device, std::string_view bits, std::string_view seeding, npcc_generator *parent,
                     const int64_t *seed, int64_t count, std::shared_ptr<npcc_generator> &result) {
  if (seeding == "spawn" && parent->spawn)
    return spawnOuter(parent, result);
  auto made = std::make_shared<OwnGenerator>();
  static_cast<npcc_generator &>(*made) = {};
  made->is_own = 1;
  result = made;
  if (seeding == "share") {
    static_cast<npcc_generator &>(*made) = *parent;
    made->is_own = 1;
    made->has_gauss = 0;
    if (parent->is_own) {
      made->seed = static_cast<OwnGenerator *>(parent)->seed;
      made->bitsName = static_cast<OwnGenerator *>(parent)->bitsName;
    }
    return {};
  }
  std::vector<int64_t> integers;
  NPCC_TRY(readSeed(device, seed, count, integers));
  std::vector<uint32_t> words;
  OwnGenerator *from;
  if (seeding == "sequence") {
    NPCC_TRY(sequenceOf(parent, from));
    made->seed = from->seed;
  } else if (seeding == "spawn") {
    NPCC_TRY(sequenceOf(parent, from));
    made->seed = std::make_shared<SeedSequence>(from->seed->spawn());
    bits = from->bitsName;
  } else {
    bool isLegacy = seeding.starts_with("legacy");
    if (seeding == "entropy" || isLegacy)
      NPCC_TRY(systemEntropy(words));
    else
      NPCC_TRY(appendWords(integers.data(), count, seeding == "unsigned", words));
    made->seed = std::make_shared<SeedSequence>(std::move(words));
    NPCC_TRY(setState(*made, bits));
    if (!isLegacy)
      return {};
    made->seed = nullptr;
    return seedLegacy(*made, seeding, integers);
  }
  return setState(*made, bits);
}

/// Draws from the process's own state are one at a time; others are the caller's to lock.
template <typename Body> Status exclusively(npcc_generator *generator, Body &&body) {
  ProcessGenerator &process = processGenerator();
  if (generator != &process.generator)
    return body();
  std::scoped_lock lock(process.mutex);
  return body();
}

Status findCaptured(Frame &frame, int64_t number, npcc_generator *&found) {
  if (frame.options && number < frame.options->generator_count) {
    found = frame.options->generators[number];
    return {};
  }
  if (number)
    return makeError(NPCC_RUNTIME_ERROR, "generator {} of random numbers was not given with the call", number);
  ProcessGenerator &process = processGenerator();
  std::scoped_lock lock(process.mutex);
  OwnGenerator &generator = process.generator;
  if (!generator.state) {
    std::vector<uint32_t> words;
    NPCC_TRY(systemEntropy(words));
    generator.seed = std::make_shared<SeedSequence>(std::move(words));
    NPCC_TRY(setState(generator, "MT19937"));
    generator.is_own = 1;
  }
  found = &generator;
  return {};
}

/// A number of any dtype as float64 or int64.
void widen(int32_t dtype, const void *from, npcc_number &out) {
  auto as = [&]<typename T>(T) {
    T value;
    __builtin_memcpy(&value, from, sizeof value);
    if constexpr (std::is_floating_point_v<T>)
      out.f = value;
    else
      out.i = int64_t(value);
  };
  switch (dtype) {
  case NPCC_FLOAT32:
    return as(float());
  case NPCC_FLOAT64:
    return as(double());
  case NPCC_BOOL:
  case NPCC_UINT8:
    return as(uint8_t());
  case NPCC_UINT16:
    return as(uint16_t());
  case NPCC_UINT32:
    return as(uint32_t());
  case NPCC_INT8:
    return as(int8_t());
  case NPCC_INT16:
    return as(int16_t());
  case NPCC_INT32:
    return as(int32_t());
  default:
    return as(int64_t());
  }
}

} // namespace
} // namespace npcc::rt::random

using namespace npcc::rt;
using namespace npcc::rt::random;

npcc_generator *npcc_rt_new_generator(const char *bits, const char *seeding, npcc_generator *parent,
                                      const int64_t *seed, int64_t count) {
  npcc_generator *result = nullptr;
  auto make = [&]() -> Status {
    Frame *frame;
    NPCC_TRY(requireFrame(frame));
    std::shared_ptr<npcc_generator> made;
    NPCC_TRY(makeGenerator(*frame->device, bits, seeding, parent, seed, count, made));
    result = made.get();
    frame->generators.push_back(std::move(made));
    return {};
  };
  NPCC_OR_FAIL(make());
  return result;
}

void npcc_rt_seed_generator(const char *seeding, npcc_generator *generator, const int64_t *seed, int64_t count) {
  auto reseed = [&]() -> Status {
    Frame *frame;
    NPCC_TRY(requireFrame(frame));
    std::vector<int64_t> integers;
    NPCC_TRY(readSeed(*frame->device, seed, count, integers));
    return exclusively(generator, [&] { return seedLegacy(*generator, seeding, integers); });
  };
  NPCC_OR_FAIL(reseed());
}

npcc_generator *npcc_rt_captured_generator(int64_t number) {
  npcc_generator *found = nullptr;
  auto find = [&]() -> Status {
    Frame *frame;
    NPCC_TRY(requireFrame(frame));
    return findCaptured(*frame, number, found);
  };
  NPCC_OR_FAIL(find());
  return found;
}

void npcc_rt_draw(npcc_generator *generator, const npcc_draw *request) {
  auto run = [&]() -> Status {
    Frame *frame;
    NPCC_TRY(requireFrame(frame));
    return exclusively(generator, [&] { return drawOn(*frame->device, *generator, *request); });
  };
  NPCC_OR_FAIL(run());
}

void npcc_rt_draw_in_turns(npcc_generator *generator, const npcc_draw *draws, int32_t count, int64_t turns) {
  auto run = [&]() -> Status {
    Frame *frame;
    NPCC_TRY(requireFrame(frame));
    return exclusively(generator,
                       [&] { return drawInTurns(*frame->device, *generator, {draws, size_t(count)}, turns); });
  };
  NPCC_OR_FAIL(run());
}

void npcc_rt_draw_scalar(npcc_generator *generator, const npcc_draw *request) {
  auto run = [&]() -> Status {
    npcc_number element{};
    Draw one{*generator, *request, &element, {}};
    NPCC_TRY(exclusively(generator, [&] { return draw(one); }));
    npcc_number wide{};
    widen(request->dtype, &element, wide);
    *static_cast<npcc_number *>(request->out) = wide;
    return {};
  };
  NPCC_OR_FAIL(run());
}

int32_t npcc_rt_reads_bits(void *bits, int32_t kind) {
  auto &source = *static_cast<bitgen_t *>(bits);
  return readsState(
      kind, source.state, [&] { return source.next_uint64(source.state); },
      [&] { return source.next_uint32(source.state); });
}

const char *npcc_rt_random_version(void) { return NPCC_NUMPY_VERSION; }
