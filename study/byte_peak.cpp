// SPDX-License-Identifier: Apache-2.0
#include "study/byte_peak.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "core/device.hpp"
#include "core/device_blas.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr int kSide = 8192;

/// Random, because products of zeros draw less power and run at higher clocks.
Image random_square() {
  Image values({kSide, kSide}, Type::u8);
  std::mt19937_64 random(1);
  unsigned char* const bytes = values.as<unsigned char>().data;
  for (long long k = 0; k < values.info().size.samples(); ++k)
    bytes[k] = static_cast<unsigned char>(random() >> 56);
  return values;
}

double measured(int device) {
  if (!why_no_device_blas().empty()) return 0;
  Stream stream(device);
  const std::size_t bytes = std::size_t{kSide} * kSide;
  const Scratch a = stream.scratch(bytes), b = stream.scratch(bytes), c = stream.scratch(4 * bytes);
  const Image values = random_square();
  for (const Scratch* to : {&a, &b})
    device_stream(stream).copy(values.view(),
                               packed(to->data(), {values.info().size, Type::u8, device}));
  const auto seconds = time_on_device(stream, {}, [&] {
    multiply_bytes_on_device(
        {kSide, kSide, kSide, a.as<signed char>(), b.as<signed char>(), c.as<int>()}, stream);
  });
  return 2.0 * kSide * kSide * kSide / *std::ranges::min_element(seconds);
}

}  // namespace

double measure_byte_peak(int device) {
  static std::map<int, double> known;
  const auto found = known.find(device);
  return found != known.end() ? found->second : known[device] = measured(device);
}

}  // namespace tessera
