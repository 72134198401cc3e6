// SPDX-License-Identifier: Apache-2.0
/// The length of an integration, as users type it: "4096" samples, "0.5s" seconds, "all".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

struct IntegrationLength {
  static constexpr const char* kHint = "all|SAMPLES|SECONDSs";
  long long samples = 0;
  double seconds = 0;  ///< neither: everything

  bool operator==(const IntegrationLength&) const = default;
  /// Samples at a rate, at least one; 0: all. Throws Error(usage) for seconds without a rate.
  long long samples_at(const std::optional<double>& sample_rate) const;
};
std::string to_text(const IntegrationLength& value);
void from_text(std::string_view what, std::string_view text, IntegrationLength& value);

}  // namespace tessera
