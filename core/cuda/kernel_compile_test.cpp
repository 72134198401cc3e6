// SPDX-License-Identifier: Apache-2.0
/// The parts of the GPU path that can be tested without a GPU.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/cuda/compile.hpp"
#include "core/cuda/embedded_kernels.hpp"
#include "core/cuda/libraries.hpp"
#include "core/cuda/nvrtc.hpp"
#include "core/cuda/pcie.hpp"
#include "core/device.hpp"
#include "tessera/error.hpp"

namespace tessera::cuda {
namespace {

namespace fs = std::filesystem;

const KernelName kFourWords{"ceilings", "copy_peak", "copy_words<CopyKnobs{4}>", "CopyArgs"};
const KernelName kTwoWords{"ceilings", "copy_peak", "copy_words<CopyKnobs{2}>", "CopyArgs"};

template <class Call>
std::string message_of(ErrorKind kind, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

class TemporaryFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tessera-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  fs::path folder_;
};

TEST(NoDevice, SaysWhyAndStreamsCarryTheReason) {
  std::string reason;
  if (!find_devices(reason).empty()) GTEST_SKIP() << "there is a device";
  EXPECT_FALSE(reason.empty());
  if (!Library("driver", {"libcuda.so.1"})) {
    EXPECT_EQ(reason, "no NVIDIA driver (libcuda.so.1) found");
  }
  const std::string message =
      message_of(ErrorKind::resources, [] { make_device_stream(0, false, nullptr); });
  EXPECT_EQ(message, "device 0: " + reason + "; give backend cpu");
  EXPECT_EQ(message_of(ErrorKind::resources, [] { find_kernel(0, kFourWords); }), message);
}

TEST(Libraries, NameWhatIsMissing) {
  Library none("libnothing", {"libnothing.so.1", "libnothing.so"});
  EXPECT_FALSE(none);
  EXPECT_TRUE(none.missing());
  EXPECT_NE(none.reason().find("libnothing (libnothing.so.1, libnothing.so) is not found"),
            std::string::npos);
  void (*function)() = nullptr;
  EXPECT_FALSE(none.load("anything", function));
}

TEST(Libraries, NameTheSymbolAnOldOneLacks) {
  Library c("the C library", {"libc.so.6"});
  ASSERT_TRUE(c);
  int (*there)(int) = nullptr;
  EXPECT_TRUE(c.load("abs", there));
  EXPECT_EQ(there(-3), 3);
  void (*not_there)() = nullptr;
  EXPECT_FALSE(c.load("tessera_no_such_symbol", not_there));
  EXPECT_EQ(c.reason(), "the C library is too old: it lacks tessera_no_such_symbol");
}

TEST_F(TemporaryFolder, LibraryThatCannotBeOpenedExplainsItself) {
  put("libbroken.so.1", "not a library");
  setenv("TESSERA_CUDA_LIBRARY_PATH", folder_.c_str(), 1);
  const Library broken("libbroken", {"libbroken.so.1"});
  unsetenv("TESSERA_CUDA_LIBRARY_PATH");
  EXPECT_FALSE(broken);
  EXPECT_FALSE(broken.missing());
  EXPECT_NE(broken.reason().find("could not be opened"), std::string::npos) << broken.reason();
}

TEST(Embedded, UnitsAndTheTextsTheyAreMadeFrom) {
  const auto units = embedded_units();
  const auto texts = embedded_kernel_texts();
  const auto has_text = [&](std::string_view name) {
    return std::any_of(texts.begin(), texts.end(), [&](const EmbeddedText& text) {
      return text.name == name && !text.text.empty() && text.text.data()[text.text.size()] == 0;
    });
  };
  EXPECT_TRUE(has_text("tessera/view.hpp"));
  EXPECT_TRUE(has_text("tessera/border.hpp"));
  EXPECT_TRUE(has_text("core/cuda/ceilings.cuh"));
  ASSERT_FALSE(units.empty());
  for (const EmbeddedUnit& unit : units) EXPECT_EQ(unit.image.substr(0, 4), "\x50\xed\x55\xba");
}

TEST(Compile, ArchitectureFollowsDeviceAndUnit) {
  EXPECT_EQ(architecture_of("convolve_direct", 8, 0), "sm_80");
  EXPECT_EQ(architecture_of("xengine_sm90a", 9, 0), "sm_90a");
}

TEST(Compile, MakesADeviceImage) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  for (const char* architecture : {"sm_80", "sm_90"}) {
    ASSERT_TRUE(nvrtc_supports(architecture));
    const std::string image = compile_to_cubin(kTwoWords, architecture);
    EXPECT_EQ(image.substr(0, 4),
              "\x7f"
              "ELF");
    EXPECT_NE(image.find("kernel"), std::string::npos);
  }
  EXPECT_FALSE(nvrtc_supports("sm_11"));
}

// Every text must be readable without the toolkit's headers: NVRTC has none.
TEST(Compile, EveryUnitsHeaderIsReadable) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  for (const EmbeddedText& text : embedded_kernel_texts()) {
    const std::string source = "#include \"" + std::string(text.name) + "\"\n";
    EXPECT_NO_THROW(nvrtc_compile(source, {"-std=c++20", "-default-device", "-arch=sm_80"}))
        << text.name;
  }
}

TEST(Compile, ErrorsAreTheCompilersFirst) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const KernelName wrong{"ceilings", "copy_peak", "no_such_body<3>", "CopyArgs"};
  const std::string message =
      message_of(ErrorKind::failure, [&] { compile_to_cubin(wrong, "sm_90"); });
  EXPECT_NE(message.find("no_such_body"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_EQ(message_of(ErrorKind::failure,
                       [] {
                         compile_to_cubin({"no_such_unit", "", "body", "Args"}, "sm_90");
                       }),
            "kernel: there is no no_such_unit.cuh in this build");
}

TEST_F(TemporaryFolder, CubinPathFollowsAllThatMattersAndNothingElse) {
  setenv("TESSERA_CACHE", folder_.c_str(), 1);
  const std::string path = cubin_path(kFourWords, "sm_90");
  EXPECT_EQ(path.rfind((folder_ / "kernels/").string(), 0), 0u) << path;
  EXPECT_NE(path, cubin_path(kTwoWords, "sm_90"));
  EXPECT_NE(path, cubin_path(kFourWords, "sm_80"));
  KernelName other_entry = kFourWords;
  other_entry.entry = "anything";
  EXPECT_EQ(path, cubin_path(other_entry, "sm_90"));
  unsetenv("TESSERA_CACHE");
}

TEST_F(TemporaryFolder, PcieLinkIsTheSlowerOfDeviceAndSlot) {
  put("real/0000:00:01.0/max_link_speed", "16.0 GT/s PCIe\n");
  put("real/0000:00:01.0/0000:3b:00.0/max_link_speed", "32.0 GT/s PCIe\n");
  put("real/0000:00:01.0/max_link_width", "8\n");
  put("real/0000:00:01.0/0000:3b:00.0/max_link_width", "16\n");
  put("real/0000:00:01.0/0000:3b:00.0/current_link_width", "1\n");
  fs::create_directories(folder_ / "devices");
  fs::create_symlink("../real/0000:00:01.0/0000:3b:00.0", folder_ / "devices/0000:3b:00.0");
  const PcieLink link = pcie_link_from_files(folder_ / "devices", "0000:3B:00.0");
  EXPECT_EQ(link.generation, 4);
  EXPECT_EQ(link.width, 1);
  EXPECT_EQ(link.most_width, 8);
}

TEST_F(TemporaryFolder, PcieLinkThatIsNotKnownIsZero) {
  put("devices/0000:01:00.0/max_link_speed", "Unknown\n");
  put("devices/0000:01:00.0/current_link_width", "255\n");
  put("devices/0000:01:00.0/max_link_width", "255\n");
  for (const char* address : {"0000:01:00.0", "0000:02:00.0"}) {
    const PcieLink link = pcie_link_from_files(folder_ / "devices", address);
    EXPECT_EQ(link.generation, 0);
    EXPECT_EQ(link.width, 0);
    EXPECT_EQ(link.most_width, 0);
  }
}

}  // namespace
}  // namespace tessera::cuda
