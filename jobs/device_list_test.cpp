// SPDX-License-Identifier: Apache-2.0
#include "jobs/device_list.hpp"

#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "jobs/history.hpp"
#include "jobs/settings.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

DeviceList list_of(std::string_view text) {
  DeviceList list;
  from_text("--device", text, list);
  return list;
}

std::string complaint_about(std::string_view text) {
  try {
    list_of(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(DeviceList, ReadsNumbersAndAll) {
  EXPECT_EQ(list_of("0").named, std::vector{0});
  EXPECT_EQ(list_of("2,0,2").named, (std::vector{2, 0, 2}));
  EXPECT_TRUE(list_of("all").named.empty());
  for (const char* text : {"0", "2,0,2", "all"}) EXPECT_EQ(to_text(list_of(text)), text);
  EXPECT_FALSE(list_of("3").several());
  EXPECT_TRUE(list_of("3,3").several());
}

TEST(DeviceList, RefusesOtherTextsInOneSentence) {
  for (const char* text : {"", "0,x", "0,", ",0", "-1", "1.5", "0 1", "all,0"})
    EXPECT_NE(complaint_about(text).find("is not a device; write a number"), std::string::npos)
        << "'" << text << "': " << complaint_about(text);
  EXPECT_NE(complaint_about("0,x").find("'x'"), std::string::npos);
  EXPECT_NE(complaint_about("").find("this machine has"), std::string::npos);
}

TEST(DeviceList, TakesRanksInTurn) {
  EXPECT_EQ(list_of("4,6").of_rank(3), 6);
  EXPECT_EQ(list_of("4").of_rank(3), 4);
}

TEST(DeviceList, NamesTheDevicesThatAreThere) {
  const int there = static_cast<int>(this_machine().devices.size());
  try {
    list_of(std::to_string(there)).found();
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("there is no device " + std::to_string(there)), std::string::npos) << text;
    EXPECT_NE(text.find("this machine has"), std::string::npos) << text;
  }
}

TEST(History, DoesNotNumberDevices) {
  EXPECT_EQ(without_device("noise 9x9: cuda warps, device 12, tiles of 8x8; cuda b, device 1"),
            "noise 9x9: cuda warps, tiles of 8x8; cuda b");
  EXPECT_EQ(without_device("device=3"), "");
  EXPECT_EQ(without_device("border=wrap device=3 fill=yes"), "border=wrap fill=yes");
  EXPECT_EQ(without_device("device=3 fill=yes"), "fill=yes");
  EXPECT_EQ(without_device(""), "");
}

TEST(RunSettings, LanesDivideThreadsAndMemory) {
  RunSettings settings{.threads = 8, .memory_limit = {1 << 20}, .lanes = {.all = 2}};
  EXPECT_EQ(settings.stream(kHost).threads(), 4);
  EXPECT_EQ(settings.stream(kHost).memory_limit(), 1U << 19);
  EXPECT_EQ(settings.reader_bytes(), 1 << 19);
  EXPECT_EQ(settings.stream(kHost, 3).threads(), 3);
  settings.sharers = 4;
  EXPECT_EQ(settings.stream(kHost).threads(), 1);
  EXPECT_EQ(settings.stream(kHost).memory_limit(), 1U << 17);
}

}  // namespace
}  // namespace tessera
