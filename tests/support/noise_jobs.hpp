// SPDX-License-Identifier: Apache-2.0
/// A folder with images, and jobs of noise that write next to them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "io/formats.hpp"
#include "jobs/noise/noise_job.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {

class NoiseJobs : public ::testing::Test {
 protected:
  explicit NoiseJobs(int box) : box_(box) {}

  NoiseJob job(const std::string& input, int box) const {
    NoiseJob job{.input = input, .output = folder_.path("out")};
    job.options.box = {box, box};
    job.options.backend = Backend::cpu;
    job.writing.force = true;
    return job;
  }
  NoiseJob job(const std::string& input) const { return job(input, box_); }
  std::string file(const std::string& name) const { return folder_.path(name); }
  /// A map of the last job: "rms.npy".
  Image made(const std::string& name) const { return read_image(file("out_" + name)); }
  std::string written(const Image& image, const std::string& name) const {
    write_image(file(name), image.view(), {.force = true});
    return file(name);
  }

  TemporaryFolder folder_;

 private:
  int box_;
};

}  // namespace tessera::testing
