// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/machine_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tessera {
namespace {

TEST(MachineReport, EverySentenceHasAnEnd) {
  std::istringstream text(report_machine(false).describe());
  for (std::string line; std::getline(text, line);) {
    ASSERT_FALSE(line.empty());
    EXPECT_NE(line.back(), ' ') << line;
  }
}

// A refused format does not lack a library: no build reads it.
TEST(MachineReport, SaysWhetherPageLockedMemoryIsRefused) {
  MachineReport report;
  report.ceilings = {{"device 0", 1e12, 1e12, 50e9, 55e9, 45e9, 42e9}};
  EXPECT_NE(report.describe().find("45.0 and 42.0 from ordinary memory, 50.0 and 55.0 from "
                                   "page-locked memory"),
            std::string::npos)
      << report.describe();
  report.ceilings = {{"device 0", 1e12, 1e12, 0, 0, 7e9, 7e9}};
  EXPECT_NE(report.describe().find("the system refuses page-locked memory"), std::string::npos)
      << report.describe();
  report.ceilings = {{"2 threads", 1e12, 1e12, 0, 0, 0, 0}};
  EXPECT_EQ(report.describe().find("memory, so"), std::string::npos) << report.describe();
}

TEST(MachineReport, SaysWhatCallsOfADeviceCost) {
  MachineReport report;
  report.calls = {
      {"device 0", 2e-6, 5e-6, 30e-6, 40e-6, 0.5e-6, 0.25e-6, 0.05e-6, 0.025e-6, 7e-6, 8e-6}};
  EXPECT_NE(report.describe().find(
                "device 0      calls in us: launch 2.00, waited for 5.00; allocate and "
                "release 16 KiB 30.00 and 40.00 by the driver, 0.50 and 0.25 from the "
                "pool, 0.050 and 0.025 on the host; copy 4 KiB to it and back 7.00 and "
                "8.00"),
            std::string::npos)
      << report.describe();
}

TEST(MachineReport, SaysThatALinkIsNarrowerThanItCouldBe) {
  MachineReport report;
  report.devices = {{.name = "some GPU", .pcie_generation = 2, .pcie_width = 1}};
  for (const int most : {0, 1}) {
    report.devices[0].pcie_most_width = most;
    EXPECT_NE(report.describe().find(", PCIe 2 x1\n"), std::string::npos) << report.describe();
  }
  report.devices[0].pcie_most_width = 16;
  EXPECT_NE(report.describe().find(", PCIe 2 x1 although card and slot have x16: copies are slower "
                                   "than they could be\n"),
            std::string::npos)
      << report.describe();
}

TEST(MachineReport, SaysThatRefusedFormatsAreNotRead) {
  const MachineReport report = report_machine(false);
  for (const char* name : {"BMP", "GIF", "ICO"}) {
    const auto format = std::ranges::find(report.formats, name, &FormatReport::name);
    ASSERT_NE(format, report.formats.end()) << name;
    EXPECT_TRUE(format->refused) << name;
    EXPECT_EQ(format->needs, "") << name;
  }
  EXPECT_NE(report.describe().find("BMP           not read; convert it to PNG or TIFF first"),
            std::string::npos);
  const auto npy = std::ranges::find(report.formats, "NPY", &FormatReport::name);
  ASSERT_NE(npy, report.formats.end());
  EXPECT_FALSE(npy->refused);
}

}  // namespace
}  // namespace tessera
