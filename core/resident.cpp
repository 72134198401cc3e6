// SPDX-License-Identifier: Apache-2.0
#include "core/resident.hpp"

#include "core/device.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {

Resident::Resident(int device, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  PlanBytes::add(bytes);
  owner_.emplace(device);
  memory_ = owner_->scratch(bytes);
  // The bytes of one row must fit an int.
  constexpr std::size_t kMost = std::size_t{1} << 30;
  for (std::size_t first = 0; first < bytes; first += kMost) {
    const Size size{static_cast<int>(bytes - first < kMost ? bytes - first : kMost)};
    device_stream(*owner_).copy(packed(static_cast<const unsigned char*>(from) + first, size),
                                packed(memory_.as<unsigned char>() + first, size, device));
  }
  owner_->wait();
}

Resident::Resident(Stream owner, Scratch memory)
    : owner_(std::move(owner)), memory_(std::move(memory)) {
  PlanBytes::add(memory_.bytes());
  owner_->wait();
}

void Resident::used_by(const Stream& stream) const {
  if (memory_.bytes() == 0) return;
  const std::lock_guard lock(mutex_);
  // The owner frees the memory in its own order, which from here on comes after this work.
  owner_->after(stream);
}

}  // namespace tessera
