// SPDX-License-Identifier: Apache-2.0
#include "python/imaging_arguments.hpp"

#include <fmt/format.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "python/doors.hpp"
#include "python/options_python.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// A packed NumPy array of a dtype, and its numbers.
template <class T>
struct Numbers {
  nb::ndarray<T, nb::c_contig, nb::device::cpu> array;
  Shape shape;

  const T* data() const { return array.data(); }
  long long size() const { return static_cast<long long>(array.size()); }
};

template <class T>
Numbers<T> numbers_of(const std::string& name, nb::handle given, const char* dtype) {
  nb::object plain;
  try {
    plain = numpy("ascontiguousarray")(given, "dtype"_a = dtype);
  } catch (nb::python_error&) {
    throw_usage(fmt::format("{} is {}; give an array of numbers", name, shown_as_code(given)));
  }
  Numbers<T> made{nb::cast<nb::ndarray<T, nb::c_contig, nb::device::cpu>>(plain), {}};
  for (std::size_t k = 0; k < made.array.ndim(); ++k)
    made.shape.push_back(static_cast<long long>(made.array.shape(k)));
  return made;
}

/// One number for all integrations, or one each.
std::vector<double> per_integration(const std::string& name, nb::handle given, long long count) {
  const Numbers<double> numbers = numbers_of<double>(name, given, "float64");
  std::vector<double> values(numbers.data(), numbers.data() + numbers.size());
  if (std::ssize(values) == 1) values.resize(static_cast<std::size_t>(count), values[0]);
  const bool finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  if (std::ssize(values) != count || !finite)
    throw_usage(fmt::format("{} is {}; give a number, or one for each of {} integrations", name,
                            shown_as_code(given), count));
  return values;
}

/// Visibilities of all integrations: (integrations, channels, baselines, p, p).
class Visibilities {
 public:
  Visibilities(const ImagingArguments& given, long long channels, long long antennas) {
    const nb::object array = numpy("asarray")(given.visibilities);
    const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
    const bool parts = kind != "c";
    if (parts)
      integers_ = numbers_of<std::int64_t>(given.name("visibilities"), array, "int64");
    else
      floats_ = numbers_of<double>(given.name("visibilities"),
                                   numpy("ascontiguousarray")(array, "complex128")
                                       .attr("reshape")(-1)
                                       .attr("view")("float64"),
                                   "float64");
    Shape shape;
    for (const nb::handle side : array.attr("shape")) shape.push_back(nb::cast<long long>(side));
    const Shape whole = shape;
    const bool pairs =
        !parts || (!shape.empty() && shape.back() == 2 && (kind == "i" || kind == "u"));
    if (parts && pairs) shape.pop_back();
    if (shape.size() == 4) shape.insert(shape.begin(), 1);
    const long long baselines = antennas * (antennas + 1) / 2;
    if (!pairs || shape.size() != 5 || shape[1] != channels || shape[2] != baselines ||
        shape[3] != shape[4] || shape[3] < 1 || shape[0] < 1)
      throw_usage(
          fmt::format("{} are {} of {}; {} antennas and {} channels need ([integrations,] "
                      "{}, {}, polarisations, polarisations), complex, or of integers with "
                      "a last axis of 2",
                      given.name("visibilities"), shape_text(whole), shown(array.attr("dtype")),
                      antennas, channels, channels, baselines));
    integrations = shape[0];
    polarisations = static_cast<int>(shape[3]);
    each_ = channels * baselines * polarisations * polarisations;
    values = baselines * polarisations * polarisations;
  }
  const void* at(long long integration) const {
    if (integers_) return integers_->data() + 2 * each_ * integration;
    return floats_->data() + 2 * each_ * integration;
  }
  VisibilityType type() const { return integers_ ? VisibilityType::i64 : VisibilityType::f64; }

  long long integrations = 0, values = 0;
  int polarisations = 0;

 private:
  long long each_ = 0;
  std::optional<Numbers<std::int64_t>> integers_;
  std::optional<Numbers<double>> floats_;  ///< real and imaginary parts
};

std::vector<UvfitsAntenna> antennas_of(const ImagingArguments& given) {
  const Numbers<double> places =
      numbers_of<double>(given.name("positions"), given.positions, "float64");
  if (places.shape.size() != 2 || places.shape[1] != 3 || places.shape[0] < 1)
    throw_usage(fmt::format("{} are {}; give (antennas, 3), ITRF in metres",
                            given.name("positions"), shape_text(places.shape)));
  std::vector<UvfitsAntenna> antennas;
  for (long long a = 0; a < places.shape[0]; ++a) {
    const double* const xyz = places.data() + 3 * a;
    antennas.push_back({fmt::format("ANT{:03}", a), {xyz[0], xyz[1], xyz[2]}});
  }
  if (!given.names.is_none()) {
    std::vector<std::string> names;
    if (!nb::try_cast(given.names, names))
      throw_usage(fmt::format("{} is {}; give a list of texts", given.name("names"),
                              shown_as_code(given.names)));
    if (names.size() != antennas.size())
      throw_usage(fmt::format("{} has {}; give one for each of {} antennas", given.name("names"),
                              names.size(), antennas.size()));
    for (std::size_t a = 0; a < names.size(); ++a) antennas[a].name = names[a];
  }
  check_on_earth(given.call, antennas);
  return antennas;
}

/// (2,) for all integrations, or (integrations, 2).
std::vector<UvfitsCentre> centres_of(const ImagingArguments& given, long long integrations) {
  const Numbers<double> places =
      numbers_of<double>(given.name("phase_centre"), given.phase_centre, "float64");
  const bool one = places.shape == Shape{2};
  if (!one && places.shape != Shape{integrations, 2})
    throw_usage(
        fmt::format("{} is {}; give (2,) or ({}, 2): right ascension and declination, ICRS "
                    "in degrees",
                    given.name("phase_centre"), shape_text(places.shape), integrations));
  std::vector<UvfitsCentre> centres;
  for (long long k = 0; k < integrations; ++k) {
    const double* const place = places.data() + (one ? 0 : 2 * k);
    if (!(place[0] >= 0 && place[0] < 360 && std::abs(place[1]) <= 90))
      throw_usage(
          fmt::format("{} is {}, {}; right ascension can be 0 to 360, declination -90 to 90 "
                      "degrees",
                      given.name("phase_centre"), place[0], place[1]));
    centres.push_back({given.source.empty() ? "UNKNOWN" : given.source, place[0], place[1]});
  }
  return centres;
}

/// Counts of all integrations, or nothing if `samples` says them.
std::optional<Numbers<std::int64_t>> counts_of(const ImagingArguments& given, const Visibilities& v,
                                               long long antennas) {
  if (given.counts.is_none() == given.samples.is_none())
    throw_usage(given.call +
                ": give counts, one per baseline and product, or samples, one number: the "
                "weights, and the divisors of sums");
  if (given.counts.is_none()) return std::nullopt;
  auto counts = numbers_of<std::int64_t>(given.name("counts"), given.counts, "int64");
  const Shape one{antennas * (antennas + 1) / 2, v.polarisations, v.polarisations};
  Shape all = one;
  all.insert(all.begin(), v.integrations);
  if (counts.shape != all && !(v.integrations == 1 && counts.shape == one))
    throw_usage(fmt::format("{} are {}; they must be {}", given.name("counts"),
                            shape_text(counts.shape), shape_text(all)));
  if (*std::min_element(counts.data(), counts.data() + counts.size()) < 0)
    throw_usage(fmt::format("{} are negative; give numbers of samples", given.name("counts")));
  return counts;
}

double checked_dut1(const ImagingArguments& given) {
  if (std::abs(given.dut1) <= 0.9) return given.dut1;
  throw_usage(fmt::format("{} is {}; it can be -0.9 to 0.9 s", given.name("dut1"), given.dut1));
}

}  // namespace

/// Arrays of the arguments, held while they are written.
struct ImagingData::Impl {
  Impl(const ImagingArguments& given, long long channels, long long antennas)
      : visibilities(given, channels, antennas), counts(counts_of(given, visibilities, antennas)) {}
  Visibilities visibilities;
  std::optional<Numbers<std::int64_t>> counts;
  std::vector<double> time, seconds, samples;
  std::vector<UvfitsCentre> centres;
  bool means = false;
};

ImagingData::ImagingData(const ImagingArguments& given) {
  const auto hertz = numbers_of<double>(given.name("frequency"), given.frequency, "float64");
  frequency.assign(hertz.data(), hertz.data() + hertz.size());
  if (frequency.empty() || !given.channels_fit(frequency))
    throw_usage(fmt::format("{} is {}; give {}, in Hz", given.name("frequency"),
                            shown_as_code(given.frequency), given.channels_wanted));
  dut1 = checked_dut1(given);
  antennas = antennas_of(given);
  impl_ = std::make_unique<Impl>(given, std::ssize(frequency), std::ssize(antennas));
  Impl& all = *impl_;
  polarisations = all.visibilities.polarisations;
  const long long count = all.visibilities.integrations;
  all.time = per_integration(given.name("time"), given.time, count);
  all.seconds = per_integration(given.name("seconds"), given.seconds, count);
  all.centres = centres_of(given, count);
  all.means = given.means;
  if (!all.counts) all.samples = per_integration(given.name("samples"), given.samples, count);
  if (std::ranges::any_of(all.samples, [](double n) { return !(n >= 0 && n < 0x1p62); }))
    throw_usage(fmt::format("{} is {}; give numbers of samples", given.name("samples"),
                            shown_as_code(given.samples)));
  first_time = all.time.front() - all.seconds.front() / 2 / 86400;
  for (std::size_t k = 0; k < all.time.size(); ++k)
    first_time = std::min(first_time, all.time[k] - all.seconds[k] / 2 / 86400);
}

ImagingData::~ImagingData() = default;

void ImagingData::write(const std::function<void(const UvfitsIntegration&)>& one) const {
  const Impl& all = *impl_;
  const Visibilities& v = all.visibilities;
  for (long long k = 0; k < v.integrations; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const auto uvw = uvfits_baselines(antennas, all.time[at], all.centres[at], dut1);
    std::vector<long long> valid;
    if (all.counts)
      valid.assign(all.counts->data() + k * v.values, all.counts->data() + (k + 1) * v.values);
    one({.values = v.at(k),
         .type = v.type(),
         .means = all.means,
         .samples = all.counts ? 0 : static_cast<long long>(all.samples[at]),
         .valid = valid,
         .middle = all.time[at],
         .seconds = all.seconds[at],
         .centre = all.centres[at],
         .uvw = uvw});
  }
}

}  // namespace tessera::python
