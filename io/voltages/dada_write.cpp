// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/voltages/voltage_collect.hpp"

namespace tessera {
namespace {

constexpr std::size_t kHeaderBytes = 4096;
constexpr long long kPartBytes = 1 << 20;

class DadaSink : public CollectingSink {
 public:
  using CollectingSink::CollectingSink;

 protected:
  long long prepare() override;
  void store(const Collected& collected) override { append_samples(collected); }
  void close() override;

 private:
  double centre_ = 0, width_ = 0;
  bool band_ = false;
};

// The header is written when the length is known.
long long DadaSink::prepare() {
  if (info().samples == SampleType::ci4 || info().samples == SampleType::cf16)
    refuse(fmt::format("PSRDADA holds ci8, ci16 and cf32, not {}; write NPY or raw",
                       name_of(info().samples)));
  band_ = find_band(path(), info(), centre_, width_);
  const std::string nothing(kHeaderBytes, '\0');
  append(nothing.data(), kHeaderBytes);
  return std::max(1LL, kPartBytes / order().bytes_a_sample());
}

void DadaSink::close() {
  const VoltageInfo& info = this->info();
  std::string text = "HEADER DADA\nHDR_VERSION 1.0\nDADA_VERSION 1.0\n";
  const auto add = [&](const char* key, const auto& value) {
    text += fmt::format("{} {}\n", key, value);
  };
  const auto word = [&](const char* key, std::string value) {
    std::ranges::replace(value, ' ', '_');  // a value ends with a space
    if (!value.empty()) add(key, value);
  };
  add("HDR_SIZE", kHeaderBytes);
  add("FILE_SIZE", length() * order().bytes_a_sample() / (info.real ? 2 : 1));
  add("FILE_NUMBER", 0);
  add("OBS_OFFSET", 0);
  word("TELESCOPE", info.telescope);
  word("SOURCE", info.source);
  if (info.right_ascension) add("RA", sexagesimal(*info.right_ascension, true));
  if (info.declination) add("DEC", sexagesimal(*info.declination, false));
  if (info.frame == RecordedFrame::date) add("RADESYS", "GAPPT");
  if (info.tracked) add("TRACKED", *info.tracked ? "T" : "F");
  add("NANT", info.shape.antennas);
  add("NPOL", info.shape.polarisations);
  add("NCHAN", info.shape.channels);
  add("NDIM", info.real ? 1 : 2);
  add("NBIT", 4 * bytes_of(info.samples));
  add("ORDER", "TFAP");
  add("ENCODING", "TWOSCOMPLEMENT");
  if (info.sample_rate) add("TSAMP", 1e6 / *info.sample_rate);
  if (band_) {
    add("FREQ", centre_ / 1e6);
    add("BW", width_ / 1e6);
  }
  if (info.start)
    add("MJD_START", fmt::format("{}{}", info.start_day,
                                 fmt::format("{:.17f}", info.start_second / 86400).substr(1)));
  text += "# end of header\n";
  if (text.size() > kHeaderBytes)
    refuse("its texts do not fit in the header of PSRDADA; give shorter ones");
  text.resize(kHeaderBytes, '\0');
  write_at(0, text.data(), kHeaderBytes);
}

}  // namespace

std::unique_ptr<VoltageSink> create_dada(const std::string& path, bool force) {
  return std::make_unique<DadaSink>(path, force);
}

}  // namespace tessera
