// SPDX-License-Identifier: Apache-2.0
/// Copies of ordinary host memory to and from a device, through a ring of page-locked chunks that
/// several threads fill or empty.
#pragma once

#include "core/cuda/stream_handle.hpp"
#include "core/device.hpp"
#include "tessera/view.hpp"

namespace tessera::cuda {

/// When they return, all samples of the host side have been read or written; pixels on the device
/// lie side by side.
void staged_upload(const StreamPointer& stream, const AnyView& from, const AnyMutableView& to,
                   const CopyLimits& limits);
void staged_download(const StreamPointer& stream, const AnyView& from, const AnyMutableView& to,
                     const CopyLimits& limits);

/// Enqueues the copy of one plane in place; both sides have their pixels side by side.
void copy_plane(const StreamHandle& handle, const AnyView& from, const AnyMutableView& to);

}  // namespace tessera::cuda
