#ifndef NPCC_COMPILER_TARGET_TUNING_H
#define NPCC_COMPILER_TARGET_TUNING_H
#include <cstdint>

namespace npcc {

/// The figures by which code decides, when it runs, which of its alternatives is worth taking: all of them in one place
/// for each kind of device, so that they can be measured and set together. They say nothing of what is computed, but
/// the order of sums follows from some of them: with other figures the last bits of a sum differ. The values here are
/// those of the CPU, of 8 to 64 cores.
struct Tuning {
  // Code.
  /// Operations of the loop form that alternatives may add to a function that is compiled for all calls.
  int64_t mostOffered = 20000;

  // Rows. A row is what one thread or one team of threads goes through.
  /// With this many rows, a thread or team for each row keeps the machine busy.
  int64_t manyRows = 64;
  /// With this many, several loops over the same rows are one kernel, however long rows are.
  int64_t fusedRows = 64;
  /// Kernels over the same rows stay apart, so that rows can be cut, where rows are fewer than these and longer than
  /// this.
  int64_t shortRow = 4096;
  /// Rows are cut into parts if there are at most so many of them, and each has at least so many elements.
  int64_t fewRows = 256, longRow = int64_t(1) << 16;
  /// The same for running totals (cumsum), which need three kernels instead of one, and what is worth a part of them: a
  /// block goes through it in steps that wait for each other.
  int64_t fewLines = 256, longLine = int64_t(1) << 15, leastPartOfLine = 2048;
  /// The same for running totals down columns, which are cut from eight times as many on.
  int64_t leastPartOfColumn = 64;

  // Parts of what is cut.
  /// What is worth handing to another thread of the host, in units of what operations cost (estimateCost): some 3
  /// microseconds of a core.
  int64_t chunkCost = int64_t(1) << 15;
  /// The most parts, all rows together: blocks of threads that fill the largest devices once.
  int64_t mostParts = 1024;
  /// The elements that are worth a part.
  int64_t leastPart = 4096;
  /// Threads that hide the latency of loads where each goes down a column, and has loads of so many bytes under way.
  int64_t columnThreads = int64_t(1) << 18, bytesUnderWay = 128;
  /// Several reductions down one column are a kernel each if there are fewer threads than half of these, and columns are
  /// at least so long.
  int64_t longColumn = 256;

  /// Maps of at most so many elements have a thread for each, which a large device runs at once: tiles of several
  /// elements would leave threads without any.
  int64_t fewElements = int64_t(1) << 18;

  // Columns that are summed up.
  /// With fewer columns there is nothing to make vectors over.
  int64_t fewColumns = 16;
  /// Rows that are worth a part, the most parts, and the most columns that are cut: more keep threads busy.
  int64_t rowsInPart = 64, mostPartsOfColumns = 32, mostCutColumns = 8192;

  // Updates at positions that memory gives (bincount).
  /// Blocks sum up in memory of their own, if there are at most so many bins and at least so many elements for each.
  int64_t mostBins = 4096, elementsPerBin = 4;
  /// On a GPU, the elements that are worth a block with sums of its own, and the most of such blocks: they fill the
  /// device.
  int64_t updatesOfBlock = 4096, mostUpdateBlocks = 1024;
  /// Chunks of iterations with sums of their own: the most, and the elements that are worth one.
  int64_t mostChunks = 64, leastOfChunk = 8192;
  /// Updates that are sorted by position have a thread for each position, if these are at most so many for each update.
  int64_t positionsPerUpdate = 4;
  /// Updates whose order shows are sorted first, if they are at least so many.
  int64_t leastSorted = 256;
  /// The same for updates of rows, each of which is a launch otherwise.
  int64_t leastSortedRows = 32;
  /// Sums of floats into at most so many bins, of at least so many elements, so many for each bin, are summed in at most
  /// so many parts instead; in fewer, if bins are more than a block takes.
  int64_t mostSums = 32768, leastSummed = 16384, elementsPerSum = 2, mostSumParts = 896, sumsPerBlock = 2048;
  /// Instead, where the last one to store stays, each element may name the iteration that it is: in an array of at most
  /// so many elements, or so many for each iteration.
  int64_t mostOwned = int64_t(1) << 22, ownedPerIteration = 8;

  // Iterations that become threads or parts of a kernel.
  /// Elements of all arrays that iterations make for themselves, beside each other: what they may take of the memory,
  /// where iterations are kernels, and where they are threads.
  int64_t mostOwnElements = int64_t(1) << 26, mostOwnOfThreads = int64_t(1) << 27;
  /// Elements of a kernel that takes less time than its launch, and those that a team goes through in about the time
  /// that it takes to begin a kernel.
  int64_t elementsOfLaunch = 8192, elementsOfBeginning = 4096;
  /// Elements that a team goes through in the time that all teams take to wait for each other.
  int64_t elementsOfStep = 1024;
  /// Elements that are copied in the time of one iteration that waits for each of its steps.
  int64_t copiedPerIteration = 4;
  /// Threads share the sum of an iteration where iterations are at most so many, and sums have at least so many terms.
  int64_t mostSharedSums = 16384, leastSharedTerms = 256;

  // Products in loops.
  /// Multiplications of one product from which on a library is faster; how many times more of one with a vector.
  int64_t smallProduct = 512, factorOfVector = 1;
  /// Of products that a loop makes row by row: elements of the products of one block of iterations, which are in memory
  /// at one time; iterations of a block, which are enough for a product of matrices; and the same where the other
  /// operand is a part that grows or shrinks, of which less is not worth another product.
  int64_t productElements = int64_t(1) << 26, productIterations = 128, productIterationsOfParts = 512;
  /// Products of at most so many sums, in at most so many rows and columns, are sums, if these have so many terms, all
  /// in all, and for each sum that there is: a library has a block of threads for each part of the result, of which
  /// there would be few.
  int64_t fewSums = 256, fewRowsOfSums = 32, longSum = int64_t(1) << 14, termsPerSum = 64;
  /// Elements of a matrix from which on a library sums up its products with a vector, and its least side.
  int64_t largeMatrix = 4096, leastSide = 2;
  /// Sums along or across a matrix whose shorter side has at most so many elements read it as fast as a library does,
  /// whatever its longer side; 0 where only the size counts.
  int64_t slimMatrix = 0;

  // Loops of the host.
  /// Fewer iterations than this leave the machine idle that a kernel of one of them may fill.
  int64_t fewIterations = 4;
  /// Where an iteration's lines are gone through in blocks, so that a block stays in a core's first cache from one
  /// iteration to the next: the bytes of a block, the least number of lines for which vectors pay, and the blocks that
  /// give all threads work.
  int64_t bytesOfLines = 16384, leastLines = 64, blocksOfLines = 64;
  /// A loop inside of another one's iterations is an axis of a kernel from so many iterations on.
  int64_t leastOfAxis = 32;
  /// Rows of one axis of a kernel become an axis of their own, and save each element a division, from so many columns
  /// on: a shorter loop takes longer than the divisions. On a GPU a row is a block's.
  int64_t leastColumns = 4;
  /// Diagonals of at least so many elements are a kernel each.
  int64_t longDiagonal = 64;

  // What a GPU's host does itself.
  /// Elements of a kernel that the host goes through while a kernel would be launched and waited for; and the same
  /// where that comes once, and accesses of the host that would wait for the device come many times.
  int64_t hostElements = int64_t(1) << 15, hostElementsOnce = int64_t(1) << 20;
  /// Launches in a row become steps of one block, if each has at most so many elements, and one thread goes through at
  /// most so many.
  int64_t gatheredElements = 32768, gatheredSerial = 32;

  // Routines for stacks of small matrices, of which a lane of a warp has a row.
  /// Elements that a kernel computes for each matrix and lane, and iterations of a loop inside of one element, so that
  /// lanes take no longer than a kernel with a thread for each element.
  int64_t elementsOfLane = 32, insideOfLane = 64;
  /// The runtime's kernel with a block for each Hermitian matrix takes half the time of a warp for each, as long as
  /// matrices are at most so many: small ones, and large ones. Four and two for each multiprocessor of an H100.
  int64_t fewSpectra = 528, fewLargeSpectra = 264;

  // Loops of which an iteration needs the one before.
  /// What an operation takes, in sixteenths of a nanosecond: the host, and one thread of the device.
  int64_t hostOperation = 6, threadOperation = 48;
  /// Threads of a block that share such a loop's work make it so many times as fast; in any order, and in Python's. So
  /// many nanoseconds pass until they have begun.
  int64_t sharedInAnyOrder = 64, sharedInOrder = 2, sharingBegins = 1000;
  /// Threads of kernels that the device runs at once.
  int64_t threadsAtOnce = 1 << 15;
  /// Updates that are grouped by position take as long to begin as so many loops that threads share, and go so many
  /// times as fast as on the host.
  int64_t kernelsOfUpdates = 20, groupedPerHost = 16;
  /// A team's threads share a loop of more iterations than these: a shorter one is over before they have combined what
  /// they found.
  int64_t shortLoop = 16;
  /// What it must be worth, in nanoseconds, that the host waits for the device and the device for the host, and the
  /// bytes that it copies in one.
  int64_t hostWait = 150000, bytesPerNanosecond = 12;
  /// Nanoseconds of a whole call: to launch a kernel, to begin the copies of an argument, for the host to read an
  /// element and to store one, and for the launches of a library's function.
  int64_t launch = 4000, copyBegins = 10000, readByHost = 10000, storeByHost = 2000, libraryBegins = 20000;
  /// A call is the host's where it takes so many times less than the device; calls that are larger than the one that
  /// this was decided for are looked at anew, if a number is so many times as large, at most.
  int64_t worthHost = 2, mostLarger = 16;

  // Who runs a loop of steps: a block, all of them, or the host kernel by kernel. Work is elements times operations.
  /// What a block goes through in about the time of a launch, and in the time that all blocks wait for each other.
  int64_t workPerLaunch = 230000, workPerBarrier = 40000;
  /// A number that the host waits for takes as long as so many launches.
  int64_t launchesPerWait = 3;
  /// What the grid goes through in the time that launches cost more than its barriers, and the best code for each
  /// kernel saves: about a million elements.
  int64_t gridWorkPerLaunch = 8000000;
  /// The same where the launches are a graph that is sent again and again.
  int64_t gridWorkPerReplayedLaunch = 4000000;
  /// Of products, what all teams go through in the time of a launch and of the passes over memory that it does not
  /// save: a library is several times as fast as they are.
  int64_t productWorkPerLaunch = 64000000;
  /// How much longer a row takes that a warp goes through than one that the grid goes through; and loops inside what
  /// threads share out, which are one thread's, which waits for each load.
  int64_t rowFactor = 1000, serialFactor = 3;
  /// What the grid goes through in the time of one step of a running total, which one thread goes along in the grid: it
  /// waits for memory in each.
  int64_t workPerFoldStep = 1000000;
  /// What an element costs at least: to load and store it.
  int64_t leastOperations = 8;
  /// Where no iteration follows, the launches that are saved are few, and the kernels would have run side by side with
  /// those of other calls: it must be worth more.
  int64_t onceFactor = 4;
  /// Work of a row that a team goes through, for each kernel, in the time that the grid waits; and how many times as
  /// much where there are so many rows, several for each multiprocessor, that all are busy.
  int64_t workOfRow = 10000, busyFactor = 32, busyRows = 512;
  /// A block takes rows one after the other, with all of its threads, where they are at most so few and at least so
  /// long.
  int64_t fewRowsOfBlock = 8, longRowOfBlock = 512;

  // Teams of threads.
  /// Elements of a row for each thread, in units of one access: where a row is short, and where it is not (from
  /// `warpRow` on).
  int64_t fewPerThread = 2, manyPerThread = 4, warpRow = 65;
  /// A whole block of threads goes through a row of at least so many elements; or of so many, if rows are fewer than
  /// that.
  int64_t blockRow = 4096, blockRowOfFew = 512, fewTeams = 2048;
};

} // namespace npcc
#endif
