# SPDX-License-Identifier: Apache-2.0
"""Plans in workers: the caller chooses a method for the whole problem, and every worker makes the plan of that
method once."""
from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from dask.base import tokenize

import tessera


@dataclass(frozen=True)
class Recipe:
    """How a plan is made, and what it must be: the text of the caller's, unless results are exact everywhere."""

    operation: str
    kind: str  # the class in tessera, or a function of it that makes one
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    text: str
    exact: bool
    version: str = tessera.__version__
    token: str = field(init=False)

    def __post_init__(self) -> None:
        parts = (self.kind, self.arguments, self.keywords, self.text, self.version)
        object.__setattr__(self, "token", tokenize(*parts))

    def __dask_tokenize__(self) -> str:
        return self.token

    def make(self) -> Any:
        return attrgetter(self.kind)(tessera)(*self.arguments, **self.keywords)


def choose(operation: str, kind: str, *arguments: Any, exact: bool = False, **keywords: Any) -> tuple[Recipe, Any]:
    """The recipe of tessera.KIND(*arguments, **keywords) with the backend and method that it chooses here, and the
    plan."""
    open_recipe = Recipe(operation, kind, arguments, keywords, "", exact)
    plan = open_recipe.make()
    chosen = {**keywords, "backend": plan.backend, "method": plan.method}
    return Recipe(operation, kind, arguments, chosen, plan.describe(), exact), plan


_MOST_PLANS = 32
_plans: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()


def plan_of(recipe: Recipe) -> Any:
    """The plan of a recipe, which this process makes when it first meets it."""
    with _lock:
        if recipe.token not in _plans:
            _plans[recipe.token] = _checked_plan(recipe)
            if len(_plans) > _MOST_PLANS:
                _plans.popitem(last=False)
        _plans.move_to_end(recipe.token)
        return _plans[recipe.token]


def _checked_plan(recipe: Recipe) -> Any:
    name, keywords = f"tessera.dask.{recipe.operation}", recipe.keywords
    if recipe.version != tessera.__version__:
        raise RuntimeError(f"{name}: this worker has tessera {tessera.__version__} and the caller {recipe.version}; "
                           "give all of them the same version")
    try:
        plan = recipe.make()
    except (ValueError, RuntimeError) as error:
        raise RuntimeError(f"{name}: this worker cannot run {keywords['backend']} {keywords['method']}, which was "
                           f"chosen for the whole array ({error}); give backend= and method= that all workers have"
                           ) from None
    if not recipe.exact and plan.describe() != recipe.text:
        raise RuntimeError(f"{name}: this worker would run '{plan.describe()}' and the caller '{recipe.text}', and "
                           "the last bits may differ; use workers of one kind, or set TESSERA_ISA for all of them")
    return plan
