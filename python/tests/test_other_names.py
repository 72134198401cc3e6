# SPDX-License-Identifier: Apache-2.0
"""American spellings, and SciPy's keywords next to our own."""
import pickle
import re

import numpy as np
import pytest
from expected import random_image

import tessera

PAIRS = [("equalise", "equalize"), ("channelise", "channelize"), ("grey", "gray"),
         ("faraday_catalogue", "faraday_catalog"), ("sample_polarised", "sample_polarized")]


@pytest.mark.parametrize("british, american", PAIRS)
def test_functions(british, american):
    assert getattr(tessera, american) is getattr(tessera, british)
    assert {british, american} <= set(tessera.__all__)


def test_no_british_name_was_forgotten():
    british = re.compile("equalis|channelis|normalis|polaris|grey|colour|centre|catalogue")
    assert {name for name in tessera.__all__ if british.search(name)} == {name for name, _ in PAIRS}


def test_options_and_values(rng):
    photo = random_image(rng, (20, 30, 3), "uint8")
    assert np.array_equal(tessera.enhance(photo, steps="gray,equalize", gray="bt601"),
                          tessera.enhance(photo, steps="grey,equalise", grey="bt601"))
    assert np.array_equal(tessera.scene_planes(photo, normalize="none"), tessera.scene_planes(photo, normalise="none"))
    with pytest.raises(TypeError, match=r"enhance\(\) has no option 'greyy'; did you mean 'grey'"):
        tessera.enhance(photo, greyy="bt601")


@pytest.mark.parametrize("function, second", [(tessera.convolve, "gauss:2"), (tessera.erode, "disk:2"),
                                              (tessera.dilate, "disk:2")])
def test_mode_and_cval(rng, function, second):
    image = random_image(rng, (20, 30), "float32")
    assert np.array_equal(function(image, second, mode="constant", cval=0.5),
                          function(image, second, border="constant", constant=0.5))
    assert np.array_equal(function(image, second, mode="mirror"), function(image, second, border="reflect-101"))
    assert np.array_equal(function(image, second, border="nearest"), function(image, second, border="replicate"))
    assert np.array_equal(function(image, second, mode=None, cval=None), function(image, second))
    with pytest.raises(TypeError, match="border and mode, SciPy's word for it, are both given; leave out one of them"):
        function(image, second, mode="wrap", border="wrap")
    with pytest.raises(TypeError, match="constant and cval"):
        function(image, second, mode="constant", cval=1, constant=1)
    with pytest.raises(ValueError, match="border: 'mirrored' is not known"):
        function(image, second, mode="mirrored")


def test_plans_take_them_too(rng):
    image = random_image(rng, (20, 30), "float32")
    plan = tessera.Convolve(image.shape, image.dtype, "gauss:2", mode="nearest")
    assert np.array_equal(plan(image), tessera.convolve(image, "gauss:2", border="replicate"))
    assert np.array_equal(pickle.loads(pickle.dumps(plan))(image), plan(image))


def test_ranks_take_every_name(rng):
    image = random_image(rng, (20, 30), "float32")
    for scipy, others in {"mirror": ["reflect-101"], "nearest": ["replicate", "edge"], "wrap": ["grid-wrap"],
                          "reflect": ["grid-mirror", "symmetric"], "constant": ["grid-constant"]}.items():
        for other in others:
            assert np.array_equal(tessera.median(image, 5, mode=other), tessera.median(image, 5, mode=scipy))
