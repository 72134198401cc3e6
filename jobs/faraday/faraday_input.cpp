// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pools.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string shape_text(const Size& size) {
  return fmt::format("{} channels of {}x{}", size.planes, size.width, size.height);
}

void check_same(const FaradayCubeSource& q, const FaradayCubeSource& other) {
  if (q.info().size == other.info().size) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("faraday: {} has {}, and {} has {}; both must have the same shape", q.path(),
                  shape_text(q.info().size), other.path(), shape_text(other.info().size)));
}

bool has_pixel(AnyView q, AnyView u, int plane) {
  for (int y = 0; y < q.size.height; ++y)
    for (int x = 0; x < q.size.width; ++x)
      if (std::isfinite(q.as<const float>().at(x, y, 0, plane)) &&
          std::isfinite(u.as<const float>().at(x, y, 0, plane)))
        return true;
  return false;
}

}  // namespace

FaradayInput::FaradayInput(const FaradayFiles& files, const ReadOptions& reading,
                           const RunSettings& settings) {
  const auto open = [&](const std::string& path) {
    return std::make_unique<FaradayCubeSource>(path, "FREQ", reading, settings);
  };
  q_ = open(files.q);
  u_ = open(files.u);
  check_same(*q_, *u_);
  if (!files.model.empty()) {
    model_ = open(files.model);
    check_same(*q_, *model_);
  }
  if (!files.mask.empty()) mask_ = read_faraday_map(files.mask, *q_, "the mask", reading);
}

ImageInfo FaradayInput::info() const {
  ImageInfo info = q_->info();
  info.size.planes *= 2;
  return info;
}

void FaradayInput::refer_to(const FaradayAxes& axes) {
  const double wanted = axes.frequency_0();
  const auto frequency = [&](int k) { return axes.frequency[static_cast<std::size_t>(k)]; };
  below_ = above_ = -1;
  for (int k = 0; k < axes.channels(); ++k) {
    if (frequency(k) <= wanted && (below_ < 0 || frequency(k) > frequency(below_))) below_ = k;
    if (frequency(k) >= wanted && (above_ < 0 || frequency(k) < frequency(above_))) above_ = k;
  }
  if (below_ < 0) below_ = above_;
  if (above_ < 0) above_ = below_;
  const double width = frequency(above_) - frequency(below_);
  share_ = width > 0 ? static_cast<float>((wanted - frequency(below_)) / width) : 0;
}

std::size_t FaradayInput::scratch_bytes_a_row() const {
  const Size size = cube().size;
  const std::size_t model = model_ ? std::size_t{4} * size.width * size.planes : 0;
  return model + q_->scratch_bytes_a_row() + (model_ ? model_->scratch_bytes_a_row() : 0);
}

void FaradayInput::read(Rows rows, AnyMutableView to) {
  const int channels = cube().size.planes;
  const AnyMutableView q = planes_of(to, 0, channels), u = planes_of(to, channels, channels);
  q_->read(rows, q);
  u_->read(rows, u);
  if (model_) divide_by_model(rows, q, u);
  if (mask_) leave_out_masked(rows, q);
}

// The spectrum of Q / I times I at the reference frequency is that of Q times the quotient of both.
void FaradayInput::divide_by_model(Rows rows, AnyMutableView q, AnyMutableView u) {
  ImageInfo info = cube();
  info.size.height = rows.count();
  const Scratch memory = host_scratch(static_cast<std::size_t>(bytes_of(info)));
  const AnyMutableView model = packed(memory.data(), info);
  model_->read(rows, model);
  const View<const float> i = AnyView(model).as<const float>();
  const View<float> qs = q.as<float>(), us = u.as<float>();
  for (int k = 0; k < info.size.planes; ++k)
    for (int y = 0; y < info.size.height; ++y)
      for (int x = 0; x < info.size.width; ++x) {
        const float low = i.at(x, y, 0, below_);
        const float at_reference = low + share_ * (i.at(x, y, 0, above_) - low);
        const float factor = at_reference / i.at(x, y, 0, k);
        qs.at(x, y, 0, k) *= factor;
        us.at(x, y, 0, k) *= factor;
      }
}

void FaradayInput::leave_out_masked(Rows rows, AnyMutableView q) const {
  const View<float> qs = q.as<float>();
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < q.size.width; ++x) {
      const float kept = mask_.as<float>().at(x, rows.first + y);
      if (kept != 0 && !std::isnan(kept)) continue;
      for (int k = 0; k < q.size.planes; ++k)
        qs.at(x, y, 0, k) = std::numeric_limits<float>::quiet_NaN();
    }
}

std::vector<unsigned char> FaradayInput::find_dead() {
  constexpr long long kEnoughBytes = 1 << 22;
  ImageInfo info = cube();
  const int height = info.size.height, channels = info.size.planes;
  const bool by_plane = q_->axes().has_planes() && u_->axes().has_planes();
  const long long row_bytes = 8LL * info.size.width * (by_plane ? 1 : channels);
  const int step = static_cast<int>(std::clamp<long long>(kEnoughBytes / row_bytes, 1, height));
  std::vector<unsigned char> dead(static_cast<std::size_t>(channels), 1);
  const auto look = [&](Rows rows) {
    info.size.height = rows.count();
    info.size.planes = by_plane ? 1 : channels;
    Image q(info), u(info);
    if (!by_plane) q_->read(rows, q.view()), u_->read(rows, u.view());
    for (int k = 0; k < channels; ++k) {
      unsigned char& is_dead = dead[static_cast<std::size_t>(k)];
      if (!is_dead) continue;
      if (by_plane) q_->read_plane(k, rows, q.view()), u_->read_plane(k, rows, u.view());
      is_dead = !has_pixel(q.view(), u.view(), by_plane ? 0 : k);
    }
    return std::ranges::count(dead, 1) > 0;
  };
  for (int done = 0, row = height / 2; done < height;) {
    const Rows rows{row, std::min({row + step, height, row + height - done})};
    if (!look(rows)) break;
    done += rows.count();
    row = rows.end % height;
  }
  return dead;
}

std::vector<std::string> FaradayInput::warnings() const {
  std::vector<std::string> all;
  for (const auto* cube : {q_.get(), u_.get(), model_.get()})
    if (cube)
      for (const std::string& warning : cube->warnings()) all.push_back(warning);
  return all;
}

}  // namespace tessera
