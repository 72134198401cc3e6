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

// Rank 0, which counts samples and integrations, always has a channel.
int XEngineShare::first_of(int rank) const {
  const int count = ranks_.count();
  return static_cast<int>((1LL * whole_.output().channels * rank + count - 1) / count);
}

void XEngineShare::choose_channels(VoltageSource& source) const {
  const int average = whole_.options().average;
  if (own_) source.want_channels(first_ * average, (end_ - first_) * average);
}

VoltageBlock XEngineShare::own_part(VoltageBlock block) const {
  block.data = static_cast<const unsigned char*>(block.data) +
               block.layout.channel * first_ * whole_.options().average;
  return block;
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

// Messages have less than 2 GiB, and integrations may have more.
void XEngineShare::send(const char* values, long long saturated) {
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
    if (auto text = ranks_.received()) {
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

std::optional<Scratch> XEngineShare::join(Scratch own, XEngineDump& dump) {
  if (ranks_.count() == 1) return own;
  if (!ranks_.first()) {
    send(static_cast<const char*>(own.data()), dump.saturated);
    ++integration_;
    return std::nullopt;
  }
  Scratch all = host_scratch(static_cast<std::size_t>(whole_.output().bytes()));
  put(0, static_cast<const char*>(own.data()), static_cast<char*>(all.data()));
  for (int rank = 1; rank < ranks_.count(); ++rank) {
    if (first_of(rank) == first_of(rank + 1)) continue;
    const Part part = part_of(rank);
    put(rank, part.values.data(), static_cast<char*>(all.data()));
    dump.saturated += part.saturated;
  }
  ++integration_;
  return all;
}

}  // namespace tessera
