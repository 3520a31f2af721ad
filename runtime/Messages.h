// Errors in NumPy's and Python's words.
#ifndef NPCC_RUNTIME_MESSAGES_H
#define NPCC_RUNTIME_MESSAGES_H

#include "runtime/abi/status.h"
#include <string>

namespace npcc::rt {

std::string indexErrorMessage(int64_t index, int64_t axis, int64_t size);
std::string broadcastErrorMessage(int32_t operands, const int64_t *ranks, const int64_t *extents);
/// As NumPy writes it here: "(2,3)", "(3,)", "()".
std::string formatShape(int64_t rank, const int64_t *extents);
/// `{0}`, `{1}`, ... in `format` become the arguments, integers; `{0!f:.2f}` shows the bits of one (complex numbers: of
/// two) as print() shows an item of this kind with this specification. Other braces stay.
std::string formatMessage(const char *format, int32_t count, const int64_t *args);
/// For an error that a kernel recorded without a text.
const char *defaultMessage(npcc_error error);

} // namespace npcc::rt

#endif
