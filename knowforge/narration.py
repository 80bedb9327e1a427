"""A run told while it happens: stage headings, searches, reads, the verdict, and the answer token by token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from knowforge.rendering import shorten
from knowforge.session import Event

HEADINGS = {
    "locator": "Locator", "agent": "Agent", "judge": "Judge", "reader": "Deep Reader", "system": "Search",
    "fallback": "Search", "synthesizer": "Answer", "checker": "Checker", "vision": "Vision",
}  # fmt: skip
LONGEST = 200  # characters of an argument or a reason shown in the terminal


@dataclass
class Narrator:
    """Listener of a session. `write` gets text with its own line ends, to be shown at once."""

    write: Callable[[str], None]
    stage: str = ""
    open_line: bool = False  # tokens were written and no line end yet
    counts: dict[str, int] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        if event.kind == "tool" and event.text.startswith("search_knowledge"):
            return  # its search was told already
        self._enter(event.stage)
        if event.kind == "token":
            self.write(event.text)
            self.open_line = not event.text.endswith("\n")
            return
        self.counts[event.kind] = self.counts.get(event.kind, 0) + 1
        self._line(f"  {_told(event)}")

    def close(self) -> None:
        """End a line that tokens left open."""
        if self.open_line:
            self.write("\n")
            self.open_line = False

    def _enter(self, stage: str) -> None:
        if stage != self.stage:
            self._line(HEADINGS.get(stage, stage))
            self.stage = stage

    def _line(self, text: str) -> None:
        self.close()
        self.write(f"{text}\n")


def _told(event: Event) -> str:
    text = shorten(event.text, LONGEST)
    if event.kind == "search":
        return f"search: {text}"
    if event.kind == "judge":
        return f"verdict: {text or 'no reason given'}"
    if event.kind == "answer":
        return f"final answer: {text or 'none'}"
    return text
