#include "runtime/cuda/TiledStream.h"
#include "runtime/abi/random.h"
#include "runtime/cuda/Embed.h"
#include "runtime/random/Ziggurat.h"
#include <algorithm>
#include <map>
#include <mutex>

NPCC_KERNELS(tiles, "tiles")

namespace npcc::rt::cuda {
namespace {

using namespace random;

npcc_kernel begin{&tilesImage, "npcc_tiles_begin", nullptr};

struct HostTables : ZigguratTables {
  HostTables() {
    auto fill = [](auto &table, const auto *k, const auto *w, const auto *f) {
      std::copy_n(k, 256, table.k);
      std::copy_n(w, 256, table.w);
      std::copy_n(f, 256, table.f);
    };
    fill(normal64, ki_double, wi_double, fi_double);
    fill(exponential64, ke_double, we_double, fe_double);
    fill(normal32, ki_float, wi_float, fi_float);
    fill(exponential32, ke_float, we_float, fe_float);
  }
};

} // namespace

Status findTables(CudaDevice &device, const ZigguratTables *&tables) {
  static std::mutex mutex;
  static std::map<int32_t, void *> places;
  std::scoped_lock lock(mutex);
  void *&place = places[device.id];
  if (!place) {
    static const HostTables host;
    void *made;
    NPCC_TRY(device.allocateRaw(sizeof(ZigguratTables), &made));
    NPCC_TRY(device.copyIn(made, static_cast<const ZigguratTables *>(&host), sizeof(ZigguratTables)));
    NPCC_TRY(device.synchronize()); // other streams use them too
    place = made;
  }
  tables = static_cast<const ZigguratTables *>(place);
  return {};
}

Status TiledStream::prepare(RejectParams &params, int64_t tiles, int32_t unitsOfTile, int64_t wordsBefore) {
  params.from = static_cast<UnitSource>(draw.kind - NPCC_BITS_MT19937);
  if (draw.kind == NPCC_BITS_MT19937) {
    NPCC_TRY(words.make(draw, tiles * unitsOfTile + unitsBehind + 64)); // a word is loaded whole
    params.words = words.get();
  } else {
    setSource(params.source, draw);
    if (draw.kind != NPCC_BITS_PHILOX) {
      NPCC_TRY(states.allocate(device, int64_t(tileThreads * sizeof(Jump) + tiles * sizeof(Wide))));
      params.threadJumps = reinterpret_cast<Jump *>(states.get());
      params.origins = reinterpret_cast<Wide *>(params.threadJumps + tileThreads);
    }
  }
  params.wordsOfTile = int64_t(unitsOfTile) * draw.unitBits / 64;
  params.wordsBefore = wordsBefore + params.source.hasHalf;
  params.out = draw.out;
  params.tiles = tiles;
  params.wanted = draw.count / draw.each;
  if (!params.result && !params.origins)
    return {};
  LaunchShape shape{{(tiles + tileThreads - 1) / tileThreads, 1, 1}, {tileThreads, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(begin, shape, arguments);
}

Status TiledStream::launch(npcc_kernel &kernel, RejectParams &params) {
  int64_t blocks = std::min<int64_t>(params.tiles, 8 * device.multiprocessors());
  LaunchShape shape{{blocks, 1, 1}, {tileThreads, 1, 1}, 0, false};
  void *arguments[] = {&params};
  return device.launch(kernel, shape, arguments);
}

Status TiledStream::finish(StreamOutcome &outcome, int64_t units) {
  outcome.drawn = draw.count;
  outcome.units = units;
  return draw.kind == NPCC_BITS_MT19937 ? words.finish(draw, units, outcome) : Status();
}

} // namespace npcc::rt::cuda
