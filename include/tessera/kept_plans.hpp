// SPDX-License-Identifier: Apache-2.0
/// Plans kept for the next call. Making a plan can take longer than running it on a small image, so
/// the free functions (`convolve`, `noise`, `faraday_synth` …) keep the plans of their last calls:
/// a second call with the same arguments only runs. The same for calls of your own:
///
///     const auto plan = tessera::kept_plan<tessera::Convolve>(in.info(), blur.view(), options);
///     plan(in, out);
///
/// Any thread may call it. The plans that were used last stay, at most 128 of them with at most
/// 256 MiB of tables and keys, on the host and on devices together; `clear_cache` frees them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

namespace kept_plans_detail {

/// Stands for a member of any type where members are counted.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};
template <class T, std::size_t... index>
constexpr bool takes_members(std::index_sequence<index...>) {
  return requires { T{(void(index), AnyMember{})...}; };
}
/// The number of members of an aggregate.
template <class T, std::size_t count = 0>
constexpr std::size_t count_members() {
  if constexpr (takes_members<T>(std::make_index_sequence<count + 1>{}))
    return count_members<T, count + 1>();
  else
    return count;
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
concept Options = requires {
  T::fields();
};
template <class T>
concept Other = !Plain<T> && !Options<T> && !std::is_convertible_v<const T&, std::string_view> &&
                !std::is_convertible_v<const T&, AnyView>;

}  // namespace kept_plans_detail

/// Everything that a plan depends on, as bytes. Two keys are equal only if all arguments are.
class TESSERA_API PlanKey {
 public:
  /// Begins with the type of the plan, the environment and the process.
  explicit PlanKey(const std::type_info& plan);

  PlanKey& add(std::string_view text);
  PlanKey& add(const ImageInfo& info);
  PlanKey& add(AnyView samples);  ///< size, type and every sample
  template <kept_plans_detail::Plain T>
  PlanKey& add(T value) {
    return add_bytes(&value, sizeof value);
  }
  template <class T>
  PlanKey& add(const std::optional<T>& value) {
    add(value.has_value());
    return value ? add(*value) : *this;
  }
  template <class T>
  PlanKey& add(const std::vector<T>& values) {
    add(values.size());
    if constexpr (std::is_arithmetic_v<T>)
      return add_bytes(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) add(value);
    return *this;
  }
  /// Options: all of their fields.
  template <kept_plans_detail::Options T>
  PlanKey& add(const T& options) {
    static_assert(kept_plans_detail::count_members<T>() == std::tuple_size_v<decltype(T::fields())>,
                  "a member that is not a field would be missing in the key");
    for_each_option(
        options, [&key = *this](const char*, const auto& value, const Help&) { key.add(value); });
    return *this;
  }
  /// Other values by their numbers, by `add_to_key(key, value)`, found next to their type, or as
  /// users type them.
  template <kept_plans_detail::Other T>
  PlanKey& add(const T& value) {
    if constexpr (requires { value.numbers(); })
      for (const auto number : value.numbers()) add(number);
    else if constexpr (requires { add_to_key(*this, value); })
      add_to_key(*this, value);
    else
      add(std::string_view(to_text(value)));
    return *this;
  }

  const std::string& bytes() const { return bytes_; }
  /// Not if samples are many, or lie where they cannot be read.
  bool usable() const { return usable_; }

 private:
  PlanKey& add_bytes(const void* data, std::size_t count);

  std::string bytes_;
  bool usable_ = true;
};

/// Counts what plans keep, in bytes of host and device memory, for as long as it exists: of those
/// that this thread makes.
class TESSERA_API PlanBytes {
 public:
  PlanBytes();
  ~PlanBytes();
  PlanBytes(const PlanBytes&) = delete;
  PlanBytes& operator=(const PlanBytes&) = delete;

  std::size_t count() const { return count_; }
  /// Adds to the count of this thread, if there is one.
  static void add(std::size_t bytes);

 private:
  std::size_t count_ = 0;
  PlanBytes* outer_;
};

/// The plan kept under a key, or null; from then on it is the one used last.
TESSERA_API std::shared_ptr<const void> find_kept_plan(const PlanKey& key);
/// Keeps a plan that keeps this many bytes itself.
TESSERA_API void keep_plan(const PlanKey& key, std::shared_ptr<const void> plan, std::size_t bytes);

/// The plan `P(arguments...)`, made if none is kept. Throws what making it throws.
template <class P, class... Arguments>
P kept_plan(const Arguments&... arguments) {
  PlanKey key(typeid(P));
  (key.add(arguments), ...);
  if (!key.usable()) return P(arguments...);
  if (const auto found = find_kept_plan(key)) return *static_cast<const P*>(found.get());
  const PlanBytes counted;
  auto made = std::make_shared<const P>(arguments...);
  keep_plan(key, made, counted.count());
  return *made;
}

/// The plans kept now.
struct KeptPlansUse {
  int plans = 0;
  std::size_t bytes = 0;  ///< of their tables and keys
};
TESSERA_API KeptPlansUse kept_plans_use();

/// Frees everything that is kept for later calls and not in use: plans, host memory, page-locked
/// memory, memory of devices.
TESSERA_API void clear_cache();

}  // namespace tessera
