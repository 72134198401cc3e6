// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_refusals.hpp"

#include <fmt/format.h>

#include "core/ranks.hpp"
#include "core/refuse.hpp"
#include "jobs/job_files.hpp"
#include "jobs/picture.hpp"

namespace tessera {
void check_noise_choices(const NoiseJob& job) {
  check_pictures({job.choices.picture}, job.writing.force);
  if (job.choices.only && !job.options.quantiles.orders.empty())
    refuse("noise", fmt::format("--only {} chooses from background and noise, but --quantiles "
                                "replaces them; leave out one of the options",
                                to_text(*job.choices.only)));
}

void check_noise_files(const NoiseJob& job, const std::vector<NoiseProduct>& products) {
  for (const std::string& given : {job.input, job.choices.mask}) {
    if (given.empty() || given == "-") continue;
    const std::string path = named_page(given).path;
    for (const NoiseProduct& product : products)
      check_apart(path, product.file, "another -o, the prefix of all names");
    check_apart(path, job.choices.picture, "another --picture");
  }
}

void check_noise_apart(const NoiseJob& job, NoiseMode mode) {
  if (!ranks().apart()) return;
  if (mode == NoiseMode::grid)
    refuse("noise",
           "--mode grid cannot be split into parts, because every part would need the nodes of all "
           "others before it could refine and draw; leave out --part, or run it under mpirun");
  if (job.choices.fill)
    refuse("noise",
           "--fill cannot be split into parts, because the nearest value may be in the rows of any "
           "other; leave out --part, or run it under mpirun");
}

void check_noise_planes(const NoiseJob& job, const NoiseInput& input) {
  const int planes = input.planes().count();
  if (job.choices.picture.empty() || planes == 1) return;
  refuse("noise", fmt::format("--picture shows one plane, but {} has {}; give --slice, or leave "
                              "out --picture",
                              input.name(), planes));
}

}  // namespace tessera
