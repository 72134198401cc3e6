// SPDX-License-Identifier: Apache-2.0
#include "cli/faraday_fit_command.hpp"

#include "jobs/faraday/stokes_fit_job.hpp"

namespace tessera {
namespace {

constexpr const char* kFitNotes = R"(With x = frequency / reference and L = log10 x the curves are
  log      I = c0 10^(c1 L + c2 L^2 + ...)     c1 is the spectral index
  linear   I = c0 + c1 x + c2 x^2 + ...

Files made, PREFIX first (-o out/field_), with the names of rmtools_fitIcube:
  model.i                  the curve of every pixel, for synth -i, rmsynth3d -i
  coeff0, coeff0err, ...   coefficients and their errors
  reffreq                  the reference frequency of every pixel, in hertz
  covariance               of the coefficients, 6x6, from c5 to c0
  mask                     1 where a pixel has a model
  noise.dat                the noise of every channel, unless pixels differ
and besides
  alpha, alphaerr          d ln I / d ln frequency at the reference, its error
  order, chisqred, snr     of every fit
  status                   0 fitted, 1 too few channels, 2 below the S/N cut,
                           3 not determined, 4 no minimum, 5 below the floor
Pixels that are not fitted are NaN in the model: synth then leaves them out.

Examples:
  tessera faraday fit-i I.fits freqs.txt -o out/field_
  tessera faraday fit-i 'I/*.fits' -o f_ --order -3 --snr 8 --noise rms.txt
  tessera faraday fit-i iquv.fits -o f_ -p 1 -t -5 --loss cauchy
  tessera faraday fit-i I.fits -o f_ --snr 0 --floor -1
)";

}  // namespace

void add_faraday_fit(Program& program, CLI::App& group) {
  auto job = std::make_shared<StokesFitJob>();
  Command command =
      program.command(group, "fit-i", "Fit a smooth curve to every pixel of a cube of Stokes I.");
  command.letters(
      {{"curve", 'f'}, {"order", 'p'}, {"noise", 'n'}, {"threshold", 't'}, {"verbose", 'v'}});
  command.input(
      "I", job->input,
      "the cube of Stokes I, one of IQUV, or one file per channel: a quoted pattern, a folder "
      "or @list.txt");
  command.optional_input("FREQUENCIES", job->frequencies,
                         "the frequencies, one per line, in hertz");
  command.output_option(job->output, "the prefix of all file names: out/field_");
  command.options(job->options);
  command.options(job->choices);
  command.options(job->allowed);
  command.ignored_flag("verbose", "as in rmtools_fitIcube; what ran is printed in any case");
  command.reading(job->reading);
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kFitNotes);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

}  // namespace tessera
