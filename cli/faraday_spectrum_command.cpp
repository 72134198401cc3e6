// SPDX-License-Identifier: Apache-2.0
#include "cli/faraday_spectrum_command.hpp"

#include <string_view>

#include "jobs/faraday/spectrum_job.hpp"

namespace tessera {
namespace {

constexpr const char* kSpectrumNotes = R"(The file has one line per channel, with 7 columns or 5:
  frequency I Q U dI dQ dU     Q and U are divided by a curve fitted to I
  frequency Q U dQ dU          Q and U are taken as they are
Frequencies are in hertz, all else in one unit; 'nan' is a missing value, '#'
begins a comment.

Files made, with the names of RM-Tools' rmsynth1d and rmclean1d:
  PREFIX_FDFdirty.dat          depth, real and imaginary part
  PREFIX_RMSF.dat              the same for the RMSF
  PREFIX_weight.dat            frequency and weight
  PREFIX_RMsynth.dat, .json    what was measured
  PREFIX_FDFclean.dat, PREFIX_FDFmodel.dat, PREFIX_RMclean.dat, .json
                               with --clean: restored spectrum, components

Examples:
  tessera faraday spectrum source.dat
  tessera faraday spectrum source.dat -l 600 -d 3 -i
  tessera faraday spectrum source.dat -c -3 --picture source.svg
  tessera faraday spectrum source.dat -o out/one --curve linear --order -5
)";

}  // namespace

void add_faraday_spectrum(Program& program, CLI::App& group) {
  auto job = std::make_shared<FaradaySpectrumJob>();
  auto super_resolution = std::make_shared<bool>();
  Command command = program.command(
      group, "spectrum", "Rotation measure synthesis and RM-CLEAN of one spectrum, a text file.");
  command.letters({{"phi-max", 'l'},
                   {"dphi", 'd'},
                   {"samples", 's'},
                   {"weights", 'w'},
                   {"curve", 'f'},
                   {"ignore-i", 'i'},
                   {"fit-rmsf", 't'},
                   {"unit", 'U'},
                   {"super-resolution", 'r'},
                   {"cutoff", 'c'},
                   {"iterations", 'n'},
                   {"gain", 'g'}});
  command.input("FILE", job->input, "the spectrum, one line per channel");
  command.output_option(job->output, "the prefix of file names; default: FILE without its ending",
                        false);
  // One spectrum takes a millisecond: no choice of where it runs is offered.
  command.options(job->options, {"backend", "method", "device"});
  command.flag("super-resolution", *super_resolution, "the same as --lambda0 0");
  command.options(job->choices);
  command.options(job->outputs);
  command.talk();
  command.notes(kSpectrumNotes);
  command.action([job, super_resolution](Session& session) {
    if (*super_resolution) job->options.lambda0 = 0;
    session.say(job->run());
  });
}

}  // namespace tessera
