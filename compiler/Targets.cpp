// THE table of targets.
#include "compiler/Targets.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/debug/Debug.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/target/Target.h"

void npcc::registerTargets() {
  static const bool once = [] {
    registerTarget(getCpuTarget());
    registerTarget(getCudaTarget());
    registerTarget(getDebugTarget());
    return true;
  }();
  (void)once;
}
