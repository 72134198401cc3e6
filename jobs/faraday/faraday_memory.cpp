// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Three strips of floats are in flight (core/strips.cpp).
double strips_row_bytes(const StripPlan& plan) {
  const Size &in = plan.inputs[0].size, &out = plan.outputs[0].size;
  return 12.0 * in.width * (in.planes + out.planes);
}

}  // namespace

FaradayMemory::FaradayMemory(const RunSettings& settings)
    : settings_(settings), limit_(static_cast<double>(settings.stream(kHost).memory_limit())) {}

void FaradayMemory::hold(const std::string& what, double bytes, double passing) {
  if (bytes + passing > left())
    throw Error(
        ErrorKind::resources,
        fmt::format("faraday: {} of memory is too little for {} ({}){}; give a "
                    "--memory-limit of more than {}",
                    bytes_text(limit_), what, bytes_text(bytes + passing),
                    list_.empty() ? "" : " besides " + list_, bytes_text(held_ + bytes + passing)));
  if (bytes == 0) return;
  held_ += bytes;
  list_ += fmt::format("{}{} ({})", list_.empty() ? "" : ", ", what, bytes_text(bytes));
}

double FaradayMemory::reserve(const std::string& what, double most, double strip_row) {
  const double bytes = std::max(0.0, std::min({most, left() / 2, left() - strip_row}));
  hold(what, bytes);
  return bytes;
}

double FaradayMemory::limit_for(double most, double strip_row) const {
  return held_ + most + std::max(most, strip_row);
}

double FaradayMemory::strip_row_bytes(const StripPlan& plan, double beside_a_row) {
  return strips_row_bytes(plan) + beside_a_row;
}

Stream FaradayMemory::stream_for(const StripPlan& plan, int device, double beside_a_row) const {
  const double row = strip_row_bytes(plan, beside_a_row);
  FaradayMemory(*this).hold("one row at a time", row);  // throws with the sentence
  const Stream all = settings_.stream(device);
  const double rest = static_cast<double>(all.memory_limit()) - held_;
  const double strips = std::max(rest, row) * strips_row_bytes(plan) / row;
  return Stream(device, all.threads(), static_cast<std::size_t>(strips) + 1);
}

}  // namespace tessera
