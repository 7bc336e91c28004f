"""Loops stand in for vector code that cannot be built, with the same answer to the last bit."""

import os
import subprocess
import sys

SEARCH = """
import hashlib
from neighbors.data import awkward_data
from unflip.neighbors import ExactIndex
from unflip.neighbors.engines import tile
digest = hashlib.sha256()
for X in awkward_data().values():
    graph = ExactIndex(engine="leaf").fit(X).graph(10)
    digest.update(graph.indices.tobytes() + graph.distances.tobytes())
print(tile._TILE.__name__.rpartition(".")[2], digest.hexdigest())
"""
BROKEN = """
import warnings
import llvmlite.ir
llvmlite.ir.VectorType = None
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from unflip.neighbors.engines import tile
print(tile._TILE.__name__.rpartition(".")[2], *[str(one.message) for one in caught])
"""


def run(program, **environment):
    environment = os.environ | {"PYTHONPATH": "tests"} | environment
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split(maxsplit=1)


def test_the_same_neighbors_by_loops_as_by_vector_code(tmp_path):
    by_vectors = run(SEARCH)
    by_loops = run(SEARCH, UNFLIP_PLAIN_LOOPS="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert (by_vectors[0], by_loops[0]) == ("vector_tile", "loop_tile")
    assert by_vectors[1] == by_loops[1]


def test_vector_code_that_cannot_be_built_is_reported_once_and_loops_are_used(tmp_path):
    name, said = run(BROKEN, NUMBA_CACHE_DIR=str(tmp_path))
    assert name == "loop_tile"
    assert said.startswith("Vector code cannot be built, loops are slower: ")
    assert said.count("cannot be built") == 1
