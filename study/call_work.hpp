// SPDX-License-Identifier: Apache-2.0
/// Calls of an operation as users write them, which `tessera bench --report` times from small to
/// large images: with a plan that the call makes, one that the free functions keep, or the caller's
/// own. Each operation registers its own before main begins:
///
///     const bool calls_entered = add_call_work({"noise", noise_call});
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/image.hpp"
#include "tessera/kept_plans.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// The images that a call reads and writes, on the host or on a device.
struct CallViews {
  std::vector<AnyView> given;
  std::vector<AnyMutableView> made;
};

/// The same call in three ways; each returns when the result is there.
struct CallWays {
  std::function<void(const CallViews&)> with_new_plan, with_kept_plan, with_own_plan;
};

struct CallWork {
  std::string what;  ///< "64x64 f32 by 7x7"
  std::vector<Image> given;
  std::vector<ImageInfo> made;
  /// For images in that memory; throws Error if there is no such method.
  std::function<CallWays(int device, Backend backend)> ways;
};

struct CallEntry {
  std::string operation;
  CallWork (*make)(int side);  ///< for an image of about side x side pixels
};

const std::vector<CallEntry>& call_entries();
bool add_call_work(const CallEntry& entry);

/// `arguments(image, backend, make)` returns make(arguments of P's constructor...); `run(plan,
/// views)` calls it. The first given image is P's; there are `outputs` results.
template <class P, class Arguments, class Run>
CallWork call_work(std::string what, std::vector<Image> given, int outputs, Arguments arguments,
                   Run run) {
  const auto fresh = [](const auto&... a) { return P(a...); };
  const auto kept = [](const auto&... a) { return kept_plan<P>(a...); };
  const ImageInfo host = given.front().info();
  const ImageInfo made = arguments(host, Backend::cpu, fresh).output();
  const auto ways = [=](int device, Backend backend) {
    ImageInfo image = host;
    image.device = device;
    return CallWays{
        [=](const CallViews& v) { run(arguments(image, backend, fresh), v); },
        [=](const CallViews& v) { run(arguments(image, backend, kept), v); },
        [=, own = arguments(image, backend, fresh)](const CallViews& v) { run(own, v); }};
  };
  return {std::move(what), std::move(given),
          std::vector<ImageInfo>(static_cast<std::size_t>(outputs), made), ways};
}

}  // namespace tessera
