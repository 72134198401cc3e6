// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "cli/commands.hpp"
#include "jobs/sample/cell_film_job.hpp"
#include "jobs/sample/polarised_job.hpp"
#include "jobs/sample/sample_job.hpp"
#include "jobs/sample/sky_job.hpp"
#include "jobs/sample/voltages_job.hpp"

namespace tessera {
namespace {

constexpr const char* kSceneExamples = R"(Examples:
  tessera sample scene a.png --size 4096x3072
  tessera sample scene b.npy --size 512x512 --type f32 --grey --seed 7
)";
constexpr const char* kPointsExamples = R"(Examples:
  tessera sample points stars.npy --size 2048x2048 --truth stars.csv
  tessera sample points field.png --type u16 --sources 1000 --noise 5
)";

constexpr const char* kCellsExamples = R"(Presets:
  easy      12 bright cells of 25 to 40 grey levels, noise 3; 100 frames
  standard  24 cells of 15 to 30 grey levels, noise 5, slow drift; 200 frames
  hard      40 cells of 6 to 18 grey levels, noise 8, texture 6, uneven light,
            drift, crossings; 300 frames: used to judge quality

Videos are made through ffmpeg; .mkv and .avi keep every grey level.

Examples:
  tessera sample cells film.mkv --preset hard --seed 1 --truth truth.csv
  tessera sample cells film.npy --preset easy --frames 50 --cells 5
  tessera sample cells film.tif --type u16 --truth truth.xml
)";

constexpr const char* kPolarisedExamples = R"(Files:
  sky_Q.fits sky_U.fits   cubes, one plane per frequency; --stokes-i: sky_I.fits
  sky_freqs.txt           frequencies, one per line, in Hz
  sky_truth.csv           one line per source: place, rotation measure, flux,
                          angle at lambda 0, thickness, second component,
                          spectral index

Examples:
  tessera sample polarised sky.fits --size 512x512 --sources 50
  tessera sample polarised sky.npy --channels 120 --flags 0.01 --dead 3 --stokes-i
  tessera sample polarised survey.fits --size 4096x4096 --sparse
)";

constexpr const char* kSkyExamples = R"(Files:
  sky.fits            the image, in Jy/beam; unobserved pixels are NaN
  sky_truth_bkg.fits  the background at every pixel
  sky_truth_rms.fits  the noise's standard deviation at every pixel
  sky_truth.csv       one line per source: place, peak, flux, full widths at
                      half maximum, and the angle in degrees, measured from
                      increasing rows towards decreasing columns

Examples:
  tessera sample sky sky.fits --size 2048x2048 --sources 200
  tessera sample sky sky.npy --rise 4 --field-of-view 0.95 --holes 5 --seed 7
  tessera sample sky flat.fits --rise 1 --gradient 0 --swell 0 --sources 0
)";

constexpr const char* kVoltagesExamples = R"(Files:
  a.raw         the recording, by its ending .raw (GUPPI RAW), .dada, .vdif,
                .npy or .bin (these two with a.npy.json, their description)
  a_antennas.txt  one line per antenna for `tessera xengine --array`
  a_truth.json  places of antennas; directions, fluxes and delays of sources
  a_model.npy   expected visibilities per sample: channels, baselines,
                polarisations, polarisations

The file of --array has one line "NAME X Y Z" (ITRF, metres) per antenna; the
file of --sky has one line "lm L M I", "azel AZ EL I" or "radec RA DEC I"
(degrees) per source, with Q U V after I if it is polarised.

Examples:
  tessera sample voltages a.raw --antennas 16 --channels 64 --samples 4096
  tessera sample voltages a.npy --type ci4 --rms 2.5 --sources 1 --noise 1
  tessera sample voltages a.dada --array mwa.txt --sky sky.txt --tracked
)";

void add_scene(Program& program, CLI::App& group) {
  auto job = std::make_shared<SceneJob>();
  Command command = program.command(group, "scene", "Draw a dead-leaves colour scene.");
  command.output("OUTPUT", job->output, "the image to write; - writes NPY to standard output");
  command.options(job->sample);
  command.flag("grey", job->grey, "luminance only, not red, green and blue");
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kSceneExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

void add_points(Program& program, CLI::App& group) {
  auto job = std::make_shared<PointsJob>();
  Command command = program.command(group, "points", "Draw point sources on a background.");
  command.output("OUTPUT", job->output, "the image to write; - writes NPY to standard output");
  command.options(job->sample);
  command.options(job->points);
  command.option("truth", "FILE", "", "write x, y and flux of every source to this CSV file",
                 [job](const std::string& text) { job->truth = text; });
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kPointsExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

void add_cells_film(Program& program, CLI::App& group) {
  auto job = std::make_shared<CellFilmJob>();
  Command command = program.command(group, "cells", "Draw a film of rolling white blood cells.");
  command.output(
      "OUTPUT", job->output,
      "the film to write: .mkv, .avi, .tif, .npy and others; - writes NPY to standard output");
  command.options(job->sample);
  command.options(job->film);
  command.option("truth", "FILE", "",
                 "write the places of all cells to this .csv (like tracks.csv) or .xml (ISBI 2012)",
                 [job](const std::string& text) { job->truth = text; });
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kCellsExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress_in("frames"))); });
}

void add_polarised(Program& program, CLI::App& group) {
  auto job = std::make_shared<PolarisedJob>();
  Command command =
      program.command(group, "polarised", "Draw a polarised sky: cubes of Stokes Q and U.");
  command.output("OUTPUT", job->output,
                 "sky.fits or sky.npy: the names of all files are derived from it");
  command.options(job->sample);
  command.options(job->sky);
  command.flag("stokes-i", job->stokes_i, "also write a cube of Stokes I");
  command.flag("sparse", job->sparse,
               "no noise, and zeros take no disk space: large cubes for tests");
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kPolarisedExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

void add_sky(Program& program, CLI::App& group) {
  auto job = std::make_shared<SkyJob>();
  Command command = program.command(
      group, "sky", "Draw a sky of sources on a background, with noise that varies.");
  command.output("OUTPUT", job->output,
                 "sky.fits or sky.npy: the names of all files are derived from it");
  command.options(job->sample);
  command.options(job->sky);
  command.writing(job->writing);
  command.options(job->settings);
  command.talk();
  command.notes(kSkyExamples);
  command.action([job](Session& session) { session.say(job->run(session.progress())); });
}

/// Readers know more sample types than can be written here.
void add_options(Command& command, VoltagesOptions& options) {
  for_each_option(options, [&](const char* name, auto& value, const Help& help) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, SampleType>)
      command.option(name, kVoltagesTypes, to_text(value), help,
                     [&value](const std::string& word) { from_text("--type", word, value); });
    else
      command.option(name, value, help);
  });
}

void add_voltages(Program& program, CLI::App& group) {
  auto job = std::make_shared<VoltagesJob>();
  Command command = program.command(
      group, "voltages", "Make the recording of an array of antennas that observes point sources.");
  command.output("OUTPUT", job->output, "the recording to write: .raw, .dada, .vdif, .npy or .bin");
  add_options(command, job->voltages);
  const auto text = [&](const char* name, const char* what, std::string& value, const char* help) {
    command.option(name, what, value, help, [&value](const std::string& word) { value = word; });
  };
  text("format", "NAME", job->format, "guppi, dada, vdif, npy or raw; auto: by the ending");
  text("array", "FILE", job->array, "a text file of antennas instead of random ones");
  text("sky", "FILE", job->sky, "a text file of sources instead of random ones");
  command.option("seed", "NUMBER", "1", "seed of the random numbers",
                 [job](const std::string& word) { from_text("--seed", word, job->seed); });
  command.flag("force", job->force, kForceHelp);
  command.options(job->settings);
  command.talk();
  command.notes(kVoltagesExamples);
  command.action(
      [job](Session& session) { session.say(job->run(session.progress_in("samples"))); });
}

}  // namespace

void add_sample(Program& program) {
  CLI::App& group =
      program.group("sample", "Make synthetic images, films and recordings with known truth.");
  add_scene(program, group);
  add_points(program, group);
  add_cells_film(program, group);
  add_polarised(program, group);
  add_sky(program, group);
  add_voltages(program, group);
}

}  // namespace tessera
