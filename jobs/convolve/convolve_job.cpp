// SPDX-License-Identifier: Apache-2.0
#include "jobs/convolve/convolve_job.hpp"

#include "core/compare.hpp"
#include "jobs/image_job.hpp"

namespace tessera {
namespace {

// With border valid the output begins where the filter first fits.
Point first_pixel(AnyView weights, const ConvolveOptions& options) {
  if (options.border != Border::valid) return {};
  return options.anchor.value_or(Point{weights.size.width / 2, weights.size.height / 2});
}

ConvolveOptions in_double(ConvolveOptions options) {
  options.output = Type::f64;
  return options;
}

}  // namespace

Image load_filter(const std::string& text) {
  return load_small_image("a filter", text, filter_from_text);
}

ImageResult ConvolveJob::run(const Progress& progress) const {
  if (check && output == "-")
    throw Error(ErrorKind::usage, "convolve: --check reads the output again; give it a file name");
  const auto source = open_input(input, reading, settings);
  const Image weights = load_filter(filter);
  const ImageOperation<Convolve, ConvolveOptions> operation{
      "convolve",
      options,
      [&](const ImageInfo& image, const ConvolveOptions& with) {
        return Convolve(image, weights.view(), with);
      },
      [&](const Convolve&) { return first_pixel(weights.view(), options); },
      in_double,
      [](const Convolve& plan, AnyView in) { return plan.error_bound(largest_magnitude(in)); },
      static_cast<double>(weights.info().size.samples())};
  return run_image_job({input, output, reading, writing, settings, check}, operation, *source,
                       progress);
}

}  // namespace tessera
