"""Encoders, BM25, dense search and their fusion. Start at `HybridIndex` and `load_encoder`."""

from common.retrieval.bm25 import BM25Index
from common.retrieval.cached import CachedEncoder, MissingEmbedding
from common.retrieval.dense import DenseIndex, DenseOptions
from common.retrieval.embedding_store import EmbeddingStoreError
from common.retrieval.encoder import Encoder, EncoderUnavailable
from common.retrieval.encoders import load_encoder
from common.retrieval.fusion import fuse_minmax, fuse_rrf
from common.retrieval.hybrid import HybridIndex, IndexOptions, Scored
from common.retrieval.manifest import IndexRefused

__all__ = [
    "BM25Index",
    "CachedEncoder",
    "DenseIndex",
    "DenseOptions",
    "EmbeddingStoreError",
    "Encoder",
    "EncoderUnavailable",
    "HybridIndex",
    "IndexOptions",
    "IndexRefused",
    "MissingEmbedding",
    "Scored",
    "fuse_minmax",
    "fuse_rrf",
    "load_encoder",
]
