"""Recall of evidence pages, and the two-fold choice: chosen on half of the documents, reported on the other half."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from common.stats import Interval
from experiments.pages.traces import PageRun


@dataclass(frozen=True)
class PageRecall:
    """Shares of the gold pages among the first k, and whether all of them are among the first 8."""

    r1: float
    r3: float
    r5: float
    r8: float
    all8: float


MEASURES = tuple(field.name for field in fields(PageRecall))


def page_recall(gold: Sequence[int], pages: Sequence[int]) -> PageRecall:
    """Measures of one question. Raises `ValueError` without gold pages."""
    if not gold:
        raise ValueError("page recall needs at least one gold page")
    wanted = set(gold)
    shares = {f"r{k}": len(wanted & set(pages[:k])) / len(wanted) for k in (1, 3, 5, 8)}
    return PageRecall(**shares, all8=float(wanted <= set(pages[:8])))


def means(recalls: Sequence[PageRecall], measures: Sequence[str] = MEASURES) -> list[float]:
    """Per cent of each measure over questions."""
    return [100.0 * float(np.mean([getattr(recall, name) for recall in recalls])) for name in measures]


def interval_by_document(
    documents: Sequence[str], differences: ArrayLike, *, resamples: int = 2000, seed: int = 0
) -> Interval:
    """95 % interval of the mean of the questions' differences when whole documents are resampled.

    Questions of one document are not independent; resampling them one by one takes them to be.
    """
    names, place = np.unique(documents, return_inverse=True)
    totals, counts = np.bincount(place, weights=np.asarray(differences, dtype=float)), np.bincount(place)
    drawn = np.random.default_rng(seed).integers(0, len(names), (resamples, len(names)))
    low, high = np.quantile(totals[drawn].sum(1) / counts[drawn].sum(1), [0.025, 0.975])
    return Interval(float(low), float(high))


def fold_of(documents: Sequence[str]) -> dict[str, int]:
    """Document -> 0 or 1: every second one in the order of their hashes, so that no one chose the halves."""
    ordered = sorted(set(documents), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return {name: place % 2 for place, name in enumerate(ordered)}


@dataclass(frozen=True)
class TwoFold:
    """One recall a question, each under the setting chosen on the documents of the other fold."""

    recalls: tuple[PageRecall, ...]
    chosen: tuple[str, str]  # used on fold 0, on fold 1


def two_fold(
    runs: Sequence[PageRun], settings: Sequence[str], pages: Callable[[PageRun, str], Sequence[int]]
) -> TwoFold:
    """Choose by the mean of R@1, R@5, R@8 and all@8; ties go to the setting named first.

    With documents in one fold only, its own questions choose, as there are no others.
    """
    folds = fold_of([run.document_id for run in runs])
    scored = {name: [page_recall(run.gold, pages(run, name)) for run in runs] for name in settings}
    own = [[place for place, run in enumerate(runs) if folds[run.document_id] == fold] for fold in (0, 1)]
    chosen = []
    for fold in (0, 1):
        others = own[1 - fold] or own[fold]
        chosen.append(max(settings, key=lambda name: _worth([scored[name][i] for i in others])))
    recalls = tuple(scored[chosen[folds[run.document_id]]][place] for place, run in enumerate(runs))
    return TwoFold(recalls, (chosen[0], chosen[1]))


def _worth(recalls: Sequence[PageRecall]) -> float:
    return round(sum(means(recalls, ("r1", "r5", "r8", "all8"))), 6)
