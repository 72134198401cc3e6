// SPDX-License-Identifier: Apache-2.0
// Several devices in one process, played by tests/faults/driver_fault.cpp: their kernels do
// nothing, but a stream, an event, a kernel or memory of one device that meets another is an error.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/json.hpp"
#include "tests/support/device_commands.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/mpi_runs.hpp"

namespace tessera::testing {
namespace {

constexpr int kBrokenLaunch = 719;  // CUDA_ERROR_LAUNCH_FAILED

Words with_words(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class SharedByDevices : public ::testing::TestWithParam<FileCommand> {
 protected:
  PlayedDevices devices_{2};
  FileScene scene_{GetParam()};
};

TEST_P(SharedByDevices, GivesTheBytesOfOne) {
  ASSERT_FALSE(scene_.expected().empty());
  for (const char* devices : {"0,1", "1,0,0", "all"}) {
    scene_.reset(false);
    const Outcome outcome =
        Process(with_words(scene_.arguments(false), {"--device", devices, "--json"})).wait();
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(scene_.output_state(), "new") << devices;
    EXPECT_EQ(scene_.hidden(), Words{});
    const Json lanes = Json::parse(outcome.out).at("devices");
    ASSERT_EQ(lanes.size(), std::string(devices) == "1,0,0" ? 3U : 2U);
    EXPECT_EQ(lanes[0].at("device"), std::string(devices) == "1,0,0" ? 1 : 0);
    EXPECT_EQ(lanes[1].at("device"), std::string(devices) == "1,0,0" ? 0 : 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, SharedByDevices, ::testing::ValuesIn(commands_of_devices()),
                         [](const auto& test) { return test.param.name; });

class SeveralDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.path("in"));
    for (int i = 0; i < 6; ++i)
      write_image(folder_.path(fmt::format("in/{}.npy", i)),
                  short_view(random_image({700, 500}, Type::u8, 3)));
    write_image(in_, short_view(random_image({3000, 2100}, Type::u8, 3)));
  }
  Outcome erode(const Words& more) const {
    return Process(with_words({TESSERA_CLI, "erode", in_, "disk:4", out_}, more)).wait();
  }
  void expect_refused(const Outcome& outcome, int code, const std::string& part) const {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
  }

  PlayedDevices devices_{2};
  TemporaryFolder folder_;
  std::string in_ = folder_.path("in.npy"), out_ = folder_.path("out.npy");
};

TEST_F(SeveralDevices, FilesOfABatchGoToAllInOrder) {
  devices_.set("TESSERA_FAULT_MEET", "2");
  const Outcome outcome = Process({TESSERA_CLI, "convolve", folder_.path("in"), "gauss:2",
                                   folder_.path("out/"), "--device", "0,1", "--json"})
                              .wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("done"), 6);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(result.at("files").at(i).at("output"), folder_.path(fmt::format("out/{}.npy", i)));
  const Json lanes = result.at("devices");
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_EQ(lanes[0].at("units").get<int>() + lanes[1].at("units").get<int>(), 6);
  for (const Json& lane : lanes) {
    EXPECT_GT(lane.at("units"), 0);
    EXPECT_EQ(lane.at("name"), "played device");
  }
}

TEST_F(SeveralDevices, FilmsGoToAllAndOneFilmToTheFirst) {
  make_films(folder_.path("films"), 3);
  devices_.set("TESSERA_FAULT_MEET", "2");
  const Outcome outcome =
      Process({TESSERA_CLI, "cells", "track", folder_.path("films"), "-o", folder_.path("tracks/"),
               "--overlay", "no", "--report", "no", "--device", "0,1", "--json"})
          .wait();
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("done"), 3) << outcome.err;
  for (const Json& lane : result.at("devices")) EXPECT_GT(lane.at("units"), 0) << result;
  const std::string table = read_bytes(folder_.path("tracks/films.csv"));
  EXPECT_LT(table.find("f1"), table.find("f2")) << table;
  EXPECT_LT(table.find("f2"), table.find("f3")) << table;
  devices_.set("TESSERA_FAULT_MEET", "1");
  const Outcome one =
      Process({TESSERA_CLI, "cells", "track", folder_.path("films/f1.npy"), "-o",
               folder_.path("one"), "--overlay", "no", "--report", "no", "--device", "1,0"})
          .wait();
  EXPECT_NE(one.err.find("note: device 1 does this alone"), std::string::npos) << one.err;
  EXPECT_NE(one.out.find("device 1"), std::string::npos) << one.out;
}

TEST_F(SeveralDevices, EachHasItsChannelsOfTheXEngine) {
  const std::string one = integrations_of(folder_, {});
  EXPECT_GT(one.size(), 1000U);
  EXPECT_EQ(integrations_of(folder_, {"--device", "0,1"}), one);
  const std::string turned = integrations_of(folder_, {"--phase-centre", "zenith"});
  EXPECT_NE(turned, one);
  EXPECT_EQ(integrations_of(folder_, {"--phase-centre", "zenith", "--device", "0,1"}), turned);
  devices_.set("TESSERA_FAULT_LAUNCHES", fmt::format("1:{}", kBrokenLaunch));
  const Outcome outcome =
      Process({TESSERA_CLI, "xengine", folder_.path("v.npy"), "-o", out_, "--device", "0,1"})
          .wait();
  expect_refused(outcome, 1, "device 1 (played device)");
}

TEST_F(SeveralDevices, TheSummaryNamesThem) {
  devices_.set("TESSERA_FAULT_MEET", "2");
  const Outcome outcome = erode({"--device", "all"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\non device 0 ("), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(", device 1 ("), std::string::npos) << outcome.out;
}

TEST_F(SeveralDevices, OneThatFailsEndsTheJobAndIsNamed) {
  devices_.set("TESSERA_FAULT_MEET", "2");
  devices_.set("TESSERA_FAULT_LAUNCHES", fmt::format("1:{}", kBrokenLaunch));
  expect_refused(erode({"--device", "0,1"}), 1, "device 1 (played device)");
  devices_.set("TESSERA_FAULT_LAUNCHES", fmt::format("0:{}", kBrokenLaunch));
  expect_refused(erode({"--device", "0,1"}), 1, "device 0 (played device)");
}

TEST_F(SeveralDevices, RanksOfMpiTakeThemInTurn) {
  if (usable_launchers().empty()) GTEST_SKIP() << "no mpirun of an MPI that this build knows";
  devices_.set("TESSERA_FAULT_LAUNCHES", fmt::format("1:{}", kBrokenLaunch));
  const Launcher launcher = usable_launchers().front();
  const auto convolve_with = [&](const std::string& devices) {
    // Every rank launches something: it makes the spectrum of the filter.
    return run_ranks(launcher, 2,
                     {TESSERA_CLI, "convolve", in_, "gauss:9", out_, "--method", "fft", "--device",
                      devices, "--force"});
  };
  EXPECT_EQ(convolve_with("0").code, 0);
  const Outcome outcome = convolve_with("0,1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("rank 1 of 2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("device 1 (played device)"), std::string::npos) << outcome.err;
}

TEST_F(SeveralDevices, OneTakesWhatCannotBeShared) {
  const Outcome outcome =
      Process({TESSERA_CLI, "erode", in_, "disk:4", "-", "--device", "1,0"}).wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("note: device 1 does this alone"), std::string::npos) << outcome.err;
}

TEST_F(SeveralDevices, OtherBackendsIgnoreThem) {
  for (const char* backend : {"auto", "cpu"}) {
    devices_.set("TESSERA_BACKEND", "cpu");
    const Outcome outcome = erode({"--device", "0,1", "--backend", backend, "--force"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("note: --device 0,1 has no effect without --backend cuda"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.out.find("device"), std::string::npos) << outcome.out;
  }
}

TEST_F(SeveralDevices, ThoseThatAreNotThereAreRefused) {
  const std::string there = "this machine has 0 (played device), 1 (played device)";
  expect_refused(erode({"--device", "7"}), 2, "there is no device 7; " + there);
  expect_refused(erode({"--device", "0,2"}), 2, "there is no device 2; " + there);
  expect_refused(erode({"--device", "0,x"}), 2, "'x' is not a device");
  expect_refused(erode({"--device", "0,x"}), 2, there);
  expect_refused(erode({"--device", ""}), 2, "'' is not a device");
}

}  // namespace
}  // namespace tessera::testing
