// SPDX-License-Identifier: Apache-2.0
#include "io/cube_file.hpp"

#include <fmt/format.h>

#include "core/ranks.hpp"
#include "io/formats.hpp"
#include "io/unwritten_sink.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::vector<std::unique_ptr<ImageSink>> create_cubes(const std::string& path,
                                                     const std::vector<CubeToWrite>& cubes) {
#if TESSERA_HAVE_FITS
  const Format* format = format_of_name(path);
  if (format && format->name == std::string_view("FITS")) {
    auto sinks = create_fits_cubes(path, cubes);
    for (auto& sink : sinks)
      if (is_part()) sink = std::make_unique<UnwrittenSink>(std::move(sink));
    return sinks;
  }
#endif
  if (cubes.size() != 1)
    throw Error(ErrorKind::usage,
                fmt::format("{}: {} images in one file need FITS; give a name that ends with .fits",
                            path, cubes.size()));
  std::vector<std::unique_ptr<ImageSink>> sinks;
  sinks.push_back(create_image(path, cubes[0].info, cubes[0].how));
  return sinks;
}

}  // namespace tessera
