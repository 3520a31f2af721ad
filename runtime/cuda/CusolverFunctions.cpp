#include "runtime/cuda/CusolverFunctions.h"
#include <fmt/format.h>

namespace npcc::rt::cuda {

bool CusolverFunctions::load() {
  if (!library.open("NPCC_CUSOLVER", {"libcusolver.so.12", "libcusolver.so.11"}))
    return false;
  bool complete = library.find(create, "cusolverDnCreate") && library.find(setStream, "cusolverDnSetStream") &&
                  library.find(createParameters, "cusolverDnCreateParams") &&
                  library.find(potrfSize, "cusolverDnXpotrf_bufferSize") && library.find(potrf, "cusolverDnXpotrf") &&
                  library.find(getrfSize, "cusolverDnXgetrf_bufferSize") && library.find(getrf, "cusolverDnXgetrf") &&
                  library.find(getrs, "cusolverDnXgetrs") && library.find(geqrfSize, "cusolverDnXgeqrf_bufferSize") &&
                  library.find(geqrf, "cusolverDnXgeqrf") && library.find(syevdSize, "cusolverDnXsyevd_bufferSize") &&
                  library.find(syevd, "cusolverDnXsyevd") && library.find(gesvdSize, "cusolverDnXgesvd_bufferSize") &&
                  library.find(gesvd, "cusolverDnXgesvd");
  const char *const orthogonal[4] = {"Sorgqr", "Dorgqr", "Cungqr", "Zungqr"};
  const char *letters = "SDCZ";
  for (int type = 0; complete && type < 4; ++type)
    complete = library.find(orgqrSize[type], fmt::format("cusolverDn{}_bufferSize", orthogonal[type])) &&
               library.find(orgqr[type], fmt::format("cusolverDn{}", orthogonal[type])) &&
               library.find(potrfBatched[type], fmt::format("cusolverDn{}potrfBatched", letters[type]));
  if (!library.find(syevBatchedSize, "cusolverDnXsyevBatched_bufferSize"))
    syevBatched = nullptr;
  else
    library.find(syevBatched, "cusolverDnXsyevBatched");
  if (!library.find(geevSize, "cusolverDnXgeev_bufferSize"))
    geev = nullptr;
  else
    library.find(geev, "cusolverDnXgeev");
  return complete && library.find(createJacobi, "cusolverDnCreateGesvdjInfo") &&
         library.find(gesvdjBatchedSize[0], "cusolverDnSgesvdjBatched_bufferSize") &&
         library.find(gesvdjBatchedSize[1], "cusolverDnDgesvdjBatched_bufferSize") &&
         library.find(gesvdjBatched[0], "cusolverDnSgesvdjBatched") &&
         library.find(gesvdjBatched[1], "cusolverDnDgesvdjBatched");
}

const CusolverFunctions *CusolverFunctions::get() { return loaded<CusolverFunctions>(); }

} // namespace npcc::rt::cuda
