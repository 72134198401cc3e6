// SPDX-License-Identifier: Apache-2.0
/// The parts of convolve that can be tuned.
#pragma once

#include <vector>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/tune/convolve_sizes.hpp"
#include "tune/operations.hpp"
#include "tune/sites.hpp"

namespace tessera {

/// Every site that asks for knobs, and the site of the times.
std::vector<TunedSite> convolve_sites();

/// A site's candidates for a problem, best first by the cost model, its defaults in front; at most
/// five, or all of them. Empty if the method has no knobs.
std::vector<Knobs> convolve_candidates(const ConvolveMethod& method, FilterSize filter, bool full);
/// The site where a method asks for its knobs; empty if it has none.
std::string convolve_site(const ConvolveMethod& method);

std::vector<TuneTask> convolve_tasks(const TuneRequest& request);
std::vector<ChoiceCase> convolve_choices(const TuneRequest& request);
std::vector<KernelName> convolve_kernels(const TuneRequest& request);
/// The paper's pictures of a table.
TablePictures convolve_pictures(const std::vector<TuningLine>& lines, Backend backend, Type type);

}  // namespace tessera
