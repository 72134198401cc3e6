// SPDX-License-Identifier: Apache-2.0
#include "jobs/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/memory.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// The power of 1024 of "G", "GB", "GiB" or "", in any case; -1 for anything else.
int unit_power(std::string_view unit) {
  std::string word;
  for (const char letter : unit)
    if (letter != ' ') word += static_cast<char>(letter | 0x20);
  if (word.empty() || word == "b") return 0;
  const std::size_t power = std::string_view("kmgt").find(word[0]);
  const std::string rest = word.substr(1);
  const bool known =
      power != std::string_view::npos && (rest.empty() || rest == "b" || rest == "ib");
  return known ? static_cast<int>(power) + 1 : -1;
}

}  // namespace

std::string to_text(ByteCount value) {
  return value.bytes == 0 ? "auto" : fmt::format("{}", value.bytes);
}

void from_text(std::string_view what, std::string_view text, ByteCount& value) {
  value = {};
  if (text == "auto") return;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const int power = unit_power({stop, static_cast<std::size_t>(end - stop)});
  const double bytes = number * std::pow(1024.0, power);
  if (error != std::errc() || power < 0 || !(bytes >= 1 && bytes < 9e18))
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: '{}' is not a number of bytes; write 500M, 2G or auto", what, text));
  value.bytes = static_cast<std::size_t>(bytes);
}

Stream RunSettings::stream(int device, int own_threads) const {
  check_ranges("", *this);
  const int parts = sharers * lanes.all;
  const int memory_parts = device == kHost ? parts : sharers * lanes.on_device;
  const Stream all(device, own_threads > 0 ? own_threads : threads, memory_limit.bytes);
  if (parts == 1) return all;
  return Stream(device, own_threads > 0 ? own_threads : std::max(1, all.threads() / parts),
                memory_parts == 1 ? memory_limit.bytes
                                  : all.memory_limit() / static_cast<std::size_t>(memory_parts));
}

long long RunSettings::reader_bytes() const {
  const int parts = sharers * lanes.all;
  const std::size_t all =
      memory_limit.bytes > 0 || parts == 1 ? memory_limit.bytes : available_memory();
  return static_cast<long long>(all / static_cast<std::size_t>(parts));
}

}  // namespace tessera
