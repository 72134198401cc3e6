// SPDX-License-Identifier: Apache-2.0
/// The interface that each recording format implements: stretches of samples and their places in
/// time. Gaps, repeated samples, sequences of files and files that are cut short are handled by one
/// class for all formats (io/voltages/voltage_recording.cpp).
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/counted.hpp"
#include "io/voltages/voltage_file.hpp"
#include "io/voltages/voltage_input.hpp"

namespace tessera {

/// Samples that follow each other without a gap.
struct VoltageStretch {
  long long samples = 0;
  /// The place in time of the first sample, counted in samples from `info().start`; nothing: it
  /// follows the stretch before.
  std::optional<long long> first = {};
  long long repeated = 0;  ///< samples at the beginning that came before (if `first` is nothing)
  std::string cut = {};  ///< why there are fewer than there should be; "": the stretch is complete
};

class VoltageReader {
 public:
  virtual ~VoltageReader() = default;
  virtual const VoltageInfo& info() const = 0;
  /// Goes to the next stretch; none: the end. Throws Error(input) if something is wrong.
  virtual std::optional<VoltageStretch> next() = 0;
  /// Samples of the stretch from `from` on, at least one and at most `count`. They stay valid until
  /// the next call. Within one stretch, `from` only grows.
  virtual VoltageBlock read(long long from, long long count) = 0;
  /// As VoltageSource::want_channels.
  virtual void want_channels(int first, int count) {
    static_cast<void>(first);
    static_cast<void>(count);
  }
  virtual std::vector<std::string> warnings() const { return {}; }
};

using VoltageReaderPointer = std::unique_ptr<VoltageReader>;
using VoltageInputPointer = std::unique_ptr<VoltageInput>;
VoltageReaderPointer open_guppi(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_dada(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_vdif(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_voltage_npy(VoltageInputPointer input, const VoltageOptions& options);
VoltageReaderPointer open_voltage_raw(VoltageInputPointer input, const VoltageOptions& options);

/// Whether a file begins like these formats. For VDIF a second header must follow where the first
/// one says.
bool begins_like_guppi(std::string_view bytes);
bool begins_like_dada(std::string_view bytes);
bool begins_like_vdif(std::string_view bytes);

/// Sizes that a header claims, not yet checked.
struct ClaimedVoltages {
  long long antennas = 1, polarisations = 1, channels = 1;
};
/// Throws Error(input) that names the file and the number that is out of bounds.
XEngineShape checked_shape(const std::string& name, const ClaimedVoltages& claimed);

/// "64 antennas, 1 polarisation and 128 channels".
inline std::string voltage_shape_text(const XEngineShape& shape) {
  return fmt::format("{}, {} and {}", counted(shape.antennas, "antenna"),
                     counted(shape.polarisations, "polarisation"),
                     counted(shape.channels, "channel"));
}

/// Checks the bytes of memory that reading takes; throws Error(resources) if they are not free.
void check_voltage_memory(const std::string& name, long long bytes);

template <class... Arguments>
Error voltage_error(const std::string& name, fmt::format_string<Arguments...> text,
                    Arguments&&... arguments) {
  return {ErrorKind::input, name + ": " + fmt::format(text, std::forward<Arguments>(arguments)...)};
}

}  // namespace tessera
