// SPDX-License-Identifier: Apache-2.0
/// A choice is a value; methods are rows of a table.
///
/// Whatever changes a bit of the result is a method; a knob (block, tile, strip) never does.
/// `choose` looks at the whole problem, never at threads, memory limits or piece sizes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/link_rates.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

template <class Problem, class Runner>
struct Method {
  const char* name;
  Backend backend;
  std::string (*refuses)(const Problem&);                 ///< "" or the reason, as a sentence part
  double (*seconds)(const Problem&, const Machine&);      ///< cost model: the expected time
  std::unique_ptr<const Runner> (*make)(const Problem&);  ///< throws when something runs out
};

/// The first reason of CPU and CUDA methods to refuse: "the image is on device 0", "there is no
/// device 3; the last is 0". Empty: none.
std::string why_not_on_host(const ImageInfo& image);
std::string why_no_device(int device);

/// For the `refuses` of CPU and CUDA methods: the image is on a device, or there is no such device;
/// else the first of `others` that has a reason.
template <auto... others, class Problem>
std::string refuses_on_host(const Problem& problem) {
  std::string reason = why_not_on_host(problem.image);
  ((reason = reason.empty() ? others(problem) : reason), ...);
  return reason;
}
template <auto... others, class Problem>
std::string refuses_on_device(const Problem& problem) {
  std::string reason = why_no_device(problem.device);
  ((reason = reason.empty() ? others(problem) : reason), ...);
  return reason;
}

/// The time of copying an image of the host to the device and its result back; 0 if it is there.
double copy_seconds(const ImageInfo& in, const ImageInfo& out, int device);

/// Why a method was not taken.
struct Refusal {
  std::string backend, method, reason;
};
/// "cuda direct: …; cuda fft: …", or "cuda: …" if all methods of a backend say the same.
std::string refusals_text(const std::vector<Refusal>& refusals);

/// The requested backend: the option, or TESSERA_BACKEND if the option is auto.
Backend wanted_backend(Backend option);

/// A cost model that returns this much or more belongs to a method that only runs on request, such
/// as the reference: it wins only if nothing else can run.
inline constexpr double kOnlyOnRequest = 1e3;

/// The cheapest method that does not refuse. A method or backend given by name is used or is
/// an Error(usage) with its reason; unknown names list the known ones. `seconds(row, problem,
/// machine)` is the time a method takes, if that is known better than from its model alone.
template <class Problem, class Runner, class Seconds>
const Method<Problem, Runner>& choose(const char* operation,
                                      const std::vector<Method<Problem, Runner>>& methods,
                                      const Problem& problem, Backend backend,
                                      const std::string& method, const Machine& machine,
                                      Seconds seconds);
/// By the cost models.
template <class Problem, class Runner>
const Method<Problem, Runner>& choose(const char* operation,
                                      const std::vector<Method<Problem, Runner>>& methods,
                                      const Problem& problem, Backend backend,
                                      const std::string& method, const Machine& machine);

}  // namespace tessera

#include "core/choice_impl.hpp"
