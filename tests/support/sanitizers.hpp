// SPDX-License-Identifier: Apache-2.0
/// What cannot be tested under a sanitizer.
#pragma once

namespace tessera::testing {

/// The thread sanitizer's vfork shares no memory with the child.
#ifdef __SANITIZE_THREAD__
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

/// The runtimes of these sanitizers make calls that a confined process may not make.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSandboxCanRun = false;
#else
constexpr bool kSandboxCanRun = true;
#endif

}  // namespace tessera::testing
