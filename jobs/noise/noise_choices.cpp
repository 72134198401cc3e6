// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_choices.hpp"

namespace tessera {
namespace {

bool& named(NoiseProducts& products, std::string_view what, std::string_view name) {
  if (name == "bkg") return products.background;
  if (name == "rms") return products.rms;
  if (name == "snr") return products.snr;
  throw_unknown(what, name, {"bkg", "rms", "snr"});
}

}  // namespace

std::string to_text(NoiseProducts value) {
  std::string text;
  const auto add = [&](bool wanted, const char* name) {
    if (wanted) text += (text.empty() ? "" : ",") + std::string(name);
  };
  add(value.background, "bkg");
  add(value.rms, "rms");
  add(value.snr, "snr");
  return text;
}

void from_text(std::string_view what, std::string_view text, NoiseProducts& value) {
  NoiseProducts found{false, false, false};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    named(found, what, text.substr(at, comma - at)) = true;
    at = comma + 1;
  }
  value = found;
}

}  // namespace tessera
