// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/counted.hpp"
#include "io/formats.hpp"
#include "io/video/video.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/film_memory.hpp"
#include "jobs/cells/picture_sequence.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

std::vector<std::string> pictures_of(const std::string& input) {
  std::vector<std::string> files = files_of(input);
  std::ranges::sort(files, comes_before);
  return files;
}

// For readers that choose frames themselves: the file's reader sees all of them.
ReadOptions without_range(ReadOptions options) {
  options.first_frame = 0;
  options.frames.reset();
  return options;
}

// The planes of a file from a given one on, as a file.
class LaterPlanes : public ImageSource {
 public:
  LaterPlanes(std::unique_ptr<ImageSource> inner, int first, int count)
      : inner_(std::move(inner)), first_(first), info_(inner_->info()) {
    info_.size.planes = count;
  }
  ImageInfo info() const override { return info_; }
  bool planes_in_turn() const override { return inner_->planes_in_turn(); }
  std::string format() const override { return inner_->format(); }
  std::vector<std::string> warnings() const override { return inner_->warnings(); }
  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    inner_->read_plane(first_ + plane, rows, to);
  }

 private:
  std::unique_ptr<ImageSource> inner_;
  int first_;
  ImageInfo info_;
};

// Frames before the damage are wanted in any case. A video gives them, and throws at the first that
// is missing; other readers fill missing frames if allowed to.
FilmFile open_one(const std::string& input, ReadOptions how) {
  how.allow_truncated = false;
  std::string damage;
  try {
    return {open_input(input, how)};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    damage = error.what();
  }
  how.allow_truncated = true;
  try {
    FilmFile film{open_input(input, how), damage};
    if (!film.source->warnings().empty()) return film;
  } catch (const Error&) {
  }
  throw Error(ErrorKind::input, damage);  // more than frames is missing
}

// A truncated picture ends the film, as a truncated frame of a video would.
FilmFile open_sequence(const std::string& input, ReadOptions how) {
  how.allow_truncated = false;
  return {open_pictures(pictures_of(input), how)};
}

void choose_planes(const std::string& name, const FilmChoice& choice, FilmFile& film) {
  const StackAxes axes = film.source->axes();
  film.source = frames_of_stack(name, std::move(film.source), axes, choice, film.notes);
  film.um_per_pixel = axes.um_per_pixel;
  if (axes.seconds_per_frame > 0) film.timing = {1 / axes.seconds_per_frame, axes.uneven};
}

// If the file's own reader has not chosen the frames.
void choose_frames(const std::string& name, const ReadOptions& options, FilmFile& film) {
  const int held = film.source->info().size.planes, first = options.first_frame;
  if (first < 0 || first >= held)
    throw Error(ErrorKind::usage, fmt::format("{}: there is no frame {}; it has {}, counted from 0",
                                              name, first, held));
  const int count = options.frames.value_or(held - first);
  if (count < 1 || count > held - first)
    throw Error(ErrorKind::usage,
                fmt::format("{}: there {} not {} from frame {} on; it has {}, counted from 0", name,
                            count == 1 ? "is" : "are", counted(count, "frame"), first, held));
  if (count < held)
    film.source = std::make_unique<LaterPlanes>(std::move(film.source), first, count);
}

}  // namespace

bool comes_before(const std::string& first, const std::string& second) {
  std::size_t a = 0, b = 0;
  while (a < first.size() && b < second.size()) {
    if (!is_digit(first[a]) || !is_digit(second[b])) {
      if (first[a] != second[b]) return first[a] < second[b];
      ++a, ++b;
      continue;
    }
    while (a < first.size() && first[a] == '0') ++a;
    while (b < second.size() && second[b] == '0') ++b;
    std::size_t end_a = a, end_b = b;
    while (end_a < first.size() && is_digit(first[end_a])) ++end_a;
    while (end_b < second.size() && is_digit(second[end_b])) ++end_b;
    if (end_a - a != end_b - b) return end_a - a < end_b - b;
    const int order = first.compare(a, end_a - a, second, b, end_b - b);
    if (order != 0) return order < 0;
    a = end_a, b = end_b;
  }
  if (first.size() - a != second.size() - b) return first.size() - a < second.size() - b;
  return first < second;  // "01" and "1"
}

bool is_picture_sequence(const std::string& input, const ReadOptions& options) {
  if (!names_many(input)) return false;
  return open_image(pictures_of(input).front(), without_range(options))->info().size.planes == 1;
}

FilmFile open_film(const std::string& input, const FilmReading& options) {
  if (options.in_memory.data) {
    FilmFile film{frames_in_memory(options.in_memory)};
    choose_planes(input, options.choice, film);
    choose_frames(input, options, film);
    return film;
  }
  const bool many = names_many(input);
  const Format* format = format_of_name(input);
  const bool reader_chooses = !many && format && format->frames;
  const ReadOptions& files = options;
  const ReadOptions how = reader_chooses ? files : without_range(files);
  FilmFile film = many ? open_sequence(input, how) : open_one(input, how);
  if (const auto* timed = dynamic_cast<const TimedFrames*>(film.source.get()))
    film.timing = timed->timing();
  choose_planes(input_name(input), options.choice, film);
  if (!reader_chooses) choose_frames(input, options, film);
  return film;
}

}  // namespace tessera
