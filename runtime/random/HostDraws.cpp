#include "runtime/random/HostDraws.h"
#include "runtime/Element.h"
#include "runtime/Trace.h"
#include "runtime/abi/trace.h"
#include "runtime/random/DeviceDraws.h"

namespace npcc::rt::random {

// What the device does not draw itself is drawn on the host: brings parameters there and the numbers back.
Status drawOn(Device &device, npcc_generator &generator, const npcc_draw &given) {
  npcc_draw request = given;
  Draw here{generator, request, request.out, {}};
  std::vector<std::vector<char>> copies;
  bool isHost = device.onHost();
  for (int32_t k = 0; k < request.array_count; ++k) {
    const npcc_draw_array &array = request.arrays[k];
    here.arrays.push_back(array.data);
    if (isHost || !array.count)
      continue;
    copies.emplace_back(array.count * 8);
    NPCC_TRY(device.copyOut(copies.back().data(), array.data, int64_t(copies.back().size())));
    here.arrays.back() = copies.back().data();
  }
  int64_t drawn = 0;
  const char *reason = nullptr;
  NPCC_TRY(drawByDevice(device, here, drawn, reason));
  if (drawn == given.count && drawn)
    return {};
  request.count -= drawn;
  request.out = here.out = static_cast<char *>(given.out) + drawn * elementSize(given.dtype);
  if (isHost)
    return draw(here);
  std::string label = "random numbers of the host";
  if (reason)
    label += std::string(": ") + reason;
  HostSpan span(NPCC_TRACE_LIBRARY, label.c_str());
  std::vector<char> numbers(request.count * elementSize(request.dtype));
  here.out = numbers.data();
  NPCC_TRY(draw(here));
  return numbers.empty() ? Status() : device.copyIn(request.out, numbers.data(), int64_t(numbers.size()));
}

Status drawInTurns(Device &device, npcc_generator &generator, std::span<const npcc_draw> draws, int64_t turns) {
  struct Part {
    npcc_draw request;
    int64_t bytes;             // of a turn
    bool isDevices;            // whether a turn has numbers enough
    std::vector<char> numbers; // of all turns, which the host makes for a device
  };
  std::vector<Part> parts;
  for (const npcc_draw &request : draws) {
    Draw here{generator, request, request.out, {}};
    Part part{request, request.count * elementSize(request.dtype), isDrawnByDevice(device, here), {}};
    if (!part.isDevices && !device.onHost()) {
      part.numbers.resize(turns * part.bytes);
      part.request.out = part.numbers.data();
    }
    parts.push_back(std::move(part));
  }
  HostSpan span(NPCC_TRACE_LIBRARY, "random numbers of several distributions");
  for (int64_t turn = 0; turn < turns; ++turn)
    for (Part &part : parts) {
      npcc_draw one = part.request;
      one.out = static_cast<char *>(one.out) + turn * part.bytes;
      Draw here{generator, one, one.out, {}};
      NPCC_TRY(part.isDevices ? drawOn(device, generator, one) : draw(here));
    }
  for (size_t k = 0; k < draws.size(); ++k)
    if (!parts[k].numbers.empty())
      NPCC_TRY(device.copyIn(draws[k].out, parts[k].numbers.data(), int64_t(parts[k].numbers.size())));
  return {};
}

} // namespace npcc::rt::random
