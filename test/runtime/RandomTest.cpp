// Generators and draws by the C ABI: NumPy's numbers (written down from NumPy 2.4) on every device, errors, and states
// that several names share.
#include "Fixture.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/random.h"
#include <cstring>
#include <functional>

namespace {

/// The numbers of Distributions.def.
enum Distribution : int32_t {
#define NPCC_DISTRIBUTION(name, ...) D_##name,
#include "runtime/random/Distributions.def"
};

std::function<void()> body;
void runBody(void **) { body(); }

/// Errors go to the frame that a call makes.
npcc_status inFrame(int32_t device, std::function<void()> run) {
  body = std::move(run);
  TestFunction function({}, {});
  return function.variant(targetOf(device), runBody).call(device, {});
}

/// Of a seed that lies on the device.
npcc_generator *seeded(int32_t device, const char *bits, const char *seeding, const std::vector<int64_t> &seed) {
  OwnedArray array(device, NPCC_INT64, {int64_t(seed.size())});
  fill(array.array, seed);
  return npcc_rt_new_generator(bits, seeding, nullptr, static_cast<int64_t *>(array.array.data), int64_t(seed.size()));
}

npcc_number one(npcc_generator *generator, int32_t distribution, int32_t dtype = NPCC_FLOAT64,
                std::vector<npcc_number> scalars = {}) {
  npcc_number result;
  npcc_draw draw{distribution, dtype, int32_t(scalars.size()), 0, 1, scalars.data(), nullptr, &result};
  npcc_rt_draw_scalar(generator, &draw);
  return result;
}

npcc_number whole(int64_t i) {
  npcc_number number;
  number.i = i;
  return number;
}

/// Into a new array on the device.
std::vector<double> many(int32_t device, npcc_generator *generator, int32_t distribution, int64_t count) {
  OwnedArray out(device, NPCC_FLOAT64, {count});
  npcc_draw draw{distribution, NPCC_FLOAT64, 0, 0, count, nullptr, nullptr, out.array.data};
  npcc_rt_draw(generator, &draw);
  return fetch<double>(out.array);
}

struct Expected {
  const char *bits;
  double uniform, normal;
  int64_t integer;
};
} // namespace

DEVICE_TEST(randomBitGenerators) {
  // numpy.random.Generator(bits([5, 2**40])): random(), standard_normal(), integers(0, 1000)
  const Expected rows[] = {{"PCG64", 0.37307274060069073, -0.13376537758982954, 540},
                           {"PCG64DXSM", 0.44114219135124544, 0.9249142160617402, 553},
                           {"Philox", 0.33040827428496244, -0.7811075892886173, 848},
                           {"MT19937", 0.8608609986853042, -0.07000563272357321, 112},
                           {"SFC64", 0.4597124503106672, -2.1150167484805587, 107}};
  for (const Expected &row : rows)
    CHECK_OK(inFrame(device, [&] {
      npcc_generator *generator = seeded(device, row.bits, "integers", {5, int64_t(1) << 40});
      CHECK(many(device, generator, D_random, 1) == std::vector<double>{row.uniform});
      CHECK(one(generator, D_standard_normal).f == row.normal);
      CHECK(one(generator, D_integers, NPCC_INT64, {whole(0), whole(1000), whole(0)}).i == row.integer);
    }));
}

DEVICE_TEST(randomLegacyKeepsANormalNumber) {
  // numpy.random.RandomState(5): rand(), randn(), randn()
  CHECK_OK(inFrame(device, [&] {
    npcc_generator *generator = seeded(device, "MT19937", "legacy", {5});
    CHECK(one(generator, D_random).f == 0.22199317108973948);
    CHECK(one(generator, D_legacy_standard_normal).f == -0.2939598035905121);
    CHECK(generator->has_gauss);
    CHECK(one(generator, D_legacy_standard_normal).f == 0.3715905688783965);
    npcc_rt_seed_generator("entropy", generator, nullptr, 0);
    CHECK(!generator->has_gauss);
  }));
}

DEVICE_TEST(randomChildren) {
  CHECK_OK(inFrame(device, [&] {
    npcc_generator *sequence = seeded(device, "", "integers", {5});
    npcc_rt_new_generator("", "spawn", sequence, nullptr, 0);
    npcc_generator *second = npcc_rt_new_generator("", "spawn", sequence, nullptr, 0);
    npcc_generator *generator = npcc_rt_new_generator("PCG64", "sequence", second, nullptr, 0);
    CHECK(one(generator, D_random).f == 0.2531538239071238); // default_rng(SeedSequence([5]).spawn(2)[1])
    // Another class over the same state.
    npcc_generator *shared = npcc_rt_new_generator("", "share", generator, nullptr, 0);
    CHECK(one(shared, D_random).f != one(generator, D_random).f);
    CHECK(shared->bits == generator->bits);
  }));
}

DEVICE_TEST(randomErrors) {
  auto fails = [&](npcc_error error, const char *words, std::function<void()> run) {
    npcc_status status = inFrame(device, std::move(run));
    CHECK(status.error == error);
    CHECK(!strcmp(status.message, words));
  };
  fails(NPCC_VALUE_ERROR, "expected non-negative integer", [&] { seeded(device, "PCG64", "integers", {-1}); });
  fails(NPCC_VALUE_ERROR, "Seed must be between 0 and 2**32 - 1", [&] { seeded(device, "MT19937", "legacy", {-1}); });
  fails(NPCC_VALUE_ERROR, "Seed must be non-empty", [&] { seeded(device, "MT19937", "legacy_array", {}); });
  fails(NPCC_VALUE_ERROR, "scale < 0", [&] {
    npcc_number scale;
    scale.f = -1;
    one(npcc_rt_captured_generator(0), D_exponential, NPCC_FLOAT64, {scale});
  });
  fails(NPCC_TYPE_ERROR, "a SeedSequence draws no numbers",
        [&] { one(seeded(device, "", "integers", {1}), D_random); });
  fails(NPCC_TYPE_ERROR, "can only re-seed a MT19937 BitGenerator",
        [&] { npcc_rt_seed_generator("entropy", seeded(device, "PCG64", "integers", {1}), nullptr, 0); });
  fails(NPCC_RUNTIME_ERROR, "generator 1 of random numbers was not given with the call",
        [&] { npcc_rt_captured_generator(1); });
}

namespace {
struct DeviceRow {
  const char *bits;
  int32_t distribution, dtype;
  std::vector<npcc_number> scalars;
};
npcc_number real(double f) {
  npcc_number number;
  number.f = f;
  return number;
}

/// The numbers of two draws, one of them of many numbers that devices draw themselves, and 32 and 64 bits of the state
/// behind them.
std::vector<char> drawn(int32_t device, const DeviceRow &row, int64_t count, bool startsWithHalf) {
  std::vector<char> bytes;
  CHECK_OK(inFrame(device, [&] {
    npcc_generator *generator = seeded(device, row.bits, "integers", {17});
    for (int k = 0; k < (startsWithHalf ? 3 : 0); ++k)
      one(generator, D_integers, NPCC_INT32, {whole(0), whole(10), whole(0)});
    for (int64_t part : {count, int64_t(5)}) {
      OwnedArray out(device, npcc_dtype(row.dtype), {part});
      npcc_draw draw{row.distribution, row.dtype,     int32_t(row.scalars.size()), 0, part, row.scalars.data(),
                     nullptr,          out.array.data};
      npcc_rt_draw(generator, &draw);
      std::vector<char> here(part * npcc_rt_dtype_size(npcc_dtype(row.dtype)));
      npcc_rt_read(here.data(), out.array.data, int64_t(here.size()));
      bytes.insert(bytes.end(), here.begin(), here.end());
    }
    for (int k = 0; k < 3; ++k)
      bytes.push_back(char(one(generator, D_integers, NPCC_INT32, {whole(0), whole(100), whole(0)}).i));
    double last = one(generator, D_random).f;
    bytes.insert(bytes.end(), reinterpret_cast<char *>(&last), reinterpret_cast<char *>(&last + 1));
  }));
  return bytes;
}

/// A half of a word that is left before counts for units of 32 bits and fewer.
void checkAsOnTheHost(int32_t device, const DeviceRow &row, int64_t count, bool startsWithHalf = false) {
  if (device <= 0) // the other devices run the same kernels
    CHECK(drawn(device, row, count, startsWithHalf) == drawn(NPCC_CPU, row, count, startsWithHalf));
}
} // namespace

/// Turns of few numbers, which the host makes, and of many: the numbers and the state of draws one after the other.
DEVICE_TEST(randomInTurns) {
  for (int64_t many : {7, 5003}) {
    constexpr int64_t turns = 3, few = 3;
    CHECK_OK(inFrame(device, [&] {
      npcc_generator *generator = seeded(device, "PCG64", "integers", {17});
      npcc_generator *other = seeded(device, "PCG64", "integers", {17});
      npcc_number scale = real(2.0), bounds[] = {whole(0), whole(100), whole(0)};
      OwnedArray a(device, NPCC_FLOAT64, {turns, many}), b(device, NPCC_FLOAT32, {turns, few});
      OwnedArray c(device, NPCC_INT8, {turns, few});
      npcc_draw draws[] = {{D_random, NPCC_FLOAT64, 0, 0, many, nullptr, nullptr, a.array.data},
                           {D_standard_exponential, NPCC_FLOAT32, 0, 0, few, nullptr, nullptr, b.array.data},
                           {D_integers, NPCC_INT8, 3, 0, few, bounds, nullptr, c.array.data}};
      npcc_rt_draw_in_turns(generator, draws, 3, turns);
      auto uniform = fetch<double>(a.array);
      auto exponential = fetch<float>(b.array);
      auto integers = fetch<int8_t>(c.array);
      for (int64_t turn = 0; turn < turns; ++turn) {
        OwnedArray a1(device, NPCC_FLOAT64, {many}), b1(device, NPCC_FLOAT32, {few}), c1(device, NPCC_INT8, {few});
        void *outs[] = {a1.array.data, b1.array.data, c1.array.data};
        for (int k = 0; k < 3; ++k) {
          draws[k].out = outs[k];
          npcc_rt_draw(other, &draws[k]);
        }
        auto isRow = [&](auto row, auto &all) {
          return std::equal(row.begin(), row.end(), all.begin() + turn * int64_t(row.size()));
        };
        CHECK(isRow(fetch<double>(a1.array), uniform));
        CHECK(isRow(fetch<float>(b1.array), exponential));
        CHECK(isRow(fetch<int8_t>(c1.array), integers));
      }
      CHECK(one(generator, D_exponential, NPCC_FLOAT64, {scale}).f ==
            one(other, D_exponential, NPCC_FLOAT64, {scale}).f);
    }));
  }
}

DEVICE_TEST(randomManyUniform) {
  for (const char *bits : {"PCG64", "PCG64DXSM", "Philox", "SFC64"}) {
    checkAsOnTheHost(device, {bits, D_random, NPCC_FLOAT64, {}}, 5003, true);
    checkAsOnTheHost(device, {bits, D_random, NPCC_FLOAT32, {}}, 5004);
    checkAsOnTheHost(device, {bits, D_random, NPCC_FLOAT32, {}}, 5004, true);
    checkAsOnTheHost(device, {bits, D_uniform, NPCC_FLOAT64, {real(-3.7), real(11.3)}}, 4098);
  }
  checkAsOnTheHost(device, {"MT19937", D_random, NPCC_FLOAT64, {}}, 65536);
  checkAsOnTheHost(device, {"MT19937", D_random, NPCC_FLOAT32, {}}, 65537, true);
}

DEVICE_TEST(randomManyOfTheZigguratMethod) {
  checkAsOnTheHost(device, {"PCG64", D_standard_normal, NPCC_FLOAT64, {}}, 33000);
  checkAsOnTheHost(device, {"Philox", D_standard_normal, NPCC_FLOAT32, {}}, 33000, true);
  checkAsOnTheHost(device, {"MT19937", D_standard_normal, NPCC_FLOAT64, {}}, 66000, true);
  checkAsOnTheHost(device, {"Philox", D_standard_exponential, NPCC_FLOAT64, {}}, 33000);
  checkAsOnTheHost(device, {"PCG64", D_standard_exponential, NPCC_FLOAT32, {}}, 33000, true);
  checkAsOnTheHost(device, {"PCG64DXSM", D_normal, NPCC_FLOAT64, {real(0.3), real(1.7)}}, 40001);
  checkAsOnTheHost(device, {"PCG64", D_exponential, NPCC_FLOAT64, {real(0.7)}}, 33000);
}

DEVICE_TEST(randomManyIntegers) {
  struct Bounds {
    int32_t dtype;
    int64_t low, high;
  };
  const Bounds bounds[] = {{NPCC_INT64, -5, 1000},
                           {NPCC_INT64, 0, (int64_t(1) << 40) * 3},
                           {NPCC_INT64, INT64_MIN, INT64_MAX},
                           {NPCC_UINT32, 0, 3 << 29},
                           {NPCC_INT32, -100, 28},
                           {NPCC_INT16, -30000, 2769},
                           {NPCC_UINT8, 0, 100},
                           {NPCC_INT8, -128, 128},
                           {NPCC_BOOL, 0, 2}};
  for (const Bounds &bound : bounds)
    for (int32_t distribution : {D_integers, D_masked_integers})
      checkAsOnTheHost(device, {"PCG64", distribution, bound.dtype, {whole(bound.low), whole(bound.high), whole(0)}},
                       33001, true);
  checkAsOnTheHost(device, {"MT19937", D_masked_integers, NPCC_INT64, {whole(0), whole(10), whole(0)}}, 65600);
  checkAsOnTheHost(device, {"Philox", D_integers, NPCC_UINT64, {whole(3), whole(6), whole(0)}}, 33001);
}

DEVICE_TEST(randomManyOfGammaNumbers) {
  checkAsOnTheHost(device, {"PCG64", D_standard_gamma, NPCC_FLOAT64, {real(2.5)}}, 33000, true);
  checkAsOnTheHost(device, {"Philox", D_standard_gamma, NPCC_FLOAT32, {real(1.2)}}, 8200, true);
  checkAsOnTheHost(device, {"PCG64", D_standard_gamma, NPCC_FLOAT32, {real(1)}}, 33000);
  checkAsOnTheHost(device, {"PCG64DXSM", D_gamma, NPCC_FLOAT64, {real(0.3), real(2)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_chisquare, NPCC_FLOAT64, {real(5)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_beta, NPCC_FLOAT64, {real(0.5), real(1.7)}}, 16400);
  checkAsOnTheHost(device, {"PCG64", D_beta, NPCC_FLOAT64, {real(0.5), real(0.7)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_standard_t, NPCC_FLOAT64, {real(5)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_f, NPCC_FLOAT64, {real(4), real(1)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_noncentral_chisquare, NPCC_FLOAT64, {real(3), real(1.5)}}, 8200);
}

DEVICE_TEST(randomManyOfOtherRealNumbers) {
  checkAsOnTheHost(device, {"PCG64", D_standard_cauchy, NPCC_FLOAT64, {}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_wald, NPCC_FLOAT64, {real(2), real(1.5)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_rayleigh, NPCC_FLOAT64, {real(2)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_weibull, NPCC_FLOAT64, {real(1.7)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_lognormal, NPCC_FLOAT64, {real(0.3), real(1.2)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_triangular, NPCC_FLOAT64, {real(-1), real(0.5), real(3)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_laplace, NPCC_FLOAT64, {real(0.5), real(2)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_gumbel, NPCC_FLOAT64, {real(0.5), real(2)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_logistic, NPCC_FLOAT64, {real(0.5), real(2)}}, 8200);
  checkAsOnTheHost(device, {"MT19937", D_legacy_standard_normal, NPCC_FLOAT64, {}}, 65537); // leaves half of a pair
  checkAsOnTheHost(device, {"PCG64", D_legacy_normal, NPCC_FLOAT64, {real(3), real(2)}}, 8200);
  checkAsOnTheHost(device, {"PCG64", D_legacy_standard_exponential, NPCC_FLOAT64, {}}, 8200);
}

DEVICE_TEST(randomManyWholeNumbers) {
  auto check = [&](int32_t distribution, std::vector<npcc_number> scalars, int64_t count = 8200) {
    checkAsOnTheHost(device, {"PCG64", distribution, NPCC_INT64, scalars}, count);
  };
  check(D_poisson, {real(5)});
  check(D_poisson, {real(50)});
  check(D_negative_binomial, {real(4.5), real(0.3)});
  check(D_binomial, {real(0.3), whole(20)});
  check(D_binomial, {real(0.6), whole(200)});
  check(D_geometric, {real(0.5)});
  check(D_geometric, {real(0.01)});
  check(D_legacy_geometric, {real(0.01)});
  check(D_logseries, {real(0.9)});
  check(D_zipf, {real(1.5)});
  check(D_zipf, {real(4)});
  check(D_hypergeometric, {whole(200), whole(500), whole(100)});
  check(D_hypergeometric, {whole(500000), whole(2000), whole(300000)});
  // So large that rounding might decide some comparisons: the host says what becomes of those.
  check(D_binomial, {real(0.3), whole(int64_t(1) << 40)}, 33000);
}

DEVICE_TEST(randomNormalNumbersBehindHalfOfAPair) {
  if (device > 0)
    return;
  std::vector<double> here[2];
  for (int32_t on : {int32_t(NPCC_CPU), device})
    CHECK_OK(inFrame(on, [&] {
      npcc_generator *generator = seeded(on, "MT19937", "legacy", {5});
      one(generator, D_legacy_standard_normal);
      here[on == device] = many(on, generator, D_legacy_standard_normal, 65540);
      here[on == device].push_back(one(generator, D_legacy_standard_normal).f);
    }));
  CHECK(device == NPCC_CPU || here[0] == here[1]);
}

DEVICE_TEST(randomManyNumbersAreMadeOnTheDevice) {
  if (device == NPCC_CPU)
    return;
  CHECK_OK(inFrame(device, [&] {
    npcc_generator *generator = seeded(device, "PCG64", "integers", {1});
    OwnedArray out(device, NPCC_FLOAT64, {40000});
    npcc_counters before, after;
    auto draw = [&](int32_t distribution) {
      npcc_rt_counters(&before);
      npcc_draw request{distribution, NPCC_FLOAT64, 0, 0, 40000, nullptr, nullptr, out.array.data};
      npcc_rt_draw(generator, &request);
      npcc_rt_counters(&after);
    };
    draw(D_random);
    CHECK(after.bytes_host_to_device == before.bytes_host_to_device);
    auto drawWhole = [&](int32_t distribution, std::vector<npcc_number> scalars) {
      npcc_rt_counters(&before);
      npcc_draw request{distribution,   NPCC_INT64, int32_t(scalars.size()), 0, 40000,
                        scalars.data(), nullptr,    out.array.data};
      npcc_rt_draw(generator, &request);
      npcc_rt_counters(&after);
      return after.bytes_host_to_device - before.bytes_host_to_device;
    };
    drawWhole(D_poisson, {real(5)}); // the first time, the tables of the ziggurat method are sent
    CHECK_EQ(drawWhole(D_poisson, {real(5)}), 0);
    // The host decides about a few numbers that are too close to say, and the kernel has to be told.
    int64_t decided = drawWhole(D_binomial, {real(0.3), whole(int64_t(1) << 40)});
    CHECK(!isCuda(device) || (decided > 0 && decided < 4000));
    draw(D_standard_normal); // the first time, its tables are sent
    draw(D_standard_normal);
    // The few that the host's logarithm decides; and the stream they are made of is in no array.
    CHECK(after.bytes_host_to_device - before.bytes_host_to_device < 1000);
    CHECK(after.bytes_allocated - before.bytes_allocated < 40000);
  }));
}

DEVICE_TEST(randomNumbersThatTilesShare) { // of each, one attempt begins in one tile and ends in the next
  checkAsOnTheHost(device, {"PCG64", D_standard_exponential, NPCC_FLOAT64, {}}, 39000);
  checkAsOnTheHost(device, {"PCG64DXSM", D_standard_normal, NPCC_FLOAT64, {}}, 39000);
  checkAsOnTheHost(device, {"Philox", D_standard_normal, NPCC_FLOAT64, {}}, 33000, true);
}
