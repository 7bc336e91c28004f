"""Where the searches of shards run: in this process, on joblib's workers, or on a Dask cluster."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed

from unflip.foundation.errors import refusal
from unflip.foundation.optional import optional
from unflip.foundation.progress import report, reporting
from unflip.neighbors.merging import Answer
from unflip.neighbors.shards.answers import Answers
from unflip.neighbors.shards.rows import Shard
from unflip.neighbors.shards.search import (
    Block,
    FittedShard,
    Settings,
    fit_shard,
    merge_answers,
    search_fitted,
)

ACCEPTED = 'None, "joblib", a dask.distributed Client or the address of its scheduler, such as "tcp://host:8786"'
SCHEMES = ("tcp://", "tls://", "ws://", "wss://")
CONNECT_SECONDS = 10
BLOCKS_UNDER_WAY = 4  # for each thread of a cluster: enough to keep it busy, few enough to hold in memory


@dataclass(frozen=True, eq=False)
class Search:
    """A search to be run: every block of queries against every shard.

    Parameters
    ----------
    shards : sequence of Shard
        In the order of their rows.
    blocks : sequence of Block
        The queries.
    n_neighbors : int
        How many nearest rows.
    settings : Settings
        How.
    keep : ndarray of bool or None, default=None
        The rows that can be found; None means all.
    """

    shards: Sequence[Shard]
    blocks: Sequence[Block]
    n_neighbors: int
    settings: Settings
    keep: np.ndarray | None = None

    def kept(self, shard: Shard) -> np.ndarray | None:
        """Return the mask of a shard's rows that can be found."""
        return None if self.keep is None else self.keep[shard.offset : shard.offset + shard.n_rows]

    def searched(self) -> list[Shard]:
        """Return the shards that hold rows that can be found."""
        return [shard for shard in self.shards if self.keep is None or self.kept(shard).any()]  # type: ignore[union-attr]


class Executor(Protocol):
    """What runs a search."""

    def run(self, search: Search, answers: Answers) -> None:
        """Fill the answers, and report the share that is done."""


def check_executor(owner: object, executor: Any) -> None:
    """Refuse an executor that is not known."""
    if not (executor is None or is_cluster(executor) or (isinstance(executor, str) and executor == "joblib")):
        raise refusal(owner, "executor", ACCEPTED, executor)


def is_cluster(executor: Any) -> bool:
    """Tell whether this is a client of a Dask cluster, or an address of one, without importing Dask."""
    if isinstance(executor, str):
        return executor.startswith(SCHEMES)
    return all(hasattr(executor, name) for name in ("submit", "gather", "scheduler_info", "nthreads"))


def connected(owner: object, executor: Any) -> Any:
    """Return the client of a Dask cluster; anything else is returned as it is."""
    if not isinstance(executor, str) or not is_cluster(executor):
        return executor
    distributed = optional("distributed", "dask", f"executor={executor!r}")
    try:
        return distributed.Client(executor, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError):
        raise refusal(owner, "executor", "the address of a Dask scheduler that answers", executor) from None


def make_executor(executor: Any, n_jobs: int | None) -> Executor:
    """Return what runs searches for an ``executor`` parameter that was checked."""
    if executor is None:
        return InThisProcess()
    return OnJoblib(n_jobs) if isinstance(executor, str) else OnDask(executor)


class InThisProcess:
    """One shard after the other on threads: each is loaded once, and asked only for what is nearer than those found."""

    def run(self, search: Search, answers: Answers) -> None:
        """Fill the answers, and report the share that is done."""
        shards = search.searched()
        for number, shard in enumerate(shards):
            fitted = fit_shard(shard, search.settings, search.kept(shard))
            for done, block in enumerate(search.blocks, 1):
                within = answers.limits(block.place, len(block)) if number else None
                with reporting(None):
                    found = fitted.search(block, search.n_neighbors, within)
                answers.add(block.place, len(block), found)
                report((number + done / len(search.blocks)) / len(shards))
            del fitted


class OnJoblib:
    """Blocks on joblib's workers, one shard after the other; each worker loads a shard once."""

    def __init__(self, n_jobs: int | None):
        self.n_jobs = n_jobs

    def run(self, search: Search, answers: Answers) -> None:
        """Fill the answers, and report the share that is done."""
        shards, search_name = search.searched(), secrets.token_hex(8)
        for number, shard in enumerate(shards):
            how = (search.n_neighbors, search.settings)
            tasks = (
                delayed(_search_remembered)((search_name, number), shard, search.kept(shard), block, *how)
                for block in search.blocks
            )
            found = Parallel(n_jobs=self.n_jobs, return_as="generator")(tasks)
            for done, (block, answer) in enumerate(zip(search.blocks, found, strict=True), 1):
                answers.add(block.place, len(block), answer)
                report((number + done / len(search.blocks)) / len(shards))


# The shard that this process searched last, by the search and the shard's number: {key: FittedShard}.
_LATEST: dict[tuple[str, int], FittedShard] = {}


def _search_remembered(
    key: tuple[str, int], shard: Shard, keep: np.ndarray | None, block: Block, k: int, settings: Settings
) -> Answer:
    """Search a shard, which this process loads only if it is not the one it searched last."""
    fitted = _LATEST.get(key)
    if fitted is None:
        fitted = fit_shard(shard, settings, keep)
        _LATEST.clear()
        _LATEST[key] = fitted
    return fitted.search(block, k)


class OnDask:
    """Shards live on the workers of a Dask cluster, which load them from their files; blocks go from one to the other.

    A shard is the result of ``submit(fit_shard, shard)``, never scattered: if a worker dies, another one loads it
    again. Answers of a block are merged on a worker, and only the merged one is sent back.

    Parameters
    ----------
    client : dask.distributed.Client
        Connected.
    """

    def __init__(self, client: Any):
        self.client = client

    def run(self, search: Search, answers: Answers) -> None:
        """Fill the answers, and report the share that is done."""
        fitted = [
            self.client.submit(fit_shard, shard, search.settings, search.kept(shard), pure=False)
            for shard in search.searched()
        ]
        blocks = iter(search.blocks)
        most = BLOCKS_UNDER_WAY * max(1, sum(self.client.nthreads().values()))
        under_way = dict(self._submitted(blocks, fitted, search.n_neighbors, most))
        done = 0
        for future, answer in self._as_completed(under_way):
            block = under_way.pop(future)
            answers.write(block.place, answer, len(block))
            done += len(block)
            report(done / max(1, sum(map(len, search.blocks))))
            for more, its_block in self._submitted(blocks, fitted, search.n_neighbors, 1):
                under_way[more] = its_block
                self._waiting.add(more)

    def _as_completed(self, under_way: dict[Any, Block]) -> Iterator[tuple[Any, Any]]:
        from distributed import as_completed

        self._waiting = as_completed(list(under_way), with_results=True)
        yield from self._waiting

    def _submitted(self, blocks: Iterator[Block], fitted: list[Any], k: int, count: int) -> Iterator[tuple[Any, Block]]:
        for block, _ in zip(blocks, range(count), strict=False):
            parts = [self.client.submit(search_fitted, shard, block, k, pure=False) for shard in fitted]
            yield self.client.submit(merge_answers, parts, k, pure=False), block
