// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/counted.hpp"
#include "core/folder.hpp"
#include "core/pools.hpp"
#include "core/typed_samples.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Rows of a masked image are made a few at a time, so the memory does not grow with strips.
constexpr long long kSamplesAtATime = 1 << 16;

ReadOptions with_page(ReadOptions reading, const std::optional<int>& page) {
  if (page) reading.page = page;
  return reading;
}

template <class Real>
void blank(AnyView mask, View<Real> to) {
  with_samples(mask, [&](auto values) {
    for (int y = 0; y < to.size.height; ++y)
      for (int x = 0; x < to.size.width; ++x)
        if (values.at(x, y) != 0) to.at(x, y) = std::numeric_limits<Real>::quiet_NaN();
  });
}

void check_channels(const std::string& operation, const std::string& name,
                    const ImageSource& file) {
  const ImageInfo info = file.info();
  if (info.size.channels == 1) return;
  const std::string advice =
      is_integer(info.type)
          ? fmt::format(
                "make it grey first: tessera enhance {} grey.{} --steps "
                "grey",
                name == input_name("-") ? "-" : name, file.format() == "TIFF" ? "tif" : "npy")
          : "give a file with one channel";
  throw Error(ErrorKind::usage, fmt::format("{}: {} has {} channels, but one is needed; {}",
                                            operation, name, info.size.channels, advice));
}

/// Contiguous memory for rows of a file.
struct RowsOfFile {
  Scratch memory;
  AnyMutableView view;

  explicit RowsOfFile(ImageInfo info, int rows) {
    info.size = {info.size.width, rows, 1, 1};
    memory = host_scratch(static_cast<std::size_t>(bytes_of(info)));
    view = packed(memory.data(), info);
  }
};

}  // namespace

NamedPage named_page(const std::string& text, const std::string& operation) {
  const std::size_t bracket = text.rfind('[');
  if (bracket == std::string::npos || !text.ends_with(']') || path_exists(text))
    return {text, std::nullopt};
  const char *first = text.data() + bracket + 1, *last = text.data() + text.size() - 1;
  int page = 0;
  const auto [stop, error] = std::from_chars(first, last, page);
  if (error != std::errc() || stop != last || page < 0)
    throw Error(ErrorKind::usage, fmt::format("{}: {} names no HDU; write FILE[N] with N from 0 on",
                                              operation, text));
  return {text.substr(0, bracket), page};
}

NoiseInput::NoiseInput(const NoiseFiles& files, const ReadOptions& reading,
                       const RunSettings& settings)
    : operation_(files.operation), name_(input_name(files.image)) {
  const NamedPage named = named_page(files.image, operation_);
  file_ = open_input(named.path, with_page(reading, named.page), settings);
  check_channels(operation_, name_, *file_);
  planes_ = planes_of_slice(operation_, name_, *file_, files.slice);
  info_ = file_->info();
  info_.size.planes = 1;
  if (!files.mask.empty()) open_mask(files.mask, reading, settings);
  if (mask_ && is_integer(info_.type)) info_.type = Type::f32;
  select(planes_.first);
}

void NoiseInput::select(int plane) {
  plane_ = plane;
  mask_plane_ = mask_ && mask_->info().size.planes > 1 ? plane : 0;
}

void NoiseInput::open_mask(const std::string& mask, const ReadOptions& reading,
                           const RunSettings& settings) {
  const NamedPage named = named_page(mask, operation_);
  mask_ = open_input(named.path,
                     {.allow_truncated = reading.allow_truncated,
                      .page = named.page,
                      .raw = reading.raw,
                      .limits = reading.limits},
                     settings);
  check_channels(operation_, mask, *mask_);
  const Size size = mask_->info().size, wanted = file_->info().size;
  if (size.width != wanted.width || size.height != wanted.height)
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: the mask {} is {}x{}, but the image {}x{}; give a mask of the same size",
                    operation_, mask, size.width, size.height, wanted.width, wanted.height));
  if (size.planes != 1 && size.planes != wanted.planes)
    throw Error(ErrorKind::usage,
                fmt::format("{}: the mask {} has {}, but the image {}; "
                            "give a mask with one plane, or with as many",
                            operation_, mask, counted(size.planes, "plane"), wanted.planes));
}

void NoiseInput::read(Rows rows, AnyMutableView to) {
  if (!mask_) return file_->read_plane(plane_, rows, to);
  const int step = static_cast<int>(std::max(1LL, kSamplesAtATime / info_.size.width));
  for (int row = rows.first; row < rows.end; row += step) {
    const Rows part{row, std::min(row + step, rows.end)};
    const AnyMutableView view(to.rows(row - rows.first, part.count()));
    read_values(part, view);
    blank_masked(part, view);
  }
}

void NoiseInput::read_values(Rows rows, AnyMutableView to) {
  if (file_->info().type == info_.type) return file_->read_plane(plane_, rows, to);
  const RowsOfFile stored(file_->info(), rows.count());
  file_->read_plane(plane_, rows, stored.view);
  const View<float> floats = to.as<float>();
  with_samples(stored.view, [&](auto values) {
    for (int y = 0; y < rows.count(); ++y)
      for (int x = 0; x < info_.size.width; ++x)
        floats.at(x, y) = static_cast<float>(values.at(x, y));
  });
}

void NoiseInput::blank_masked(Rows rows, AnyMutableView to) {
  const RowsOfFile mask(mask_->info(), rows.count());
  mask_->read_plane(mask_plane_, rows, mask.view);
  if (to.type == Type::f32)
    blank(mask.view, to.as<float>());
  else
    blank(mask.view, to.as<double>());
}

std::vector<std::string> NoiseInput::warnings() const {
  std::vector<std::string> all = file_->warnings();
  if (mask_)
    for (const std::string& sentence : mask_->warnings()) all.push_back(sentence);
  return all;
}

}  // namespace tessera
