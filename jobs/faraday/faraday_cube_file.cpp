// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_cube_file.hpp"

#include <algorithm>

#include "core/pools.hpp"
#include "jobs/file_list.hpp"
#include "jobs/job_files.hpp"
#include "jobs/sky_header.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

template <class T>
void to_float(View<const T> from, View<float> to) {
  for (int p = 0; p < from.size.planes; ++p)
    for (int y = 0; y < from.size.height; ++y)
      for (int x = 0; x < from.size.width; ++x)
        to.at(x, y, 0, p) = static_cast<float>(from.at(x, y, 0, p));
}

void to_float(AnyView from, AnyMutableView to) {
  const View<float> floats = to.as<float>();
  if (from.type == Type::u8) return to_float(from.as<const unsigned char>(), floats);
  if (from.type == Type::u16) return to_float(from.as<const unsigned short>(), floats);
  if (from.type == Type::f64) return to_float(from.as<const double>(), floats);
  to_float(from.as<const float>(), floats);
}

/// An NPY of shape (channels, y, x) with up to four columns looks like colours to its reader.
class ThinCube : public ImageSource {
 public:
  explicit ThinCube(std::unique_ptr<ImageSource> file) : file_(std::move(file)) {}
  ImageInfo info() const override {
    ImageInfo info = file_->info();
    info.size = {info.size.channels, info.size.width, 1, info.size.height};
    return info;
  }
  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    ImageInfo row = file_->info();
    row.size.height = 1;
    const Scratch memory = host_scratch(static_cast<std::size_t>(bytes_of(row)));
    const AnyMutableView pixels = packed(memory.data(), row);
    file_->read_plane(0, {plane, plane + 1}, pixels);
    AnyMutableView turned = pixels;
    turned.size = {row.size.channels, row.size.width, 1, 1};
    turned.pixel = 1;
    turned.row = pixels.pixel;
    copy_samples(turned.rows(rows.first, rows.count()), to);
  }
  std::vector<std::string> warnings() const override { return file_->warnings(); }

 private:
  std::unique_ptr<ImageSource> file_;
};

std::unique_ptr<ImageSource> open_cube(const std::string& path, const ReadOptions& reading,
                                       const RunSettings& settings, char parameter) {
  if (parameter && names_several(path))
    return std::make_unique<FaradayStack>(path, parameter, reading, settings);
  auto file = open_input(path, reading, settings);
  const Size size = file->info().size;
  if (file->format() == "NPY" && size.channels > 1 && size.planes == 1)
    return std::make_unique<ThinCube>(std::move(file));
  return file;
}

}  // namespace

FaradayCubeSource::FaradayCubeSource(const std::string& path, const std::string& word,
                                     const ReadOptions& reading, const RunSettings& settings,
                                     char parameter)
    : path_(input_name(path)),
      file_(open_cube(path, reading, settings, parameter)),
      stack_(dynamic_cast<const FaradayStack*>(file_.get())),
      header_(file_->header()),
      axes_(find_cube_axes(path_, *file_, word, parameter)),
      type_(file_->info().type) {
  if (parameter) find_beams();
}

// A cube that is made of all channels has their beam, or none: a table of beams is not kept.
void FaradayCubeSource::find_beams() {
  if (stack_) {
    beams_ = stack_->beams_of_channels();
  } else if (axes_.has_planes()) {
    const auto planes = plane_beams(path_, *file_);
    for (int k = 0; !planes.empty() && k < axes_.size().planes; ++k)
      beams_.push_back(planes[static_cast<std::size_t>(axes_.file_plane(k))]);
  }
  const auto first = beam();
  if (!first) return;
  const bool alike = std::ranges::all_of(
      beams_, [&](const auto& other) { return !other || like_beams(*first, *other); });
  if (!alike) {
    for (const char* keyword : {"BMAJ", "BMIN", "BPA"}) header_.remove(keyword);
    return;
  }
  if (!stack_ && file_->beams().rows.empty()) return;  // they are in the header
  header_.set_number("BMAJ", first->major);
  header_.set_number("BMIN", first->minor);
  header_.set_number("BPA", first->angle);
}

std::optional<Beam> FaradayCubeSource::beam() const {
  for (const auto& beam : beams_)
    if (beam) return beam;
  return std::nullopt;
}

const std::string& FaradayCubeSource::channel_name(std::size_t channel) const {
  return stack_ ? stack_->files()[channel] : path_;
}

int FaradayCubeSource::channel_plane(std::size_t channel) const {
  return stack_ ? stack_->plane_of(channel) : axes_.file_plane(static_cast<int>(channel));
}

std::vector<std::string> FaradayCubeSource::warnings() const {
  std::vector<std::string> all = file_->warnings();
  all.insert(all.end(), beside_.begin(), beside_.end());
  return all;
}

void FaradayCubeSource::also_warn(const std::vector<std::string>& sentences) const {
  for (const std::string& sentence : sentences)
    if (std::ranges::count(beside_, sentence) == 0) beside_.push_back(sentence);
}

std::size_t FaradayCubeSource::scratch_bytes_a_row() const {
  const Size size = axes_.size();
  return type_ == Type::f32 ? 0
                            : static_cast<std::size_t>(bytes_of(type_)) * size.width * size.planes;
}

void FaradayCubeSource::read_as_it_is(Rows rows, AnyMutableView to) {
  axes_.each_plane(rows, to, [&](int plane, Rows file_rows, AnyMutableView part) {
    file_->read_plane(plane, file_rows, part);
  });
}

void FaradayCubeSource::read(Rows rows, AnyMutableView to) {
  if (type_ == Type::f32) return read_as_it_is(rows, to);
  const ImageInfo raw{to.size, type_, kHost};
  const Scratch memory = host_scratch(static_cast<std::size_t>(bytes_of(raw)));
  const AnyMutableView as_stored = packed(memory.data(), raw);
  read_as_it_is(rows, as_stored);
  to_float(as_stored, to);
}

void FaradayCubeSource::read_plane(int plane, Rows rows, AnyMutableView to) {
  const ImageInfo raw{to.size, type_, kHost};
  const Scratch memory = host_scratch(static_cast<std::size_t>(bytes_of(raw)));
  const AnyMutableView as_stored = packed(memory.data(), raw);
  file_->read_plane(axes_.file_plane(plane), rows, as_stored);
  to_float(as_stored, to);
}

void FaradayCubeSink::write(Rows rows, AnyView from) {
  AnyMutableView cube;  // only read: each_plane is also used for writing and passes mutable views
  cube.data = const_cast<void*>(from.data);
  cube.type = from.type;
  cube.size = from.size;
  cube.pixel = from.pixel;
  cube.row = from.row;
  cube.plane = from.plane;
  axes_.each_plane(rows, cube, [&](int plane, Rows file_rows, AnyMutableView part) {
    file_->write_plane(plane, file_rows, part);
  });
}

}  // namespace tessera
