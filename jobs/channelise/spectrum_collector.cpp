// SPDX-License-Identifier: Apache-2.0
#include "jobs/channelise/spectrum_collector.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numbers>

#include "core/folder.hpp"

namespace tessera {
namespace {

/// The response is drawn so far from the middle, in channels, in steps of a fiftieth.
constexpr double kReach = 4;
constexpr int kSteps = 50;

template <class T>
double power_of(const unsigned char* at, long long imaginary) {
  T re, im;
  std::memcpy(&re, at, sizeof re);
  std::memcpy(&im, at + imaginary, sizeof im);
  return static_cast<double>(re) * static_cast<double>(re) +
         static_cast<double>(im) * static_cast<double>(im);
}

double power_of(SampleType type, const unsigned char* at, long long imaginary) {
  if (type == SampleType::ci8) return power_of<std::int8_t>(at, imaginary);
  if (type == SampleType::ci16) return power_of<std::int16_t>(at, imaginary);
  return power_of<float>(at, imaginary);
}

void add_response(const Channelise& plan, PlottedBank& bank) {
  const auto h = plan.coefficients();
  for (int k = -static_cast<int>(kReach * kSteps); k <= kReach * kSteps; ++k) {
    const double offset = static_cast<double>(k) / kSteps;
    const double step = 2 * std::numbers::pi * offset / plan.transform();
    std::complex<double> sum = 0;
    for (std::size_t n = 0; n < h.size(); ++n)
      sum += double(h[n]) * std::polar(1.0, step * static_cast<double>(n));
    bank.offset.push_back(offset);
    bank.response.push_back(std::norm(sum));
  }
}

}  // namespace

SpectrumCollector::SpectrumCollector(const ChanneliseJob& job, const ChannelisedVoltages& spectra)
    : wanted_(!job.choices.picture.empty()), info_(spectra.info()) {
  if (!wanted_) return;
  const ChanneliseOptions& o = spectra.plan().options();
  title_ = fmt::format("{}: {} channels, {} taps{}", name_in_folder(job.inputs.front()),
                       info_.shape.channels, o.taps,
                       o.oversample == "1" ? "" : ", oversampled " + o.oversample);
  add_response(spectra.plan(), bank_);
  bank_.frequency_name = info_.frequency.empty() ? "channel" : "frequency (MHz)";
  for (int c = 0; c < info_.shape.channels; ++c)
    bank_.frequency.push_back(
        info_.frequency.empty() ? c : info_.frequency[static_cast<std::size_t>(c)] / 1e6);
  sums_.resize(static_cast<std::size_t>(info_.shape.polarisations * info_.shape.channels));
  counts_.resize(static_cast<std::size_t>(info_.shape.polarisations));
}

void SpectrumCollector::add(const VoltageBlock& block) {
  if (!wanted_) return;
  const VoltageLayout& l = block.layout;
  const int inputs = info_.shape.inputs(), channels = info_.shape.channels;
  for (int i = 0; i < inputs; ++i) {
    const int p = i % info_.shape.polarisations;
    const auto* const input = static_cast<const unsigned char*>(block.data) +
                              i / info_.shape.polarisations * l.antenna + p * l.polarisation;
    for (long long t = 0; t < block.samples; ++t) {
      if (!block.valid.empty() &&
          block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + i)] == 0)
        continue;
      counts_[static_cast<std::size_t>(p)] += 1;
      const auto* const at = input + t / l.group * l.group_step + t % l.group * l.time;
      for (int c = 0; c < channels; ++c)
        sums_[static_cast<std::size_t>(p * channels + c)] +=
            power_of(info_.samples, at + c * l.channel, l.imaginary);
    }
  }
}

Plot SpectrumCollector::plot(PictureFormat format) const {
  PlottedBank bank = bank_;
  const auto channels = static_cast<std::size_t>(info_.shape.channels);
  for (std::size_t p = 0; p < counts_.size(); ++p) {
    PlottedPower spectrum{counts_.size() == 2 ? (p == 0 ? "X" : "Y") : fmt::format("{}", p), {}};
    for (std::size_t c = 0; c < channels; ++c)
      spectrum.power.push_back(sums_[p * channels + c] / counts_[p]);
    bank.spectra.push_back(std::move(spectrum));
  }
  return plot_bank(title_, bank, format);
}

}  // namespace tessera
