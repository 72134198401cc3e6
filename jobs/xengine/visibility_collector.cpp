// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/visibility_collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "core/folder.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

template <class Number>
std::complex<double> pair_at(const void* values, long long place) {
  const auto* parts = static_cast<const Number*>(values) + 2 * place;
  return {static_cast<double>(parts[0]), static_cast<double>(parts[1])};
}

std::complex<double> complex_at(const void* values, VisibilityType type, long long place) {
  switch (type) {
    case VisibilityType::i32:
      return pair_at<std::int32_t>(values, place);
    case VisibilityType::f32:
      return pair_at<float>(values, place);
    case VisibilityType::f64:
      return pair_at<double>(values, place);
    default:
      return pair_at<std::int64_t>(values, place);
  }
}

/// Antenna 0 with up to four others, from near and far in the list.
std::set<int> partners(int antennas) {
  if (antennas == 1) return {0};
  const int last = antennas - 1;
  return {1, std::max(1, last / 3), std::max(1, 2 * last / 3), last};
}

void check(const XEngineJob& job, int channels) {
  const int channel = job.choices.picture_channel.value_or(0);
  if (channel < 0 || channel >= channels)
    throw Error(
        ErrorKind::usage,
        fmt::format("xengine: picture-channel is {}, but there are {} channels; it must be 0 to {}",
                    channel, channels, channels - 1));
  if (job.options.order == VisibilityOrder::register_tile)
    throw Error(ErrorKind::usage,
                "xengine: pictures need order triangular or full, not register-tile; leave out "
                "--picture or --order");
}

}  // namespace

void VisibilityCollector::Counted::operator+=(const Counted& other) {
  sum += other.sum;
  count += other.count;
}

VisibilityCollector::Sum VisibilityCollector::Counted::mean() const { return sum / count; }

void VisibilityCollector::Trio::operator+=(const Trio& other) {
  cross += other.cross;
  first += other.first;
  second += other.second;
}

VisibilityCollector::Sum VisibilityCollector::Trio::coefficient() const {
  return cross.mean() / std::sqrt(first.mean().real() * second.mean().real());
}

VisibilityCollector::VisibilityCollector(const XEngineJob& job, const XEngineDescription& d)
    : wanted_(!job.choices.picture.empty()), description_(d) {
  if (!wanted_) return;
  check(job, d.output.channels);
  title_ = fmt::format("{}: {}x{} inputs", name_in_folder(job.inputs.front()), d.shape.antennas,
                       d.shape.polarisations);
  channel_ = job.choices.picture_channel.value_or(d.output.channels / 2);
  const auto inputs = static_cast<std::size_t>(d.shape.inputs());
  matrix_.resize(inputs * inputs);
  for (const int antenna : partners(d.shape.antennas))
    baselines_.push_back({antenna * d.shape.polarisations, 0, {}, {}});
  for (Baseline& baseline : baselines_)
    baseline.over_frequency.resize(static_cast<std::size_t>(d.output.channels));
}

VisibilityCollector::Counted VisibilityCollector::value(const XEngineIntegration& in, int channel,
                                                        int i, int j) const {
  const VisibilityInfo& info = description_.output;
  const int p = description_.shape.polarisations, a = i / p, b = j / p;
  long long place = 1LL * i * description_.shape.inputs() + j;
  if (info.order != VisibilityOrder::full) {
    if (a < b) {
      const Counted other = value(in, channel, j, i);
      return {std::conj(other.sum), other.count};
    }
    place = ((1LL * a * (a + 1) / 2 + b) * p + i % p) * p + j % p;
  }
  return {
      complex_at(in.values, info.type, channel * info.values + place),
      static_cast<double>(in.dump.valid.empty() ? in.dump.samples * description_.average
                                                : in.dump.valid[static_cast<std::size_t>(place)])};
}

VisibilityCollector::Trio VisibilityCollector::trio(const XEngineIntegration& in, int channel,
                                                    int i, int j) const {
  return {value(in, channel, i, j), value(in, channel, i, i), value(in, channel, j, j)};
}

void VisibilityCollector::add(const XEngineIntegration& in) {
  if (!wanted_) return;
  const int inputs = description_.shape.inputs();
  Counted* sum = matrix_.data();
  for (int i = 0; i < inputs; ++i)
    for (int j = 0; j < inputs; ++j) *sum++ += value(in, channel_, i, j);
  for (Baseline& line : baselines_) {
    for (int c = 0; c < description_.output.channels; ++c)
      line.over_frequency[static_cast<std::size_t>(c)] += trio(in, c, line.i, line.j);
    line.over_time.push_back(trio(in, channel_, line.i, line.j).coefficient());
  }
  const double middle =
      static_cast<double>(in.first_sample) + static_cast<double>(in.dump.samples) / 2;
  times_.push_back(middle / description_.recording.sample_rate.value_or(1));
}

PlottedVisibilities VisibilityCollector::plotted() const {
  const XEngineDescription& d = description_;
  const auto inputs = static_cast<std::size_t>(d.shape.inputs());
  PlottedVisibilities out{.inputs = d.shape.inputs(),
                          .channel = fmt::format("channel {}", channel_),
                          .time = times_,
                          .frequency_name = d.frequency.empty() ? "channel" : "frequency (MHz)",
                          .time_name = d.recording.sample_rate ? "time (s)" : "time (samples)"};
  for (int c = 0; c < d.output.channels; ++c)
    out.frequency.push_back(d.frequency.empty() ? c
                                                : d.frequency[static_cast<std::size_t>(c)] / 1e6);
  if (!d.frequency.empty())
    out.channel += fmt::format(", {:.6g} MHz", out.frequency[static_cast<std::size_t>(channel_)]);
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t j = 0; j < inputs; ++j)
      out.matrix.push_back(
          Trio{matrix_[i * inputs + j], matrix_[i * inputs + i], matrix_[j * inputs + j]}
              .coefficient());
  for (const Baseline& line : baselines_) {
    PlottedFringe fringe{
        .name = fmt::format(
            "{} - {}",
            d.antennas.antennas[static_cast<std::size_t>(line.i / d.shape.polarisations)].name,
            d.antennas.antennas.front().name),
        .over_time = line.over_time};
    for (const Trio& sums : line.over_frequency)
      fringe.over_frequency.push_back(sums.coefficient());
    out.fringes.push_back(std::move(fringe));
  }
  return out;
}

Plot VisibilityCollector::plot(PictureFormat format) const {
  return plot_visibilities(title_, plotted(), format);
}

}  // namespace tessera
