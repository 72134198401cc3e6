// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "io/cube_file.hpp"
#include "io/fits/fits_hdu_write.hpp"
#include "io/output.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A file that is put in place by the last of its writers.
struct SharedOutput {
  Output output;
  std::size_t unfinished;
};

class HduSink : public ImageSink {
 public:
  HduSink(std::shared_ptr<SharedOutput> shared, FitsHduWriter writer)
      : shared_(std::move(shared)), writer_(std::move(writer)) {}

  void write_plane(int plane, Rows rows, AnyView from) override {
    writer_.write_plane(plane, rows, from);
  }
  void finish() override {
    writer_.finish();
    if (--shared_->unfinished == 0) shared_->output.finish();
  }

 private:
  std::shared_ptr<SharedOutput> shared_;
  FitsHduWriter writer_;
};

void check_cube(const std::string& path, const CubeToWrite& cube) {
  const Compression compression = cube.how.compression;
  if (compression != Compression::automatic && compression != Compression::none)
    throw Error(ErrorKind::usage,
                fmt::format("{}: cubes with all their axes are not compressed; leave out "
                            "compression {}",
                            path, name_of(compression)));
  long long numbers = 1;
  for (const long long length : cube.axes) numbers *= length;
  if (numbers != cube.info.size.samples())
    throw Error(ErrorKind::failure, fmt::format("{}: its axes hold {} numbers and its image has {}",
                                                path, numbers, cube.info.size.samples()));
}

}  // namespace

std::vector<std::unique_ptr<ImageSink>> create_fits_cubes(const std::string& path,
                                                          const std::vector<CubeToWrite>& cubes) {
  for (const CubeToWrite& cube : cubes) check_cube(path, cube);
  const std::shared_ptr<SharedOutput> shared(
      new SharedOutput{{path, cubes.at(0).how.force, Output::Writers::all_ranks}, cubes.size()});
  const File& file = shared->output.file();
  std::vector<std::unique_ptr<ImageSink>> sinks;
  long long offset = 0;
  for (const CubeToWrite& cube : cubes) {
    FitsHduWriter writer(file, {cube.info, cube.axes, offset, offset == 0, cube.last_words},
                         cube.how);
    offset = writer.end();
    sinks.push_back(std::make_unique<HduSink>(shared, std::move(writer)));
  }
  shared->output.begin([&] { file.reserve(offset); });
  return sinks;
}

}  // namespace tessera
