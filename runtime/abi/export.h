/* How the functions of libnpcc_rt are declared, in C and in C++. */
#ifndef NPCC_ABI_EXPORT_H
#define NPCC_ABI_EXPORT_H
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define NPCC_EXPORT __attribute__((visibility("default")))
#define NPCC_NORETURN __attribute__((noreturn))
#else
#define NPCC_EXPORT
#define NPCC_NORETURN
#endif

#ifdef __cplusplus
#define NPCC_BEGIN_C extern "C" {
#define NPCC_END_C }
#else
#define NPCC_BEGIN_C
#define NPCC_END_C
#endif
#endif
