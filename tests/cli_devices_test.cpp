// SPDX-License-Identifier: Apache-2.0
// Several devices, or several lanes on one, make the bytes of one device. fault_devices_test.cpp
// has what can be seen without a GPU.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "report/json.hpp"
#include "tests/support/device_commands.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {
namespace {

Words on_devices(Words words, const std::string& devices) {
  words.insert(words.end(), {"--backend", "cuda", "--device", devices});
  return words;
}

class CliDevices : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

FileCommand on_cuda(FileCommand command) {
  command.more.insert(command.more.end(), {"--backend", "cuda"});
  return command;
}

TEST_P(CliDevices, GiveTheBytesOfOne) {
  FileScene scene{on_cuda(GetParam())};
  ASSERT_FALSE(scene.expected().empty());
  for (const char* devices : {"0", "0,0", "all"}) {
    scene.reset(false);
    Words words = scene.arguments(false);
    words.insert(words.end(), {"--device", devices});
    const Outcome outcome = Process(words).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(scene.output_state(), "new") << devices;
    EXPECT_EQ(scene.hidden(), Words{});
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, CliDevices, ::testing::ValuesIn(commands_of_devices()),
                         [](const auto& test) { return test.param.name; });

TEST(CliDevicesBatch, GivesTheBytesOfOne) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("in"));
  for (int i = 0; i < 6; ++i)
    write_image(folder.path(fmt::format("in/{}.npy", i)),
                short_view(random_image({300 + 10 * i, 200}, Type::f32, 3)));
  const auto made = [&](const std::string& devices) {
    const std::string out = folder.path("out" + devices + "/");
    const Outcome outcome = Process(on_devices({TESSERA_CLI, "noise", folder.path("in"), "-o", out,
                                                "--box", "32", "--quiet"},
                                               devices))
                                .wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::string bytes;
    for (int i = 0; i < 6; ++i) bytes += read_bytes(fmt::format("{}{}_rms.npy", out, i));
    EXPECT_GT(bytes.size(), 6U * 4 * 300 * 200);
    return bytes;
  };
  const std::string one = made("0");
  EXPECT_EQ(made("0,0"), one);
  EXPECT_EQ(made("all"), one);
}

TEST(CliDevicesXEngine, GivesTheBytesOfOne) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const TemporaryFolder folder;
  const std::string one = integrations_of(folder, on_devices({}, "0"));
  EXPECT_GT(one.size(), 1000U);
  EXPECT_EQ(integrations_of(folder, on_devices({}, "0,0")), one);
  EXPECT_EQ(integrations_of(folder, on_devices({}, "all")), one);
}

TEST(CliDevicesFilms, GiveTheTracksOfOne) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  const TemporaryFolder folder;
  make_films(folder.path("films"), 3);
  const auto made = [&](const std::string& devices) {
    const std::string out = folder.path("out" + devices + "/");
    const Outcome outcome =
        Process(on_devices({TESSERA_CLI, "cells", "track", folder.path("films"), "-o", out,
                            "--overlay", "no", "--report", "no", "--quiet"},
                           devices))
            .wait();
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 4) << outcome.err;  // 4: doubts about a film
    std::string bytes;
    for (const char* name : {"f1", "f2", "f3"}) bytes += read_bytes(out + name + "/tracks.csv");
    EXPECT_GT(bytes.size(), 300U);
    return bytes;
  };
  const std::string one = made("0");
  EXPECT_EQ(made("0,0"), one);
  EXPECT_EQ(made("all"), one);
}

// Without a device too: the sentence says why there is none.
TEST(CliDevices, AreNamedInErrors) {
  const TemporaryFolder folder;
  const std::string in = folder.path("in.npy");
  write_image(in, short_view(random_image({30, 20}, Type::u8, 3)));
  for (const char* devices : {"99", "0,99", "0,x", ""}) {
    const Outcome outcome =
        Process(on_devices({TESSERA_CLI, "erode", in, "box:3x3", folder.path("out.npy")}, devices))
            .wait();
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("this machine has"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST(CliDevices, HaveNoEffectOnTheCpu) {
  const TemporaryFolder folder;
  const std::string in = folder.path("in.npy");
  write_image(in, short_view(random_image({30, 20}, Type::u8, 3)));
  const Outcome outcome = Process({TESSERA_CLI, "erode", in, "box:3x3", folder.path("out.npy"),
                                   "--backend", "cpu", "--device", "all"})
                              .wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("note: --device all has no effect without --backend cuda"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace tessera::testing
