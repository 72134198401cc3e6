// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "io/npy/npy_header.hpp"
#include "jobs/sample/voltages_job.hpp"
#include "report/json.hpp"
#include "sample/band_voltages.hpp"

namespace tessera {
namespace {

Json list_of(const EarthVector& v) { return {v.x, v.y, v.z}; }

Json source_truth(const VoltageMaker& made, std::size_t k) {
  const SampleSource& source = made.sources()[k];
  const SkyAngles angles = sky_angles(source.direction, made.options().start);
  const SkyPlace icrs = icrs_place(source.direction, made.options().start);
  const SkyOffset offset = sky_offset(made.centre(), source.direction);
  Json delays = Json::array();
  for (std::size_t a = 0; a < made.antennas().size(); ++a) delays.push_back(made.delay(k, a));
  return {{"direction", list_of(source.direction)},
          {"right_ascension", angles.right_ascension},
          {"declination", angles.declination},
          {"right_ascension_icrs", icrs.right_ascension},
          {"declination_icrs", icrs.declination},
          {"l", offset.l},
          {"m", offset.m},
          {"stokes", {source.i, source.q, source.u, source.v}},
          {"delays", delays}};
}

}  // namespace

std::string voltages_truth(const VoltageMaker& made, const VoltagesResult& result,
                           const BandVoltages* raw) {
  const SkyAngles centre = sky_angles(made.centre(), made.options().start);
  const SkyPlace icrs = icrs_place(made.centre(), made.options().start);
  Json truth{{"made", result.made},
             {"seed", result.seed},
             {"saturated", result.saturated},
             {"options", to_json(made.options())},
             {"scale", made.scale()},
             {"centre", list_of(made.centre())},
             {"right_ascension", centre.right_ascension},
             {"declination", centre.declination},
             {"right_ascension_icrs", icrs.right_ascension},
             {"declination_icrs", icrs.declination},
             {"frame", "degrees, mean equator and equinox of date; _icrs: ICRS"},
             {"tracked", made.options().tracked},
             {"convention", "V_ij = A_i conj(A_j) = S exp(-2 pi i f (delay_i - delay_j))"},
             {"model", result.files.at(2)}};
  if (raw)
    truth["raw"] = {{"samples", std::string(name_of(made.options().raw))},
                    {"sample_rate", raw->sample_rate()},
                    {"zero_frequency", raw->zero_frequency()},
                    {"sideband", made.options().lower_sideband ? "lower" : "upper"},
                    {"model",
                     "per spectrum, divided by the sum of the squared coefficients of the "
                     "filter bank"}};
  // Made an array before anything is added: one that begins as null does not survive a lack of
  // memory.
  truth["antennas"] = Json::array();
  for (const SampleAntenna& antenna : made.antennas())
    truth["antennas"].push_back({{"name", antenna.name}, {"position", list_of(antenna.place)}});
  truth["sources"] = Json::array();
  for (std::size_t k = 0; k < made.sources().size(); ++k)
    truth["sources"].push_back(source_truth(made, k));
  return truth.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string voltages_model(const VoltageMaker& made) {
  const XEngineShape shape = made.shape();
  const int each = shape.polarisations;
  std::string bytes = npy_bytes_of_text(
      fmt::format("{{'descr': '<c16', 'fortran_order': False, 'shape': ({}, {}, {}, {}), }}",
                  shape.channels, shape.baselines(), each, each));
  for (int c = 0; c < shape.channels; ++c)
    for (int a = 0; a < shape.antennas; ++a)
      for (int b = 0; b <= a; ++b)
        for (int k = 0; k < each * each; ++k) {
          const std::complex<double> value =
              made.model(c, a * each + k / each, b * each + k % each);
          bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
  return bytes;
}

}  // namespace tessera
