"""Cached traces: run records, corpus snapshots, and the manifest that seals them."""

from common.traces.compare import VOLATILE, Difference, compare_records
from common.traces.manifest import (
    MANIFEST,
    TOTAL_BYTES,
    Problem,
    check_manifest,
    read_manifest,
    read_object,
    sealed_files,
    sealed_rows,
    write_manifest,
)
from common.traces.records import (
    RecordWriter,
    Slot,
    Trace,
    TraceError,
    TraceKey,
    compact,
    find_traces,
    read_trace,
    record_line,
    trace_files,
)
from common.traces.redact import redact, text_hash
from common.traces.snapshot import Snapshot, read_questions, read_snapshot, read_subsets, write_snapshot

__all__ = [
    "MANIFEST",
    "TOTAL_BYTES",
    "VOLATILE",
    "Difference",
    "Problem",
    "RecordWriter",
    "Slot",
    "Snapshot",
    "Trace",
    "TraceError",
    "TraceKey",
    "check_manifest",
    "compact",
    "compare_records",
    "find_traces",
    "read_manifest",
    "read_object",
    "read_questions",
    "read_snapshot",
    "read_subsets",
    "read_trace",
    "record_line",
    "redact",
    "sealed_files",
    "sealed_rows",
    "text_hash",
    "trace_files",
    "write_manifest",
    "write_snapshot",
]
