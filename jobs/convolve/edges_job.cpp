// SPDX-License-Identifier: Apache-2.0
#include "jobs/convolve/edges_job.hpp"

#include "core/compare.hpp"
#include "jobs/image_job.hpp"
#include "tessera/error.hpp"

namespace tessera {

ImageResult EdgesJob::run(const Progress& progress) const {
  if (check && output == "-")
    throw Error(ErrorKind::usage, "edges: --check reads the output again; give it a file name");
  const auto source = open_input(input, reading, settings);
  const EdgeFilters pair = edge_filters(filters);
  const Size size = pair.x.info().size;
  const ImageOperation<Edges, EdgesOptions> operation{
      "edges",
      options,
      [&](const ImageInfo& image, EdgesOptions with) {
        with.scale *= pair.scale;
        return Edges(image, pair.x.view(), pair.y.view(), with);
      },
      [&](const Edges&) {
        const bool shrinks = options.border == Border::valid;
        return shrinks ? Point{size.width / 2, size.height / 2} : Point{};
      },
      [](EdgesOptions exact) {
        exact.output_type = Type::f64;
        return exact;
      },
      [](const Edges& plan, AnyView in) { return plan.error_bound(largest_magnitude(in)); },
      2.0 * static_cast<double>(size.samples())};
  return run_image_job({input, output, reading, writing, settings, check}, operation, *source,
                       progress);
}

}  // namespace tessera
