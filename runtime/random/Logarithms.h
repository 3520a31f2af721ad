#ifndef NPCC_RUNTIME_RANDOM_LOGARITHMS_H
#define NPCC_RUNTIME_RANDOM_LOGARITHMS_H
namespace npcc::rt::random {

/// Whether the host's logarithms are what a device takes them for: the nearest float64, but where what is exact lies in
/// the middle of two to within 2% of the last place and 2^-61. Libraries add what is left of a logarithm, which is
/// small, to a part that is exact, so that their error is one of that small number: the larger a logarithm, the less of
/// its last place. Some thousand logarithms are looked at, once.
bool roundsLogarithms();

} // namespace npcc::rt::random
#endif
