// SPDX-License-Identifier: Apache-2.0
// PSRDADA: a header, then FILE_SIZE bytes of samples in the order that ORDER names; both may be
// repeated. FILE_SIZE is the planned size: the last file of a recording is often shorter.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/counted.hpp"
#include "io/voltages/dada_header.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

class DadaReader : public VoltageReader {
 public:
  explicit DadaReader(VoltageInputPointer input);

  const VoltageInfo& info() const override { return info_; }
  std::optional<VoltageStretch> next() override;
  VoltageBlock read(long long from, long long count) override {
    return samples_.read(*input_, from, count);
  }
  void want_channels(int first, int count) override { samples_.want_channels(first, count); }
  std::vector<std::string> warnings() const override {
    return doubt_.empty() ? std::vector<std::string>{} : std::vector<std::string>{doubt_};
  }

 private:
  void set_length();
  std::optional<VoltageStretch> next_of_payload(bool begins);

  VoltageInputPointer input_;
  std::string doubt_;
  DadaHeader first_;
  OrderedVoltages samples_;
  VoltageInfo info_;
  long long offset_ = 0, left_ = 0;  ///< bytes of samples still to come
  bool sized_ = false;               ///< FILE_SIZE says how many
};

DadaHeader first_dada_header(VoltageInput& input) {
  auto header = read_dada_header(input, 0);
  if (!header) throw voltage_error(input.name(), "it is empty");
  return *header;
}

DadaReader::DadaReader(VoltageInputPointer input)
    : input_(std::move(input)),
      first_(first_dada_header(*input_)),
      samples_(dada_order(input_->name(), first_.keys, doubt_)),
      info_(dada_info(input_->name(), first_.keys, samples_.order())) {
  if (input_->is_pipe() && !samples_.order().time_first())
    throw voltage_error(input_->name(),
                        "ORDER is {}, which cannot be read from a pipe in the order of time; save "
                        "it to a file first",
                        samples_.order().axes);
  if (info_.real) info_.bits = 4 * bytes_of(info_.samples);
  set_length();
}

// Known if one header stands for the whole file.
void DadaReader::set_length() {
  const auto all = input_->bytes();
  if (!all) return;
  const long long said = first_.keys.integer("FILE_SIZE", 0), there = *all - first_.bytes;
  if (said > 0 && said < there) return;
  const VoltageOrder& order = samples_.order();
  info_.length = there / order.bytes_a_sample() / order.heap * order.heap;
}

// A file's payload is one stretch. The length of a pipe is known only when it has been read: there
// a stretch is the data read at once.
std::optional<VoltageStretch> DadaReader::next_of_payload(bool begins) {
  const VoltageOrder& order = samples_.order();
  const long long heap = order.bytes_a_sample() * order.heap;
  constexpr long long kLookedAt = 4 << 20;
  const long long wanted =
      input_->is_pipe() ? std::min(left_, std::max(1LL, kLookedAt / heap) * heap) : left_;
  const long long there = input_->available(offset_, wanted);
  VoltageStretch stretch{there / heap * order.heap};
  const bool whole = there == wanted || (!sized_ && there % heap == 0);
  if (!whole)
    stretch.cut = fmt::format(
        "{}: it ends with {} bytes of the {} that should follow byte {}; their {} whole samples "
        "are used",
        input_->name(), there, sized_ ? left_ : (there / heap + 1) * heap, offset_,
        stretch.samples);
  if (stretch.samples < 1 && !begins && whole) return std::nullopt;
  if (stretch.samples < 1 || (!whole && !order.time_first()))
    throw voltage_error(input_->name(), "{} of samples {} byte {}; {} {}", counted(there, "byte"),
                        there == 1 ? "follows" : "follow", offset_,
                        order.time_first() ? heap : left_,
                        order.time_first() ? "are the minimum" : "should follow");
  samples_.set_place(offset_, stretch.samples);
  const long long taken = stretch.samples * order.bytes_a_sample();
  const bool ended = there < wanted;
  left_ = ended ? 0 : left_ - taken;
  offset_ += ended ? there : taken;
  if (sized_ && left_ < heap) offset_ += std::exchange(left_, 0);  // less than a sample
  return stretch;
}

std::optional<VoltageStretch> DadaReader::next() {
  if (left_ > 0) return next_of_payload(false);
  const auto header = read_dada_header(*input_, offset_);
  if (!header) return std::nullopt;
  header->keys.check_same(first_.keys, {"NANT", "NPOL", "NCHAN", "NBIT", "NDIM", "ORDER",
                                        "ENCODING", "TSAMP", "FREQ", "BW", "UTC_START"});
  offset_ += header->bytes;
  left_ = header->keys.integer("FILE_SIZE", 0);
  sized_ = left_ > 0;
  if (!sized_) left_ = std::numeric_limits<long long>::max();
  auto stretch = next_of_payload(true);
  if (const auto before = header->keys.integer("OBS_OFFSET"))
    stretch->first = *before / samples_.order().bytes_a_sample();
  return stretch;
}

}  // namespace

VoltageReaderPointer open_dada(VoltageInputPointer input, const VoltageOptions&) {
  return std::make_unique<DadaReader>(std::move(input));
}

}  // namespace tessera
