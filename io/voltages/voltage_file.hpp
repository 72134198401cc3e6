// SPDX-License-Identifier: Apache-2.0
/// Reads recordings of voltages: blocks of time of all inputs and channels.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// The axes of a right ascension and declination: those of ICRS, which are J2000's to 0.03
/// arcseconds, or the true equator and equinox of the date with aberration (an apparent place).
enum class RecordedFrame : unsigned char { icrs, date };
template <>
struct Names<RecordedFrame> {
  static constexpr std::array<std::pair<std::string_view, RecordedFrame>, 2> list{
      {{"icrs", RecordedFrame::icrs}, {"date", RecordedFrame::date}}};
};

/// Which way frequencies of the samples of a channel lie on the sky.
enum class Sideband : unsigned char { automatic, upper, lower };
template <>
struct Names<Sideband> {
  static constexpr std::array<std::pair<std::string_view, Sideband>, 3> list{
      {{"auto", Sideband::automatic}, {"upper", Sideband::upper}, {"lower", Sideband::lower}}};
};

/// The description of a recording. Members that it does not give are empty.
struct VoltageInfo {
  std::string format;  ///< "GUPPI RAW"
  XEngineShape shape;
  SampleType samples = SampleType::ci8;
  bool offset_binary = false, real_low = false;  ///< of integer samples, as in XEngineOptions
  bool real = false;                             ///< recorded without imaginary parts
  /// Within a channel the frequency on the sky falls as that of the samples grows.
  bool lower_sideband = false;
  int bits = 0;       ///< recorded bits per sample of an input and channel; 0: those of its type
  double scale = 1;   ///< the value of one unit of the samples
  double offset = 0;  ///< units to add to the recorded samples: 8-bit VDIF is half a step off zero
  std::optional<long long> length;      ///< samples in time of the whole recording
  long long expected_length = 0;        ///< an estimate from the sizes of files; 0: not known
  std::optional<double> sample_rate;    ///< complex samples per second of a channel
  std::vector<double> frequency;        ///< Hz, middles of the channels; may descend
  std::optional<double> channel_width;  ///< Hz, positive
  std::optional<double> start;          ///< MJD (UTC) of the first sample
  /// The same as two numbers, since a double holds an MJD only to 0.6 microseconds.
  long long start_day = 0;
  double start_second = 0;
  std::string telescope, source;
  std::optional<double> right_ascension, declination;  ///< degrees
  RecordedFrame frame = RecordedFrame::icrs;           ///< of these two
  /// Whether the delays and fringes of this place have been removed from the samples.
  std::optional<bool> tracked;
  std::vector<std::string> antenna_names;
  std::vector<std::array<double, 3>> antenna_positions;  ///< ITRF x, y, z in metres
  /// The filter bank that made the channels, as JSON; "" if it is not known.
  std::string filter_bank;
  std::vector<FileDetail> details;  ///< cards and keys of the header

  /// Recorded bits of all inputs and channels for one time sample.
  double bits_of_all() const;
  /// Sets `start` too; seconds outside the day change the day. An impossible date leaves it empty.
  void set_start(long long day, double second);
};

/// Blocks come one after the other. A block that is cut short, or a header that contradicts the
/// first, ends the recording with a warning if something was read before; otherwise it is an
/// Error(input).
class VoltageSource {
 public:
  virtual ~VoltageSource() = default;
  virtual const VoltageInfo& info() const = 0;
  /// The next samples, at most `most`; they stay until the next call. None: the end.
  virtual VoltageBlock read(long long most) = 0;
  /// Owns the memory of the last block, which then stays beyond the next call; empty: it does not.
  virtual Scratch hold() { return {}; }
  /// Only these channels of the blocks to come are looked at: others need not be read.
  virtual void want_channels(int first, int count) {
    static_cast<void>(first);
    static_cast<void>(count);
  }
  /// Goes past samples that the recording lacks, at most `most`; returns how many, 0 if the next
  /// sample is there. Otherwise `read` returns them as invalid ones.
  virtual long long skip_missing(long long most) {
    static_cast<void>(most);
    return 0;
  }
  /// Whether the recording ended too early, and why.
  virtual bool truncated() const = 0;
  virtual std::vector<std::string> warnings() const = 0;
};

struct VoltageOptions {
  std::string format = "auto";
  std::string description;
  long long skip = 0;
  int polarisations = 0;
  double sample_rate = 0;
  double frequency = 0;
  Sideband sideband = Sideband::automatic;
  bool half_steps = false;
  double max_gap = 100;

  static constexpr auto fields() {
    using O = VoltageOptions;
    return std::tuple{
        field("format", &O::format,
              "guppi, dada, vdif, npy or raw; auto: by the file's beginning and name"),
        field("description", &O::description,
              "a JSON file that describes an NPY or raw file; auto: the file's name with "
              ".json"),
        field("skip", &O::skip, "how much time to leave out at the beginning",
              Range{.lowest = 0, .unit = "samples"}),
        field("polarisations", &O::polarisations,
              "VDIF: consecutive threads that belong to one antenna; GUPPI RAW: the meaning of "
              "NPOL; 0: one thread per antenna, NPOL 4 is 2",
              Range{0, 4}),
        field("sample-rate", &O::sample_rate,
              "samples per second and channel, if the file does not say; 0: as the file says",
              Range{0, 1e15, "Hz"}),
        field("frequency", &O::frequency,
              "zero frequency of the samples on the sky, if the file does not say: the middle of a "
              "complex channel (the first), the edge of a real band; 0: as the file says",
              Range{0, 1e15, "Hz"}),
        field("sideband", &O::sideband,
              "upper: frequencies of the samples of a channel grow with those on the sky; lower: "
              "they fall; auto: as the file says, else upper"),
        field("half-steps", &O::half_steps,
              "8-bit VDIF exactly: 127.5 is zero, samples are ci16 in half steps, slower; "
              "otherwise 128 is zero"),
        field("max-gap", &O::max_gap,
              "samples that may be missing between blocks and files, all together, for each one "
              "that is there; a recording ends where more are missing",
              Range{0, 1e9}),
    };
  }
};

/// Several files are read one after the other as one recording. "-" is standard input, for GUPPI
/// RAW, PSRDADA and VDIF. Samples that blocks repeat (OVERLAP) come once; gaps in time become
/// invalid samples. Throws Error(input) if the first block is not whole.
std::unique_ptr<VoltageSource> open_voltages(const std::vector<std::string>& files,
                                             const VoltageOptions& options = {});

/// A recording of which only info() and warnings() are wanted: if its first block is not whole, the
/// header is there and the warnings say so. Throws Error(input) for a header that cannot be read.
std::unique_ptr<VoltageSource> describe_voltages(const std::string& file);

/// Whether a file is a recording: GUPPI RAW or PSRDADA by its beginning, VDIF by its name, and
/// others by a description next to it. Standard input is none.
bool is_recording(const std::string& path);

}  // namespace tessera
