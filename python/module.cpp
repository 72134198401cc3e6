// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <stdexcept>
#include <system_error>

#include "io/file_errors.hpp"
#include "jobs/failure.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace {

// The one translation of the library's errors at this door.
PyObject* python_class(tessera::ErrorKind kind) {
  switch (kind) {
    case tessera::ErrorKind::usage:
      return PyExc_ValueError;
    case tessera::ErrorKind::input:
      return PyExc_OSError;
    case tessera::ErrorKind::resources:
      return PyExc_MemoryError;
    default:
      return PyExc_RuntimeError;
  }
}

/// tessera.OutputExistsError, which lives as long as the process.
PyObject* output_exists = nullptr;

void add_exceptions(nanobind::module_& module) {
  const nanobind::tuple bases = nanobind::make_tuple(nanobind::borrow(PyExc_FileExistsError),
                                                     nanobind::borrow(PyExc_ValueError));
  output_exists = PyErr_NewExceptionWithDoc("tessera.OutputExistsError",
                                            "A file to be written exists; force=True replaces it.",
                                            bases.ptr(), nullptr);
  if (!output_exists) nanobind::raise_python_error();
  module.attr("OutputExistsError") = nanobind::borrow(output_exists);
}

// Names of files in messages are bytes: to_python keeps those that are not UTF-8. Exceptions of
// nanobind and those it has classes for, apart from lengths and calls of the system, are left to
// it.
void translate(const std::exception_ptr& thrown, void*) {
  const auto set_as = [](PyObject* type, const tessera::Error& error) {
    PyErr_SetObject(type, tessera::python::to_python(error.what()).ptr());
  };
  const auto set = [&] {
    const tessera::Error error = tessera::current_failure();
    set_as(python_class(error.kind()), error);
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const tessera::Stopped&) {
    tessera::python::restore_interruption();
  } catch (const tessera::MissingFile& error) {
    set_as(PyExc_FileNotFoundError, error);
  } catch (const tessera::ExistingOutput& error) {
    set_as(output_exists, error);
  } catch (const tessera::Error&) {
    set();
  } catch (const std::length_error&) {
    set();
  } catch (const std::system_error&) {
    set();
  }
}

}  // namespace

NB_MODULE(_tessera, module) {
  nanobind::register_exception_translator(translate);
  module.attr("__version__") = TESSERA_VERSION;
  add_exceptions(module);
  tessera::python::add_convolve(module);
  tessera::python::add_sources(module);
  tessera::python::add_morphology(module);
  tessera::python::add_correlate(module);
  tessera::python::add_ensemble(module);
  tessera::python::add_scene_planes(module);
  tessera::python::add_cells_classic(module);
  tessera::python::add_enhance(module);
  tessera::python::add_histogram(module);
  tessera::python::add_cells(module);
  tessera::python::add_track_cells(module);
  tessera::python::add_cells_jobs(module);
  tessera::python::add_cell_films(module);
  tessera::python::add_faraday_axes(module);
  tessera::python::add_faraday_synth(module);
  tessera::python::add_faraday_clean(module);
  tessera::python::add_faraday_maps(module);
  tessera::python::add_faraday_fit(module);
  tessera::python::add_faraday_catalogue(module);
  tessera::python::add_beam(module);
  tessera::python::add_polarised(module);
  tessera::python::add_sky(module);
  tessera::python::add_noise(module);
  tessera::python::add_rank_filters(module);
  tessera::python::add_match(module);
  tessera::python::add_filters(module);
  tessera::python::add_smooth_words(module);
  tessera::python::add_edge_words(module);
  tessera::python::add_voltages(module);
  tessera::python::add_channelise(module);
  tessera::python::add_xengine(module);
  tessera::python::add_uvfits(module);
  tessera::python::add_measurement_set(module);
  tessera::python::add_files(module);
  tessera::python::add_info(module);
  tessera::python::add_memory(module);
  tessera::python::add_american_names(module);  // of all of the above
}
