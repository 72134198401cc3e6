// SPDX-License-Identifier: Apache-2.0
/// Streams, memory and copies of a device. Skipped, and counted, without a device.
#include "core/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "core/cuda/ceilings_args.cuh"
#include "core/kernel.hpp"
#include "tessera/error.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

constexpr int kFirstDevice = 0;
constexpr const char* kProvokesDevice = "provokes errors on purpose, which the sanitizer reports";
constexpr unsigned char kPoison = 0xA5;

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (find_devices(reason).empty()) GTEST_SKIP() << "no device: " << reason;
    stream_ = std::make_unique<Stream>(kFirstDevice);
  }
  DeviceStream& device() { return device_stream(*stream_); }
  /// Keeps the stream busy for a few tenths of a second.
  void keep_busy(Stream& stream) {
    static constexpr unsigned kThreads = 256;
    const Scratch out = stream.scratch(kThreads * sizeof(float));
    const GpuKernel& kernel = find_kernel(kFirstDevice, {"ceilings", "fma_peak", "", ""});
    kernel.launch(stream, {1}, {kThreads}, 0, FmaArgs{out.as<float>(), 0.999f, 0.001f, 500'000});
  }
  std::unique_ptr<Stream> stream_;
};

/// Samples between rows and planes in addition to a packed layout.
struct Layout {
  const char* name;
  int pixel_gap, row_gap, plane_gap;
  bool upside_down;
};

AnyMutableView laid_out(void* memory, Size size, Type type, int on, const Layout& layout) {
  AnyMutableView view = packed(memory, ImageInfo{size, type, on});
  view.pixel += layout.pixel_gap;
  view.row = size.width * view.pixel + layout.row_gap;
  view.plane = size.height * view.row + layout.plane_gap;
  if (!layout.upside_down) return view;
  view.data = view.address(0, size.height - 1);
  view.row = -view.row;
  return view;
}

std::size_t bytes_for(Size size, Type type, const Layout& layout) {
  const AnyMutableView view = laid_out(nullptr, size, type, kHost, layout);
  return static_cast<std::size_t>(view.plane * size.planes * bytes_of(type));
}

template <class Visit>
void for_each_pixel(Size size, Visit visit) {
  for (int p = 0; p < size.planes; ++p)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) visit(x, y, p);
}

/// Host memory, poisoned, with a view in it.
struct Canvas {
  Canvas(Size size, Type type, const Layout& layout, DeviceStream* pinned_by = nullptr)
      : own(pinned_by ? 0 : bytes_for(size, type, layout)), bytes(bytes_for(size, type, layout)) {
    if (pinned_by) pinned = pinned_by->pinned_scratch(bytes);
    data = pinned_by ? pinned.as<unsigned char>() : own.data();
    std::memset(data, kPoison, bytes);
    view = laid_out(data, size, type, kHost, layout);
  }
  std::size_t pixel_bytes() const {
    return static_cast<std::size_t>(bytes_of(view.type)) * view.size.channels;
  }
  void fill() const {
    unsigned char next = 1;
    for_each_pixel(view.size, [&](int x, int y, int p) {
      for (std::size_t i = 0; i < pixel_bytes(); ++i)
        view.address(x, y, p)[i] = next = static_cast<unsigned char>(next * 5 + 7 + x);
    });
  }
  bool holds(const Canvas& other) const {
    bool same = true;
    for_each_pixel(view.size, [&](int x, int y, int p) {
      same &= !std::memcmp(view.address(x, y, p), other.view.address(x, y, p), pixel_bytes());
    });
    return same;
  }
  bool untouched_outside() const {
    std::vector<unsigned char> rest(data, data + bytes);
    for_each_pixel(view.size, [&](int x, int y, int p) {
      std::memset(rest.data() + (view.address(x, y, p) - data), kPoison, pixel_bytes());
    });
    return std::all_of(rest.begin(), rest.end(), [](unsigned char b) { return b == kPoison; });
  }

  std::vector<unsigned char> own;
  std::size_t bytes;
  Scratch pinned;
  unsigned char* data = nullptr;
  AnyMutableView view;
};

constexpr Layout kPacked{"packed", 0, 0, 0, false};
constexpr Layout kHostLayouts[] = {kPacked,
                                   {"gaps between rows", 0, 5, 0, false},
                                   {"gaps between planes", 0, 0, 11, false},
                                   {"gaps between pixels", 2, 3, 7, false},
                                   {"upside down", 0, 3, 2, true}};
constexpr Layout kDeviceLayouts[] = {
    kPacked, {"gaps between rows", 0, 9, 4, false}, {"upside down", 0, 1, 0, true}};

class RoundTripOnDevice : public OnDevice, public ::testing::WithParamInterface<Type> {};

TEST_P(RoundTripOnDevice, EveryLayoutKeepsEverySample) {
  const Size size{37, 11, 3, 4};
  for (const Layout& up : kHostLayouts)
    for (const Layout& on : kDeviceLayouts)
      for (const Layout& down : kHostLayouts)
        for (const bool pinned : {false, true}) {
          DeviceStream* const by = pinned ? &device() : nullptr;
          Canvas from(size, GetParam(), up, by), to(size, GetParam(), down, by);
          from.fill();
          const Scratch memory = device().scratch(bytes_for(size, GetParam(), on));
          const AnyMutableView there = laid_out(memory.data(), size, GetParam(), kFirstDevice, on);
          device().copy(from.view, there);
          device().copy(there, to.view);
          device().wait();
          EXPECT_TRUE(to.holds(from)) << up.name << " / " << on.name << " / " << down.name;
          EXPECT_TRUE(to.untouched_outside()) << up.name << " / " << on.name << " / " << down.name;
        }
}

INSTANTIATE_TEST_SUITE_P(Types, RoundTripOnDevice,
                         ::testing::Values(Type::u8, Type::u16, Type::f32, Type::f64));

// Larger than a staging chunk of 8 MiB: in many rows, and in rows each longer than a chunk.
TEST_F(OnDevice, CopiesLargerThanAChunk) {
  for (const Size size : {Size{1000, 9001, 3, 1}, Size{9'000'001, 3}, Size{3, 5, 1, 60'000}}) {
    Canvas from(size, Type::u8, {"", 1, 3, 0, false}), to(size, Type::u8, kPacked);
    from.fill();
    const Scratch memory = device().scratch(to.bytes);
    const AnyMutableView there = laid_out(memory.data(), size, Type::u8, kFirstDevice, kPacked);
    device().copy(from.view, there);
    device().copy(there, to.view);
    EXPECT_TRUE(to.holds(from)) << "a pageable copy has ended when the call returns";
  }
}

TEST_F(OnDevice, PageableMemoryMayChangeRightAfterAnUpload) {
  const Size size{4096, 512};
  Canvas from(size, Type::u8, kPacked), to(size, Type::u8, kPacked), kept(size, Type::u8, kPacked);
  from.fill();
  kept.fill();
  const Scratch memory = device().scratch(from.bytes);
  const AnyMutableView there = laid_out(memory.data(), size, Type::u8, kFirstDevice, kPacked);
  keep_busy(*stream_);
  device().copy(from.view, there);
  std::memset(from.data, 0, from.bytes);
  device().copy(there, to.view);
  EXPECT_TRUE(to.holds(kept));
}

TEST_F(OnDevice, CopiesOnTheDevice) {
  const Size size{50, 20, 2, 3};
  Canvas from(size, Type::u16, kPacked), to(size, Type::u16, kPacked);
  from.fill();
  const Scratch a = device().scratch(4 * from.bytes), b = device().scratch(4 * from.bytes);
  const AnyMutableView first = laid_out(a.data(), size, Type::u16, kFirstDevice, kDeviceLayouts[1]);
  const AnyMutableView second =
      laid_out(b.data(), size, Type::u16, kFirstDevice, kDeviceLayouts[2]);
  device().copy(from.view, first);
  device().copy(first, second);
  device().copy(second, to.view);
  EXPECT_TRUE(to.holds(from));
}

TEST_F(OnDevice, RefusesPixelsApartOnTheDeviceAndOtherDevices) {
  const Size size{8, 8};
  Canvas host(size, Type::f32, kPacked);
  const Scratch memory = device().scratch(8 * host.bytes);
  const auto there = laid_out(memory.data(), size, Type::f32, kFirstDevice, {"", 1, 0, 0, false});
  EXPECT_THROW(device().copy(host.view, there), Error);
  auto elsewhere = laid_out(memory.data(), size, Type::f32, kFirstDevice + 7, kPacked);
  EXPECT_THROW(device().copy(host.view, elsewhere), Error);
  EXPECT_THROW(device().copy(host.view, host.view), Error);
}

TEST_F(OnDevice, ScratchMemoryIsUsedAgain) {
  if (testing::run_small()) GTEST_SKIP() << "the sanitizer keeps memory for itself";
  const auto take_some = [&] {
    const Scratch a = device().scratch(64 << 20), b = device().scratch(1 << 20);
    EXPECT_EQ(reinterpret_cast<std::size_t>(b.data()) % 256, 0u);
  };
  take_some();
  device().wait();
  const std::size_t before = device().pool_bytes();
  for (int i = 0; i < 1000; ++i) take_some();
  device().wait();
  EXPECT_EQ(device().pool_bytes(), before);
}

TEST_F(OnDevice, ScratchMayOutliveItsStream) {
  Scratch on_device, on_host;
  {
    Stream brief(kFirstDevice);
    on_device = brief.scratch(1 << 20);
    on_host = brief.pinned_scratch(1 << 20);
  }
  EXPECT_NO_THROW(on_device = {});
  EXPECT_NO_THROW(on_host = {});
  EXPECT_NO_THROW(device().wait());
}

TEST_F(OnDevice, TooMuchMemoryIsAnErrorWithTheNumbers) {
  if (testing::run_small()) GTEST_SKIP() << kProvokesDevice;
  try {
    device().scratch(std::size_t{1} << 42);
    FAIL() << "4 TiB were allocated";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::resources);
    EXPECT_NE(message.find("on device 0 ("), std::string::npos) << message;
    EXPECT_NE(message.find("is free; give a smaller memory limit or backend cpu"),
              std::string::npos)
        << message;
  }
  EXPECT_NO_THROW(device().scratch(1 << 20)) << "the stream must still work";
}

TEST_F(OnDevice, PinnedMemoryIsUsedAgainButNotTooSoon) {
  void* first = nullptr;
  {
    const Scratch block = device().pinned_scratch(3'000'000);
    first = block.data();
  }
  device().wait();
  {
    const Scratch again = device().pinned_scratch(2'999'000);
    EXPECT_EQ(again.data(), first);
    keep_busy(*stream_);
  }
  EXPECT_NE(device().pinned_scratch(3'000'000).data(), first) << "work before it is still enqueued";
}

TEST_F(OnDevice, AfterWaitsForTheOtherStream) {
  Stream later(kFirstDevice);
  const Size size{1 << 20};
  Canvas from(size, Type::u8, kPacked, &device()), old(size, Type::u8, kPacked);
  Canvas to(size, Type::u8, kPacked);
  from.fill();
  const Scratch memory = device().scratch(from.bytes);
  const AnyMutableView there = laid_out(memory.data(), size, Type::u8, kFirstDevice, kPacked);
  device().copy(old.view, there);
  device().wait();
  keep_busy(*stream_);
  device().copy(from.view, there);
  later.after(*stream_);
  device_stream(later).copy(there, to.view);
  later.wait();
  EXPECT_TRUE(to.holds(from));
}

TEST_F(OnDevice, BorrowedStreamsRunInTheirOwnersOrder) {
  const auto borrowed = make_device_stream(kFirstDevice, true, device().native());
  EXPECT_EQ(borrowed->native(), device().native());
  const Size size{1 << 16};
  Canvas from(size, Type::u8, kPacked, &device()), to(size, Type::u8, kPacked);
  from.fill();
  const Scratch memory = borrowed->scratch(from.bytes);
  const AnyMutableView there = laid_out(memory.data(), size, Type::u8, kFirstDevice, kPacked);
  keep_busy(*stream_);
  device().copy(from.view, there);
  borrowed->copy(there, to.view);
  EXPECT_TRUE(to.holds(from));
  const auto of_null = make_device_stream(kFirstDevice, true, nullptr);
  EXPECT_EQ(of_null->native(), nullptr);
  EXPECT_NO_THROW(of_null->scratch(1 << 16));
  EXPECT_NO_THROW(of_null->wait());
}

TEST_F(OnDevice, ManyThreadsHaveTheirOwnStreams) {
  std::vector<int> right(8, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < right.size(); ++i)
    threads.emplace_back([&right, i] {
      Stream mine(kFirstDevice);
      for (int round = 0; round < 20; ++round) {
        const Size size{1000 + static_cast<int>(i), 100};
        Canvas from(size, Type::f32, kPacked), to(size, Type::f32, kPacked);
        from.fill();
        const Scratch memory = mine.scratch(from.bytes);
        const auto there = laid_out(memory.data(), size, Type::f32, kFirstDevice, kPacked);
        device_stream(mine).copy(from.view, there);
        device_stream(mine).copy(there, to.view);
        right[i] += to.holds(from);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::accumulate(right.begin(), right.end(), 0), 8 * 20);
}

TEST_F(OnDevice, ADeviceThatIsNotThereListsThoseThatAre) {
  std::string reason;
  const std::vector<DeviceInfo> devices = find_devices(reason);
  try {
    Stream none(99);
    FAIL() << "there are 100 devices";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resources);
    EXPECT_NE(std::string(error.what()).find("0 (" + devices[0].name + ")"), std::string::npos)
        << error.what();
  }
}

TEST_F(OnDevice, IsDescribed) {
  std::string reason;
  const DeviceInfo info = find_devices(reason)[0];
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.compute_major, 8);
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GE(info.shared_bytes_per_block, 48 * 1024);
  EXPECT_GT(info.memory_bytes, device().free_bytes() / 2);
  EXPECT_FALSE(device_versions().driver.empty());
}

TEST_F(OnDevice, CeilingsAreMeasuredOnce) {
  if (testing::run_small()) GTEST_SKIP() << "too large for the sanitizer";
  const DeviceCeilings first = measure_device(kFirstDevice), again = measure_device(kFirstDevice);
  EXPECT_GT(first.fma_flops, 1e11);
  EXPECT_GT(first.copy_bytes, 1e10);
  for (const double rate :
       {first.upload_pinned, first.download_pinned, first.upload_pageable, first.download_pageable})
    EXPECT_GT(rate, 1e8);
  EXPECT_EQ(first.fma_flops, again.fma_flops);
}

}  // namespace
}  // namespace tessera
