"""Rows that are spread over files, and their exact neighbors, on one machine or on a cluster."""

from unflip.neighbors.shards.array_shards import ArrayShards
from unflip.neighbors.shards.parquet_shards import ParquetShards, needs_encoder
from unflip.neighbors.shards.rows import Shard, Shards, labels_of
from unflip.neighbors.shards.sharded import ShardedIndex, is_sharded

__all__ = [
    "ArrayShards",
    "ParquetShards",
    "Shard",
    "ShardedIndex",
    "Shards",
    "is_sharded",
    "labels_of",
    "needs_encoder",
]
