// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "jobs/cells/film_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

template <class T>
bool has_strange(const AnyView& frame) {
  const View<const T> view = frame.as<const T>();
  for (int y = 0; y < view.size.height; ++y)
    for (long long i = 0; i < 1LL * view.size.width * view.size.channels; ++i)
      if (!std::isfinite(view.data[y * view.row + i])) return true;
  return false;
}

// The values that --allow-truncated fills in: 0 for integers, NaN for floats. Dark rows of complete
// files are safe: only files that are known to be incomplete are searched.
bool last_row_is_filled(const AnyView& frame) {
  const auto* bytes = frame.address(0, frame.size.height - 1);
  const long long count = 1LL * frame.size.width * frame.size.channels * bytes_of(frame.type);
  return is_integer(frame.type) && std::all_of(bytes, bytes + count, [](auto b) { return b == 0; });
}

}  // namespace

FilmSource::FilmSource(const std::string& input, const FilmReading& options)
    : FilmSource(input, open_film(input, options), options) {}

FilmSource::FilmSource(const std::string& name, FilmFile film, const FilmReading& options)
    : name_(name), first_(options.first_frame) {
  all_asked_for_ = options.frames.has_value();
  source_ = std::move(film.source);
  damage_ = film.damage;
  timing_ = film.timing;
  um_per_pixel_ = film.um_per_pixel;
  notes_ = std::move(film.notes);
  short_ = !damage_.empty();
  warned_ = source_->warnings().size();
  format_ = source_->format();
  count_ = source_->info().size.planes;
  settle_channels();
  if (options.in_memory.device == kHost) return;
  on_device_ = options.in_memory;
  frame_.device = on_device_.device;
}

void FilmSource::settle_channels() {
  ImageInfo raw = source_->info();
  raw.size.planes = 1;
  raw_ = Image(raw);
  frame_ = raw;
  frame_.size.channels = 1;
  if (raw.size.channels < 3) return;
  if (!is_integer(raw.type))
    throw Error(ErrorKind::input, fmt::format("{}: its frames have {} channels of {}; colours must "
                                              "be u8 or u16: convert them to grey first",
                                              name_, raw.size.channels, name_of(raw.type)));
  EnhanceOptions grey;
  grey.steps = "grey";
  grey.backend = Backend::cpu;
  to_grey_.emplace(raw, grey);
  stream_.emplace(kHost, 1);
  notes_.push_back(fmt::format("{} has {} channels; cells are searched for in their luminance",
                               name_, raw.size.channels));
}

bool FilmSource::next(Image& frame) {
  if (next_ == count_) {
    if (all_asked_for_) damage_.clear();  // the damage lies after them
    return false;
  }
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

bool FilmSource::next(FilmFrame& frame) {
  if (on_device_.data) {
    if (next_ == count_) return false;
    frame.view = on_device_.only_plane(first_ + next_++);
    return true;
  }
  if (!next(frame.read)) return false;
  frame.view = std::as_const(frame.read).view();
  return true;
}

void FilmSource::end(FilmEnd end) {
  count_ = next_;
  damage_ = std::move(end.damage);
  notes_.insert(notes_.end(), end.notes.begin(), end.notes.end());
  timing_ = end.timing;
  um_per_pixel_ = end.um_per_pixel;
}

void FilmSource::read_frame() {
  source_->read_plane(next_, {0, frame_.size.height}, raw_.view());
  check_read();
  warned_ = source_->warnings().size();
}

void FilmSource::check_read() {
  const AnyView raw = raw_.view();
  if (short_ && (source_->warnings().size() > warned_ || last_row_is_filled(raw)))
    throw Error(ErrorKind::input, damage_);
  const bool strange = raw.type == Type::f32   ? has_strange<float>(raw)
                       : raw.type == Type::f64 ? has_strange<double>(raw)
                                               : false;
  if (strange && short_) throw Error(ErrorKind::input, damage_);
  if (strange) ++strange_;
}

std::vector<std::string> FilmSource::notes() const {
  std::vector<std::string> all = notes_;
  if (strange_ > 0)
    all.push_back(
        fmt::format("{}: {} of {} {} NaN or infinity among {} samples; these are "
                    "replaced by neighbours (docs/cells.md)",
                    name_, strange_, counted(next_, "frame"), strange_ == 1 ? "has" : "have",
                    strange_ == 1 ? "its" : "their"));
  return all;
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
