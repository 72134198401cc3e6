// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pools.hpp"
#include "jobs/faraday/faraday_block.hpp"
#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "jobs/faraday/stokes_rough.hpp"
#include "jobs/file_list.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// One channel; `model` is empty if there is none.
struct ChannelViews {
  AnyView q, u, model;
};

/// Whether Q and U are finite at a pixel after division by the model.
bool has_pixel(const ChannelViews& views) {
  const View<const float> q = views.q.as<const float>(), u = views.u.as<const float>();
  for (int y = 0; y < q.size.height; ++y)
    for (int x = 0; x < q.size.width; ++x) {
      const float i = views.model.data ? views.model.as<const float>().at(x, y) : 1;
      if (std::isfinite(q.at(x, y) / i) && std::isfinite(u.at(x, y) / i)) return true;
    }
  return false;
}

}  // namespace

FaradayInput::FaradayInput(const FaradayFiles& files, const ReadOptions& reading,
                           FaradayMemory& memory)
    : files_(files), reading_(reading), memory_(memory) {
  check_ranges("faraday", files.fitting);
  const auto open = [&](const std::string& path, char parameter) {
    auto cube =
        std::make_unique<FaradayCubeSource>(path, "FREQ", reading, memory.settings(), parameter);
    check_like_beams(*cube, files.allowed);
    return cube;
  };
  q_ = open(files.q, 'Q');
  u_ = open(files.u, 'U');
  check_not_exchanged(*q_, *u_);
  check_cubes_agree(*q_, *u_, files.allowed);
  check_two_cubes(*q_, *u_);
  if (!files.model.empty() && !names_several(files.model) && is_number_text(files.model)) {
    list_ = read_stokes_list(files.model);
  } else if (!files.model.empty()) {
    model_ = open(files.model, 'I');
    check_cubes_agree(*q_, *model_, files.allowed);
  }
  if (files.fitting.fit_i && !model_)
    throw Error(ErrorKind::usage,
                files.model.empty()
                    ? "faraday: --fit-i fits a cube of Stokes I; give it with --model"
                    : fmt::format("faraday: --fit-i fits a cube of Stokes I, and {} is a list with "
                                  "one value per channel; give a cube, or leave out --fit-i",
                                  files.model));
  if (!files.keep.empty())
    keep_ = read_faraday_map(files.keep, *q_, "the map of pixels to keep", reading, memory);
}

ImageInfo FaradayInput::info() const {
  ImageInfo info = q_->info();
  info.size.planes *= 2;
  return info;
}

void FaradayInput::set_frequencies(const std::vector<double>& frequencies) {
  if (list_) of_list_ = list_->at(frequencies);
  if (!model_) return;
  const FaradayFitting& fitting = files_.fitting;
  if (!fitting.fit_i) {
    if (!fitting.allow_raw_model) check_is_model(*model_, frequencies);
    return;
  }
  const Size size = cube().size;
  memory_.hold("maps of the fit to Stokes I",
               4.0 * static_cast<double>(1LL * kFittedPlanes * size.width * size.height));
  fitted_ = Image({size.width, size.height, 1, kFittedPlanes}, Type::f32);
  fitter_ =
      std::make_unique<StokesFitter>(*model_, frequencies,
                                     StokesFitOptions{.curve = fitting.curve,
                                                      .order = *fitting.fit_i,
                                                      .snr = fitting.snr,
                                                      .loss = fitting.loss,
                                                      .backend = Backend::cpu},
                                     StokesFitChoices{.noise = fitting.noise}, reading_, memory_);
}

void FaradayInput::fit_only(const std::vector<Point>& pixels) {
  if (fitter_) fitter_->fit_only(pixels);
}

// Rows are read by one thread at a time.
void FaradayInput::read_model(Rows rows, AnyMutableView to, AnyMutableView maps) {
  if (!fitter_) return model_->read(rows, to);
  Stream stream = memory_.settings().stream(kHost);
  const FaradayBlock read(rows_of(fitter_->info(), rows.count(), kHost), stream);
  std::optional<FaradayBlock> own;
  if (!maps.data)
    maps = own.emplace(rows_of(fitter_->plan().output(), rows.count(), kHost), stream).view;
  fitter_->read(rows, read.view);
  fitter_->fit(read.view, to, maps, stream);
  constexpr int kFrom[kFittedPlanes] = {StokesPlanes::alpha, StokesPlanes::alpha_error,
                                        StokesPlanes::status};
  for (int plane = 0; plane < kFittedPlanes; ++plane)
    copy_samples(planes_of(AnyView(maps), kFrom[plane], 1),
                 planes_of(fitted_.view(), plane, 1).rows(rows.first, rows.count()));
}

// The same value for all pixels of a channel: steps of 0.
AnyView FaradayInput::list_view(const Size& size) const {
  AnyView view;
  view.data = of_list_.data();
  view.size = size;
  view.pixel = view.row = 0;
  view.plane = 1;
  return view;
}

void FaradayInput::refer_to(const FaradayAxes& axes) { reference_ = faraday_model_place(axes); }

std::vector<double> FaradayInput::list_factors() const {
  const auto at = [&](int k) { return static_cast<double>(of_list_[static_cast<std::size_t>(k)]); };
  std::vector<double> factors;
  for (const float value : of_list_) {
    const double low = at(reference_.low), high = at(reference_.high);
    factors.push_back((low + reference_.share * (high - low)) / value);
  }
  return factors;
}

std::size_t FaradayInput::scratch_bytes_a_row() const {
  const Size size = cube().size;
  const std::size_t model = model_ ? std::size_t{4} * size.width * size.planes : 0;
  const std::size_t fit =
      fitter_ ? std::size_t{4} * size.width * (fitter_->info().size.planes + StokesPlanes::count) +
                    fitter_->scratch_bytes_a_row()
              : 0;
  return model + fit + q_->scratch_bytes_a_row() + (model_ ? model_->scratch_bytes_a_row() : 0);
}

void FaradayInput::read(Rows rows, AnyMutableView to, AnyMutableView noise) {
  const int channels = cube().size.planes;
  const AnyMutableView q = planes_of(to, 0, channels), u = planes_of(to, channels, channels);
  q_->read(rows, q);
  u_->read(rows, u);
  if (has_model()) divide_by_model(rows, q, u, noise);
  if (keep_) leave_out_unkept(rows, q);
}

// The spectrum of Q / I times I at the reference frequency equals that of Q times the quotient of
// the two intensities.
void FaradayInput::divide_by_model(Rows rows, AnyMutableView q, AnyMutableView u,
                                   AnyMutableView noise) {
  ImageInfo info = cube();
  info.size.height = rows.count();
  Scratch memory;
  AnyView model = list_view(info.size);
  if (model_) {
    memory = host_scratch(static_cast<std::size_t>(bytes_of(info)));
    read_model(rows, packed(memory.data(), info));
    model = packed(memory.data(), info);
  }
  const View<const float> i = model.as<const float>();
  const View<float> qs = q.as<float>(), us = u.as<float>();
  const auto [below, above, part] = reference_;
  const auto share = static_cast<float>(part);
  for (int k = 0; k < info.size.planes; ++k)
    for (int y = 0; y < info.size.height; ++y)
      for (int x = 0; x < info.size.width; ++x) {
        const float low = i.at(x, y, 0, below);
        const float at_reference = low + share * (i.at(x, y, 0, above) - low);
        const float factor = at_reference / i.at(x, y, 0, k);
        qs.at(x, y, 0, k) *= factor;
        us.at(x, y, 0, k) *= factor;
        if (noise.data) noise.as<float>().at(x, y, 0, k) *= std::abs(factor);
      }
}

void FaradayInput::leave_out_unkept(Rows rows, AnyMutableView q) const {
  const View<float> qs = q.as<float>();
  for (int y = 0; y < rows.count(); ++y)
    for (int x = 0; x < q.size.width; ++x) {
      const float kept = keep_.as<float>().at(x, rows.first + y);
      if (kept != 0 && !std::isnan(kept)) continue;
      for (int k = 0; k < q.size.planes; ++k)
        qs.at(x, y, 0, k) = std::numeric_limits<float>::quiet_NaN();
    }
}

// Marks the channels that have a valid pixel in these rows as alive.
void FaradayInput::look_for_pixels(Rows rows, bool by_plane, std::vector<unsigned char>& dead) {
  ImageInfo info = cube();
  info.size.height = rows.count();
  if (by_plane) info.size.planes = 1;
  Image q(info), u(info), model = divides_by_cube() ? Image(info) : Image();
  if (!by_plane) {
    q_->read(rows, q.view()), u_->read(rows, u.view());
    if (divides_by_cube()) model_->read(rows, model.view());
  }
  for (int k = 0; k < cube().size.planes; ++k) {
    unsigned char& is_dead = dead[static_cast<std::size_t>(k)];
    if (!is_dead) continue;
    if (by_plane) {
      q_->read_plane(k, rows, q.view()), u_->read_plane(k, rows, u.view());
      if (divides_by_cube()) model_->read_plane(k, rows, model.view());
    }
    const int plane = by_plane ? 0 : k;
    ChannelViews views{
        planes_of(AnyView(q.view()), plane, 1), planes_of(AnyView(u.view()), plane, 1), {}};
    if (divides_by_cube()) views.model = planes_of(AnyView(model.view()), plane, 1);
    if (list_) views.model = planes_of(list_view(info.size), k, 1);
    is_dead = !has_pixel(views);
  }
}

std::vector<unsigned char> FaradayInput::find_dead() {
  constexpr long long kEnoughBytes = 1 << 22;
  const Size size = cube().size;
  const int height = size.height, channels = size.planes;
  const bool by_plane = q_->axes().has_planes() && u_->axes().has_planes() &&
                        (!model_ || model_->axes().has_planes());
  const long long row_bytes = (model_ ? 12LL : 8LL) * size.width * (by_plane ? 1 : channels);
  const int step = static_cast<int>(std::clamp<long long>(kEnoughBytes / row_bytes, 1, height));
  std::vector<unsigned char> dead(static_cast<std::size_t>(channels), 1);
  for (int done = 0, row = height / 2; done < height && std::ranges::count(dead, 1) > 0;) {
    const Rows rows{row, std::min({row + step, height, row + height - done})};
    look_for_pixels(rows, by_plane, dead);
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
