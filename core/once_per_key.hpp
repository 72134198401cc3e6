// SPDX-License-Identifier: Apache-2.0
/// Values that take long to make: each is made once, however many threads request it.
///
///     const GpuKernel& kernel = kernels.get(name, [&] { return compiled(name); });
///
/// No lock is held while a value is made: threads that request the same value wait for it, threads
/// that request other values do not wait.
#pragma once

#include <exception>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tessera {

template <class Key, class Value>
class OncePerKey {
 public:
  /// `make` returns a std::unique_ptr<Value>. An exception of `make` goes to all threads that wait
  /// for it; a later request tries again.
  template <class Make>
  const Value& get(const Key& key, Make make) {
    std::promise<const Value*> promise;
    const auto [result, is_mine] = begin(key, promise);
    if (!is_mine) return *result.get();
    try {
      promise.set_value(keep(make()));
    } catch (...) {
      forget(key);
      promise.set_exception(std::current_exception());
    }
    return *result.get();
  }

 private:
  using Result = std::shared_future<const Value*>;

  std::pair<Result, bool> begin(const Key& key, std::promise<const Value*>& promise) {
    const std::lock_guard lock(mutex_);
    if (const auto found = results_.find(key); found != results_.end())
      return {found->second, false};
    return {results_.emplace(key, promise.get_future().share()).first->second, true};
  }
  const Value* keep(std::unique_ptr<Value> value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
    return values_.back().get();
  }
  void forget(const Key& key) {
    const std::lock_guard lock(mutex_);
    results_.erase(key);
  }

  std::mutex mutex_;
  std::map<Key, Result> results_;
  std::vector<std::unique_ptr<Value>> values_;
};

}  // namespace tessera
