// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_page_film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "io/child_process.hpp"
#include "io/video/video_program.hpp"
#include "jobs/cells/cells_display.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// A larger picture gains nothing on a screen, and decoders get slow.
constexpr int kMostPixels = 1920;
// With fewer bits per pixel only noise is left of a cell's edge: smaller pictures show more.
constexpr double kLeastBitsPerPixel = 0.04;
constexpr int kLeastSide = 16;
// x264 keeps below the rate, except for the contents of its one-second buffer and the container.
constexpr double kForFilm = 0.97, kBufferSeconds = 1;
constexpr long long kMostBitsPerSecond = 200'000'000;
constexpr int kAttempts = 4;

int even(double side) { return std::max(kLeastSide, 2 * static_cast<int>(std::lround(side / 2))); }

std::vector<std::string> arguments(const std::string& name, int width, int height,
                                   const PageFilmPlan& plan) {
  std::vector<std::string> all = video_program(name, "ffmpeg");
  const auto add = [&](const std::vector<std::string>& words) {
    all.insert(all.end(), words.begin(), words.end());
  };
  add({"-nostdin", "-xerror", "-protocol_whitelist", "file,pipe", "-f", "rawvideo"});
  add({"-pixel_format", "gray", "-video_size", fmt::format("{}x{}", width, height)});
  add({"-framerate", std::to_string(kPageFilmRate), "-i", "pipe:0"});
  // H.264 needs even sides: a picture that is not made smaller gets an edge that the page does not
  // show.
  const bool smaller = plan.width != width || plan.height != height;
  add({"-vf", smaller ? fmt::format("scale={}:{}:flags=area", plan.width, plan.height)
                      : fmt::format("pad={}:{}", (width + 1) / 2 * 2, (height + 1) / 2 * 2)});
  // A key frame every half second and no frames out of order: seeking to a frame is exact and takes
  // 20 ms (measured in Chromium at 640x480).
  add({"-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-g", "15", "-bf", "0"});
  add(video_encoder_threads());
  const std::string rate = std::to_string(plan.bits_per_second);
  add({"-maxrate", rate, "-bufsize", rate, "-pix_fmt", "yuv420p"});
  add({"-fflags", "+bitexact", "-f", "mp4", "-y", std::string("file:") + kChildFile});
  return all;
}

void encode(CellsDisplay& display, int frames, const PageFilmPlan& plan, const std::string& name,
            const File& file, const Progress& progress) {
  ChildProcess child({.subject = name,
                      .arguments = arguments(name, display.width(), display.height(), plan),
                      .takes_input = true,
                      .descriptor = file.descriptor(),
                      .confined = kVideoWriter});
  const long long bytes = 1LL * display.width() * display.height();
  bool taken = true;
  for (int i = 0; i < frames && taken; ++i) {
    taken = child.write(display.next().data, bytes);
    if (progress) progress(i + 1, frames);
  }
  if (const int code = child.finish(); code != 0 || !taken)
    throw Error(ErrorKind::failure,
                fmt::format("{}: ffmpeg cannot encode the film: {}", name,
                            child.last_line().empty() ? fmt::format("it ended with code {}", code)
                                                      : plain_line(child.last_line())));
}

}  // namespace

PageFilmPlan plan_page_film(int width, int height, int frames, long long bytes) {
  const double seconds = static_cast<double>(frames) / kPageFilmRate + kBufferSeconds;
  const double rate =
      std::min<double>(kForFilm * 8 * static_cast<double>(bytes) / seconds, kMostBitsPerSecond);
  const double wanted = 1.0 * width * height * kPageFilmRate * kLeastBitsPerPixel;
  const double scale = std::min({1.0, std::sqrt(std::max(rate, 0.0) / wanted),
                                 static_cast<double>(kMostPixels) / std::max(width, height)});
  PageFilmPlan plan{width, height, static_cast<long long>(rate)};
  if (scale < 1) plan = {even(scale * width), even(scale * height), plan.bits_per_second};
  return plan;
}

PageFilm encode_page_film(const std::string& input, const FilmReading& reading, int frames,
                          long long bytes, const std::string& name, const Progress& progress) {
  long long allowed = bytes;
  for (int attempt = 0; attempt < kAttempts && allowed > 0; ++attempt) {
    CellsDisplay display(input, reading);
    const PageFilmPlan plan = plan_page_film(display.width(), display.height(), frames, allowed);
    File file = anonymous_file(name);
    encode(display, frames, plan, name, file, progress);
    const long long made = file.bytes();
    if (made <= bytes) return {std::move(file), plan.width, plan.height, made};
    allowed = static_cast<long long>(0.9 * static_cast<double>(allowed) *
                                     static_cast<double>(bytes) / static_cast<double>(made));
  }
  throw Error(ErrorKind::resources,
              fmt::format("{}: {} of film do not fit into {} bytes; give a smaller --frames", name,
                          counted(frames, "frame"), bytes));
}

}  // namespace tessera
