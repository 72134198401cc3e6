// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>

#include "python/doors.hpp"
#include "python/enhance_steps.hpp"
#include "python/item_arrays.hpp"
#include "python/long_call.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// Colours are counted separately unless they are asked for together.
struct HistogramOptions : EnhanceOptions {
  HistogramOptions() { channels = ChannelCurves::each; }
};
const EnhanceFunction kHistogram{"histogram", {"channels"}};

// (images,) (channels,) values; images and channels only if there are more than one.
nb::object counts_array(const std::vector<EnhanceFinding>& found, long long images) {
  const std::size_t values = found.empty() ? 0 : found[0].counts.size();
  const auto groups = static_cast<long long>(found.size()) / std::max(1LL, images);
  Shape shape;
  if (images > 1) shape.push_back(images);
  if (groups > 1) shape.push_back(groups);
  shape.push_back(static_cast<long long>(values));
  const nb::object array = nb::module_::import_("numpy").attr("empty")(to_tuple(shape), "int64");
  auto* to = nb::cast<nb::ndarray<std::int64_t, nb::c_contig>>(array).data();
  for (const EnhanceFinding& one : found) to = std::copy(one.counts.begin(), one.counts.end(), to);
  return array;
}

nb::object count_values(nb::handle given, const nb::kwargs& keywords) {
  RunOptions run;
  const auto own = kHistogram.take<HistogramOptions>(keywords, run);
  const std::string what = "histogram: image";
  const Array image = look_at_integers(given, what);
  run = with_colours(run, image.shape);
  Axes axes = find_axes(what, image.shape, run.channel_axis, run.batch_axis);
  const Array adjacent = with_channels_last(what, image, axes);
  const AnyView view = view_of(what, adjacent, axes, false);
  std::optional<Stream> stream;
  if (image.device != kHost) stream = library_stream(image);
  std::vector<EnhanceFinding> found;
  {
    const LongCall unlocked;
    const Enhance plan(view.info(), own);
    if (!stream) stream.emplace(plan.device(), run.threads, run.memory_bytes());
    found = plan.examine(view, *stream).findings();
  }
  return counts_array(found, view.size.planes);
}

}  // namespace

void add_histogram(nb::module_& module) {
  module.def(
      "histogram", count_values, "image"_a, "options"_a,
      nb::sig(kept("def histogram(image: typing.Any, *" +
                   kHistogram.parameters<HistogramOptions>() +
                   ") -> numpy.typing.NDArray[numpy.int64]")),
      kept(std::string("How many pixels have each value, exactly: 256 counts for uint8, 65536 for "
                       "uint16, as a NumPy array;\n(channels, values) for colours, without alpha; "
                       "(images, ...) for a batch.") +
           enhance_image("uint8 or uint16") + "\nThe counts are the same on every backend." +
           "\n\n>>> tessera.histogram(photo).shape\n(3, 256)" +
           kHistogram.help<HistogramOptions>()));
}

}  // namespace tessera::python
