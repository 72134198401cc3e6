// SPDX-License-Identifier: Apache-2.0
#include "jobs/convolve/convolve_job.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/check.hpp"
#include "core/compare.hpp"
#include "jobs/convolve/clip_counter.hpp"
#include "jobs/image_job.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The files of "outer:ROW.npy,COLUMN.npy"; nothing for other texts.
std::optional<std::pair<std::string, std::string>> files_of_outer(const std::string& text) {
  const std::string start = "outer:";
  const std::size_t comma = text.find(',');
  if (!text.starts_with(start) || comma == std::string::npos) return std::nullopt;
  std::pair files{text.substr(start.size(), comma - start.size()), text.substr(comma + 1)};
  if (!names_file(files.first) || !names_file(files.second)) return std::nullopt;
  return files;
}

/// All weights of a file, as one vector.
std::vector<double> load_vector(const std::string& file) {
  const Image weights = load_filter(file);
  if (weights.info().size.width > 1 && weights.info().size.height > 1)
    throw Error(
        ErrorKind::input,
        fmt::format(
            "{}: it has {} rows and {} columns; weights must be a single row or a single column",
            file, weights.info().size.height, weights.info().size.width));
  return samples_as_double(weights.view());
}

// With border valid the output begins where the filter first fits.
Point first_pixel(AnyView weights, const ConvolveOptions& options) {
  if (options.border != Border::valid) return {};
  return options.anchor.value_or(Point{weights.size.width / 2, weights.size.height / 2});
}

ConvolveOptions in_double(ConvolveOptions options) {
  options.output_type = Type::f64;
  return options;
}

}  // namespace

Image load_filter(const std::string& text) {
  if (const auto files = files_of_outer(text))
    return outer(load_vector(files->first), load_vector(files->second));
  return load_small_image("a filter", text, filter_from_text);
}

ImageResult ConvolveJob::run(const Progress& progress) const {
  if (check && output == "-")
    throw Error(ErrorKind::usage, "convolve: --check reads the output again; give it a file name");
  const auto source = open_input(input, reading, settings);
  const Image weights = load_filter(filter);
  ClipCounter clipped(weights.view(), options);
  const ImageOperation<Convolve, ConvolveOptions> operation{
      "convolve",
      options,
      [&](const ImageInfo& image, const ConvolveOptions& with) {
        return Convolve(image, weights.view(), with);
      },
      [&](const Convolve&) { return first_pixel(weights.view(), options); },
      in_double,
      [](const Convolve& plan, AnyView in) { return plan.error_bound(largest_magnitude(in)); },
      static_cast<double>(weights.info().size.samples()),
      [&](StripPlan& strips, const Convolve& plan) {
        clipped.watch(strips, plan, source->info().size.planes);
      },
      [&] { return clipped.remark(); }};
  return run_image_job({input, output, reading, writing, settings, check}, operation, *source,
                       progress);
}

}  // namespace tessera
