"""Whether a gold answer is of the type its declared format promises."""

from __future__ import annotations

import ast

from common.benchmarks.question import Question

_UNITS = " $%"


def _is_literal_list(text: str) -> bool:
    try:
        return isinstance(ast.literal_eval(text), list)
    except (ValueError, SyntaxError, TypeError):
        return False


def _parses(kind: type[int] | type[float], text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


def format_problem(question: Question) -> str:
    """One line on a gold answer that its format denies, "" when it fits; the answer itself is not quoted.

    Such a question stays in the set: the official scorer treats it as it stands, so do we.
    """
    gold = str(question.extra.get("gold", question.answers[0]))
    fits = {
        "Int": _parses(int, gold),
        "Float": _parses(float, gold.strip(_UNITS)),
        "Str": bool(gold.strip()),
        "List": _is_literal_list(gold),
        "None": not question.answerable,
    }[question.answer_format]
    if not fits:
        return f"question {question.question_id}, field 'answer': not of its format {question.answer_format!r}"
    if not question.answerable and question.answer_format != "None":
        return f"question {question.question_id}, field 'answer_format': unanswerable, yet {question.answer_format!r}"
    return ""
