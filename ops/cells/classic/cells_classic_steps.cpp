// SPDX-License-Identifier: Apache-2.0
#include "tessera/cells_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/classic/cells_classic.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

CellsProblem problem_of(const AnyView& film, const std::string& crop) {
  ImageInfo frame = film.info();
  if (frame.device != kHost || frame.size.planes < 1)
    throw Error(ErrorKind::usage,
                fmt::format("cells: the film has {} frames{}; steps can be shown for films in host "
                            "memory with one frame or more",
                            frame.size.planes, frame.device == kHost ? "" : " on a device"));
  frame.size.planes = 1;
  CellsOptions options;
  options.model = CellsModel::classic;
  options.crop = crop;
  return make_cells_problem(frame, options);
}

CellsClassicSteps::Cell steps_of(const ClassicCandidate& candidate, const ClassicCell& cell) {
  CellsClassicSteps::Cell steps{candidate.column, candidate.row, candidate.score, {}};
  for (const ClassicSpot& s : cell.path)
    steps.spots.push_back({s.x, s.y, s.radius, s.field_iterations, s.snake_iterations});
  return steps;
}

}  // namespace

CellsClassicSteps cells_classic_steps(AnyView film, const std::string& crop, int threads) {
  const CellsProblem problem = problem_of(film, crop);
  if (threads < 1) threads = available_threads();
  const ClassicDetections found = classic_detect(problem, film, 0, threads);
  CellsClassicSteps steps;
  steps.gicov = Image({found.gicov.width, found.gicov.height}, Type::f64);
  std::ranges::copy(found.gicov.samples, steps.gicov.as<double>().data);
  steps.cells.resize(found.cells.size());
  parallel_for(static_cast<int>(found.cells.size()), threads, [&](int index) {
    const auto k = static_cast<std::size_t>(index);
    ClassicCell cell = classic_cell(found.cells[k]);
    for (int frame = 1; frame < film.size.planes; ++frame) classic_follow(cell, film, frame);
    steps.cells[k] = steps_of(found.candidates[k], cell);
  });
  return steps;
}

}  // namespace tessera
