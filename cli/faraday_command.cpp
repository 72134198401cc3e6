// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/faraday_catalogue_command.hpp"
#include "cli/faraday_fit_command.hpp"
#include "cli/faraday_spectrum_command.hpp"
#include "jobs/faraday/faraday_clean_job.hpp"
#include "jobs/faraday/faraday_synth_job.hpp"

namespace tessera {
namespace {

constexpr const char* kSynthNotes = R"(Files made, PREFIX first (-o out/field_):
  FDF_real_dirty, FDF_im_dirty, FDF_tot_dirty   spectra: one plane per depth
  FDF_maxPI, FDF_peakRM    the largest value and its depth
  RMSF_real, RMSF_im, RMSF_tot, RMSF_FWHM
                           one RMSF per pixel, which rmclean3d of RM-Tools reads;
                           with --rmsf patterns, or without dirty spectra, all
                           distinct RMSFs one after another, and RMSF_pattern
                           has the index of each pixel's RMSF
  --maps all: phiPeakPIfit_rm2, ampPeakPIfit, polAngle0Fit_deg and others; the
                           error of the rotation measure is dRM_rm2
  --fit-i: Ifit_alpha, Ifit_alphaerr, Ifit_status (0: fitted; see fit-i --help)
  --clean: FDF_clean_real, _im, _tot, FDF_CC_real, _im, _tot, CLEAN_nIter
FITS gives .fits, NPY gives .npy: (channels, rows, columns).

The spectral axis is the last one with FREQ in its CTYPE, else the last. The
list of frequencies has one per line, in hertz; without it the header is used.
Values of Q or U that are not finite are left out, voxel by voxel; noise, widths
and errors are those of the channels that a pixel has.

Examples:
  tessera faraday synth Q.fits U.fits freqs.txt -o out/field_ -l 600 -d 3
  tessera faraday synth Q.fits U.fits -o f_ --phi -100,500,0.5 -i Imodel.fits
  tessera faraday synth Q.fits U.fits -o f_ -i I.fits --fit-i 2 --fit-snr 8
  tessera faraday synth Q.fits U.fits freqs.txt -o f_ --maps-only --maps all
      -n noise.txt -w variance --memory-limit 2G
  tessera faraday synth Q.fits U.fits freqs.txt -o f_ --clean -c -5 -n 1e-4
      --maps all --cubes clean
  tessera faraday synth q.npy u.npy freqs.txt -o n_ --picture spectrum.svg
)";

void add_synth(Program& program, CLI::App& group) {
  auto job = std::make_shared<FaradaySynthJob>();
  auto super_resolution = std::make_shared<bool>();
  Command command = program.command(group, "synth",
                                    "Make Faraday spectra and maps from cubes of Stokes Q and U.");
  command.letters({{"phi-max", 'l'},
                   {"dphi", 'd'},
                   {"samples", 's'},
                   {"weights", 'w'},
                   {"noise", 'n'},
                   {"model", 'i'},
                   {"fit-rmsf", 't'},
                   {"one-file", 'f'},
                   {"no-rmsf", 'R'},
                   {"super-resolution", 'r'},
                   {"cutoff", 'c'},
                   {"gain", 'g'},
                   {"verbose", 'v'}});
  command.input(
      "Q", job->files.q,
      "the cube of Stokes Q, one of IQUV, or one file per channel: a quoted pattern, a folder "
      "or @list.txt");
  command.input("U", job->files.u, "the same for Stokes U");
  command.optional_input("FREQUENCIES", job->frequencies,
                         "the frequencies, one per line, in hertz");
  command.output_option(job->output, "the prefix of all file names: out/field_");
  command.options(job->options);
  command.flag("super-resolution", *super_resolution, "the same as --lambda0 0");
  command.option(
      "model", job->files.model,
      "Stokes I, by which Q and U are divided: a model (fit-i makes one), with --fit-i the data; a "
      "cube, or a text file with one value per channel");
  command.options(job->files.fitting);
  command.options(job->files.allowed);
  command.option("keep", job->files.keep, "an image: pixels where it is 0 or NaN are left out");
  command.former_option("mask", "keep", "keeps the pixels where it is not 0");
  command.options(job->choices);
  command.former_flag("rmsf-cube", "rmsf pixels", "is the default when dirty spectra are written");
  command.options(job->cleaning);
  command.ignored_flag("verbose", "as in rmsynth3d; what ran is printed in any case");
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.share([job] { return can_be_shared(*job); });
  command.notes(kSynthNotes);
  command.action([job, super_resolution](Session& session) {
    if (*super_resolution) job->options.lambda0 = 0;
    on_devices(session, *job,
               [](Session& one, const FaradaySynthJob& own) { one.say(own.run(one.progress())); });
  });
}

constexpr const char* kCleanNotes =
    R"(FDF and RMSF: any of the files made by synth or rmsynth3d (FDF_tot_dirty,
FDF_dirty.fits; RMSF_real, RMSF.fits), or the prefix of their names.

-c and -w are in the units of the spectra; negative values are multiples of the
noise: -c -5 is five times --noise.

Files made, PREFIX first (-o out/field_):
  FDF_clean_real, FDF_clean_im, FDF_clean_tot   cleaned spectra
  FDF_CC_real, FDF_CC_im, FDF_CC_tot            components
  CLEAN_nIter                                   number of components per pixel
  --maps all: phiPeakPIfit_rm2, dRM_rm2, ampPeakPIfit and others, as for synth;
  errors follow the channels of each pixel, which its RMSF tells

Examples:
  tessera faraday clean out/field_ out/field_ -c 3e-4 -o out/field_
  tessera faraday clean FDF_tot_dirty.fits RMSF_tot.fits -c -5 --noise rms.fits
      -o deep_
  tessera faraday clean f_ f_ --cutoff-map cutoffs.fits -w 1e-4 -o w_
  tessera faraday clean f_ f_ -c -5 --noise 2e-5 --maps rm,rm-error,pi -o c_
)";

void add_clean(Program& program, CLI::App& group) {
  auto job = std::make_shared<FaradayCleanJob>();
  Command command =
      program.command(group, "clean", "Remove the RMSF's side lobes from Faraday spectra.");
  command.letters({{"cutoff", 'c'},
                   {"window", 'w'},
                   {"iterations", 'n'},
                   {"gain", 'g'},
                   {"one-file", 'f'},
                   {"verbose", 'v'}});
  command.input("FDF", job->spectra, "the dirty spectra");
  command.input("RMSF", job->rmsf, "the RMSF");
  command.output_option(job->output, "the prefix of all file names: out/field_");
  command.options(job->options);
  command.options(job->choices);
  command.ignored_flag("verbose", "as in rmclean3d; what ran is printed in any case");
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.share([] { return true; });
  command.notes(kCleanNotes);
  command.action([job](Session& session) {
    on_devices(session, *job,
               [](Session& one, const FaradayCleanJob& own) { one.say(own.run(one.progress())); });
  });
}

}  // namespace

void add_faraday(Program& program) {
  CLI::App& group =
      program.group("faraday", "Rotation measure synthesis and RM-CLEAN of polarised cubes.");
  add_synth(program, group);
  add_clean(program, group);
  add_faraday_fit(program, group);
  add_faraday_spectrum(program, group);
  add_faraday_catalogue(program, group);
}

}  // namespace tessera
