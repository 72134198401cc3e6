// SPDX-License-Identifier: Apache-2.0
// GUPPI RAW: blocks of a header and samples [antenna][channel][time][pol], or [time][channel][pol]
// with PKTFMT SIMPLE. The last OVERLAP samples of a block are repeated in the next.
#include <cmath>

#include "core/counted.hpp"
#include "io/header_card.hpp"
#include "io/voltages/guppi_header.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

class GuppiReader : public VoltageReader {
 public:
  GuppiReader(VoltageInputPointer input, const VoltageOptions& options);

  const VoltageInfo& info() const override { return info_; }
  std::optional<VoltageStretch> next() override;
  VoltageBlock read(long long from, long long count) override {
    return samples_.read(*input_, from, count);
  }
  void want_channels(int first, int count) override { samples_.want_channels(first, count); }

 private:
  VoltageStretch stretch_of(const VoltageKeys& keys, long long samples) const;
  void set_counting();

  VoltageInputPointer input_;
  GuppiHeader first_;
  OrderedVoltages samples_;
  VoltageInfo info_;
  long long offset_ = 0;
  long long overlap_ = 0;
  double samples_a_count_ = 0;  ///< of PKTIDX; 0: not known
};

GuppiHeader first_guppi_header(VoltageInput& input) {
  auto header = read_guppi_header(input, 0);
  if (!header) throw voltage_error(input.name(), "it is empty");
  return *header;
}

GuppiReader::GuppiReader(VoltageInputPointer input, const VoltageOptions& options)
    : input_(std::move(input)),
      first_(first_guppi_header(*input_)),
      samples_(guppi_order(input_->name(), first_.keys, options)),
      info_(guppi_info(first_.keys, samples_.order())),
      overlap_(first_.keys.integer("OVERLAP", 0)) {
  set_counting();
}

// PKTIDX counts packets. A block has PIPERBLK of them, or as many of PKTSIZE bytes as fit in the
// part it does not repeat. Other counts cannot serve as a clock.
void GuppiReader::set_counting() {
  const VoltageKeys& keys = first_.keys;
  if (!keys.has("PKTIDX")) return;
  const long long bytes = samples_.order().bytes_a_sample();
  const long long samples = keys.needed("BLOCSIZE") / bytes - overlap_;
  const auto of_block = static_cast<double>(samples);
  if (const long long packets = keys.integer("PIPERBLK", 0); packets > 0)
    samples_a_count_ = of_block / static_cast<double>(packets);
  else if (const long long size = keys.integer("PKTSIZE", 0); size > 0)
    samples_a_count_ = static_cast<double>(size) / static_cast<double>(bytes);
}

VoltageStretch GuppiReader::stretch_of(const VoltageKeys& keys, long long samples) const {
  VoltageStretch stretch{samples};
  stretch.repeated = overlap_;
  if (samples_a_count_ <= 0 || !keys.has("PKTIDX")) return stretch;
  const double place = static_cast<double>(keys.needed("PKTIDX")) * samples_a_count_;
  if (std::abs(place) < 9e15) stretch.first = static_cast<long long>(std::floor(place + 1e-6));
  return stretch;
}

std::optional<VoltageStretch> GuppiReader::next() {
  const auto header = read_guppi_header(*input_, offset_);
  if (!header) return std::nullopt;
  header->keys.check_same(first_.keys, {"OBSNCHAN", "NANTS", "NPOL", "NBITS", "PKTFMT", "OVERLAP",
                                        "TBIN", "OBSFREQ", "OBSBW"});
  const std::string& name = input_->name();
  const long long bytes = header->keys.needed("BLOCSIZE"),
                  sample = samples_.order().bytes_a_sample();
  if (bytes < 1 || bytes % sample != 0)
    throw voltage_error(name,
                        "BLOCSIZE is {} at byte {}; it must be a multiple of {}, the bytes per "
                        "time sample of all inputs and channels",
                        bytes, offset_, sample);
  const long long samples = bytes / sample, place = offset_ + header->bytes;
  if (overlap_ < 0 || overlap_ >= samples)
    throw voltage_error(name, "OVERLAP is {} and a block has {}; it must be less", overlap_,
                        counted(samples, "sample"));
  const long long there = input_->available(place, bytes);
  if (there < bytes)
    throw voltage_error(name, "the block at byte {} has {} of its {} bytes and is left out", place,
                        there, bytes);
  samples_.set_place(place, samples);
  offset_ = place + bytes;
  return stretch_of(header->keys, samples);
}

}  // namespace

VoltageReaderPointer open_guppi(VoltageInputPointer input, const VoltageOptions& options) {
  return std::make_unique<GuppiReader>(std::move(input), options);
}

bool begins_like_guppi(std::string_view bytes) {
  if (bytes.size() < kFitsCard || bytes.substr(8, 2) != "= ") return false;
  for (const char c : bytes.substr(0, 8))
    if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != ' ' && c != '_' && c != '-')
      return false;
  // A FITS image begins like this too.
  return !bytes.starts_with("SIMPLE  =") && !bytes.starts_with("XTENSION=");
}

}  // namespace tessera
