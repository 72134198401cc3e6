// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "io/formats.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/picture_sequence.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

bool names_many(const std::string& input) {
  std::error_code ignored;
  if (std::filesystem::is_directory(input, ignored)) return true;
  return !std::filesystem::exists(input, ignored) &&
         input.find_first_of("*?[") != std::string::npos;
}

std::vector<std::string> pictures_of(const std::string& input) {
  std::vector<std::string> files = files_of(input);
  std::ranges::sort(files, comes_before);
  return files;
}

// For those who read frames themselves: the file's reader sees all of them.
ReadOptions without_range(ReadOptions options) {
  options.first_frame = 0;
  options.frames.reset();
  return options;
}

template <class T>
bool has_strange(const AnyView& frame) {
  const View<const T> view = frame.as<const T>();
  for (int y = 0; y < view.size.height; ++y)
    for (long long i = 0; i < 1LL * view.size.width * view.size.channels; ++i)
      if (!std::isfinite(view.data[y * view.row + i])) return true;
  return false;
}

// All that --allow-truncated fills: 0 in integers, NaN in floats. A dark row of a whole file is not
// looked at: only files that are known to lack something are.
bool last_row_is_filled(const AnyView& frame) {
  const auto* bytes = frame.address(0, frame.size.height - 1);
  const long long count = 1LL * frame.size.width * frame.size.channels * bytes_of(frame.type);
  return is_integer(frame.type) && std::all_of(bytes, bytes + count, [](auto b) { return b == 0; });
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

FilmSource::FilmSource(const std::string& input, const ReadOptions& options) : name_(input) {
  open(input, options);
  format_ = source_->format();
  warned_ = source_->warnings().size();
  choose_frames(options);
  settle_channels();
}

void FilmSource::open(const std::string& input, const ReadOptions& options) {
  if (names_many(input))
    source_ = open_pictures(pictures_of(input), without_range(options));
  else
    open_file(input, options);
}

// Frames before the damage are wanted in any case. A video gives them, and throws at the first that
// is missing; other readers fill what is missing, if they are let to.
void FilmSource::open_file(const std::string& input, const ReadOptions& options) {
  ReadOptions how = options;
  how.allow_truncated = false;
  const Format* format = format_of_name(input);
  if (!format || !format->frames) how = without_range(how);
  try {
    source_ = open_input(input, how);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    how.allow_truncated = true;
    try {
      source_ = open_input(input, how);
    } catch (const Error&) {
      throw error;  // NOLINT: the first says what is wrong with the file as it is
    }
    short_ = true;
    damage_ = error.what();
  }
}

void FilmSource::choose_frames(const ReadOptions& options) {
  const bool ranged = dynamic_cast<const TimedFrames*>(source_.get()) != nullptr;
  const int held = source_->info().size.planes;
  first_ = options.first_frame;
  count_ = ranged ? held : options.frames.value_or(held - first_);
  if (ranged) return;
  offset_ = first_;
  if (first_ < 0 || first_ >= held)
    throw Error(ErrorKind::usage, fmt::format("{}: there is no frame {}; it has {}, counted from 0",
                                              name_, first_, held));
  if (count_ < 1 || count_ > held - first_)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: there are no {} frames from frame {} on; it has {}, counted from 0", name_,
                    count_, first_, held));
}

void FilmSource::settle_channels() {
  ImageInfo raw = source_->info();
  raw.size.planes = 1;
  raw_ = Image(raw);
  frame_ = raw;
  frame_.size.channels = 1;
  if (raw.size.channels < 3) return;
  if (!is_integer(raw.type))
    throw Error(ErrorKind::input,
                fmt::format("{}: its frames have {} channels of {}; colours can be u8 or u16: make "
                            "them grey first",
                            name_, raw.size.channels, name_of(raw.type)));
  EnhanceOptions grey;
  grey.steps = "grey";
  grey.backend = Backend::cpu;
  to_grey_.emplace(raw, grey);
  stream_.emplace(kHost, 1);
  notes_.push_back(fmt::format("{} has {} channels; cells are looked for in their luminance", name_,
                               raw.size.channels));
}

std::optional<FrameTiming> FilmSource::timing() const {
  const auto* timed = dynamic_cast<const TimedFrames*>(source_.get());
  if (!timed || timed->timing().frames_a_second <= 0) return std::nullopt;
  return timed->timing();
}

bool FilmSource::next(Image& frame) {
  if (next_ == count_) return false;
  try {
    read_frame();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || next_ == 0) throw;
    damage_ = error.what();
    return false;
  }
  frame = grey_frame();
  ++next_;
  return true;
}

void FilmSource::read_frame() {
  source_->read_plane(offset_ + next_, {0, frame_.size.height}, raw_.view());
  check_read();
  warned_ = source_->warnings().size();
}

void FilmSource::check_read() const {
  const AnyView raw = raw_.view();
  if (short_ && (source_->warnings().size() > warned_ || last_row_is_filled(raw)))
    throw Error(ErrorKind::input, damage_);
  const bool strange = raw.type == Type::f32   ? has_strange<float>(raw)
                       : raw.type == Type::f64 ? has_strange<double>(raw)
                                               : false;
  if (strange && short_) throw Error(ErrorKind::input, damage_);
  if (strange)
    throw Error(ErrorKind::input,
                fmt::format("{}: frame {} has NaN or infinity among its samples; fill them before",
                            name_, first_ + next_));
}

// Alpha, the last of 2 or 4 channels, is left out.
Image FilmSource::grey_frame() {
  Image grey;
  if (to_grey_) {
    grey = Image(to_grey_->output());
    (*to_grey_)(std::as_const(raw_).view(), grey.view(), *stream_);
    stream_->wait();
  }
  AnyView view = grey ? std::as_const(grey).view() : std::as_const(raw_).view();
  view.size.channels = 1;
  return copy(view);
}

}  // namespace tessera
