// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_share.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/packed_text.hpp"
#include "core/pools.hpp"

namespace tessera {
namespace {

constexpr long long kMessageBytes = 1LL << 20;

}  // namespace

XEngineShare::XEngineShare(const XEngine& whole)
    : whole_(whole),
      ranks_(ranks()),
      first_(first_of(ranks_.rank())),
      end_(first_of(ranks_.rank() + 1)) {
  if (ranks_.count() == 1 || idle()) return;
  XEngineShape shape = whole.shape();
  XEngineOptions options = whole.options();
  shape.channels = (end_ - first_) * options.average;
  options.backend = whole.backend();
  options.method = whole.method();
  own_.emplace(shape, options);
  ranks_.units_done += end_ - first_;
}

// Rank 0, which counts samples and integrations, always has a channel, and so has the first part.
int XEngineShare::first_of(int rank) const {
  const int joining = ranks_.apart() ? 1 : 0, count = ranks_.count() - joining;
  const long long place = std::max(0, rank - joining);
  return static_cast<int>((whole_.output().channels * place + count - 1) / count);
}

Rows XEngineShare::channels() const {
  const int average = whole_.options().average;
  return own_ ? Rows{first_ * average, end_ * average} : Rows{0, whole_.shape().channels};
}

long long XEngineShare::channel_bytes() const {
  return whole_.output().bytes() / whole_.output().channels;
}

// Orders have one channel after the other, xGPU's first all real parts and then all imaginary ones.
void XEngineShare::put(int rank, const char* values, char* whole) const {
  const int first = first_of(rank), count = first_of(rank + 1) - first;
  const int parts = whole_.output().order == VisibilityOrder::register_tile ? 2 : 1;
  const long long channel = channel_bytes() / parts;
  for (int part = 0; part < parts; ++part)
    std::memcpy(whole + (1LL * part * whole_.output().channels + first) * channel,
                values + 1LL * part * count * channel, static_cast<std::size_t>(count * channel));
}

// Messages have less than 2 GiB, and integrations may have more. Before the values of the first
// part stands what rank 0 would know if it ran at the same time.
void XEngineShare::send(const char* values, const XEngineIntegration& integration) {
  const long long saturated = integration.dump.saturated;
  if (ranks_.apart() && ranks_.rank() == 1) {
    PackedText known;
    known.put(integration.first_sample);
    known.put(integration.dump.samples);
    for (const long long count : integration.dump.valid) known.put(count);
    ranks_.post(known.text());
  }
  const long long all = plan().output().bytes();
  for (long long done = 0; done < all; done += kMessageBytes) {
    PackedText message;
    message.put(integration_);
    message.put(ranks_.rank());
    message.put(saturated);
    message.put_bytes(values + done, static_cast<std::size_t>(std::min(kMessageBytes, all - done)));
    ranks_.post(message.text());
  }
}

// Messages of a rank come in their order.
XEngineShare::Part XEngineShare::part_of(int rank) {
  const std::pair key(integration_, rank);
  const long long all = channel_bytes() * (first_of(rank + 1) - first_of(rank));
  for (;;) {
    if (const auto found = parts_.find(key);
        found != parts_.end() && std::ssize(found->second.values) == all)
      return std::move(parts_.extract(found).mapped());
    if (auto text = ranks_.received_from(rank)) {
      PackedText message(std::move(*text));
      const auto integration = message.take<long long>();
      const int sender = message.take<int>();
      const auto saturated = message.take<long long>();
      Part& part = parts_[{integration, sender}];
      part.values += message.rest();
      part.saturated = saturated;
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
}

std::optional<XEngineIntegration> XEngineShare::kept() {
  std::optional<std::string> text = ranks_.received_from(1);
  if (!text) return std::nullopt;
  const std::size_t counts = text->size() / sizeof(long long) - 2;
  PackedText known(std::move(*text));
  XEngineIntegration integration;
  integration.first_sample = known.take<long long>();
  integration.dump.samples = known.take<long long>();
  for (std::size_t i = 0; i < counts; ++i)
    integration.dump.valid.push_back(known.take<long long>());
  return integration;
}

std::optional<Scratch> XEngineShare::join(Scratch own, XEngineIntegration& integration) {
  if (ranks_.count() == 1) return own;
  if (!ranks_.first()) {
    send(static_cast<const char*>(own.data()), integration);
    ++integration_;
    return std::nullopt;
  }
  Scratch all = host_scratch(static_cast<std::size_t>(whole_.output().bytes()));
  if (!idle()) put(0, static_cast<const char*>(own.data()), static_cast<char*>(all.data()));
  for (int rank = 1; rank < ranks_.count(); ++rank) {
    if (first_of(rank) == first_of(rank + 1)) continue;
    const Part part = part_of(rank);
    put(rank, part.values.data(), static_cast<char*>(all.data()));
    integration.dump.saturated += part.saturated;
  }
  ++integration_;
  return all;
}

}  // namespace tessera
