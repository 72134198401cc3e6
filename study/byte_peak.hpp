// SPDX-License-Identifier: Apache-2.0
/// The ceiling of products of bytes.
#pragma once

namespace tessera {

/// Operations per second of a dense product of int8 matrices on a device, measured once; 0 if
/// there is no library for it.
double measure_byte_peak(int device);

}  // namespace tessera
