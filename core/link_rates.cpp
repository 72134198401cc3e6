// SPDX-License-Identifier: Apache-2.0
#include "core/link_rates.hpp"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <memory>
#include <optional>

#include "core/device.hpp"
#include "core/folder.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "core/once_per_key.hpp"
#include "core/parallel.hpp"
#include "core/regular_file.hpp"
#include "core/text_parts.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kHead = "# device\tcpu\tthreads\tbytes per second up\tdown\n";

/// Rates depend on all of these. Threads are those of the machine: a process bound to some cores
/// chooses as any other does.
std::string key_of(int device) {
  const Machine& machine = this_machine();
  return fmt::format("{}\t{}\t{}\t", device_info(device).name, machine.cpu_name, machine.threads);
}

std::string path_of_rates() {
  const std::string folder = cache_folder();
  return folder.empty() ? "" : joined(folder, "copies.tsv");
}

double positive(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 1e6 && number <= 1e13 ? number : 0;
}

/// Nothing if the line is for another machine, or damaged.
std::optional<LinkRates> rates_in(std::string_view line, const std::string& key) {
  if (!line.starts_with(key)) return std::nullopt;
  const auto numbers = words_of(line.substr(key.size()));
  if (numbers.size() != 2) return std::nullopt;
  const LinkRates rates{positive(numbers[0]), positive(numbers[1]), true};
  if (rates.up == 0 || rates.down == 0) return std::nullopt;
  return rates;
}

/// A file that is not to be trusted counts as empty.
std::string kept_text() {
  const std::string path = path_of_rates();
  if (path.empty()) return "";
  try {
    return read_own(path).value_or("");
  } catch (const Error&) {
    return "";
  }
}

std::optional<LinkRates> kept_rates(int device) {
  const std::string text = kept_text(), key = key_of(device);
  for (const std::string_view line : lines_of(text))
    if (const auto rates = rates_in(line, key)) return rates;
  return std::nullopt;
}

/// False if they cannot be kept.
bool keep(int device, const LinkRates& rates) {
  const std::string path = path_of_rates(), key = key_of(device), old = kept_text();
  if (path.empty()) return false;
  std::string text = kHead;
  for (const std::string_view line : lines_of(old))
    if (!line.starts_with('#') && !line.starts_with(key)) text += fmt::format("{}\n", line);
  text += fmt::format("{}{:.4g}\t{:.4g}\n", key, rates.up, rates.down);
  try {
    write_regular(path, text);
  } catch (const Error&) {
    return false;
  }
  return true;
}

LinkRates estimated_rates() {
  const double rate = this_machine().estimated_link_bytes_per_second;
  return {rate, rate, false};
}

/// A device that fails here says so when it is used.
std::optional<LinkRates> measured_rates(int device) {
  try {
    const LinkRates rates = measure_link(device);
    if (rates.measured && keep(device, rates)) return kept_rates(device);
  } catch (const Error&) {
  }
  return std::nullopt;
}

std::atomic<int> deciding_device{-1};

}  // namespace

std::string LinkRates::describe() const {
  return fmt::format("{:.1f} GB/s to it and {:.1f} GB/s back, {}", up / 1e9, down / 1e9,
                     measured ? "measured" : "estimated");
}

LinkRates known_link_rates(int device) { return kept_rates(device).value_or(estimated_rates()); }

const LinkRates& link_rates(int device) {
  static auto& rates = *new OncePerKey<int, LinkRates>;
  return rates.get(device, [&] {
    std::optional<LinkRates> found = kept_rates(device);
    // Some cores do not show what the machine can do.
    if (!found && available_threads() == node_threads()) found = measured_rates(device);
    return std::make_unique<LinkRates>(found.value_or(estimated_rates()));
  });
}

void renew_link_rates(int device) { measured_rates(device); }

double link_seconds(int device, double up_bytes, double down_bytes) {
  const LinkRates& rates = link_rates(device);
  return up_bytes / rates.up + down_bytes / rates.down;
}

void note_choice_of_backend(int device) { deciding_device = device; }

std::string deciding_link_rates() {
  const int device = deciding_device;
  if (device < 0) return "";
  return fmt::format("copies between host and device {}: {}", device,
                     link_rates(device).describe());
}

}  // namespace tessera
