"""One run as one readable HTML file: no script, no external resource, everything escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from common.llm.listening import HeardCall
from common.records import RunRecord, Search, Stage, ToolCall, Usage
from knowforge.base import KnowledgeBase
from knowforge.citations import cite, file_of
from knowforge.rendering import shorten

SNIPPET = 220
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid #d0d7de}h3{font-size:1rem}
table{border-collapse:collapse;width:100%;font-size:13px;margin:.4rem 0 1rem}
td,th{border:1px solid #d0d7de;padding:.25rem .5rem;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
pre{white-space:pre-wrap;background:#f6f8fa;padding:.6rem;font-size:12.5px;overflow-wrap:anywhere}
.answer{font-size:1.15rem;font-weight:600}.muted{color:#59636e}.bad{color:#b3261e}
.evidence li{margin:.4rem 0}.evidence q{color:#59636e}mark{background:#fff1b8;color:#1b1f24;font-weight:600}
""".strip()


@dataclass(frozen=True)
class TracedRun:
    """What the page shows of one run. `calls` are the model calls in order; `files` maps document ids to files."""

    question: str
    record: RunRecord
    base: KnowledgeBase
    files: Mapping[str, Path] = field(default_factory=dict)
    calls: Sequence[HeardCall] = ()


def page(run: TracedRun) -> str:
    """The whole HTML text."""
    parts = [_head(run), *_stages(run), _pool(run), _answer(run), _costs(run), _replies(run)]
    title = escape(shorten(run.question, 80))
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    top = f'<!doctype html>\n<html lang="en"><head>{head}</head>'
    return "\n".join([top, "<body>", *(part for part in parts if part), "</body></html>", ""])


def _head(run: TracedRun) -> str:
    record = run.record
    facts = f"{record.system}, {record.model}, {record.elapsed_s:.1f} s of model time, commit {record.commit[:12]}"
    errors = "".join(f'<p class="bad">{escape(error)}</p>' for error in record.errors)
    answer = "; ".join(record.answer) or "no answer"
    return (
        f"<h1>{escape(run.question)}</h1>\n<p class='answer'>{escape(answer)}</p>\n{_evidence(run)}"
        f"<p class='muted'>{escape(facts)}</p>{errors}"
    )


def _evidence(run: TracedRun) -> str:
    """The pages cited, each with the words it is cited for."""
    cited = []
    for citation in cite(run.record, run.base, run.files):
        quote = _quote(run.base.fragments[citation.fragment_id].text, run.record.answer)
        cited.append(f"<li>{escape(str(citation))}<br><q>{quote}</q></li>")
    return f"<ol class='evidence'>{''.join(cited)}</ol>" if cited else ""


def _quote(passage: str, answers: Sequence[str]) -> str:
    """The passage around the first answer it spells out, that marked; its beginning where it spells out none."""
    said = " ".join(passage.split())
    for answer in filter(None, answers):
        found = re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", said, re.IGNORECASE)
        if found:
            start = max(0, found.start() - SNIPPET // 2)
            before = f"… {said[start : found.start()].partition(' ')[2]}" if start else said[: found.start()]
            after = said[found.end() :]
            cut = after[: SNIPPET // 2].rpartition(" ")[0] + " …" if len(after) > SNIPPET // 2 else after
            return f"{escape(before)}<mark>{escape(found[0])}</mark>{escape(cut)}"
    return escape(shorten(said, SNIPPET))


def _stages(run: TracedRun) -> Iterable[str]:
    """Locator or single agent, judge, fallback, reader: in the order they ran."""
    record, left = run.record, list(run.record.searches)
    stops = {stage.name: stage for stage in record.stages}
    for name, title in (("locator", "Locator"), ("agent", "Agent with all tools")):
        if name in stops or any(s.issuer == name for s in left):
            yield _heading(title, stops, name)
            yield from _tool_parts(run, name, [s for s in left if s.issuer == name])
    if record.verdict is not None:
        verdict = record.verdict
        asked = "more is needed" if verdict.need_more else "nothing is missing"
        named = f"; bridge entities: {', '.join(verdict.bridge_entities)}" if verdict.bridge_entities else ""
        yield f"<h2>Judge</h2><p>{escape(asked + named)}. {escape(verdict.reason)}</p>"
    for search in left:
        if search.issuer in ("judge", "system", "fallback"):
            title = {"judge": "follow-up", "system": "search", "fallback": "fallback search"}[search.issuer]
            yield _search(run, search, title)
    if "reader" in stops:
        yield _heading("Deep Reader", stops, "reader")
        yield from _tool_parts(run, "reader", [])


def _heading(title: str, stops: Mapping[str, Stage], name: str) -> str:
    stage = stops.get(name)
    told = "" if stage is None else f"{stage.rounds} of {stage.cap} rounds, stopped by {stage.stop}"
    return f"<h2>{escape(title)}</h2><p class='muted'>{escape(told)}</p>"


def _tool_parts(run: TracedRun, stage: str, searches: list[Search]) -> Iterable[str]:
    """The stage's tool calls; a search call shows the hits of the search it made."""
    waiting = list(searches)
    for call in run.record.tools:
        if call.stage != stage:
            continue
        if call.tool == "search_knowledge" and call.ok and waiting:
            yield _search(run, waiting.pop(0), "search")
        else:
            yield _call(run, call)
    for search in waiting:  # a record of another runner may hold searches without their calls
        yield _search(run, search, "search")


def _search(run: TracedRun, search: Search, title: str) -> str:
    rows = []
    for rank, hit in enumerate(search.hits, start=1):
        fragment = run.base.fragments.get(hit.fragment_id)
        file = file_of(fragment, run.base, run.files) if fragment else hit.document_id
        text = shorten(fragment.text, SNIPPET) if fragment else ""
        kind = f"{hit.kind} (graph)" if hit.from_graph else hit.kind
        rows.append(
            [str(rank), file, str(hit.page), kind, f"{hit.score:.2f}", f"{hit.cosine:.3f}", f"{hit.bm25:.2f}", text]
        )
    header = ["#", "file", "page", "kind", "score", "cosine", "BM25", "text"]
    shown = _table(header, rows, numbers={0, 2, 4, 5, 6}) if rows else "<p class='muted'>no hits</p>"
    return f"<h3>{escape(title)}: {escape(search.query)}</h3>{shown}"


def _call(run: TracedRun, call: ToolCall) -> str:
    args = ", ".join(f"{name}={value}" for name, value in call.args.items())
    places = []
    for name in call.fragments:
        fragment = run.base.fragments.get(name)
        places.append(
            f"{file_of(fragment, run.base, run.files)}, page {fragment.page}, {fragment.kind}" if fragment else name
        )
    outcome = f"{call.model_calls} images read; " if call.model_calls else ""
    outcome = outcome + "; ".join(dict.fromkeys(places)) if call.ok else "the tool answered with an error"
    return f"<h3>{escape(call.tool)}({escape(args)})</h3><p>{escape(outcome) or 'no fragment named'}</p>"


def _pool(run: TracedRun) -> str:
    pool = run.record.pool
    if pool is None:
        return ""
    used = ", ".join(f"{kind} {size:,}" for kind, size in pool.used.items())
    told = f"{pool.kept:,} of {pool.total:,} {pool.unit} kept (cap {pool.cap:,}), {pool.dropped} blocks dropped; {used}"
    rows = []
    for number, name in enumerate(pool.kept_ids, start=1):
        fragment = run.base.fragments.get(name)
        if fragment is None:
            rows.append([str(number), "what a tool read", "", name, ""])
        else:
            file = file_of(fragment, run.base, run.files)
            rows.append([str(number), file, str(fragment.page), fragment.kind, shorten(fragment.text, SNIPPET)])
    shown = _table(["#", "file", "page", "kind", "text"], rows, numbers={0, 2}) if rows else ""
    return f"<h2>Evidence pool</h2><p>{escape(told)}</p>{shown}"


def _answer(run: TracedRun) -> str:
    record = run.record
    return (
        f"<h2>Answer</h2><pre>{escape(record.answer_text)}</pre>"
        f"<p>before the checker: {escape(record.answer_before) or '–'}<br>"
        f"after the checker: {escape('; '.join(record.answer)) or '–'}</p>"
    )


def _costs(run: TracedRun) -> str:
    rows = [_cost(stage, usage) for stage, usage in run.record.usage.items()]
    header = ["stage", "calls", "prompt tokens", "of these cached", "completion tokens", "seconds"]
    table = _table(header, [*rows, _cost("all", sum(run.record.usage.values(), Usage()))], numbers={1, 2, 3, 4, 5})
    return f"<h2>Calls, tokens, seconds</h2>{table}"


def _cost(stage: str, usage: Usage) -> list[str]:
    counts = (usage.calls, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
    return [stage, *(f"{count:,}" for count in counts), f"{usage.seconds:.1f}"]


def _replies(run: TracedRun) -> str:
    """Every model call with its reply; the prompts fold away."""
    parts = []
    for number, call in enumerate(run.calls, start=1):
        parts.append(
            f"<h3>{number}. {escape(call.stage)} <span class='muted'>({call.reply.seconds:.1f} s)</span></h3>"
            f"<pre>{escape(call.reply.text)}</pre>"
            f"<details><summary>prompt</summary><pre>{escape(call.prompt)}</pre></details>"
        )
    return "<h2>Model calls</h2>" + "".join(parts) if parts else ""


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        marked = (f'<{tag} class="n">' if i in numbers else f"<{tag}>" for i in range(len(cells)))
        return "<tr>" + "".join(f"{m}{escape(c)}</{tag}>" for m, c in zip(marked, cells, strict=True)) + "</tr>"

    return "<table>" + line(header, "th") + "".join(line(row, "td") for row in rows) + "</table>"
