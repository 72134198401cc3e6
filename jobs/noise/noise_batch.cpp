// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_batch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/folder.hpp"
#include "core/refuse.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/job_files.hpp"
#include "jobs/noise/noise_products.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

NoiseJob job_of(const NoiseJob& all, const std::string& input) {
  NoiseJob one = all;
  one.input = input;
  return one;
}

std::vector<std::string> files_made(const NoiseJob& job) {
  std::vector<std::string> files;
  try {
    const std::string ending = noise_ending(*open_input(job.input, job.reading, job.settings));
    for (const NoiseProduct& product : noise_products(job, ending))
      if (!product.file.empty()) files.push_back(product.file);
  } catch (const Error&) {  // reported when its turn comes
  }
  return files;
}

std::string parameters_of(const NoiseJob& job) {
  WriteOptions writing = job.writing;
  writing.force = false;  // changes no result
  std::vector<std::string> changed{changed_options(job.options), changed_options(job.choices),
                                   changed_options(job.reading), changed_options(writing)};
  if (job.choices.like != NoiseLike::none)
    changed.push_back(fmt::format("given={}", fmt::join(job.given, ",")));
  std::vector<std::string> files;
  if (!job.choices.mask.empty()) files.push_back(named_page(job.choices.mask).path);
  return batch_parameters("noise", changed, files);
}

}  // namespace

bool is_noise_batch(const NoiseJob& job, const BatchOptions& options) {
  const bool one_hdu = job.input.ends_with(']');  // "field.fits[1]"
  if (!names_many(job.input) || one_hdu) {
    if (options.files_at_once)
      refuse("noise", fmt::format("--files-at-once needs several images; {} is one", job.input));
    return false;
  }
  if (!is_batch(job.output, {}))
    refuse("noise",
           fmt::format("{} stands for several images, and {} is not a folder; end it with /",
                       job.input, job.output));
  if (!job.choices.picture.empty())
    refuse("noise",
           fmt::format("--picture needs a single image; {} stands for several", job.input));
  return true;
}

BatchResult run_noise_batch(const NoiseJob& job, const BatchOptions& options,
                            const Progress& progress) {
  const auto work = [&job](const BatchItem& item, bool replace, const Progress& inner) {
    NoiseJob one = job_of(job, item.input);
    one.writing.force = replace;
    one.settings.sharers = item.sharers;
    return one.run(inner).warnings;
  };
  Batch batch{job.input,          job.output,        "",
              parameters_of(job), job.writing.force, files_at_once(options, job.settings)};
  batch.name = [&job](const std::string& input) {
    return name_in_folder(noise_prefix(job_of(job, input)));
  };
  batch.files = [&job](const BatchItem& item) { return files_made(job_of(job, item.input)); };
  return run_batch(batch, work, progress);
}

}  // namespace tessera
