// SPDX-License-Identifier: Apache-2.0
#include "jobs/morphology/morphology_job.hpp"

#include "jobs/image_job.hpp"

namespace tessera {

Image load_element(const std::string& text) {
  return load_small_image("an element", text, element_from_text);
}

ImageResult MorphologyJob::run(const Progress& progress) const {
  const char* name = name_of(kind).data();
  if (check && output == "-")
    throw Error(ErrorKind::usage,
                fmt::format("{}: --check reads the output again; give it a file name", name));
  const auto source = open_input(input, reading, settings);
  const Image shape = load_element(element);
  const ImageOperation<Morphology, MorphologyOptions> operation{
      name,
      options,
      [&](const ImageInfo& image, const MorphologyOptions& with) {
        return Morphology(kind, image, shape.view(), with);
      },
      [](const Morphology& plan) { return plan.first_pixel(); },
      [](const MorphologyOptions& same) { return same; },
      [](const Morphology&, AnyView) { return 0.0; },  // exact
      static_cast<double>(shape.info().size.samples())};
  return run_image_job({input, output, reading, writing, settings, check}, operation, *source,
                       progress);
}

}  // namespace tessera
