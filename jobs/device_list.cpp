// SPDX-License-Identifier: Apache-2.0
#include "jobs/device_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <numeric>

#include "core/choice.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "this machine has 0 (NVIDIA H200), 1 (NVIDIA H200)", for the end of a sentence.
std::string devices_here() {
  const Machine& machine = this_machine();
  if (machine.devices.empty()) return "this machine has none: " + machine.no_device_reason;
  std::string list;
  for (const DeviceInfo& device : machine.devices)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", device.index, device.name);
  return "this machine has " + list;
}

}  // namespace

std::vector<int> DeviceList::found() const {
  const int there = static_cast<int>(this_machine().devices.size());
  std::vector<int> devices = named;
  if (devices.empty()) {
    devices.resize(static_cast<std::size_t>(there));
    std::iota(devices.begin(), devices.end(), 0);
  }
  for (const int device : devices)
    if (device >= there)
      throw Error(ErrorKind::usage,
                  fmt::format("--device: there is no device {}; {}", device, devices_here()));
  if (devices.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--device all: {}; give --backend cpu", devices_here()));
  return devices;
}

bool asks_for_cuda(Backend option) { return wanted_backend(option) == Backend::cuda; }

std::string to_text(const DeviceList& list) {
  return list.named.empty() ? "all" : fmt::format("{}", fmt::join(list.named, ","));
}

void from_text(std::string_view what, std::string_view text, DeviceList& list) {
  list.named.clear();
  if (text == "all") return;
  for (std::string_view rest = text;;) {
    const std::string_view word = rest.substr(0, rest.find(','));
    int device = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), device);
    if (error != std::errc() || end != word.data() + word.size() || device < 0)
      throw Error(ErrorKind::usage,
                  fmt::format("{}: '{}' is not a device; write a number, several such as 0,1, or "
                              "all; {}",
                              what, word, devices_here()));
    list.named.push_back(device);
    if (word.size() == rest.size()) return;
    rest.remove_prefix(word.size() + 1);
  }
}

}  // namespace tessera
