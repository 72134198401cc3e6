// SPDX-License-Identifier: Apache-2.0
/// What a format of recordings has to tell: stretches of samples and where they lie in time. Gaps,
/// repeated samples, sequences of files and what is cut short are dealt with by one class for all
/// (io/voltages/voltage_recording.cpp).
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "io/voltages/voltage_input.hpp"

namespace tessera {

/// Samples that follow each other without a gap.
struct VoltageStretch {
  long long samples = 0;
  /// The place in time of the first one, counted in samples from `info().start`; nothing: it
  /// follows what came before.
  std::optional<long long> first = {};
  long long repeated = 0;  ///< samples at the beginning that came before (where `first` is nothing)
  std::string cut = {};    ///< why there are fewer than there should be; "": there are not
};

class VoltageReader {
 public:
  virtual ~VoltageReader() = default;
  virtual const VoltageInfo& info() const = 0;
  /// Goes to the next stretch; none: the end. Throws Error(input) for what is not right.
  virtual std::optional<VoltageStretch> next() = 0;
  /// Samples from `from` on of the stretch, `count` at most and at least one. They stay until the
  /// next call. Of one stretch, `from` only grows.
  virtual VoltageBlock read(long long from, long long count) = 0;
  virtual std::vector<std::string> warnings() const { return {}; }
};

using VoltageReaderPointer = std::unique_ptr<VoltageReader>;
using VoltageInputPointer = std::unique_ptr<VoltageInput>;
VoltageReaderPointer open_guppi(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_dada(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_vdif(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_voltage_npy(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_voltage_raw(VoltageInputPointer input, const VoltageOptions& options);

/// Whether a file begins like these. A second VDIF header must be where the first says.
bool begins_like_guppi(std::string_view bytes);
bool begins_like_dada(std::string_view bytes);
bool begins_like_vdif(std::string_view bytes);

/// What a header claims, not yet to be trusted.
struct ClaimedVoltages {
  long long antennas = 1, polarisations = 1, channels = 1;
};
/// Throws Error(input) naming the file and the number that is out of bounds.
XEngineShape checked_shape(const std::string& name, const ClaimedVoltages& claimed);

/// Bytes that reading takes; throws Error(resources) when they are not free.
void check_voltage_memory(const std::string& name, long long bytes);

template <class... Arguments>
Error voltage_error(const std::string& name, fmt::format_string<Arguments...> text,
                    Arguments&&... arguments) {
  return {ErrorKind::input, name + ": " + fmt::format(text, std::forward<Arguments>(arguments)...)};
}

}  // namespace tessera
