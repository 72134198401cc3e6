// SPDX-License-Identifier: Apache-2.0
#include "ops/channelise/channelise_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "core/pools.hpp"
#include "ops/channelise/channelise_filter.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMostInputs = 1 << 20;
/// Filters up to a quarter of a gigabyte; numbers of output channels fit an int.
constexpr long long kMostLength = 1 << 26;
/// Numbers of samples of a recording, so that products with steps fit.
constexpr long long kMostSamples = 1LL << 48;
constexpr double kMostBytes = 0x1p60;

template <class... Args>
[[noreturn]] void refuse_channelise(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorKind::usage, "channelise: " + fmt::format(text, std::forward<Args>(args)...));
}

struct Ratio {
  int p = 1, q = 1;
};

/// "1", "8/7"; nothing for other texts.
Ratio parse_ratio(const std::string& text) {
  Ratio ratio;
  const std::size_t slash = text.find('/');
  from_text("channelise: oversample", text.substr(0, slash), ratio.p);
  if (slash != std::string::npos)
    from_text("channelise: oversample", text.substr(slash + 1), ratio.q);
  return ratio;
}

int hop_of(const std::string& oversample, int transform) {
  const Ratio given = parse_ratio(oversample);
  if (given.q < 1 || given.p < given.q || given.p > 64LL * given.q)
    refuse_channelise("oversample is {}; it can be 1 to 64, such as 1, 2 or 8/7", oversample);
  const int common = std::gcd(given.p, given.q), p = given.p / common, q = given.q / common;
  if (transform % p != 0)
    refuse_channelise(
        "oversample is {} and spectra of {} samples; {} must divide them, so that spectra begin at "
        "whole samples",
        oversample, transform, p);
  return transform / p * q;
}

void check_shape(const XEngineShape& s) {
  if (s.antennas < 1 || s.polarisations < 1 || s.channels < 1)
    refuse_channelise(
        "there are {} antennas of {} polarisations and {} channels; give at least one of each",
        s.antennas, s.polarisations, s.channels);
  if (s.polarisations > 4)
    refuse_channelise("there are {} polarisations; there can be 1 to 4", s.polarisations);
  if (s.antennas > kMostInputs)
    refuse_channelise("there are {} antennas; there can be up to {}", s.antennas, kMostInputs);
}

void check_options(const XEngineShape& shape, const ChanneliseOptions& o) {
  check_ranges("channelise", o);
  const SampleType type = o.output_type;
  if (type != SampleType::cf32 && type != SampleType::ci8 && type != SampleType::ci16)
    refuse_channelise("output type is {}; it can be cf32, ci8 or ci16", name_of(type));
  if (!is_integer(o.samples) && o.offset_binary)
    refuse_channelise("offset-binary is for integers and samples are {}; leave it out",
                      name_of(o.samples));
  if (o.samples != SampleType::ci4 && o.real_low)
    refuse_channelise("real-low is for ci4 and samples are {}; leave it out", name_of(o.samples));
  if (1LL * shape.channels * o.channels > 1 << 30)
    refuse_channelise("{} channels of {} each are too many; there can be up to {} in all",
                      shape.channels, o.channels, 1 << 30);
  const long long length = 2LL * o.channels * o.taps;
  if (length > kMostLength)
    refuse_channelise("{} taps and {} channels make a filter of {} numbers; give fewer of either",
                      o.taps, o.channels, length);
}

std::vector<float> filter_of(const ChanneliseOptions& o, const ChanneliseTables& tables,
                             int transform) {
  const long long length = 1LL * o.taps * transform;
  if (tables.coefficients.empty()) {
    const std::vector<double> made = channelise_filter(o.window, length, transform);
    return {made.begin(), made.end()};
  }
  if (o.window != ChanneliseOptions().window)
    refuse_channelise(
        "window is {} and there are coefficients, which need none; leave one of them out",
        o.window);
  if (std::ssize(tables.coefficients) != length)
    refuse_channelise("there are {} coefficients; {} taps of {} samples need {}",
                      tables.coefficients.size(), o.taps, transform, length);
  std::vector<float> filter;
  for (const double h : tables.coefficients) {
    filter.push_back(static_cast<float>(h));
    if (!std::isfinite(filter.back()))
      refuse_channelise("coefficient {} is {}; they must be finite", filter.size() - 1, h);
  }
  return filter;
}

void check_gains(const XEngineShape& shape, const ChanneliseOptions& o,
                 const std::vector<float>& gains) {
  if (gains.empty()) return;
  if (!is_integer(o.output_type))
    refuse_channelise("there are gains and the output is {}; gains are for ci8 and ci16",
                      name_of(o.output_type));
  const long long outputs = 1LL * shape.channels * o.channels, count = std::ssize(gains);
  if (count != 1 && count != outputs && count != outputs * shape.inputs())
    refuse_channelise(
        "there are {} gains; give 1, {} for the channels, or {} for channels and inputs", count,
        outputs, outputs * shape.inputs());
  for (long long k = 0; k < count; ++k)
    if (const float gain = gains[static_cast<std::size_t>(k)]; !(gain > 0 && std::isfinite(gain)))
      refuse_channelise("gain {} is {}; gains must be positive and finite", k, gain);
}

std::string place_text(int device) {
  return device == kHost ? "the host" : fmt::format("device {}", device);
}

void check_channelise_place(const char* what, int given, int device) {
  if (given == kHost || given == device) return;
  if (device == kHost)
    refuse_channelise(
        "{} on {} and the plan runs on the host; copy to the host, or make the plan with backend "
        "cuda",
        what, place_text(given));
  refuse_channelise("{} on {} and the plan runs on {}; give memory of {} or of the host", what,
                    place_text(given), place_text(device), place_text(device));
}

void check_channelise_step(const char* whose, const char* what, long long step, long long count) {
  if (count > 1 && step == 0)
    refuse_channelise("the {} {} step is 0 bytes and there are {}; give steps", whose, what, count);
}

/// Steps of a layout, where there is more than one of something.
void check_steps(const char* whose, const XEngineShape& shape, int channels, const VoltageLayout& l,
                 long long samples, bool parts) {
  if (l.group < 1)
    refuse_channelise("the {} group is {} samples; it can be 1 or more", whose, l.group);
  check_channelise_step(whose, "channel", l.channel, channels);
  check_channelise_step(whose, "antenna", l.antenna, shape.antennas);
  check_channelise_step(whose, "polarisation", l.polarisation, shape.polarisations);
  check_channelise_step(whose, "time", l.time, std::min<long long>(samples, l.group));
  check_channelise_step(whose, "group", l.group_step, (samples + l.group - 1) / l.group);
  if (parts && l.imaginary == 0)
    refuse_channelise(
        "the {} imaginary part lies 0 bytes behind the real one; give its step, or real yes",
        whose);
}

void check_in_mask(const ChanneliseProblem& p, const VoltageBlock& block) {
  if (block.valid.empty()) return;
  if (block.valid_samples < 1)
    refuse_channelise("stretches of the mask are {} samples long; they can be 1 or longer",
                      block.valid_samples);
  const long long stretches = block.samples > 0 ? (block.samples - 1) / block.valid_samples + 1 : 0;
  if (std::ssize(block.valid) != stretches * p.shape.inputs())
    refuse_channelise("the mask has {} bytes; {} samples in stretches of {} by {} inputs need {}",
                      block.valid.size(), block.samples, block.valid_samples, p.shape.inputs(),
                      stretches * p.shape.inputs());
}

void check_needed_samples(const ChanneliseProblem& p, const RawVoltages& in,
                          const SpectraBlock& out) {
  if (in.first < 0 || in.first > kMostSamples || in.block.samples < 0 ||
      in.block.samples > kMostSamples)
    refuse_channelise("the block has {} samples from sample {} on; both can be 0 to {}",
                      in.block.samples, in.first, kMostSamples);
  if (out.first < 0 || out.spectra < 0 || out.first > kMostSamples / p.hop ||
      out.spectra > kMostSamples / p.hop)
    refuse_channelise("{} spectra from spectrum {} on are requested; both can be 0 to {}",
                      out.spectra, out.first, kMostSamples / p.hop);
  if (out.spectra == 0) return;
  const long long first = out.first * p.hop,
                  end = (out.first + out.spectra - 1) * p.hop + p.length();
  if (first < in.first || end > in.first + in.block.samples)
    refuse_channelise(
        "spectra {} to {} need samples {} to {} and the block has {} to {}; give those", out.first,
        out.first + out.spectra, first, end, in.first, in.first + in.block.samples);
  const double bytes = 1.0 * p.shape.inputs() * p.outputs() * static_cast<double>(out.spectra) *
                       bytes_of(p.options.output_type);
  if (bytes > kMostBytes)
    refuse_channelise("{} spectra are {}; give fewer at a time", out.spectra, bytes_text(bytes));
}

}  // namespace

ChanneliseProblem make_channelise_problem(const XEngineShape& shape,
                                          const ChanneliseOptions& options,
                                          const ChanneliseTables& tables) {
  check_shape(shape);
  check_options(shape, options);
  ChanneliseProblem p;
  p.shape = shape;
  p.options = options;
  p.transform = options.channels * (options.real ? 2 : 1);
  p.hop = hop_of(options.oversample, p.transform);
  p.filter = filter_of(options, tables, p.transform);
  check_gains(shape, options, tables.gains);
  p.gains = tables.gains;
  p.device = options.device;
  return p;
}

void check_channelise_call(const ChanneliseProblem& p, const RawVoltages& in,
                           const SpectraBlock& out, int device) {
  check_needed_samples(p, in, out);
  check_in_mask(p, in.block);
  if (!out.valid.empty() && std::ssize(out.valid) != out.spectra * p.shape.inputs())
    refuse_channelise("the mask of the spectra has {} bytes; {} spectra by {} inputs need {}",
                      out.valid.size(), out.spectra, p.shape.inputs(),
                      out.spectra * p.shape.inputs());
  if (out.spectra == 0) return;
  if (!in.block.data)
    refuse_channelise("the block has {} samples and no data; give their address", in.block.samples);
  if (!out.data)
    refuse_channelise("there is no memory for {} spectra; give their address", out.spectra);
  check_channelise_place("the block is", in.block.device, device);
  check_channelise_place("the spectra are", out.device, device);
  const ChanneliseOptions& o = p.options;
  check_steps("block's", p.shape, p.shape.channels, in.block.layout, in.block.samples,
              !o.real && o.samples != SampleType::ci4);
  check_steps("spectra's", p.shape, p.outputs(), out.layout, out.spectra, true);
}

bool mark_missing_spectra(const ChanneliseProblem& p, const RawVoltages& in,
                          const SpectraBlock& out) {
  std::ranges::fill(out.valid, static_cast<unsigned char>(1));
  if (in.block.valid.empty() || std::ranges::all_of(in.block.valid, [](auto v) { return v != 0; }))
    return false;
  bool any = false;
  const long long stretch = in.block.valid_samples, inputs = p.shape.inputs();
  const long long begin = out.first * p.hop - in.first;
  for (long long i = 0; i < inputs; ++i) {
    long long next = begin / stretch, missing = -1;  // the last stretch without data before `next`
    for (long long s = 0; s < out.spectra; ++s) {
      const long long first = begin + s * p.hop, last = first + p.length() - 1;
      for (; next <= last / stretch; ++next)
        if (!in.block.valid[static_cast<std::size_t>(next * inputs + i)]) missing = next;
      if (missing < first / stretch) continue;
      any = true;
      if (out.valid.empty())
        refuse_channelise("samples of input {} are missing and the spectra have no mask; give one",
                          i);
      out.valid[static_cast<std::size_t>(s * inputs + i)] = 0;
    }
  }
  return any;
}

}  // namespace tessera
