// SPDX-License-Identifier: Apache-2.0
#include "jobs/rank/rank_job.hpp"

#include <algorithm>

#include "jobs/image_job.hpp"
#include "tessera/noise_options.hpp"

namespace tessera {
namespace {

const char* name_of_job(const RankJob&) { return "rank"; }
const char* name_of_job(const MedianJob&) { return "median"; }
RankOptions ranks_of(const RankOptions& options) { return options; }
RankOptions ranks_of(const MedianOptions& options) { return options.ranks(); }

bool names_size(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789x") == std::string_view::npos;
}

Image footprint_by_name(std::string_view text) {
  return element_from_text(names_size(text) ? "box:" + std::string(text) : std::string(text));
}

}  // namespace

Image load_footprint(const std::string& text) {
  const bool one_number = names_size(text) && text.find('x') == std::string::npos;
  return load_small_image("a footprint", one_number ? text + "x" + text : text, footprint_by_name);
}

template <class Options>
ImageResult RankJobOf<Options>::run(const Progress& progress) const {
  const char* name = name_of_job(*this);
  if (check && output == "-")
    throw Error(ErrorKind::usage,
                fmt::format("{}: --check reads the output again; give it a file name", name));
  const auto source = open_input(input, reading, settings);
  const Image shape = load_footprint(footprint);
  const ImageOperation<RankFilter, Options> operation{
      name,
      options,
      [&](const ImageInfo& image, const Options& with) {
        return RankFilter(image, shape.view(), ranks_of(with));
      },
      [](const RankFilter&) { return Point{}; },
      [](const Options& same) { return same; },
      [](const RankFilter&, AnyView) { return 0.0; },  // exact
      static_cast<double>(shape.info().size.samples())};
  return run_image_job({input, output, reading, writing, settings, check}, operation, *source,
                       progress);
}

template struct RankJobOf<RankOptions>;
template struct RankJobOf<MedianOptions>;

}  // namespace tessera
