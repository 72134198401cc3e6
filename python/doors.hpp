// SPDX-License-Identifier: Apache-2.0
/// The parts of the module. An operation adds one function here and one line in module.cpp.
#pragma once

#include <nanobind/nanobind.h>
// Conversions, here for all parts: where a part leaves one out, a call fails only when it returns.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace tessera::python {

void add_convolve(nanobind::module_& module);
void add_sources(nanobind::module_& module);
void add_morphology(nanobind::module_& module);
void add_correlate(nanobind::module_& module);
void add_ensemble(nanobind::module_& module);
void add_scene_planes(nanobind::module_& module);
void add_cells_classic(nanobind::module_& module);
void add_enhance(nanobind::module_& module);
void add_histogram(nanobind::module_& module);
void add_cells(nanobind::module_& module);
void add_track_cells(nanobind::module_& module);
void add_cells_jobs(nanobind::module_& module);
void add_cell_films(nanobind::module_& module);
void add_faraday_axes(nanobind::module_& module);
void add_faraday_synth(nanobind::module_& module);
void add_faraday_clean(nanobind::module_& module);
void add_faraday_maps(nanobind::module_& module);
void add_faraday_fit(nanobind::module_& module);
void add_faraday_catalogue(nanobind::module_& module);
void add_beam(nanobind::module_& module);
void add_polarised(nanobind::module_& module);
void add_sky(nanobind::module_& module);
void add_noise(nanobind::module_& module);
void add_rank_filters(nanobind::module_& module);
void add_match(nanobind::module_& module);
void add_filters(nanobind::module_& module);
void add_smooth_words(nanobind::module_& module);
void add_edge_words(nanobind::module_& module);
void add_american_names(nanobind::module_& module);
void add_voltages(nanobind::module_& module);
void add_channelise(nanobind::module_& module);
void add_xengine(nanobind::module_& module);
void add_uvfits(nanobind::module_& module);
void add_measurement_set(nanobind::module_& module);
void add_files(nanobind::module_& module);
void add_info(nanobind::module_& module);
void add_memory(nanobind::module_& module);

}  // namespace tessera::python
