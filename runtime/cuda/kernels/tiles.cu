// What the blocks of reject.cu and numbers.cu begin with. Compiled offline to tiles.ptx (make-kernels.sh).
#include "BitStreams.cuh"

extern "C" __global__ void __launch_bounds__(tileThreads) npcc_tiles_begin(RejectParams p) {
  int64_t first = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  bool isCongruence = p.from == UnitSource::Pcg64 || p.from == UnitSource::Pcg64Dxsm;
  if (p.result && first == 0)
    *p.result = {};
  if (isCongruence && blockIdx.x == 0) { // the images of 0 and 1 say what a jump is
    Wide add = jumpBy<tileThreadsPower>(p.source, threadIdx.x, {0, 0}),
         one = jumpBy<tileThreadsPower>(p.source, threadIdx.x, {1, 0});
    one.high -= add.high + (one.low < add.low);
    one.low -= add.low;
    p.threadJumps[threadIdx.x] = {one, add};
  }
  for (int64_t tile = first; tile < p.tiles; tile += int64_t(gridDim.x) * blockDim.x) {
    if (p.result)
      p.status[tile] = TileUnknown;
    if (p.exits)
      p.exits[tile] = 0;
    if (isCongruence) {
      int64_t word = tile * p.wordsOfTile - p.wordsBefore,
              steps = p.from == UnitSource::Pcg64 ? Pcg64::stepsBefore : Pcg64Dxsm::stepsBefore;
      p.origins[tile] = jumpBy(p.source, uint64_t(word > 0 ? word : 0) + steps, p.source.state);
    }
  }
}
