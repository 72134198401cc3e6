// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/rm_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tessera {
namespace {

struct RmColumn {
  const char* name;
  TableKind kind;
  const char *unit, *ucd, *blank;
};

// clang-format off
constexpr RmColumn kRmColumns[] = {
    {"ra", TableKind::f64, "deg", "pos.eq.ra;meta.main", ""},
    {"dec", TableKind::f64, "deg", "pos.eq.dec;meta.main", ""},
    {"l", TableKind::f64, "deg", "pos.galactic.lon", ""},
    {"b", TableKind::f64, "deg", "pos.galactic.lat", ""},
    {"pos_err", TableKind::f32, "deg", "stat.error;pos", ""},
    {"rm", TableKind::f32, "rad.m-2", "phys.polarization.rotMeasure;meta.main", ""},
    {"rm_err", TableKind::f32, "rad.m-2", "stat.error;phys.polarization.rotMeasure", ""},
    {"rm_width", TableKind::f32, "rad.m-2", "phys.polarization.rotMeasure;stat.fwhm", ""},
    {"rm_width_err", TableKind::f32, "rad.m-2", "stat.error;phys.polarization.rotMeasure;stat.fwhm", ""},
    {"complex_flag", TableKind::text, "", "meta.code", "U"},
    {"complex_test", TableKind::text, "", "meta.note", "None"},
    {"rm_method", TableKind::text, "", "meta.note", "Unknown"},
    {"ionosphere", TableKind::text, "", "meta.note", "Unknown"},
    {"Ncomp", TableKind::i32, "", "meta.number", ""},
    {"stokesI", TableKind::f32, "Jy", "phot.flux.density;phys.polarization.stokes.I", ""},
    {"stokesI_err", TableKind::f32, "Jy", "stat.error;phot.flux.density;phys.polarization.stokes.I", ""},
    {"spectral_index", TableKind::f32, "", "spect.index", ""},
    {"spectral_index_err", TableKind::f32, "", "stat.error;spect.index", ""},
    {"reffreq_I", TableKind::f32, "Hz", "em.freq;phys.polarization.stokes.I", ""},
    {"polint", TableKind::f32, "Jy", "phot.flux.density;phys.polarization.linear", ""},
    {"polint_err", TableKind::f32, "Jy", "stat.error;phot.flux.density;phys.polarization.linear", ""},
    {"pol_bias", TableKind::text, "", "meta.note", "Unknown"},
    {"flux_type", TableKind::text, "", "meta.note", "Unknown"},
    {"aperture", TableKind::f32, "deg", "phys.angSize", ""},
    {"fracpol", TableKind::f32, "", "phys.polarization.linear", ""},
    {"fracpol_err", TableKind::f32, "", "stat.error;phys.polarization.linear", ""},
    {"polangle", TableKind::f32, "deg", "pos.posAng;phys.polarization.linear", ""},
    {"polangle_err", TableKind::f32, "deg", "stat.error;pos.posAng;phys.polarization.linear", ""},
    {"reffreq_pol", TableKind::f32, "Hz", "em.freq;phys.polarization", ""},
    {"stokesQ", TableKind::f32, "Jy", "phot.flux.density;phys.polarization.stokes.Q", ""},
    {"stokesQ_err", TableKind::f32, "Jy", "stat.error;phot.flux.density;phys.polarization.stokes.Q", ""},
    {"stokesU", TableKind::f32, "Jy", "phot.flux.density;phys.polarization.stokes.U", ""},
    {"stokesU_err", TableKind::f32, "Jy", "stat.error;phot.flux.density;phys.polarization.stokes.U", ""},
    {"derot_polangle", TableKind::f32, "deg", "pos.posAng;phys.polarization.linear", ""},
    {"derot_polangle_err", TableKind::f32, "deg", "stat.error;pos.posAng;phys.polarization.linear", ""},
    {"stokesV", TableKind::f32, "Jy", "phot.flux.density;phys.polarization.stokes.U", ""},
    {"stokesV_err", TableKind::f32, "Jy", "stat.error;phot.flux.density;phys.polarization.stokes.U", ""},
    {"beam_maj", TableKind::f32, "deg", "pos.angResolution;instr.beam;phys.angSize.smajAxis", ""},
    {"beam_min", TableKind::f32, "deg", "pos.angResolution;instr.beam;phys.angSize.sminAxis", ""},
    {"beam_pa", TableKind::f32, "deg", "pos.angResolution;instr.beam;pos.posAng", ""},
    {"reffreq_beam", TableKind::f32, "Hz", "em.freq;instr.beam", ""},
    {"minfreq", TableKind::f32, "Hz", "em.freq;stat.min", ""},
    {"maxfreq", TableKind::f32, "Hz", "em.freq;stat.max", ""},
    {"channelwidth", TableKind::f32, "Hz", "em.freq;instr.bandwidth", ""},
    {"Nchan", TableKind::i32, "", "meta.number", ""},
    {"rmsf_fwhm", TableKind::f32, "rad.m-2", "instr.rmsf;stat.fwhm", ""},
    {"noise_chan", TableKind::f32, "Jy", "stat.error;instr.det.noise", ""},
    {"telescope", TableKind::text, "", "instr.tel", "Unknown"},
    {"int_time", TableKind::f32, "s", "time.duration;obs.exposure", ""},
    {"epoch", TableKind::f32, "d", "time.epoch", ""},
    {"obs_interval", TableKind::f32, "d", "time.interval", ""},
    {"leakage", TableKind::f32, "", "phys.polarization.linear", ""},
    {"beamdist", TableKind::f32, "deg", "pos.angDistance;instr.beam", ""},
    {"catalog_name", TableKind::text, "", "meta.note", ""},
    {"dataref", TableKind::text, "", "meta.bib.bibcode", ""},
    {"cat_id", TableKind::text, "", "meta.id;meta.main", ""},
    {"type", TableKind::text, "", "src.class", "Unknown"},
    {"notes", TableKind::text, "", "meta.note", ""},
};
// clang-format on

}  // namespace

Table blank_rm_table(long long rows) {
  const auto count = static_cast<std::size_t>(rows);
  Table table;
  for (const RmColumn& each : kRmColumns) {
    TableColumn column;
    column.name = each.name;
    column.unit = each.unit;
    column.ucd = each.ucd;
    column.kind = each.kind;
    if (each.kind == TableKind::text)
      column.texts.assign(count, each.blank);
    else
      column.numbers.assign(count, std::numeric_limits<double>::quiet_NaN());
    table.columns.push_back(std::move(column));
  }
  std::ranges::fill(rm_column(table, "Ncomp").numbers, 1);
  std::ranges::fill(rm_column(table, "Nchan").numbers, 0);
  return table;
}

TableColumn& rm_column(Table& table, const char* name) {
  const auto found = std::ranges::find(table.columns, name, &TableColumn::name);
  if (found == table.columns.end()) throw std::logic_error("RMTable has no such column");
  return *found;
}

}  // namespace tessera
