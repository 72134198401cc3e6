// SPDX-License-Identifier: Apache-2.0
#include "core/machine.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/cgroup.hpp"
#include "core/cpu_name.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;

std::string named(const std::string& cpuinfo) {
  std::istringstream text(cpuinfo);
  return cpu_name(text);
}

TEST(CpuName, IsTheModelNameOrThatOfThePart) {
  EXPECT_EQ(named("processor\t: 0\nmodel name\t: AMD EPYC 9654 96-Core Processor \n"),
            "AMD EPYC 9654 96-Core Processor");
  const auto arm = [](const std::string& maker, const std::string& part) {
    return named("processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: " + maker +
                 "\nCPU architecture: 8\nCPU part\t: " + part + "\n");
  };
  EXPECT_EQ(arm("0x41", "0xd0c"), "Neoverse-N1");
  EXPECT_EQ(arm("0x41", "0xd40"), "Neoverse-V1");
  EXPECT_EQ(arm("0x41", "0xd4f"), "Neoverse-V2");
  EXPECT_EQ(arm("0x41", "0xd49"), "Neoverse-N2");
  EXPECT_EQ(arm("0x61", "0x022"), "Apple-M1");
  EXPECT_EQ(arm("0x99", "0x123"), "ARM CPU 0x99:0x123");
  EXPECT_EQ(named(""), "unknown CPU");
  EXPECT_EQ(named("nonsense without colons\n"), "unknown CPU");
}

TEST(Machine, HasEstimatesThatDoNotChange) {
  const Machine& machine = this_machine();
  EXPECT_EQ(&machine, &this_machine());
  EXPECT_FALSE(machine.cpu_name.empty());
  EXPECT_EQ(machine.threads, node_threads());
  EXPECT_TRUE(machine.vector_bytes == 16 || machine.vector_bytes == 32 ||
              machine.vector_bytes == 64);
  EXPECT_GT(machine.cpu_flops, 1e9);
  EXPECT_GT(machine.cpu_bytes_per_second, 1e9);
  EXPECT_GT(machine.estimated_link_bytes_per_second, 1e9);
  EXPECT_EQ(machine.devices.empty(), !machine.no_device_reason.empty());
}

TEST(Machine, KnowsADevicesPeaks) {
  Machine machine;
  DeviceInfo h200;
  h200.compute_major = 9;
  h200.multiprocessors = 132;
  h200.clock_khz = 1980000;
  h200.memory_clock_khz = 3201000;
  h200.memory_bus_bits = 6144;
  machine.devices = {h200};
  EXPECT_NEAR(machine.device_flops(0), 66.9e12, 0.1e12);
  EXPECT_NEAR(machine.device_bytes_per_second(0), 4.43e12, 0.02e12);
  EXPECT_THROW(machine.device_flops(1), std::out_of_range);
}

TEST(Machine, MeasuredCeilingsArePossible) {
  const CpuCeilings ceilings = measure_cpu();
  // One vector of 4 per cycle at 100 MHz, and ten times what any CPU can do.
  EXPECT_GT(ceilings.fma_flops_one, 1e8);
  EXPECT_LT(ceilings.fma_flops_one, 5e12);
  EXPECT_GT(ceilings.copy_bytes_one, 1e8);
  EXPECT_LT(ceilings.copy_bytes_one, 1e12);
  EXPECT_GT(ceilings.fma_flops_all, 0);
  EXPECT_GT(ceilings.copy_bytes_all, 0);
  EXPECT_EQ(measure_cpu().fma_flops_one, ceilings.fma_flops_one) << "kept for the process";
}

TEST(Memory, IsWhatTheMachineHas) {
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
  EXPECT_LT(available_memory(), std::size_t{1} << 50);
}

class Cgroup : public ::testing::Test {
 protected:
  void group(const std::string& path,
             const std::vector<std::pair<std::string, std::string>>& files) {
    std::filesystem::create_directories(folder_.path("mount/" + path));
    for (const auto& [name, text] : files)
      write_bytes(folder_.path("mount/" + path + "/" + name), text);
  }
  std::vector<CgroupMemory> found(const std::string& membership) {
    write_bytes(folder_.path("membership"), membership);
    return cgroup_memory(folder_.path("membership"), folder_.path("mount"));
  }
  double cpus(const std::string& membership) {
    write_bytes(folder_.path("membership"), membership);
    return cgroup_cpus(folder_.path("membership"), folder_.path("mount"));
  }
  TemporaryFolder folder_;
};

TEST_F(Cgroup, Version2CountsEveryGroupUpToTheRoot) {
  group("a/b", {{"memory.max", "1000\n"},
                {"memory.current", "700\n"},
                {"memory.stat", "anon 5\ninactive_file 200\n"}});
  group("a", {{"memory.max", "max\n"}, {"memory.current", "900\n"}});
  group("", {{"memory.max", "400\n"}, {"memory.current", "500\n"}});
  const auto groups = found("0::/a/b\n");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].limit, 1000u);
  EXPECT_EQ(groups[0].used, 500u);
  EXPECT_EQ(groups[0].free(), 500u);
  EXPECT_EQ(groups[1].free(), 0u) << "more is used than allowed";
}

TEST_F(Cgroup, Version1IsTheMemoryController) {
  group("memory/a", {{"memory.limit_in_bytes", "1000\n"},
                     {"memory.usage_in_bytes", "300\n"},
                     {"memory.stat", "inactive_file 1\ntotal_inactive_file 100\n"}});
  const auto groups = found("5:cpu,cpuacct:/b\n4:memory:/a\n1:name=systemd:/a\n");
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].free(), 800u);
}

TEST_F(Cgroup, AContainerFindsItsGroupAtTheRoot) {
  group("", {{"memory.max", "1000\n"}, {"memory.current", "100\n"}});
  const auto groups = found("0::/what/the/host/calls/it\n");
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].free(), 900u);
}

TEST_F(Cgroup, TheTightestQuotaOfCpusCounts) {
  group("a/b", {{"cpu.max", "max 100000\n"}});
  group("a", {{"cpu.max", "150000 100000\n"}});
  group("", {{"cpu.max", "800000 100000\n"}});
  EXPECT_EQ(cpus("0::/a/b\n"), 1.5);
  group("cpu/c", {{"cpu.cfs_quota_us", "300000\n"}, {"cpu.cfs_period_us", "100000\n"}});
  EXPECT_EQ(cpus("5:cpu,cpuacct:/c\n"), 3);
  group("cpu/c", {{"cpu.cfs_quota_us", "-1\n"}});
  EXPECT_EQ(cpus("5:cpu,cpuacct:/c\n"), std::numeric_limits<double>::infinity());
}

TEST_F(Cgroup, NothingIsFoundWhereNothingIs) {
  EXPECT_TRUE(found("").empty());
  EXPECT_TRUE(found("0::/\nnonsense\n").empty());
  EXPECT_TRUE(cgroup_memory(folder_.path("none"), folder_.path("none")).empty());
}

}  // namespace
}  // namespace tessera
