"""What a run did: searches, reads and rounds (KnowForge tables 2, 3 and 8)."""

from __future__ import annotations

from dataclasses import dataclass

from common.records import RunRecord, Stage, ToolCall

READER_TOOLS = frozenset({"fragment_context", "read_media", "media_context", "find_figure"})
LOCATOR_STAGE = "locator"


@dataclass(frozen=True)
class Behaviour:
    """Counts of one run. `reads` are calls of Reader tools; vision calls of read_media are `images_read`."""

    searches: int
    judge_searches: int
    reads: int
    read_media_calls: int
    images_read: int
    model_calls: int

    @property
    def never_read(self) -> bool:
        return self.reads == 0


@dataclass(frozen=True)
class AtCap:
    """Two readings of "at cap" for one stage: the loop was stopped by it / as many tool calls as it allows."""

    stopped: bool
    calls: bool


def is_read(call: ToolCall) -> bool:
    """Whether a tool call reads. Both roles own find_figure: in the Locator's hands it locates."""
    return call.tool in READER_TOOLS and call.stage != LOCATOR_STAGE


def behaviour(record: RunRecord) -> Behaviour:
    """Counts of one run. Follow-up searches of the judge count as searches; failed calls count as calls."""
    media = [call for call in record.tools if call.tool == "read_media" and is_read(call)]
    return Behaviour(
        searches=len(record.searches),
        judge_searches=sum(search.issuer == "judge" for search in record.searches),
        reads=sum(map(is_read, record.tools)),
        read_media_calls=len(media),
        images_read=sum(call.model_calls for call in media),
        model_calls=sum(usage.calls for usage in record.usage.values()),
    )


def at_cap(record: RunRecord, stage_name: str) -> AtCap | None:
    """Both readings of "at cap" for a stage; None where the run has no such stage or its cap is 0.

    The printed column of table 8 fits neither reading, so tables show both.
    """
    stage: Stage | None = next((s for s in record.stages if s.name == stage_name), None)
    if stage is None or stage.cap == 0:
        return None
    calls = sum(call.stage == stage_name for call in record.tools)
    return AtCap(stopped=stage.stop == "cap", calls=calls >= stage.cap)
