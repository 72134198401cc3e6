// SPDX-License-Identifier: Apache-2.0
#include "io/uvfits/uvfits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "io/output.hpp"
#include "io/uvfits/uvfits_parts.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kLight = 299792458;
constexpr int kMostAntennas = 1 << 16;  // as recordings
constexpr std::size_t kWriteBytes = 4 << 20;

void check(const std::string& path, const UvfitsHeader& header) {
  const auto antennas = std::ssize(header.antennas);
  if (antennas > kMostAntennas)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: UVFITS can number up to {} antennas; there are {}; write "
                            ".npy",
                            path, kMostAntennas, antennas));
  if (header.polarisations > 2)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: UVFITS has names for 1 or 2 polarisations; there are {}; "
                            "write .npy",
                            path, header.polarisations));
}

double part(const void* values, VisibilityType type, long long index) {
  switch (type) {
    case VisibilityType::i32:
      return static_cast<const std::int32_t*>(values)[index];
    case VisibilityType::f32:
      return static_cast<const float*>(values)[index];
    case VisibilityType::f64:
      return static_cast<const double*>(values)[index];
    default:
      return static_cast<double>(static_cast<const std::int64_t*>(values)[index]);
  }
}

/// Polarisations of the first and second antenna of XX, YY, XY, YX.
struct Pair {
  int first, second;
};
constexpr Pair kPairs[] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};

}  // namespace

bool evenly_spaced(const std::vector<double>& frequency) {
  const auto count = std::ssize(frequency);
  if (count < 3) return count == 1 || (count == 2 && frequency[0] != frequency[1]);
  const double step = (frequency.back() - frequency.front()) / static_cast<double>(count - 1);
  for (std::size_t k = 0; k < frequency.size(); ++k)
    if (!(std::abs(frequency[k] - frequency[0] - step * static_cast<double>(k)) <=
          1e-3 * std::abs(step)))
      return false;
  return step != 0;
}

struct UvfitsFile::Impl {
  Impl(const std::string& path, bool force, UvfitsHeader h)
      : output(path, force), header(std::move(h)) {
    end = std::ssize(uvfits_header_bytes(header, totals));
  }

  void number(double value) {
    if (header.doubles)
      append_big_endian(waiting, value);
    else
      append_big_endian(waiting, static_cast<float>(value));
  }
  void flush() {
    output.file().write_all(end, waiting.data(), std::ssize(waiting));
    end += std::ssize(waiting);
    waiting.clear();
  }
  int source(const UvfitsCentre& centre) {
    if (totals.centres.empty() || totals.centres.back() != centre) totals.centres.push_back(centre);
    return static_cast<int>(totals.centres.size());
  }
  /// a1 <= a2, counted from 0.
  void pair(int a1, int a2) {
    if (!numbers_antennas(header)) return number(256 * (a1 + 1) + a2 + 1);
    number(a1 + 1);
    number(a2 + 1);
    number(1);  // the only subarray
  }
  void parameters(const UvfitsIntegration& in, long long baseline, int a1, int a2, int source_id);
  void visibilities(const UvfitsIntegration& in, long long baseline);

  Output output;
  UvfitsHeader header;
  UvfitsTotals totals;
  long long end = 0;
  std::string waiting;
};

void UvfitsFile::Impl::parameters(const UvfitsIntegration& in, long long baseline, int a1, int a2,
                                  int source_id) {
  for (std::size_t i = 0; i < 3; ++i)
    number(in.uvw.empty() ? 0 : in.uvw[static_cast<std::size_t>(baseline)][i] / kLight);
  // Two numbers, because a day in 32 bits is exact only to 5 ms.
  const double date = in.middle - (uvfits_first_day(header) - 2400000.5);
  const double large = header.doubles ? date : static_cast<float>(date);
  number(large);
  number(date - large);
  pair(a1, a2);
  number(source_id);
  number(in.seconds);
}

void UvfitsFile::Impl::visibilities(const UvfitsIntegration& in, long long baseline) {
  const int p = header.polarisations, channels = header.channels;
  const long long values =
      1LL * std::ssize(header.antennas) * (std::ssize(header.antennas) + 1) / 2 * p * p;
  for (int c = 0; c < channels; ++c) {
    const int channel = header.channel_step < 0 ? channels - 1 - c : c;
    for (int s = 0; s < p * p; ++s) {
      const long long place = (baseline * p + kPairs[s].second) * p + kPairs[s].first;
      const long long index = 2 * (channel * values + place);
      const auto count = static_cast<double>(
          in.valid.empty() ? in.samples : in.valid[static_cast<std::size_t>(place)]);
      const double divisor = in.means ? 1 : count;
      number(count > 0 ? part(in.values, in.type, index) / divisor : 0);
      number(count > 0 ? 0.0 - part(in.values, in.type, index + 1) / divisor : 0);  // no -0
      number(count);
    }
  }
}

UvfitsFile::UvfitsFile(const std::string& path, bool force, UvfitsHeader header) {
  check(path, header);
  impl_ = std::make_unique<Impl>(path, force, std::move(header));
}
UvfitsFile::~UvfitsFile() = default;

// The second antenna of our baselines, b, is not after a: it is the first of UVFITS, which holds
// the conjugate.
void UvfitsFile::write(const UvfitsIntegration& in) {
  const int source_id = impl_->source(in.centre);
  const int antennas = static_cast<int>(impl_->header.antennas.size());
  long long baseline = 0;
  for (int a = 0; a < antennas; ++a)
    for (int b = 0; b <= a; ++b, ++baseline) {
      impl_->parameters(in, baseline, b, a, source_id);
      impl_->visibilities(in, baseline);
      if (impl_->waiting.size() >= kWriteBytes) impl_->flush();
    }
  impl_->flush();
  impl_->totals.groups += baseline;
}

void UvfitsFile::prepare() {
  Impl& file = *impl_;
  const std::string start = uvfits_header_bytes(file.header, file.totals);
  const long long data = file.end - std::ssize(start);
  file.waiting.resize(static_cast<std::size_t>((2880 - data % 2880) % 2880), '\0');
  file.waiting += uvfits_antenna_table(file.header);
  file.waiting += uvfits_source_table(file.header, file.totals.centres);
  file.flush();
  file.output.file().write_all(0, start.data(), std::ssize(start));
  file.output.file().sync();
}

void UvfitsFile::finish() { impl_->output.finish(); }

}  // namespace tessera
