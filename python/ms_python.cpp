// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <cmath>
#include <optional>

#include "io/ms/ms.hpp"
#include "python/doors.hpp"
#include "python/imaging_arguments.hpp"
#include "python/long_call.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

double width_of(const std::vector<double>& hertz, const std::optional<double>& given) {
  if (given) return *given;
  return hertz.size() > 1 ? std::abs(hertz[1] - hertz[0]) : 1;
}

void write_measurement_set(nb::handle path, const ImagingArguments& given,
                           const std::optional<double>& channel_width, bool force) {
  const std::string name = path_text("write_measurement_set: path", path);
  const ImagingData data(given);
  MsHeader header{.polarisations = data.polarisations,
                  .frequency = data.frequency,
                  .channel_width = width_of(data.frequency, channel_width),
                  .telescope = given.telescope.empty() ? "UNKNOWN" : given.telescope,
                  .antennas = data.antennas,
                  .history = {std::string("tessera ") + TESSERA_VERSION + ", write_measurement_set",
                              "DATA is E1 conj(E2), UVW is of r1 - r2",
                              "means over time; the weight of a mean is its number of valid "
                              "samples"},
                  .command = "tessera.write_measurement_set"};
  const LongCall unlocked;
  MsFile file(name, force, header);
  data.write([&](const UvfitsIntegration& one) { file.write(one); });
  file.prepare();
  file.finish();
}

constexpr const char* kMeasurementSet =
    R"(Writes visibilities as a Measurement Set, which CASA, wsclean, DP3 and pyuvdata read.

Needs the library of the package tessera-casacore, which is opened by the first call.

path: the folder to make. One that exists is refused unless force=True, and unless it is a
    Measurement Set.
visibilities: as tessera.xengine and XEngine.dump give them, (channels, baselines, p, p), or
    (integrations, channels, baselines, p, p): V = A_a conj(A_b) in the order of tessera.baselines,
    complex, or integers with a last axis of 2. Sums, or with means=True means.
positions: (antennas, 3), ITRF in metres. names: one per antenna.
frequency: of the channels, Hz, ascending or descending. channel_width: Hz; without it the first
    step.
time, seconds: the middle (MJD, UTC) and the length of an integration; one number or one each.
phase_centre: right ascension and declination where delays are zero, ICRS in degrees; (2,) or
    (integrations, 2). Visibilities are not turned there: it says what they are.
dut1: UT1 - UTC in seconds, -0.9 to 0.9, as the IERS publishes it; for (u, v, w).
counts: how many samples each value is of, (integrations, baselines, p, p), as XEngine.counts; or
samples: one number for all values, or one per integration. Sums are divided by them, and they are
    the weights: the file holds means of 32-bit floats.

>>> visibilities = tessera.xengine(voltages)
>>> tessera.write_measurement_set("v.ms", visibilities, positions, time=60000.5, seconds=0.1,
...                               frequency=1.4e9 + 1e6 * np.arange(16),
...                               phase_centre=(83.63, 22.01), samples=1000))";

}  // namespace

void add_measurement_set(nb::module_& module) {
  module.def(
      "write_measurement_set",
      [](nb::handle path, nb::object visibilities, nb::object positions, nb::object frequency,
         nb::object time, nb::object seconds, nb::object phase_centre, nb::object counts,
         nb::object samples, bool means, std::optional<double> channel_width, nb::object names,
         const std::string& telescope, const std::string& source, double dut1, bool force) {
        write_measurement_set(path,
                              {"write_measurement_set", visibilities, positions, frequency, time,
                               seconds, phase_centre, counts, samples, names, dut1, means,
                               telescope, source, in_order, "channels that ascend or descend"},
                              channel_width, force);
      },
      "path"_a, "visibilities"_a, "positions"_a, nb::kw_only(), "frequency"_a, "time"_a,
      "seconds"_a, "phase_centre"_a, "counts"_a = nb::none(), "samples"_a = nb::none(),
      "means"_a = false, "channel_width"_a = nb::none(), "names"_a = nb::none(), "telescope"_a = "",
      "source"_a = "", "dut1"_a = 0.0, "force"_a = false,
      nb::sig(
          "def write_measurement_set(path: str | bytes | os.PathLike[typing.Any], visibilities: "
          "typing.Any, positions: typing.Any, *, frequency: typing.Any, time: typing.Any, "
          "seconds: typing.Any, phase_centre: typing.Any, counts: typing.Any = None, samples: "
          "typing.Any = None, means: bool = False, channel_width: float | None = None, names: "
          "typing.Sequence[str] | None = None, "
          "telescope: str = \"\", source: str = \"\", dut1: float = 0.0, force: bool = "
          "False) -> None"),
      kMeasurementSet);
}

}  // namespace tessera::python
