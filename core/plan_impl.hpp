// SPDX-License-Identifier: Apache-2.0
/// The inside of plans (tessera/plan.hpp): the checked problem, the method chosen for it, its
/// runner.
///
///     struct SharpenPlan final : RowsPlanOf<SharpenProblem> {
///       using RowsPlanOf::RowsPlanOf;
///       std::string problem_text() const override { return "sharpen " + image_text(problem.image);
///       }
///     };
///     Sharpen::Sharpen(const ImageInfo& image, const SharpenOptions& options)
///         : RowsPlan(std::make_shared<const SharpenPlan>("sharpen", make_problem(image, options),
///                                                        sharpen_methods(), options)) {}
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/choice.hpp"
#include "core/rows.hpp"
#include "tessera/border.hpp"
#include "tessera/plan.hpp"

namespace tessera {

struct Plan::Impl {
  explicit Impl(const char* name) : operation(name) {}
  virtual ~Impl() = default;

  const char* operation;  ///< messages begin with it
  virtual Backend backend() const = 0;
  virtual const char* method_name() const = 0;
  virtual int device() const = 0;
  /// The threads that its work is worth, if the caller leaves their number open.
  virtual int worth_threads() const = 0;
  virtual std::string problem_text() const = 0;  ///< "convolve 4096x4096 f32 by 7x7"
  virtual std::string runner_text() const = 0;   ///< "neon, 32 rows per piece"
};

struct ImagePlan::Impl : Plan::Impl {
  using Plan::Impl::Impl;
  virtual const ImageInfo& input() const = 0;
  virtual const ImageInfo& output() const = 0;
};

struct RowsPlan::Impl : ImagePlan::Impl {
  using ImagePlan::Impl::Impl;
  virtual Rows needs(Rows out) const = 0;
  virtual int row_step() const = 0;
  virtual int source_row(int row) const = 0;
  /// The call is checked, and `out` is not empty.
  virtual void run(const Piece& in, const MutablePiece& out, Stream& stream) const = 0;
};

/// The threads that work is worth which takes all of them this many seconds.
int threads_worth(double seconds);

/// A method of a RowsPlan, ready to run. Immutable: any number of threads run it, each on its own
/// stream.
class RowsRunner {
 public:
  virtual ~RowsRunner() = default;
  /// Views fit the problem, and `in` holds the rows that `out` needs.
  virtual void run(const Piece& in, const MutablePiece& out, Stream& stream) const = 0;
  virtual std::string describe() const = 0;  ///< "neon, 32 rows per piece"
  /// Output rows are made in groups of this size, counted from row 0 of the image, so that strips
  /// change no bit: `in` holds the rows that whole groups need.
  virtual int row_step() const { return 1; }
};

/// Steps of making a plan that an operation may replace.
template <class Problem, class Runner>
struct PlanWays {
  using Row = Method<Problem, Runner>;
  /// The time that a method takes; by default its cost model.
  double (*seconds)(const Row&, const Problem&, const Machine&) =
      [](const Row& row, const Problem& problem, const Machine& machine) {
        return row.seconds(problem, machine);
      };
  std::unique_ptr<const Runner> (*make)(const Problem&, const Row&) =
      [](const Problem& problem, const Row& row) { return row.make(problem); };
};

/// The Impl of a plan: checked problem, chosen method, runner. `Base` is the Impl of Plan,
/// ImagePlan or RowsPlan.
template <class Problem, class Runner, class Base = Plan::Impl>
struct PlanOf : Base {
  Problem problem;
  const Method<Problem, Runner>& method;
  std::shared_ptr<const Runner> runner;
  int threads;

  /// Chooses by the options' backend and method.
  template <class Options>
  PlanOf(const char* name, Problem checked, const std::vector<Method<Problem, Runner>>& methods,
         const Options& options, const PlanWays<Problem, Runner>& ways = {})
      : Base(name),
        problem(std::move(checked)),
        method(choose(name, methods, problem, wanted_backend(options.backend), options.method,
                      this_machine(), ways.seconds)),
        runner(ways.make(problem, method)),
        threads(threads_worth(ways.seconds(method, problem, this_machine()))) {}

  Backend backend() const override { return method.backend; }
  const char* method_name() const override { return method.name; }
  int device() const override { return method.backend == Backend::cuda ? problem.device : kHost; }
  int worth_threads() const override { return threads; }
  std::string runner_text() const override { return runner->describe(); }
};

/// The same for problems with an `image` and an `output`.
template <class Problem, class Runner, class Base = ImagePlan::Impl>
struct ImagePlanOf : PlanOf<Problem, Runner, Base> {
  using PlanOf<Problem, Runner, Base>::PlanOf;
  const ImageInfo& input() const override { return this->problem.image; }
  const ImageInfo& output() const override { return this->problem.output; }
};

/// The same for problems that know the rows they need and the rule for rows outside.
template <class Problem, class Runner = RowsRunner>
struct RowsPlanOf : ImagePlanOf<Problem, Runner, RowsPlan::Impl> {
  using ImagePlanOf<Problem, Runner, RowsPlan::Impl>::ImagePlanOf;
  Rows needs(Rows out) const override {
    return this->problem.needs(whole_groups(out, row_step(), this->problem.output.size.height));
  }
  int row_step() const override { return this->runner->row_step(); }
  int source_row(int row) const override {
    return border_index(row, this->problem.image.size.height, this->problem.border);
  }
  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    this->runner->run(in, out, stream);
  }
};

}  // namespace tessera
