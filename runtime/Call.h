// What a call of a generated function is made of, for calls that come again (Repeated.cpp).
#ifndef NPCC_RUNTIME_CALL_H
#define NPCC_RUNTIME_CALL_H

#include "runtime/Frame.h"
#include "runtime/Results.h"

namespace npcc::rt {

/// The first variant of the device's target that holds. A distributed one only where there is more than one device;
/// where there is none, the function runs on one. `lacksAlternatives`: there is none because what assumes the same with
/// all alternatives was not compiled. One that assumes less is not taken instead: it might add in another order.
const npcc_variant *choose(const Arguments &arguments, npcc_target target, bool distributed, Slots &slots,
                           bool &lacksAlternatives);

/// Runs the entry in the frame and, unless its work may stay under way, waits for it. On failure no result is owned.
/// `isRecorded`: its launches may be kept until the call ends, and launched as one thing that came before.
Status runOn(Frame &frame, npcc_entry entry, Slots &slots, bool wait, bool isRecorded = true);

} // namespace npcc::rt

#endif
