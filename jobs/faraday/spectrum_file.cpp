// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/spectrum_file.hpp"

#include <fmt/format.h>

#include "core/refuse.hpp"
#include "jobs/faraday/faraday_text.hpp"

namespace tessera {
namespace {

constexpr std::size_t kColumns[] = {7, 5};
constexpr const char* kRight = "7 (frequency I Q U dI dQ dU) or 5 (frequency Q U dQ dU)";

}  // namespace

StokesSpectrum read_stokes_spectrum(const std::string& path) {
  const TextColumns read = read_columns(path, kColumns, kRight);
  const std::vector<std::vector<double>>& columns = read.columns;
  StokesSpectrum spectrum;
  if (columns.size() == 7)
    spectrum = {columns[0], columns[1], columns[4], columns[2], columns[3], columns[5], columns[6]};
  else
    spectrum = {columns[0], {}, {}, columns[1], columns[2], columns[3], columns[4]};
  for (std::size_t k = 0; k < spectrum.q.size(); ++k)
    if (spectrum.q_error[k] < 0 || spectrum.u_error[k] < 0)
      refuse_input(
          "faraday: " + path,
          fmt::format("the errors of Q and U at {} Hz are {} and {}; they must be 0 or more",
                      spectrum.frequency[k], spectrum.q_error[k], spectrum.u_error[k]));
  return spectrum;
}

}  // namespace tessera
