// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/header_card.hpp"
#include "io/voltages/voltage_collect.hpp"
#include "io/voltages/voltage_gather.hpp"

namespace tessera {
namespace {

constexpr long long kBlockBytes = 8 << 20;

class GuppiSink : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

 protected:
  long long prepare() override;
  void store(const Collected& collected) override;

 private:
  std::string header(const Collected& collected) const;

  double centre_ = 0, width_ = 0;
  bool band_ = false;
  std::vector<unsigned char> block_;
};

long long GuppiSink::prepare() {
  const VoltageInfo& info = this->info();
  if (!is_integer(info.samples))
    refuse(fmt::format("GUPPI RAW holds ci4, ci8 and ci16, not {}; write NPY or raw",
                       name_of(info.samples)));
  if (info.real)
    refuse(
        "GUPPI RAW holds complex samples of several inputs; write real ones as VDIF, PSRDADA, NPY "
        "or raw");
  band_ = find_band(path(), info, centre_, width_);
  // Readers would take one channel without a width for a real band.
  if (info.shape.antennas * info.shape.channels == 1 && !(band_ && info.sample_rate))
    refuse("one channel of one antenna needs its frequency, width and sample rate in GUPPI RAW");
  return std::max(1LL, kBlockBytes / order().bytes_a_sample());
}

std::string GuppiSink::header(const Collected& collected) const {
  const VoltageInfo& info = this->info();
  std::string cards;
  const auto add = [&](const char* key, const std::string& value) {
    cards += fits_card(key, value, "");
  };
  const auto number = [&](const char* key, auto value) { add(key, fmt::format("{}", value)); };
  add("BACKEND", fits_text("TESSERA"));
  if (!info.telescope.empty()) add("TELESCOP", fits_text(info.telescope));
  if (!info.source.empty()) add("SRC_NAME", fits_text(info.source));
  if (info.right_ascension) add("RA_STR", fits_text(sexagesimal(*info.right_ascension, true)));
  if (info.declination) add("DEC_STR", fits_text(sexagesimal(*info.declination, false)));
  if (info.frame == RecordedFrame::date) add("RADESYS", fits_text("GAPPT"));
  if (info.tracked) add("TRACKED", *info.tracked ? "T" : "F");
  number("NANTS", info.shape.antennas);
  number("OBSNCHAN", info.shape.antennas * info.shape.channels);
  number("NPOL", info.shape.polarisations == 2 ? 4 : info.shape.polarisations);
  number("NBITS", info.samples == SampleType::ci4 ? 4 : 4 * bytes_of(info.samples));
  add("PKTFMT", fits_text("1SFA"));
  if (band_) {
    number("OBSFREQ", centre_ / 1e6);
    number("OBSBW", width_ / 1e6);
    number("CHAN_BW", width_ / 1e6 / info.shape.channels);
  }
  if (info.sample_rate) number("TBIN", 1 / *info.sample_rate);
  if (info.start) {
    number("STT_IMJD", info.start_day);
    number("STT_SMJD", std::floor(info.start_second));
    number("STT_OFFS", info.start_second - std::floor(info.start_second));
  }
  // A packet is one sample in time, so PKTIDX counts samples.
  number("PKTSIZE", order().bytes_a_sample());
  number("PKTIDX", collected.first);
  number("OVERLAP", 0);
  number("DIRECTIO", 0);
  number("BLOCSIZE", collected.count * order().bytes_a_sample());
  return cards + fmt::format("{:<80}", "END");
}

void GuppiSink::store(const Collected& collected) {
  const std::string cards = header(collected);
  append(cards.data(), static_cast<long long>(cards.size()));
  const VoltageOrder order{"AFTP", info().shape, info().samples};
  VoltageInfo stored = info();
  stored.offset_binary = stored.real_low = false;
  block_.resize(static_cast<std::size_t>(collected.count * order.bytes_a_sample()));
  gather_voltages(stored,
                  {collected.samples, collected.count, this->order().layout(collected.count)},
                  order.layout(collected.count), block_.data());
  append(block_.data(), static_cast<long long>(block_.size()));
}

}  // namespace

std::unique_ptr<VoltageSink> create_guppi(const std::string& path, bool force) {
  return std::make_unique<GuppiSink>(path, force);
}

}  // namespace tessera
