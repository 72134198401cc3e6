// SPDX-License-Identifier: Apache-2.0
// Samples as one array: a raw file with a description, or an NPY file, whose shape may be enough.
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/counted.hpp"
#include "io/npy/npy_header.hpp"
#include "io/voltages/voltage_description.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

class PlainVoltages : public VoltageReader {
 public:
  PlainVoltages(VoltageInputPointer input, VoltageDescription described, long long offset);

  const VoltageInfo& info() const override { return info_; }
  std::optional<VoltageStretch> next() override { return std::exchange(stretch_, std::nullopt); }
  VoltageBlock read(long long from, long long count) override;
  void want_channels(int first, int count) override { samples_.want_channels(first, count); }

 private:
  VoltageInputPointer input_;
  VoltageInfo info_;
  OrderedVoltages samples_;
  std::optional<VoltageStretch> stretch_;
  std::vector<MissingSamples> missing_;
  std::size_t past_ = 0;  ///< of `missing_`, those that have been read
  std::vector<unsigned char> valid_;
};

PlainVoltages::PlainVoltages(VoltageInputPointer input, VoltageDescription described,
                             long long offset)
    : input_(std::move(input)),
      info_(std::move(described.info)),
      samples_(described.order),
      missing_(std::move(described.missing)) {
  const VoltageOrder& order = samples_.order();
  const long long there = std::max(0LL, *input_->bytes() - offset),
                  heap = order.bytes_a_sample() * order.heap;
  const long long said = info_.length.value_or(there / heap * order.heap);
  VoltageStretch stretch{std::min(said, there / heap * order.heap)};
  if (stretch.samples < said || (!info_.length && there % heap != 0))
    stretch.cut = fmt::format(
        "{}: its {} of samples do not end with a whole group; {} of {} samples in time are "
        "used",
        input_->name(), counted(there, "byte"), stretch.samples,
        std::max(said, stretch.samples + 1));
  if (stretch.samples < 1 || stretch.samples % order.heap != 0 ||
      (!stretch.cut.empty() && !order.time_first()))
    throw voltage_error(
        input_->name(),
        "it has {} of samples; there must be {} per time sample of {}, in groups of {}",
        counted(there, "byte"), counted(order.bytes_a_sample(), "byte"),
        voltage_shape_text(info_.shape), counted(order.heap, "time sample"));
  samples_.set_place(offset, stretch.samples);
  info_.length = stretch.samples;
  stretch_ = stretch;
}

// A block ends where the inputs without data change.
VoltageBlock PlainVoltages::read(long long from, long long count) {
  while (past_ < missing_.size() && missing_[past_].first + missing_[past_].count <= from) ++past_;
  if (past_ == missing_.size()) return samples_.read(*input_, from, count);
  const MissingSamples& run = missing_[past_];
  if (from < run.first) return samples_.read(*input_, from, std::min(count, run.first - from));
  VoltageBlock block = samples_.read(*input_, from, std::min(count, run.first + run.count - from));
  const auto inputs = static_cast<std::size_t>(info_.shape.inputs());
  valid_.assign(inputs, run.inputs.empty() ? 0 : 1);
  for (const int input : run.inputs) valid_[static_cast<std::size_t>(input)] = 0;
  block.valid = valid_;
  block.valid_samples = block.samples;
  return block;
}

const File& regular(const VoltageInput& input) {
  if (input.is_pipe())
    throw voltage_error(input.name(),
                        "NPY and raw files cannot be read from a pipe; save it to a file first");
  return input.file();
}

struct NpyVoltages {
  NpyHeader header;
  bool pairs = false;  ///< items are records of two parts
  long long data_offset = 0;
};

// [('re', '|i1'), ('im', '|i1')] is read as '|i1' with one more axis of 2.
std::string without_record(const std::string& name, std::string text, bool& pairs) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == text.npos || close == text.npos || close < open) return text;
  const std::string list = text.substr(open, close - open);
  std::vector<std::string> words;
  for (std::size_t at = list.find('\''); at != list.npos; at = list.find('\'', at)) {
    const std::size_t end = list.find('\'', at + 1);
    if (end == list.npos) break;
    words.push_back(list.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  pairs = words.size() == 4 && words[1] == words[3];
  if (!pairs)
    throw voltage_error(name,
                        "its items are records {}]; two parts of one type, real and "
                        "imaginary, can be read",
                        list);
  return text.replace(open, close - open + 1, "'" + words[1] + "'");
}

NpyVoltages read_header(const VoltageInput& input) {
  NpyVoltages npy;
  NpyText read = read_npy_text(regular(input));
  read.text = without_record(input.name(), std::move(read.text), npy.pairs);
  npy.header = parse_npy_header(input.name(), read.text);
  npy.data_offset = read.data_offset;
  if (npy.pairs) npy.header.shape.push_back(2);
  if (npy.header.fortran_order)
    throw voltage_error(input.name(),
                        "it is in Fortran order; save numpy.ascontiguousarray(array)");
  return npy;
}

/// Sample types that items may be, the likeliest first; parts: the last axis has length 2.
struct NpyType {
  std::string_view descr;
  SampleType type;
  bool parts;
};
constexpr std::array<NpyType, 9> kTypes{{{"|i1", SampleType::ci8, true},
                                         {"|u1", SampleType::ci8, true},
                                         {"|u1", SampleType::ci4, false},
                                         {"|i1", SampleType::ci4, false},
                                         {"<i2", SampleType::ci16, true},
                                         {"<u2", SampleType::ci16, true},
                                         {"<f2", SampleType::cf16, true},
                                         {"<f4", SampleType::cf32, true},
                                         {"<c8", SampleType::cf32, false}}};

/// The same for samples without imaginary parts.
constexpr std::array<NpyType, 6> kRealTypes{{{"|i1", SampleType::ci8, false},
                                             {"|u1", SampleType::ci8, false},
                                             {"<i2", SampleType::ci16, false},
                                             {"<u2", SampleType::ci16, false},
                                             {"<f2", SampleType::cf16, false},
                                             {"<f4", SampleType::cf32, false}}};

const NpyType& real_type_of(const std::string& name, const NpyVoltages& npy, SampleType said) {
  for (const NpyType& type : kRealTypes)
    if (npy.header.descr == type.descr && type.type == said) return type;
  throw voltage_error(name,
                      "its items are {} and its description says real samples of {}; int8, int16, "
                      "float16 and float32 can be read",
                      npy.header.descr, name_of(said));
}

const NpyType& type_of(const std::string& name, const NpyVoltages& npy,
                       const std::optional<SampleType>& said) {
  for (const NpyType& type : kTypes)
    if (npy.header.descr == type.descr && (!said || type.type == *said)) return type;
  throw voltage_error(
      name,
      "its items are {}{}; int8, int16, float16 and float32 with a last axis of 2 (real, "
      "imaginary), or complex64, can be read",
      npy.header.descr, said ? fmt::format(" and its description says {}", name_of(*said)) : "");
}

void check_shape(const std::string& name, const NpyVoltages& npy, const NpyType& type) {
  const auto& shape = npy.header.shape;
  for (const long long extent : shape)
    if (extent < 1)
      throw voltage_error(name, "an axis of its shape ({}) is empty", fmt::join(shape, ", "));
  if (type.parts && (shape.empty() || shape.back() != 2))
    throw voltage_error(name,
                        "its shape is ({}) of {}; the last axis must be 2, for real and "
                        "imaginary parts",
                        fmt::join(shape, ", "), npy.header.descr);
}

/// (time, channel, antenna, polarisation), the default without a description.
VoltageDescription describe_by_shape(const std::string& name, const NpyVoltages& npy,
                                     const NpyType& type) {
  const auto& shape = npy.header.shape;
  if (shape.size() != (type.parts ? 5u : 4u))
    throw voltage_error(name,
                        "its shape is ({}) and no {}.json describes it; without that it must "
                        "be (time, channels, antennas, polarisations{})",
                        fmt::join(shape, ", "), name, type.parts ? ", 2" : "");
  VoltageDescription described;
  described.info.shape = checked_shape(name, {shape[2], shape[3], shape[1]});
  described.info.samples = type.type;
  described.order = {"TFAP", described.info.shape, type.type};
  return described;
}

void check_length(const std::string& name, const NpyVoltages& npy, const NpyType& type,
                  VoltageDescription& described) {
  long long items = 1;
  for (const long long extent : npy.header.shape)
    if (__builtin_mul_overflow(items, extent, &items))
      throw voltage_error(name, "its shape ({}) has more than 2^63 items",
                          fmt::join(npy.header.shape, ", "));
  const XEngineShape& shape = described.info.shape;
  const long long sample = 1LL * shape.inputs() * shape.channels * (type.parts ? 2 : 1);
  if (items % sample != 0)
    throw voltage_error(name,
                        "its shape ({}) has {}; that is not a whole number of time samples, "
                        "which have {}, {} each",
                        fmt::join(npy.header.shape, ", "), counted(items, "item"),
                        voltage_shape_text(shape), counted(sample, "item"));
  described.info.length = items / sample;
}

}  // namespace

VoltageReaderPointer open_voltage_raw(VoltageInputPointer input, const VoltageOptions& options) {
  VoltageDescription described = read_voltage_description(regular(*input).path(), options);
  described.info.format = "raw";
  return std::make_unique<PlainVoltages>(std::move(input), std::move(described), 0);
}

VoltageReaderPointer open_voltage_npy(VoltageInputPointer input, const VoltageOptions& options) {
  const std::string name = input->name();
  const NpyVoltages npy = read_header(*input);
  std::optional<VoltageDescription> described;
  if (has_voltage_description(name, options)) described = read_voltage_description(name, options);
  const bool real = described && described->info.real;
  const NpyType& type =
      real ? real_type_of(name, npy, described->info.samples)
           : type_of(name, npy, described ? std::optional(described->info.samples) : std::nullopt);
  check_shape(name, npy, type);
  if (!described) described = describe_by_shape(name, npy, type);
  if (npy.header.descr[1] == 'u' && type.parts) described->info.offset_binary = true;
  if (npy.header.descr[1] == 'u' && real) described->order.offset_binary = true;
  check_length(name, npy, type, *described);
  described->info.format = "NPY";
  return std::make_unique<PlainVoltages>(std::move(input), std::move(*described), npy.data_offset);
}

}  // namespace tessera
