// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <optional>

#include "python/doors.hpp"
#include "python/imaging_arguments.hpp"
#include "python/long_call.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

struct UvfitsChoices {
  std::optional<double> channel_width;
  bool double_precision, force;
};

void write_uvfits(nb::handle path, const ImagingArguments& given, const UvfitsChoices& choices) {
  const std::string name = path_text("write_uvfits: path", path);
  const ImagingData data(given);
  const std::vector<double>& hertz = data.frequency;
  UvfitsHeader header{.polarisations = data.polarisations,
                      .channels = static_cast<int>(hertz.size()),
                      .frequency = hertz.front(),
                      .first_time = data.first_time,
                      .dut1 = data.dut1,
                      .doubles = choices.double_precision,
                      .telescope = given.telescope.empty() ? "UNKNOWN" : given.telescope,
                      .object = given.source,
                      .antennas = data.antennas};
  if (hertz.size() > 1)
    header.channel_step = (hertz.back() - hertz.front()) / static_cast<double>(hertz.size() - 1);
  else if (choices.channel_width)
    header.channel_step = *choices.channel_width;
  header.history = {std::string("tessera ") + TESSERA_VERSION + ", write_uvfits",
                    "means over time; the weight of a mean is its number of valid samples"};
  const LongCall unlocked;
  UvfitsFile file(name, choices.force, header);
  data.write([&](const UvfitsIntegration& one) { file.write(one); });
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
        write_uvfits(path,
                     {"write_uvfits", visibilities, positions, frequency, time, seconds,
                      phase_centre, counts, samples, names, dut1, means, telescope, source,
                      evenly_spaced, "evenly spaced channels"},
                     {channel_width, double_precision, force});
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
