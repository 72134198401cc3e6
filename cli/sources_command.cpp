// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "jobs/sources/sources_job.hpp"

namespace tessera {
namespace {

constexpr const char* kSourcesNotes = R"(Outputs, by their endings; -o can be given several times:
  .csv .tsv .fits .vot .xml   a table, one row per source
  .reg                        regions for DS9: ellipses at half maximum
Columns: id, island, ra, dec (ICRS, degrees), x, y (pixels counted from 0), peak,
flux and their errors (a Gaussian fit; flux is its integral: in Jy if the image
is in Jy/beam and has a beam, else in units times pixels), sum (over the pixels
above the threshold alone), background, rms, snr, second moments a, b, theta, the
Gaussian's widths, without the beam too, pixels, chi2, and flags: blend, edge,
blank, poor-fit, fixed-shape, no-fit, negative. docs/sources.md says more.

Without --background and --rms the maps are made as by tessera noise, several
times: islands found in one pass do not count in the next.

Examples:
  tessera sources field.fits -o cat.csv -o cat.reg
  tessera sources field.fits -o cat.vot --seed 6 --grow 3
  tessera noise field.fits -o field --box 128
  tessera sources field.fits -o cat.fits --background field_bkg.fits
      --rms field_rms.fits
  tessera sources photo.npy -o stars.csv --beam 3.2 --background 0 --rms 1.5
  tessera sources cube.fits -o plane3.csv --slice 3 --negative --json
)";

}  // namespace

void add_sources(Program& program) {
  auto job = std::make_shared<SourcesJob>();
  Command command = program.command("sources", "List the sources of an image, with their fluxes.");
  command.input("INPUT", job->input, "the image to read; - is standard input");
  command.outputs_option(job->outputs, "a table (.csv .tsv .fits .vot .xml) or regions (.reg)");
  command.options(job->options);
  command.options(job->maps);
  command.options(job->choices);
  command.reading(job->reading);
  command.flag("force", job->force, kForceHelp);
  command.keep_line(job->command);
  command.options(job->settings);
  command.talk();
  command.notes(kSourcesNotes);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

}  // namespace tessera
