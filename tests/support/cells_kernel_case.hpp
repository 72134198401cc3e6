// SPDX-License-Identifier: Apache-2.0
/// Shared by tests of the kernels of cells: values sent and fetched, and the plain loops.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/device.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/cells_film_tracks.hpp"
#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/cuda/cells_kernels_cuda.hpp"

namespace tessera::testing {

template <class T>
Scratch sent(const std::vector<T>& values, Stream& stream) {
  const Scratch there = stream.scratch(values.size() * sizeof(T));
  const Size size{static_cast<int>(values.size() * sizeof(T))};
  device_stream(stream).copy(packed(reinterpret_cast<const unsigned char*>(values.data()), size),
                             packed(there.as<unsigned char>(), size, stream.device()));
  return there;
}
template <class T>
std::vector<T> fetched(const Scratch& from, std::size_t count, Stream& stream) {
  std::vector<T> values(count);
  const Size size{static_cast<int>(count * sizeof(T))};
  device_stream(stream).copy(packed(from.as<const unsigned char>(), size, stream.device()),
                             packed(reinterpret_cast<unsigned char*>(values.data()), size));
  stream.wait();
  return values;
}

inline void expect_near(const std::vector<float>& a, const std::vector<double>& b, double bound,
                        const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], bound) << what << ", " << i;
}

/// A problem with its kernels and its plain loops.
struct CellsKernelCase {
  explicit CellsKernelCase(const ImageInfo& frame, const CellsOptions& options = {})
      : problem(checked(frame, options)), kernels(problem), parts(problem) {}

  static CellsProblem checked(ImageInfo frame, const CellsOptions& options) {
    frame.size.planes = 1;
    return make_cells_problem(frame, options);
  }
  std::size_t pixels() const { return static_cast<std::size_t>(problem.frame.size.pixels()); }
  int width() const { return problem.frame.size.width; }
  int height() const { return problem.frame.size.height; }

  CellPlane<double> plain_smooth(AnyView frame) {
    CellPlane<double> out;
    parts.smooth(frame, out, host);
    return out;
  }
  GradientPlanes<double> plain_gradients(AnyView frame) {
    GradientPlanes<double> planes;
    planes.take(plain_smooth(frame), parts, host);
    return planes;
  }

  CellsProblem problem;
  CellsKernels kernels;
  PlainCellsParts<double> parts;
  Stream host{kHost, 1}, stream{0};
};

inline std::vector<float> floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

/// A frame's gradients on the device.
struct DeviceGradients {
  DeviceGradients(const GradientPlanes<double>& planes, Stream& stream)
      : across(sent(floats(planes.across), stream)),
        down(sent(floats(planes.down), stream)),
        floor(sent(std::vector<float>{static_cast<float>(planes.floor)}, stream)) {}
  CellsLook look() const {
    return {across.as<float>(), down.as<float>(), floor.as<float>(), 1, 1, 0};
  }
  Scratch across, down, floor;
};

}  // namespace tessera::testing
