// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/ranks.hpp"
#include "io/cube_file.hpp"
#include "io/output.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {

FaradayOutputs::FaradayOutputs(std::vector<FaradayProduct> products, const WriteOptions& how,
                               const std::shared_ptr<const double>& seconds)
    : products_(std::move(products)), sinks_(products_.size()) {
  for (const FaradayProduct& product : products_)
    if (std::ranges::count(files_, product.file) == 0) files_.push_back(product.file);
  for (const std::string& file : files_) {
    std::vector<CubeToWrite> cubes;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < products_.size(); ++i) {
      if (products_[i].file != file) continue;
      CubeToWrite cube{
          {products_[i].axes.file_size(), Type::f32, kHost}, products_[i].axes.lengths, how, {}};
      if (how.stamp)
        cube.last_words = [seconds] { return fmt::format("seconds: {:.3f}", *seconds); };
      cube.how.header = products_[i].header.list();
      cubes.push_back(std::move(cube));
      places.push_back(i);
    }
    auto sinks = create_cubes(file, cubes);
    for (std::size_t i = 0; i < places.size(); ++i)
      sinks_[places[i]] =
          std::make_unique<FaradayCubeSink>(std::move(sinks[i]), products_[places[i]].axes);
  }
}

void FaradayOutputs::write(Rows rows, AnyView from) {
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const int planes =
        products_[i].planes > 0 ? products_[i].planes : products_[i].axes.size().planes;
    sinks_[i]->write(rows, planes_of(from, products_[i].first_plane, planes));
  }
}

void FaradayOutputs::place() {
  for (const auto& sink : sinks_) sink->finish();
}

void check_output_name(const std::string& path, bool force) {
  told_by_first([&] {
    const Output begun(path, force);
    return "";
  });
}

}  // namespace tessera
