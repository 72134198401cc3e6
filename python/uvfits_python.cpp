// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "io/uvfits/uvfits.hpp"
#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
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

std::string argument(const char* name) { return std::string("write_uvfits: ") + name; }

template <class T>
Numbers<T> numbers_of(const char* name, nb::handle given, const char* dtype) {
  nb::object plain;
  try {
    plain = numpy("ascontiguousarray")(given, "dtype"_a = dtype);
  } catch (nb::python_error&) {
    throw_usage(
        fmt::format("{} is {}; give an array of numbers", argument(name), shown_as_code(given)));
  }
  Numbers<T> made{nb::cast<nb::ndarray<T, nb::c_contig, nb::device::cpu>>(plain), {}};
  for (std::size_t k = 0; k < made.array.ndim(); ++k)
    made.shape.push_back(static_cast<long long>(made.array.shape(k)));
  return made;
}

/// One number for all integrations, or one each.
std::vector<double> per_integration(const char* name, nb::handle given, long long count) {
  const Numbers<double> numbers = numbers_of<double>(name, given, "float64");
  std::vector<double> values(numbers.data(), numbers.data() + numbers.size());
  if (std::ssize(values) == 1) values.resize(static_cast<std::size_t>(count), values[0]);
  const bool finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  if (std::ssize(values) != count || !finite)
    throw_usage(fmt::format("{} is {}; give a number, or one for each of {} integrations",
                            argument(name), shown_as_code(given), count));
  return values;
}

/// The arguments as they came.
struct Given {
  nb::object visibilities, positions, frequency, time, seconds, phase_centre, counts, samples,
      names;
  std::optional<double> channel_width;
  double dut1;
  bool means, double_precision, force;
  std::string telescope, source;
};

/// Visibilities of all integrations: (integrations, channels, baselines, p, p).
class Visibilities {
 public:
  Visibilities(const Given& given, long long channels, long long antennas) {
    const nb::object array = numpy("asarray")(given.visibilities);
    const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
    const bool parts = kind != "c";
    if (parts)
      integers_ = numbers_of<std::int64_t>("visibilities", array, "int64");
    else
      floats_ = numbers_of<double>("visibilities",
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
                      argument("visibilities"), shape_text(whole), shown(array.attr("dtype")),
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

std::vector<UvfitsAntenna> antennas_of(const Given& given) {
  const Numbers<double> places = numbers_of<double>("positions", given.positions, "float64");
  if (places.shape.size() != 2 || places.shape[1] != 3 || places.shape[0] < 1)
    throw_usage(fmt::format("{} are {}; give (antennas, 3), ITRF in metres", argument("positions"),
                            shape_text(places.shape)));
  std::vector<UvfitsAntenna> antennas;
  for (long long a = 0; a < places.shape[0]; ++a) {
    const double* const xyz = places.data() + 3 * a;
    antennas.push_back({fmt::format("ANT{:03}", a), {xyz[0], xyz[1], xyz[2]}});
  }
  if (!given.names.is_none()) {
    std::vector<std::string> names;
    if (!nb::try_cast(given.names, names))
      throw_usage(fmt::format("{} is {}; give a list of texts", argument("names"),
                              shown_as_code(given.names)));
    if (names.size() != antennas.size())
      throw_usage(fmt::format("{} has {}; give one for each of {} antennas", argument("names"),
                              names.size(), antennas.size()));
    for (std::size_t a = 0; a < names.size(); ++a) antennas[a].name = names[a];
  }
  check_on_earth("write_uvfits", antennas);
  return antennas;
}

/// (2,) for all integrations, or (integrations, 2).
std::vector<UvfitsCentre> centres_of(const Given& given, long long integrations) {
  const Numbers<double> places = numbers_of<double>("phase_centre", given.phase_centre, "float64");
  const bool one = places.shape == Shape{2};
  if (!one && places.shape != Shape{integrations, 2})
    throw_usage(
        fmt::format("{} is {}; give (2,) or ({}, 2): right ascension and declination, ICRS "
                    "in degrees",
                    argument("phase_centre"), shape_text(places.shape), integrations));
  std::vector<UvfitsCentre> centres;
  for (long long k = 0; k < integrations; ++k) {
    const double* const place = places.data() + (one ? 0 : 2 * k);
    if (!(place[0] >= 0 && place[0] < 360 && std::abs(place[1]) <= 90))
      throw_usage(
          fmt::format("{} is {}, {}; right ascension can be 0 to 360, declination -90 to 90 "
                      "degrees",
                      argument("phase_centre"), place[0], place[1]));
    centres.push_back({given.source.empty() ? "UNKNOWN" : given.source, place[0], place[1]});
  }
  return centres;
}

/// Counts of all integrations, or nothing if `samples` says them.
std::optional<Numbers<std::int64_t>> counts_of(const Given& given, const Visibilities& v,
                                               long long antennas) {
  if (given.counts.is_none() == given.samples.is_none())
    throw_usage(
        "write_uvfits: give counts, one per baseline and product, or samples, one number: the "
        "weights, and the divisors of sums");
  if (given.counts.is_none()) return std::nullopt;
  auto counts = numbers_of<std::int64_t>("counts", given.counts, "int64");
  const Shape one{antennas * (antennas + 1) / 2, v.polarisations, v.polarisations};
  Shape all = one;
  all.insert(all.begin(), v.integrations);
  if (counts.shape != all && !(v.integrations == 1 && counts.shape == one))
    throw_usage(fmt::format("{} are {}; they must be {}", argument("counts"),
                            shape_text(counts.shape), shape_text(all)));
  if (*std::min_element(counts.data(), counts.data() + counts.size()) < 0)
    throw_usage(fmt::format("{} are negative; give numbers of samples", argument("counts")));
  return counts;
}

double checked_dut1(const Given& given) {
  if (std::abs(given.dut1) <= 0.9) return given.dut1;
  throw_usage(fmt::format("{} is {}; it can be -0.9 to 0.9 s", argument("dut1"), given.dut1));
}

void write_uvfits(nb::handle path, const Given& given) {
  const std::string name = path_text("write_uvfits: path", path);
  const Numbers<double> frequency = numbers_of<double>("frequency", given.frequency, "float64");
  const std::vector<double> hertz(frequency.data(), frequency.data() + frequency.size());
  if (hertz.empty() || !evenly_spaced(hertz))
    throw_usage(fmt::format("{} is {}; give evenly spaced channels, in Hz", argument("frequency"),
                            shown_as_code(given.frequency)));
  UvfitsHeader header{.channels = static_cast<int>(hertz.size()),
                      .frequency = hertz.front(),
                      .dut1 = checked_dut1(given),
                      .doubles = given.double_precision,
                      .telescope = given.telescope.empty() ? "UNKNOWN" : given.telescope,
                      .object = given.source,
                      .antennas = antennas_of(given)};
  const auto antennas = std::ssize(header.antennas);
  if (hertz.size() > 1)
    header.channel_step = (hertz.back() - hertz.front()) / static_cast<double>(hertz.size() - 1);
  else if (given.channel_width)
    header.channel_step = *given.channel_width;
  const Visibilities v(given, header.channels, antennas);
  header.polarisations = v.polarisations;
  const std::vector<double> time = per_integration("time", given.time, v.integrations),
                            seconds = per_integration("seconds", given.seconds, v.integrations);
  const std::vector<UvfitsCentre> centres = centres_of(given, v.integrations);
  const auto counts = counts_of(given, v, antennas);
  const std::vector<double> samples =
      counts ? std::vector<double>() : per_integration("samples", given.samples, v.integrations);
  if (std::ranges::any_of(samples, [](double n) { return !(n >= 0 && n < 0x1p62); }))
    throw_usage(fmt::format("{} is {}; give numbers of samples", argument("samples"),
                            shown_as_code(given.samples)));
  header.first_time = time.front() - seconds.front() / 2 / 86400;
  for (std::size_t k = 0; k < time.size(); ++k)
    header.first_time = std::min(header.first_time, time[k] - seconds[k] / 2 / 86400);
  header.history = {std::string("tessera ") + TESSERA_VERSION + ", write_uvfits",
                    "means over time; the weight of a mean is its number of valid samples"};
  const LongCall unlocked;
  UvfitsFile file(name, given.force, header);
  for (long long k = 0; k < v.integrations; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const auto uvw = uvfits_baselines(header.antennas, time[at], centres[at], header.dut1);
    std::vector<long long> valid;
    if (counts) valid.assign(counts->data() + k * v.values, counts->data() + (k + 1) * v.values);
    file.write({.values = v.at(k),
                .type = v.type(),
                .means = given.means,
                .samples = counts ? 0 : static_cast<long long>(samples[at]),
                .valid = valid,
                .middle = time[at],
                .seconds = seconds[at],
                .centre = centres[at],
                .uvw = uvw});
  }
  file.prepare();
  file.finish();
}

constexpr const char* kUvfits =
    R"(Writes visibilities as UVFITS, which CASA, wsclean and pyuvdata read.

path: the file to make. A file that exists is refused unless force=True.
visibilities: as tessera.xengine and XEngine.dump give them, (channels, baselines, p, p), or
    (integrations, channels, baselines, p, p): V = A_a conj(A_b) in the order of tessera.baselines,
    complex, or integers with a last axis of 2. Sums, or with means=True means.
positions: (antennas, 3), ITRF in metres. names: one per antenna.
frequency: of the channels, Hz, evenly spaced. channel_width: Hz, of a single channel.
time, seconds: the middle (MJD, UTC) and the length of an integration; one number or one each.
phase_centre: right ascension and declination where delays are zero, ICRS in degrees; (2,) or
    (integrations, 2). Visibilities are not turned there: it says what they are.
dut1: UT1 - UTC in seconds, -0.9 to 0.9, as the IERS publishes it; for (u, v, w).
counts: how many samples each value is of, (integrations, baselines, p, p), as XEngine.counts; or
samples: one number for all values, or one per integration. Sums are divided by them, and they are
    the weights: the file holds means.
double: numbers of 64 bits instead of 32; casacore reads only 32.

>>> visibilities = tessera.xengine(voltages)
>>> tessera.write_uvfits("v.uvfits", visibilities, positions, frequency=1.4e9 + 1e6 * np.arange(16),
...                      time=60000.5, seconds=0.1, phase_centre=(83.63, 22.01), samples=1000))";

}  // namespace

void add_uvfits(nb::module_& module) {
  module.def(
      "write_uvfits",
      [](nb::handle path, nb::object visibilities, nb::object positions, nb::object frequency,
         nb::object time, nb::object seconds, nb::object phase_centre, nb::object counts,
         nb::object samples, bool means, std::optional<double> channel_width, nb::object names,
         const std::string& telescope, const std::string& source, double dut1,
         bool double_precision, bool force) {
        write_uvfits(
            path, {visibilities, positions, frequency, time, seconds, phase_centre, counts, samples,
                   names, channel_width, dut1, means, double_precision, force, telescope, source});
      },
      "path"_a, "visibilities"_a, "positions"_a, nb::kw_only(), "frequency"_a, "time"_a,
      "seconds"_a, "phase_centre"_a, "counts"_a = nb::none(), "samples"_a = nb::none(),
      "means"_a = false, "channel_width"_a = nb::none(), "names"_a = nb::none(), "telescope"_a = "",
      "source"_a = "", "dut1"_a = 0.0, "double"_a = false, "force"_a = false,
      nb::sig("def write_uvfits(path: str | bytes | os.PathLike[typing.Any], visibilities: "
              "typing.Any, positions: typing.Any, *, frequency: typing.Any, time: typing.Any, "
              "seconds: typing.Any, phase_centre: typing.Any, counts: typing.Any = None, samples: "
              "typing.Any = None, means: bool = False, channel_width: float | None = None, names: "
              "typing.Sequence[str] | None = None, "
              "telescope: str = \"\", source: str = \"\", dut1: float = 0.0, double: bool = False, "
              "force: bool = "
              "False) -> None"),
      kUvfits);
}

}  // namespace tessera::python
