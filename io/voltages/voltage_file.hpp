// SPDX-License-Identifier: Apache-2.0
/// Recordings of voltages while they are read: blocks of time of all inputs and channels.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// What a recording says of itself. What it does not say is empty.
struct VoltageInfo {
  std::string format;  ///< "GUPPI RAW"
  XEngineShape shape;
  SampleType samples = SampleType::ci8;
  bool offset_binary = false, real_low = false;  ///< of integer samples, as XEngineOptions
  bool real = false;                             ///< recorded without imaginary parts
  int bits = 0;       ///< of a sample of an input and channel as recorded; 0: those of its type
  double scale = 1;   ///< what a unit of the samples stands for
  double offset = 0;  ///< units to add to what was recorded: 8-bit VDIF lies half a step from zero
  std::optional<long long> length;      ///< samples in time of the whole recording
  long long expected_length = 0;        ///< as sizes of files tell it, about; 0: they do not
  std::optional<double> sample_rate;    ///< complex samples a second of a channel
  std::vector<double> frequency;        ///< Hz, middles of the channels; may descend
  std::optional<double> channel_width;  ///< Hz, positive
  std::optional<double> start;          ///< MJD (UTC) of the first sample
  /// The same apart, since a double holds an MJD only to 0.6 microseconds.
  long long start_day = 0;
  double start_second = 0;
  std::string telescope, source;
  std::optional<double> right_ascension, declination;  ///< degrees
  std::vector<std::string> antenna_names;
  std::vector<std::array<double, 3>> antenna_positions;  ///< ITRF x, y, z in metres
  std::vector<FileDetail> details;                       ///< cards and keys of the header

  /// Recorded bits of all inputs and channels at one time.
  double bits_of_all() const;
  /// Sets `start` too; seconds outside the day move it. What can be no date leaves it empty.
  void set_start(long long day, double second);
};

/// Blocks come one after the other. A block that is cut short, or a header that does not fit the
/// first, ends the recording with a warning when something was read before; else it is an
/// Error(input).
class VoltageSource {
 public:
  virtual ~VoltageSource() = default;
  virtual const VoltageInfo& info() const = 0;
  /// The next samples, at most `most`; they stay until the next call. None: the end.
  virtual VoltageBlock read(long long most) = 0;
  /// Whether the recording ended before it should have, and why.
  virtual bool truncated() const = 0;
  virtual std::vector<std::string> warnings() const = 0;
};

struct VoltageOptions {
  std::string format = "auto";
  std::string description;
  long long skip = 0;
  int polarisations = 0;
  double sample_rate = 0;
  bool half_steps = false;

  static constexpr auto fields() {
    using O = VoltageOptions;
    return std::tuple{
        field("format", &O::format,
              "guppi, dada, vdif, npy or raw; auto: by the file's beginning and name"),
        field("description", &O::description,
              "a JSON file that says what an NPY or raw file holds; auto: the file's name with "
              ".json"),
        field("skip", &O::skip, "how much time to leave out at the beginning",
              Range{.lowest = 0, .unit = "samples"}),
        field("polarisations", &O::polarisations,
              "threads of VDIF that are one antenna, in order; of GUPPI RAW, what NPOL means; 0: "
              "one thread an antenna, NPOL 4 is 2",
              Range{0, 4}),
        field("sample-rate", &O::sample_rate,
              "of a channel, if the file does not say; 0: as the file says", Range{0, 1e15, "Hz"}),
        field("half-steps", &O::half_steps,
              "8-bit VDIF exactly, 127.5 is zero: ci16 in half steps, slower; else 128 is zero"),
    };
  }
};

/// Several files are one recording, one after the other. "-" is standard input, for GUPPI RAW,
/// PSRDADA and VDIF. Samples that blocks repeat (OVERLAP) come once; time that headers say was not
/// recorded comes as invalid samples. Throws Error(input) when the first block is not whole.
std::unique_ptr<VoltageSource> open_voltages(const std::vector<std::string>& files,
                                             const VoltageOptions& options = {});

}  // namespace tessera
