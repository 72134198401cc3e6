// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_products.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tessera/error.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::vector<NoiseProduct> different(std::vector<NoiseProduct> products) {
  for (std::size_t i = 0; i < products.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (products[i].file == products[k].file)
        throw Error(ErrorKind::usage,
                    fmt::format("noise: two of --quantiles would both be named {}; give each once",
                                products[i].file));
  return products;
}

}  // namespace

std::string noise_prefix(const NoiseJob& job) {
  std::error_code ignored;
  if (!job.output.ends_with('/') && !fs::is_directory(job.output, ignored)) return job.output;
  fs::path name = job.input == "-" ? "noise" : fs::path(named_page(job.input).path).filename();
  if (name.extension() == ".gz" || name.extension() == ".fz") name = name.stem();
  return (fs::path(job.output) / name.stem()).string();
}

std::vector<NoiseProduct> noise_products(const NoiseJob& job, const std::string& ending) {
  const std::string prefix = noise_prefix(job);
  std::vector<NoiseProduct> products;
  const auto add = [&](const std::string& name, bool written) {
    products.push_back(
        {name, static_cast<int>(products.size()), written ? prefix + "_" + name + ending : ""});
  };
  for (const double order : job.options.quantiles.orders) add("q" + percent_text(order), true);
  if (!products.empty()) return different(products);
  const NoiseProducts wanted =
      job.choices.only.value_or(NoiseProducts{.snr = job.choices.like == NoiseLike::none});
  add("bkg", wanted.background);
  add("rms", wanted.rms);
  if (wanted.snr) add("snr", true);
  return products;
}

}  // namespace tessera
