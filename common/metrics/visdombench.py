"""VisDoMBench: word overlap of an answer with the gold answers, to be read beside a judge's accuracy.

The released code writes answers and scores none; the FlowReader paper reports the accuracy a judge gives
(`flowreader.grading`). Most gold answers are sentences, so that exact match says little outside the slide decks.
"""

from __future__ import annotations

from collections.abc import Sequence

from common.metrics.m3docvqa import ListScore
from common.metrics.text import normalise, token_f1


def score(predicted: Sequence[str], golds: Sequence[str]) -> ListScore:
    """Exact match and token F1 with the gold answer that fits best; several gold answers are alternatives.

    The elements of a list prediction are read as one text.
    """
    answer = " ".join(predicted)
    em = max((float(normalise(answer) == normalise(gold)) for gold in golds), default=0.0)
    return ListScore(em, max((token_f1(answer, gold) for gold in golds), default=0.0))
