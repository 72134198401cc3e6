// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/study/faraday_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/device.hpp"
#include "core/pools.hpp"
#include "ops/faraday/study/faraday_spot_check.hpp"
#include "sample/random.hpp"
#include "study/placed_image.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Not a divisor of any block or vector, so that all positions in one are compared.
constexpr int kApart = 7;

Image random_cube(Size size, std::uint64_t seed) {
  Image cube(size, Type::f32);
  Random random{seed};
  float* const values = cube.as<float>().data;
  for (long long k = 0; k < size.samples(); ++k)
    values[k] = static_cast<float>(random.between(-1, 1));
  return cube;
}

FaradayAxes axes_for(int channels, int depths) {
  std::vector<double> phi;
  for (int p = 0; p < depths; ++p) phi.push_back(kSpotStep * (p - depths / 2));
  return faraday_axes(spot_channels(channels), phi);
}

Image every_seventh(const Image& cube) {
  const Size size = cube.info().size;
  const auto count = [](int side) { return (side + kApart - 1) / kApart; };
  Image part({count(size.width), count(size.height), 1, size.planes}, Type::f64);
  for (int k = 0; k < size.planes; ++k)
    for (int y = 0; y < size.height; y += kApart)
      for (int x = 0; x < size.width; x += kApart)
        part.as<double>().at(x / kApart, y / kApart, 0, k) =
            double{cube.as<float>().at(x, y, 0, k)};
  return part;
}

/// Views of the parts of complex values, or of the planes of one after the planes of the other.
std::pair<AnyMutableView, AnyMutableView> parts_of(void* data, Size size, const FaradayRoom& room,
                                                   int device) {
  AnyMutableView first = packed(data, {size, room.type, device});
  AnyMutableView second = first;
  if (room.form == FaradayForm::planes) {
    second.data = first.address(0, 0, size.planes);
    return {first, second};
  }
  first.plane = 2;
  first.pixel = 2LL * size.planes;
  first.row = first.pixel * size.width;
  second = first;
  second.data = static_cast<unsigned char*>(data) + bytes_of(room.type);
  return {first, second};
}

template <class T>
void spread(View<const float> from, const View<T>& to) {
  for (int k = 0; k < from.size.planes; ++k)
    for (int y = 0; y < from.size.height; ++y)
      for (int x = 0; x < from.size.width; ++x)
        to.at(x, y, 0, k) = static_cast<T>(from.at(x, y, 0, k));
}
void spread(const Image& from, AnyMutableView to) {
  to.type == Type::f64 ? spread(from.as<float>(), to.as<double>())
                       : spread(from.as<float>(), to.as<float>());
}

template <class T>
void fill_nan(AnyMutableView to) {
  std::fill_n(static_cast<T*>(to.data), to.size.samples(), std::numeric_limits<T>::quiet_NaN());
}

template <class T>
std::string not_finite(AnyView found) {
  const T* const values = static_cast<const T*>(found.data);
  const T* const bad = std::find_if(values, values + found.size.samples(),
                                    [](T value) { return !std::isfinite(value); });
  if (bad == values + found.size.samples()) return "";
  return fmt::format("value {} of {} is {}", bad - values, found.size.samples(), *bad);
}

}  // namespace

FaradayCase::FaradayCase(int side, Stream* device, int channels, int depths)
    : device_(device),
      axes_(axes_for(channels, depths)),
      q_(random_cube({side, side, 1, channels}, 1)),
      u_(random_cube({side, side, 1, channels}, 2)) {
  for (const double phi : axes_.phi)
    for (std::size_t k = 0; k < axes_.lambda2.size(); ++k)
      turns_.push_back(axes_.weight[k] / axes_.weight_sum *
                       std::polar(1.0, -2 * phi * (axes_.lambda2[k] - axes_.lambda2_0)));
  make_truth();
}

void FaradayCase::make_truth() {
  const Image q = every_seventh(q_), u = every_seventh(u_);
  const FaradaySynth reference(q.info(), axes_, {.backend = Backend::cpu, .method = "reference"});
  real_ = Image(reference.output());
  imaginary_ = Image(reference.output());
  reference(q.view(), u.view(), real_.view(), imaginary_.view());
  const Size size = q.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      double sum = 0;
      for (int k = 0; k < size.planes; ++k)
        sum += std::hypot(q.as<double>().at(x, y, 0, k), u.as<double>().at(x, y, 0, k));
      means_.push_back(sum / size.planes);
    }
}

std::string FaradayCase::name() const {
  return fmt::format("{} channels, {}x{}, {} depths", axes_.channels(), side(), side(),
                     axes_.depths());
}

double FaradayCase::bytes(Type type) const {
  return 2.0 * bytes_of(type) * pixels() * (axes_.channels() + axes_.depths());
}

const FaradayRoom& FaradayCase::room(Type type, FaradayForm form, bool on_device,
                                     Stream& stream) const {
  if (on_device && !device_)
    throw Error(ErrorKind::resources, "faraday: the case is not on a device");
  if (room_ && room_->type == type && room_->form == form && room_->on_device == on_device)
    return *room_;
  room_.reset();
  room_ = std::make_unique<FaradayRoom>(made_room(type, form, on_device, stream));
  return *room_;
}

FaradayRoom FaradayCase::made_room(Type type, FaradayForm form, bool on_device,
                                   Stream& stream) const {
  FaradayRoom room{.type = type, .form = form, .on_device = on_device};
  const auto rows_of = [&](int planes) {
    return form == FaradayForm::planes ? Size{pixels(), 2 * planes} : Size{2 * planes, pixels()};
  };
  const auto host = [&](Size size) {
    const auto bytes = static_cast<std::size_t>(size.samples() * bytes_of(type));
    room.memory.push_back(device_ ? device_->pinned_scratch(bytes) : host_scratch(bytes));
    return packed(room.memory.back().data(), {size, type, kHost});
  };
  room.host_given = host(rows_of(axes_.channels()));
  room.host_made = host(rows_of(axes_.depths()));
  const Size image{side(), side(), 1, axes_.channels()}, spectra{side(), side(), 1, axes_.depths()};
  const auto [q, u] = parts_of(room.host_given.data, image, room, kHost);
  spread(q_, q);
  spread(u_, u);
  room.given = room.host_given.data;
  room.made = room.host_made.data;
  if (on_device) {
    for (auto [there, here] :
         {std::pair{&room.given, &room.host_given}, {&room.made, &room.host_made}}) {
      room.memory.push_back(stream.scratch(static_cast<std::size_t>(bytes_of(here->info()))));
      *there = room.memory.back().data();
    }
    device_stream(stream).copy(room.host_given,
                               like_on_device(room.given, room.host_given, stream.device()));
    stream.wait();
  }
  const int device = on_device ? stream.device() : kHost;
  const auto [q_there, u_there] = parts_of(room.given, image, room, device);
  room.q = q_there;
  room.u = u_there;
  std::tie(room.real, room.imaginary) = parts_of(room.made, spectra, room, device);
  return room;
}

void FaradayCase::poison(const PreparedRung&, Stream& stream) const {
  const FaradayRoom& room = *room_;
  room.type == Type::f64 ? fill_nan<double>(room.host_made) : fill_nan<float>(room.host_made);
  if (!room.on_device) return;
  device_stream(stream).copy(room.host_made,
                             like_on_device(room.made, room.host_made, stream.device()));
}

std::string FaradayCase::disagreement(const PreparedRung& rung, Stream& stream) const {
  const FaradayRoom& room = *room_;
  if (room.on_device) {
    device_stream(stream).copy(like_on_device(room.made, room.host_made, stream.device()),
                               room.host_made);
    stream.wait();
  }
  const Size spectra{side(), side(), 1, axes_.depths()};
  const auto [real, imaginary] = parts_of(room.host_made.data, spectra, room, kHost);
  const double bound = rung.bound > 0 ? rung.bound : faraday_bound(room.type);
  if (std::string wrong = wrong_value(real, imaginary, bound); !wrong.empty()) return wrong;
  return room.type == Type::f64 ? not_finite<double>(room.host_made)
                                : not_finite<float>(room.host_made);
}

std::string FaradayCase::wrong_value(AnyView real, AnyView imaginary, double bound) const {
  const Size size = real_.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      for (int p = 0; p < size.planes; ++p) {
        const std::complex<double> found(value_at(real, kApart * x, kApart * y, p),
                                         value_at(imaginary, kApart * x, kApart * y, p));
        const std::complex<double> right(real_.as<double>().at(x, y, 0, p),
                                         imaginary_.as<double>().at(x, y, 0, p));
        const double mean = means_[static_cast<std::size_t>(y * size.width + x)];
        if (!(std::abs(found - right) <= bound * mean))
          return fmt::format(
              "pixel {}, {} at depth {} is {:.9g}{:+.9g}i and should be {:.9g}{:+.9g}i", kApart * x,
              kApart * y, p, found.real(), found.imag(), right.real(), right.imag());
      }
  return "";
}

}  // namespace tessera
