// SPDX-License-Identifier: Apache-2.0
// Films of 36 cells, short to long.
#include <fmt/format.h>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/study/cells_spot_film.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays film_ways(int frames) {
  const auto film = std::make_shared<SpotFilm>(spot_film(frames));
  return choice_ways(
      cells_methods(),
      [&](Backend backend, const std::string& method) {
        CellsOptions options;
        options.flow = 0.0;
        options.backend = backend;
        options.method = method;
        return Cells(film->frames.view().only_plane(0).info(), options);
      },
      [film](const Cells& plan) {
        Stream& stream = thread_stream(plan);
        CellsState state = plan.start();
        for (int k = 0; k < film->frames.info().size.planes; ++k)
          plan.add(state, film->frames.view().only_plane(k), stream);
        plan.finish(state, stream);
      });
}

std::vector<ChoiceWork> cells_choices(int side) {
  const int frames = side <= 512 ? 10 : side <= 2048 ? 30 : 120;
  return {{fmt::format("cells {} frames of {}x{} u8, {} cells", frames, kSpotFrame.width,
                       kSpotFrame.height, kSpotCells),
           [=] { return film_ways(frames); }}};
}

const bool choices_entered = add_choice_work({"cells", cells_choices});

}  // namespace
}  // namespace tessera
