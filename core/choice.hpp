// SPDX-License-Identifier: Apache-2.0
/// A choice is a value; methods are rows of a table.
///
/// Whatever changes a bit of the result is a method; a knob (block, tile, strip) never does.
/// `choose` looks at the whole problem, never at threads, memory limits or piece sizes.
#pragma once

#include <memory>
#include <string>
#include <vector>

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
  double (*seconds)(const Problem&, const Machine&);      ///< cost model: what it should take
  std::unique_ptr<const Runner> (*make)(const Problem&);  ///< throws when something runs out
};

/// What CPU methods and CUDA methods refuse first: "the image is on device 0", "there is no device
/// 3; the last is 0". Empty: nothing.
std::string why_not_on_host(const ImageInfo& image);
std::string why_no_device(int device);

/// Why a method was not taken.
struct Refusal {
  std::string backend, method, reason;
};
/// "cuda direct: …; cuda fft: …", or "cuda: …" where a backend's methods all say the same.
std::string refusals_text(const std::vector<Refusal>& refusals);

/// The backend asked for: the option, or TESSERA_BACKEND where the option is auto.
Backend wanted_backend(Backend option);

/// A cost model that says this much or more belongs to a method that is there to be asked for, such
/// as the reference: it wins only where nothing else can run.
inline constexpr double kOnlyOnRequest = 1e3;

/// The cheapest method that does not refuse. A method or backend asked for by name is taken or is
/// an Error(usage) with its reason; unknown names list the known ones. `seconds(row, problem,
/// machine)` is what a method takes, where that is known better than by its model alone.
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
