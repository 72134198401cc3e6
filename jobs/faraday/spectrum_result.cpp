// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/counted.hpp"
#include "jobs/faraday/spectrum_job.hpp"
#include "jobs/result.hpp"

namespace tessera {
namespace {

std::string peak_text(const SpectrumPeakValues& peak, const std::string& unit) {
  return fmt::format(
      "RM {:.4f} +- {:.4f} rad/m^2, PI {:.5g} +- {:.2g} {} ({:.4g} without bias), S/N {:.1f}, "
      "angle {:.2f} +- {:.2f} deg, before rotation {:.2f} +- {:.2f} deg",
      peak.phiPeakPIfit_rm2, peak.dRM_rm2, peak.ampPeakPIfit, peak.dAmpPeakPIfit, unit,
      peak.ampPeakPIfitEff, peak.snrPIfit, peak.polAngleFit_deg, peak.dPolAngleFit_deg,
      peak.polAngle0Fit_deg, peak.dPolAngle0Fit_deg);
}

}  // namespace

std::string FaradaySpectrumResult::describe() const {
  std::string text = fmt::format(
      "{}: {}, {:.6g} to {:.6g} MHz; {}, {:g} to {:g} by {:g} rad/m^2; RMSF {:.4g} "
      "rad/m^2\ndirty: {}\nnoise {:.3g} by theory, {:.3g} measured; sigma_add {:.3g} "
      "(+{:.3g}, -{:.3g})",
      input, counted(synth.N_channels, "channel"), synth.min_freq / 1e6, synth.max_freq / 1e6,
      counted(depths, "depth"), phi_min, phi_max, dphi, synth.fwhmRMSF,
      peak_text(synth, synth.units), synth.dFDFth, synth.dFDFcorMAD, synth.sigmaAddC,
      synth.dSigmaAddPlusC, synth.dSigmaAddMinusC);
  if (clean)
    text += fmt::format("\nclean: {}\n{} down to {:.3g}, noise {:.3g} measured",
                        peak_text(*clean, synth.units), counted(clean->nIter, "component"),
                        clean->cleanCutoff, clean->dFDFcorMAD);
  text += notes_text(notes);
  for (const std::string& file : files) text += "\n  " + file;
  return text;
}

}  // namespace tessera
