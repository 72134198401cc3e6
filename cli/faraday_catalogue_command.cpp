// SPDX-License-Identifier: Apache-2.0
#include "cli/faraday_catalogue_command.hpp"

#include "jobs/faraday/catalogue_job.hpp"

namespace tessera {
namespace {

constexpr const char* kCatalogueNotes =
    R"(POSITIONS is a table: .csv, .tsv, .fits, .vot or .xml (VOTable), with columns
  ra, dec     degrees, ICRS (also RAJ2000, DEJ2000 and others; --ra-column)
  l, b        degrees, Galactic
  x, y        pixels counted from 0
The output has one row per position, in the columns of RMTable 1.3, and then
snr, x and y of the pixel measured, and flag: empty, or the reason why there is
no rotation measure: outside, no-data, no-peak, not-shown, no-position.

Examples:
  tessera faraday catalogue sources.csv Q.fits U.fits freqs.txt -o rms.fits
      -l 600 -d 3 -n noise.txt -w variance
  tessera faraday catalogue cat.fits Q.fits U.fits -i I.fits --fit-i 1
      --noise-i 1e-4 -o rms.vot --box 5
  tessera faraday catalogue cat.vot Q.fits U.fits -n 1e-4 --clean -c -5
      -o rms.tsv
)";

}  // namespace

void add_faraday_catalogue(Program& program, CLI::App& group) {
  auto job = std::make_shared<FaradayCatalogueJob>();
  auto super_resolution = std::make_shared<bool>();
  Command command =
      program.command(group, "catalogue",
                      "Rotation measures of listed positions, as a table in RMTable's columns.");
  command.letters({{"phi-max", 'l'},
                   {"dphi", 'd'},
                   {"samples", 's'},
                   {"weights", 'w'},
                   {"noise", 'n'},
                   {"model", 'i'},
                   {"fit-rmsf", 't'},
                   {"super-resolution", 'r'},
                   {"cutoff", 'c'},
                   {"gain", 'g'}});
  command.input("POSITIONS", job->positions, "the table of positions");
  command.input("Q", job->files.q, "the cube of Stokes Q, as for synth");
  command.input("U", job->files.u, "the same for Stokes U");
  command.optional_input("FREQUENCIES", job->frequencies,
                         "the frequencies, one per line, in hertz");
  command.output_option(job->output, "the table: .fits, .csv, .tsv, .vot or .xml");
  command.options(job->options);
  command.flag("super-resolution", *super_resolution, "the same as --lambda0 0");
  command.option(
      "model", job->files.model,
      "Stokes I, by which Q and U are divided: a model (fit-i makes one), with --fit-i the data; a "
      "cube, or a text file with one value per channel");
  command.options(job->files.fitting);
  command.options(job->files.allowed);
  command.option("keep", job->files.keep, "an image: pixels where it is 0 or NaN are left out");
  command.options(job->choices);
  command.options(job->cleaning);
  command.reading(job->reading);
  command.flag("force", job->force, kForceHelp);
  command.keep_line(job->command);
  command.options(job->settings);
  command.talk();
  command.notes(kCatalogueNotes);
  command.action([job, super_resolution](Session& session) {
    if (*super_resolution) job->options.lambda0 = 0;
    session.say(job->run(session.progress()));
  });
}

}  // namespace tessera
