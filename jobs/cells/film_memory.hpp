// SPDX-License-Identifier: Apache-2.0
/// A film whose frames are already in memory.
#pragma once

#include <memory>

#include "io/image_file.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// One frame per plane, with any steps, in host memory or on a device; they must outlive the
/// source, which copies what is read of them to the host.
std::unique_ptr<ImageSource> frames_in_memory(const AnyView& frames);

}  // namespace tessera
