// SPDX-License-Identifier: Apache-2.0
#include "core/forget_plans.hpp"

#include <cstdlib>
#include <iterator>
#include <list>
#include <mutex>
#include <unordered_map>

#include "core/device.hpp"
#include "core/fork.hpp"
#include "core/pools.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostPlans = 128;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr double kMostSamples = 1 << 20;  ///< of an argument: comparing more takes milliseconds

struct KeptPlan {
  std::string key;
  std::shared_ptr<const void> plan;
  std::size_t bytes = 0;  ///< of the plan and the key
};
using PlanList = std::list<KeptPlan>;

/// The plan used last comes first. Plans leave as a list, so that callers can destroy them without
/// the lock.
class PlanStore {
 public:
  std::shared_ptr<const void> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    plans_.splice(plans_.begin(), plans_, found->second);
    return found->second->plan;
  }

  /// If another thread has kept one under this key meanwhile, that one stays.
  PlanList keep(KeptPlan plan) {
    PlanList left;
    if (plan.bytes > kMostBytes) return left;
    const std::lock_guard lock(mutex_);
    if (places_.contains(plan.key)) return left;
    bytes_ += plan.bytes;
    plans_.push_front(std::move(plan));
    places_.emplace(plans_.front().key, plans_.begin());
    while (plans_.size() > kMostPlans || bytes_ > kMostBytes) {
      bytes_ -= plans_.back().bytes;
      places_.erase(plans_.back().key);
      left.splice(left.begin(), plans_, std::prev(plans_.end()));
    }
    return left;
  }

  PlanList take_all() {
    PlanList left;
    const std::lock_guard lock(mutex_);
    places_.clear();
    left.swap(plans_);
    bytes_ = 0;
    return left;
  }

  KeptPlansUse use() {
    const std::lock_guard lock(mutex_);
    return {static_cast<int>(plans_.size()), bytes_};
  }

 private:
  ForkMutex mutex_;
  PlanList plans_;
  std::unordered_map<std::string_view, PlanList::iterator> places_;  ///< by keys in plans_
  std::size_t bytes_ = 0;
};

/// Never destroyed, because plans may be freed while the process ends. The keys of a forked child
/// differ, so it finds none of the plans that it inherited, whose devices it does not have.
PlanStore& store() {
  static PlanStore& kept = *new PlanStore;
  return kept;
}

thread_local PlanBytes* counting = nullptr;

}  // namespace

PlanKey::PlanKey(const std::type_info& plan) {
  bytes_.reserve(512);
  add(std::string_view(plan.name()));
  for (const char* name : {"TESSERA_BACKEND", "TESSERA_ISA", "TESSERA_KERNELS"}) {
    const char* const value = std::getenv(name);
    add(std::string_view(value ? value : ""));
  }
  add(fork_depth());
}

PlanKey& PlanKey::add_bytes(const void* data, std::size_t count) {
  bytes_.append(static_cast<const char*>(data), count);
  return *this;
}

PlanKey& PlanKey::add(std::string_view text) {
  add(text.size());
  return add_bytes(text.data(), text.size());
}

PlanKey& PlanKey::add(const ImageInfo& info) {
  const Size& size = info.size;
  return add(size.width)
      .add(size.height)
      .add(size.channels)
      .add(size.planes)
      .add(info.type)
      .add(info.device);
}

PlanKey& PlanKey::add(AnyView samples) {
  add(samples.info());
  const Size& size = samples.size;
  if (size.empty()) return *this;
  // In double, because the plan has not checked the size yet.
  const double count = 1.0 * size.width * size.height * size.channels * size.planes;
  usable_ = usable_ && samples.device == kHost && samples.data && count <= kMostSamples;
  if (!usable_) return *this;
  const auto bytes = static_cast<std::size_t>(bytes_of(samples.info()));
  const AnyView tight = packed(nullptr, samples.info());
  if (samples.pixel == tight.pixel && samples.row == tight.row &&
      (size.planes == 1 || samples.plane == tight.plane))
    return add_bytes(samples.data, bytes);
  const Image packed_samples = copy(samples);
  return add_bytes(packed_samples.view().data, bytes);
}

PlanBytes::PlanBytes() : outer_(counting) { counting = this; }
PlanBytes::~PlanBytes() {
  counting = outer_;
  add(count_);
}
void PlanBytes::add(std::size_t bytes) {
  if (counting) counting->count_ += bytes;
}

std::shared_ptr<const void> find_kept_plan(const PlanKey& key) { return store().find(key.bytes()); }

void keep_plan(const PlanKey& key, std::shared_ptr<const void> plan, std::size_t bytes) {
  store().keep({key.bytes(), std::move(plan), bytes + key.bytes().size()});
}

KeptPlansUse kept_plans_use() { return store().use(); }

void forget_kept_plans() { store().take_all(); }

void clear_cache() {
  forget_kept_plans();
  free_idle_host_memory();
  free_idle_device_memory();
}

}  // namespace tessera
