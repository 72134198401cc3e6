// SPDX-License-Identifier: Apache-2.0
#include "core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

std::string place(int device) {
  return device == kHost ? "the host" : fmt::format("device {}", device);
}

std::string text(const ImageInfo& info) {
  return fmt::format("{}, {}, {} of {}", counted(info.size.width, "column"),
                     counted(info.size.channels, "channel"), counted(info.size.planes, "plane"),
                     name_of(info.type));
}

/// First byte and one past the last byte that a view covers.
std::pair<const unsigned char*, const unsigned char*> range(const AnyView& v) {
  const unsigned char *low = v.address(0, 0), *high = low;
  for (const long long step :
       {v.pixel * (v.size.width - 1), v.row * (v.size.height - 1), v.plane * (v.size.planes - 1)})
    (step < 0 ? low : high) += step * bytes_of(v.type);
  return {low, high + static_cast<long long>(v.size.channels) * bytes_of(v.type)};
}

template <class T>
void append(AnyView view, std::vector<double>& to) {
  const View<const T> typed = view.as<const T>();
  for (int p = 0; p < view.size.planes; ++p)
    for (int y = 0; y < view.size.height; ++y)
      for (int x = 0; x < view.size.width; ++x)
        for (int c = 0; c < view.size.channels; ++c)
          to.push_back(static_cast<double>(typed.at(x, y, c, p)));
}

}  // namespace

void check_image(const char* operation, const ImageInfo& image) {
  const Size s = image.size;
  if (s.width < 0 || s.height < 0 || s.planes < 0 || s.channels < 1 || s.channels > 4)
    refuse(operation, fmt::format("the image is {}x{} with {} and {}; channels can be "
                                  "1 to 4, and no size can be negative",
                                  s.width, s.height, counted(s.channels, "channel"),
                                  counted(s.planes, "plane")));
  if (is_signed_integer(image.type))
    refuse(operation,
           fmt::format("the image is {}; it can be u8, u16, f32 or f64", name_of(image.type)));
}

void check_call(const char* operation, const Piece& in, const MutablePiece& out,
                const ImageInfo& input, const ImageInfo& output, const Stream& stream, int device) {
  check_piece(operation, "input", in.view.info(), input);
  check_piece(operation, "output", out.view.info(), output);
  check_apart(operation, in.view, out.view);
  check_stream(operation, stream, device);
  if (out.first_row < 0 || out.rows().end > output.size.height)
    refuse(operation, fmt::format("output rows {} to {} are requested; the result has rows 0 to {}",
                                  out.first_row, out.rows().end, output.size.height));
}

std::string image_text(const ImageInfo& image) {
  const Size s = image.size;
  return fmt::format(
      "{}x{}{}{} {}", s.width, s.height, s.channels > 1 ? fmt::format("x{}", s.channels) : "",
      s.planes > 1 ? fmt::format(", {} planes,", s.planes) : "", name_of(image.type));
}

void check_piece(const char* operation, const char* which, const ImageInfo& given,
                 const ImageInfo& planned) {
  Size size = given.size;
  size.height = planned.size.height;
  if (size != planned.size || given.type != planned.type)
    refuse(operation, fmt::format("the {} has {}; the plan was made for {}", which, text(given),
                                  text(planned)));
  if (given.device != planned.device)
    refuse(operation, fmt::format("the {} is on {}; the plan was made for {}", which,
                                  place(given.device), place(planned.device)));
}

void check_whole(const char* operation, const char* which, const ImageInfo& given,
                 const ImageInfo& planned) {
  check_piece(operation, which, given, planned);
  if (given.size.height != planned.size.height)
    refuse(operation, fmt::format("the {} has {} rows; the plan was made for {}", which,
                                  given.size.height, planned.size.height));
}

void check_constant(const char* operation, Border border, double constant, Type type) {
  if (border == Border::constant && std::isnan(constant) && is_integer(type))
    refuse(operation, fmt::format("constant is nan, which {} does not have; give a number, or an "
                                  "image of f32",
                                  name_of(type)));
}

void check_stencil(const char* operation, const char* which, const char* part,
                   const AnyView& view) {
  const Size s = view.size;
  if (view.device != kHost)
    refuse(operation, fmt::format("the {} is on a device; it must be in host memory", which));
  if (s.width < 1 || s.height < 1)
    refuse(operation, fmt::format("the {} is {} by {}; it needs at least one {} each way", which,
                                  s.width, s.height, part));
  if (s.channels != 1 || s.planes != 1)
    refuse(operation, fmt::format("the {} has {} and {}; it needs one of each", which,
                                  counted(s.channels, "channel"), counted(s.planes, "plane")));
}

Point anchor_in(const char* operation, const char* which, const std::optional<Point>& wanted,
                Size size) {
  const Point anchor = wanted.value_or(Point{size.width / 2, size.height / 2});
  if (anchor.x < 0 || anchor.x >= size.width || anchor.y < 0 || anchor.y >= size.height)
    refuse(operation,
           fmt::format("the anchor is column {}, row {}, which the {} does not have; its "
                       "columns are 0 to {}, its rows 0 to {}",
                       anchor.x, anchor.y, which, size.width - 1, size.height - 1));
  return anchor;
}

void check_apart(const char* operation, const AnyView& in, const AnyView& out) {
  if (in.size.empty() || out.size.empty() || in.device != out.device) return;
  const auto [in_low, in_high] = range(in);
  const auto [out_low, out_high] = range(out);
  if (in_low < out_high && out_low < in_high)
    refuse(operation, "input and output share memory; give the output its own memory");
}

void check_stream(const char* operation, const Stream& stream, int device) {
  if (stream.device() != device)
    refuse(operation, fmt::format("the stream is on {} but the plan runs on {}; make it with "
                                  "Stream(plan.device())",
                                  place(stream.device()), place(device)));
}

std::vector<double> samples_as_double(AnyView view) {
  std::vector<double> samples;
  samples.reserve(static_cast<std::size_t>(view.size.samples()));
  switch (view.type) {
    case Type::u8:
      append<unsigned char>(view, samples);
      break;
    case Type::u16:
      append<unsigned short>(view, samples);
      break;
    case Type::f32:
      append<float>(view, samples);
      break;
    case Type::f64:
      append<double>(view, samples);
      break;
    case Type::i16:
      append<short>(view, samples);
      break;
    case Type::i32:
      append<int>(view, samples);
      break;
  }
  return samples;
}

}  // namespace tessera
