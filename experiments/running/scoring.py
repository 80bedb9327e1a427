"""What scoring a run needs beyond its record: the extracted short answer, and scores where questions stay behind.

Both go into `facts["scoring"]`: `answer` are the elements the extractor took out of the reply, `scores` the values of
`AnswerScore` by scorer, kept only where the corpus's gold answers may not be passed on with the records.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from common.benchmarks.question import Question
from common.llm import LLM, LLMError, ReplayMiss
from common.metrics import score_answer, scored_answer
from common.metrics.extraction import PROMPTS, STAGE, extract_answer
from common.records import RunRecord
from common.traces import TraceKey
from experiments.running.runner import Runner


@dataclass(frozen=True)
class ScoredRunner:
    """A runner whose records carry their scoring facts. `extract`: ask the extractor, which is part of the config."""

    inner: Runner
    llm: LLM
    scorer: str
    extract: bool
    keep_scores: bool

    @property
    def method(self) -> str:
        return self.inner.method

    @property
    def systems(self) -> Sequence[str]:
        return self.inner.systems

    def config(self, system: str) -> dict[str, Any]:
        """The inner configuration; with an extractor its prompt is named and hashed in."""
        config = self.inner.config(system)
        if not self.extract:
            return config
        prompts = {**config["prompts"], STAGE: PROMPTS.sha256[:16]}
        joined = hashlib.sha256(f"{config['config_hash']} {PROMPTS.sha256}".encode()).hexdigest()[:16]
        return {**config, "config_hash": joined, "prompts": prompts}

    async def run(self, question: Question, system: str, sample: int) -> RunRecord:
        """The inner run, extracted and scored. An extractor that cannot be reached makes it a failed run."""
        record = await self.inner.run(question, system, sample)
        record = replace(record, config_hash=self.config(system)["config_hash"])
        if record.status == "failed":
            return record
        scoring: dict[str, Any] = {}
        try:
            if self.extract:
                context = TraceKey(record.benchmark, record.model, record.method, record.system)
                scoring["answer"] = list(await extract_answer(self.llm, question, record, context=str(context)))
        except ReplayMiss:
            raise
        except LLMError as error:
            return replace(record, status="failed", errors=(*record.errors, f"{type(error).__name__}: {error}"))
        if self.keep_scores:
            score = score_answer(self.scorer, question, scored_answer(with_scoring(record, scoring)))
            scoring["scores"] = {self.scorer: [score.primary, score.em, score.f1]}
        return with_scoring(record, scoring)


def with_scoring(record: RunRecord, scoring: dict[str, Any]) -> RunRecord:
    """The record with these scoring facts, which redaction leaves as they are; unchanged where there are none."""
    if not scoring:
        return record
    opened = list(dict.fromkeys((*record.facts.get("open", ()), "scoring")))
    return replace(record, facts={**record.facts, "open": opened, "scoring": scoring})
