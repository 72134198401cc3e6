// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_noise.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/counted.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/stokes_list.hpp"
#include "jobs/file_list.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

bool is_one_plane(const std::string& path, const ReadOptions& reading, FaradayMemory& memory) {
  if (names_several(path)) return false;
  const Size size = open_input(path, reading, memory.settings())->info().size;
  return size.planes == 1 && size.channels == 1;
}

template <class T>
T as_noise(T value) {
  return value > 0 && std::isfinite(value) ? value : std::numeric_limits<T>::quiet_NaN();
}

}  // namespace

bool is_faraday_list(const std::string& path) {
  return !names_several(path) && is_number_text(path);
}

std::unique_ptr<FaradayCubeSource> open_cube_like(const std::string& path, const char* what,
                                                  const FaradayCubeSource& of,
                                                  const ReadOptions& reading,
                                                  FaradayMemory& memory) {
  auto cube = std::make_unique<FaradayCubeSource>(path, "FREQ", reading, memory.settings());
  const Size a = cube->info().size, b = of.info().size;
  if (a != b)
    throw Error(ErrorKind::usage,
                fmt::format("faraday: {} {} has {} of {}x{}, and {} has {} of "
                            "{}x{}; give one value per voxel, per pixel or per channel",
                            what, path, counted(a.planes, "plane"), a.width, a.height, of.path(),
                            counted(b.planes, "channel"), b.width, b.height));
  return cube;
}

FaradayNoise::FaradayNoise(const std::string& text, const FaradayCubeSource& of,
                           const ReadOptions& reading, FaradayMemory& memory) {
  if (text.empty()) return;
  if (const std::optional<double> number = faraday_noise_number(text)) {
    list.assign(static_cast<std::size_t>(of.info().size.planes), *number);
  } else if (is_faraday_list(text)) {
    list = read_channel_list(text, of, "noise values");
    for (double& value : list) value = as_noise(value);
  } else if (is_one_plane(text, reading, memory)) {
    map = read_faraday_map(text, of, "the noise", reading, memory);
  } else {
    cube = open_cube_like(text, "the noise", of, reading, memory);
  }
}

void FaradayNoise::read(Rows rows, AnyMutableView to) {
  if (cube) cube->read(rows, to);
  const View<float> samples = to.as<float>();
  for (int k = 0; k < to.size.planes; ++k)
    for (int y = 0; y < to.size.height; ++y)
      for (int x = 0; x < to.size.width; ++x) {
        float& value = samples.at(x, y, 0, k);
        if (map) value = map.as<float>().at(x, rows.first + y);
        if (!list.empty()) value = static_cast<float>(list[static_cast<std::size_t>(k)]);
        value = as_noise(value);
      }
}

}  // namespace tessera
