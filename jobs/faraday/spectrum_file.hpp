// SPDX-License-Identifier: Apache-2.0
/// A polarised spectrum as text: one line per channel.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// Stokes parameters over frequency, with errors.
struct StokesSpectrum {
  std::vector<double> frequency;   ///< Hz
  std::vector<double> i, i_error;  ///< empty if the file has no Stokes I
  std::vector<double> q, u, q_error, u_error;

  bool has_i() const { return !i.empty(); }
};

/// Seven columns, `frequency I Q U dI dQ dU`, or five, `frequency Q U dQ dU`, separated by spaces
/// or commas; `nan` is a missing value, '#' begins a comment. Throws Error(input) naming file and
/// line.
StokesSpectrum read_stokes_spectrum(const std::string& path);

}  // namespace tessera
