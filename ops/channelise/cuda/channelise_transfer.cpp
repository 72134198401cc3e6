// SPDX-License-Identifier: Apache-2.0
#include "ops/channelise/cuda/channelise_transfer.hpp"

#include <vector>

#include "core/parallel.hpp"
#include "core/strided_copy.hpp"

namespace tessera {

ChanneliseGather::ChanneliseGather(const ChanneliseProblem& problem, const RawVoltages& in,
                                   long long first, long long count)
    : problem_(problem),
      from_(channelise_samples(problem, in)),
      first_(first),
      count_(count),
      item_(problem.options.samples == SampleType::ci4 ? 1 : bytes_of(problem.options.samples) / 2),
      parts_(problem.options.real || problem.options.samples == SampleType::ci4 ? 1 : 2) {
  const XEngineShape& s = problem.shape;
  const VoltageLayout& l = in.block.layout;
  places_.polarisations = s.polarisations;
  places_.group = 1;
  if (from_.places.group == 1) {
    // Neighbours stay neighbours.
    std::vector<CopyAxis> axes{{s.channels, l.channel},
                               {s.antennas, l.antenna},
                               {s.polarisations, l.polarisation},
                               {count, from_.places.group_step},
                               {parts_, l.imaginary}};
    bytes_ = static_cast<std::size_t>(pack_axes(axes, item_));
    places_.channel = axes[0].to;
    places_.antenna = axes[1].to;
    places_.polarisation = axes[2].to;
    places_.group_step = axes[3].to;
    places_.imaginary = axes[4].to;
    return;
  }
  places_.imaginary = item_;
  places_.group_step = item_ * parts_;
  places_.polarisation = count * places_.group_step;
  places_.antenna = s.polarisations * places_.polarisation;
  places_.channel = s.antennas * places_.antenna;
  bytes_ = static_cast<std::size_t>(s.channels * places_.channel);
}

void ChanneliseGather::copy(void* to, int threads) const {
  const XEngineShape& s = problem_.shape;
  const ChannelisePlaces& l = from_.places;
  if (l.group == 1) {
    const CopyAxis axes[] = {{s.channels, l.channel, places_.channel},
                             {s.antennas, l.antenna, places_.antenna},
                             {s.polarisations, l.polarisation, places_.polarisation},
                             {count_, l.group_step, places_.group_step},
                             {parts_, l.imaginary, places_.imaginary}};
    return copy_strided(axes, item_, from_.data + l.at(first_), to, threads);
  }
  parallel_for(s.channels * s.inputs(), threads, [&](int line) {
    const int coarse = line / s.inputs(), input = line % s.inputs();
    const unsigned char* const from = from_.data + l.input(coarse, input);
    auto* const here = static_cast<unsigned char*>(to) + places_.input(coarse, input);
    for (long long t = 0; t < count_; ++t)
      for (int part = 0; part < parts_; ++part)
        std::memcpy(here + places_.at(t) + part * item_,
                    from + l.at(first_ + t) + part * l.imaginary, static_cast<std::size_t>(item_));
  });
}

ChanneliseSamples ChanneliseGather::samples(const void* data) const {
  return {static_cast<const unsigned char*>(data),
          places_,
          from_.first + first_,
          count_,
          from_.offset_binary,
          from_.real_low};
}

void scatter_spectra(const ChanneliseProblem& p, const void* packed, const SpectraBlock& out,
                     int threads) {
  const ChannelisePlaces to = channelise_places_of(p, out);
  const int bytes = bytes_of(p.options.output_type), part = bytes / 2, inputs = p.shape.inputs();
  parallel_for(p.outputs(), threads, [&](int c) {
    for (int i = 0; i < inputs; ++i) {
      const unsigned char* from =
          static_cast<const unsigned char*>(packed) + (1LL * c * inputs + i) * out.spectra * bytes;
      auto* const line = static_cast<unsigned char*>(out.data) + to.input(c, i);
      if (to.group == 1 && to.group_step == bytes && to.imaginary == part) {
        std::memcpy(line, from, static_cast<std::size_t>(out.spectra * bytes));
        continue;
      }
      for (long long t = 0; t < out.spectra; ++t, from += bytes) {
        std::memcpy(line + to.at(t), from, static_cast<std::size_t>(part));
        std::memcpy(line + to.at(t) + to.imaginary, from + part, static_cast<std::size_t>(part));
      }
    }
  });
}

}  // namespace tessera
