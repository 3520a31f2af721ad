// The tables of the ziggurat method, which NumPy's library has for its own use.
#ifndef NPCC_RUNTIME_RANDOM_ZIGGURAT_H
#define NPCC_RUNTIME_RANDOM_ZIGGURAT_H

#include <cstdint>

extern "C" {
extern const uint64_t ki_double[256], ke_double[256];
extern const double wi_double[256], fi_double[256], we_double[256], fe_double[256];
extern const uint32_t ki_float[256], ke_float[256];
extern const float wi_float[256], fi_float[256], we_float[256], fe_float[256];
}

#endif
