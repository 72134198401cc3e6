// SPDX-License-Identifier: Apache-2.0
/// The measurements of a spectrum, under the names in RM-Tools' files.
#pragma once

#include <string>
#include <tuple>

#include "jobs/faraday/spectrum_analysis.hpp"

namespace tessera {

/// Values of the peak of a spectrum, dirty or clean.
struct SpectrumPeakValues {
  double dFDFcorMAD = 0;
  double phiPeakPIfit_rm2 = 0, dPhiPeakPIfit_rm2 = 0, dRM_rm2 = 0;
  double ampPeakPIfit = 0, ampPeakPIfitEff = 0, dAmpPeakPIfit = 0;
  double snrPIfit = 0, indxPeakPIfit = 0;
  double peakFDFimagFit = 0, peakFDFrealFit = 0;
  double polAngleFit_deg = 0, dPolAngleFit_deg = 0;
  double polAngle0Fit_deg = 0, dPolAngle0Fit_deg = 0;

  template <class V>
  static constexpr auto fields_of() {
    return std::tuple{
        field("dFDFcorMAD", &V::dFDFcorMAD, "noise measured outside the peak"),
        field("phiPeakPIfit_rm2", &V::phiPeakPIfit_rm2, "rotation measure, rad/m^2"),
        field("dPhiPeakPIfit_rm2", &V::dPhiPeakPIfit_rm2,
              "its error as in RM-Tools, by the width of the RMSF: 9 to 34% too large"),
        field("ampPeakPIfit", &V::ampPeakPIfit, "polarised intensity"),
        field("ampPeakPIfitEff", &V::ampPeakPIfitEff, "the same, de-biased"),
        field("dAmpPeakPIfit", &V::dAmpPeakPIfit, "its error: the noise by theory"),
        field("snrPIfit", &V::snrPIfit, "intensity over error"),
        field("indxPeakPIfit", &V::indxPeakPIfit, "the depth as a place in the grid, from 0"),
        field("peakFDFimagFit", &V::peakFDFimagFit, "imaginary part there"),
        field("peakFDFrealFit", &V::peakFDFrealFit, "real part there"),
        field("polAngleFit_deg", &V::polAngleFit_deg, "angle of polarisation, degrees"),
        field("dPolAngleFit_deg", &V::dPolAngleFit_deg, "its error"),
        field("polAngle0Fit_deg", &V::polAngle0Fit_deg, "the same before any rotation"),
        field("dPolAngle0Fit_deg", &V::dPolAngle0Fit_deg, "its error"),
    };
  }
};

/// PREFIX_RMsynth
struct SpectrumSynthValues : SpectrumPeakValues {
  double Ifreq0 = 0;
  std::string polyCoeffs, polyCoefferr;  ///< of order 5 to 0
  int polyOrd = 0, IfitStat = 0;
  double IfitChiSqRed = 0;
  std::string fit_function;
  double lam0Sq_m2 = 0, freq0_Hz = 0, fwhmRMSF = 0, dQU = 0, dFDFth = 0;
  std::string units;
  double min_freq = 0, max_freq = 0;
  int N_channels = 0;
  double median_channel_width = 0, fracPol = 0;
  double sigmaAddQ = 0, dSigmaAddMinusQ = 0, dSigmaAddPlusQ = 0;
  double sigmaAddU = 0, dSigmaAddMinusU = 0, dSigmaAddPlusU = 0;
  double sigmaAddC = 0, dSigmaAddMinusC = 0, dSigmaAddPlusC = 0;

  static constexpr auto fields() {
    using V = SpectrumSynthValues;
    return std::tuple_cat(
        fields_of<V>(),
        std::tuple{
            field("Ifreq0", &V::Ifreq0, "Stokes I at freq0_Hz"),
            field("polyCoeffs", &V::polyCoeffs,
                  "coefficients of the model of Stokes I, order 5 to 0"),
            field("polyCoefferr", &V::polyCoefferr, "their errors"),
            field("polyOrd", &V::polyOrd, "the model's order"),
            field("IfitStat", &V::IfitStat,
                  "1 to 4: the fit converged; +64 weak, +128 negative in some channels"),
            field("IfitChiSqRed", &V::IfitChiSqRed, "chi squared per degree of freedom"),
            field("fit_function", &V::fit_function, "log or linear"),
            field("lam0Sq_m2", &V::lam0Sq_m2, "wavelength squared that angles refer to, m^2"),
            field("freq0_Hz", &V::freq0_Hz, "the same as a frequency"),
            field("fwhmRMSF", &V::fwhmRMSF, "width of the RMSF, rad/m^2"),
            field("dQU", &V::dQU, "median error of Q and U"),
            field("dFDFth", &V::dFDFth, "noise of the spectrum by theory"),
            field("units", &V::units, "of Stokes I"),
            field("min_freq", &V::min_freq, "the lowest frequency that counts, Hz"),
            field("max_freq", &V::max_freq, "the highest"),
            field("N_channels", &V::N_channels, "channels that count"),
            field("median_channel_width", &V::median_channel_width,
                  "median step between channels, Hz"),
            field("fracPol", &V::fracPol, "de-biased intensity over Stokes I"),
            field("sigmaAddQ", &V::sigmaAddQ, "scatter of q that its errors do not explain"),
            field("dSigmaAddMinusQ", &V::dSigmaAddMinusQ, "down to 15.72%"),
            field("dSigmaAddPlusQ", &V::dSigmaAddPlusQ, "up to 84.27%"),
            field("sigmaAddU", &V::sigmaAddU, "the same for u"),
            field("dSigmaAddMinusU", &V::dSigmaAddMinusU, "down to 15.72%"),
            field("dSigmaAddPlusU", &V::dSigmaAddPlusU, "up to 84.27%"),
            field("sigmaAddC", &V::sigmaAddC, "the same for both"),
            field("dSigmaAddMinusC", &V::dSigmaAddMinusC, "down to 15.72%"),
            field("dSigmaAddPlusC", &V::dSigmaAddPlusC, "up to 84.27%"),
            field("dRM_rm2", &V::dRM_rm2,
                  "error of the rotation measure, by the spread of lambda^2"),
        });
  }
};

/// PREFIX_RMclean
struct SpectrumCleanValues : SpectrumPeakValues {
  double cleanCutoff = 0;
  int nIter = 0;
  double mom2CCFDF = 0;
  double dPhiObserved_rm2 = 0, dAmpObserved = 0;
  double dPolAngleFitObserved_deg = 0, dPolAngleFit0Observed_deg = 0;

  static constexpr auto fields() {
    using V = SpectrumCleanValues;
    return std::tuple_cat(
        fields_of<V>(),
        std::tuple{
            field("cleanCutoff", &V::cleanCutoff, "the |residual| that it was cleaned down to"),
            field("nIter", &V::nIter, "components that were subtracted"),
            field("mom2CCFDF", &V::mom2CCFDF, "their second moment, rad/m^2"),
            field("dPhiObserved_rm2", &V::dPhiObserved_rm2,
                  "errors from the measured noise: depth"),
            field("dAmpObserved", &V::dAmpObserved, "intensity"),
            field("dPolAngleFitObserved_deg", &V::dPolAngleFitObserved_deg, "angle"),
            field("dPolAngleFit0Observed_deg", &V::dPolAngleFit0Observed_deg, "angle at 0"),
            field("dRM_rm2", &V::dRM_rm2,
                  "error of the rotation measure, by the spread of lambda^2"),
        });
  }
};

SpectrumSynthValues synth_values(const SpectrumAnalysis& analysis, const StokesSpectrum& spectrum,
                                 const std::string& unit);
SpectrumCleanValues clean_values(const SpectrumAnalysis& analysis);

/// "19.157488", "1.0", "nan": a number as Python prints it.
std::string python_number(double value);

}  // namespace tessera
