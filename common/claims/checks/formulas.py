"""Checks on printed formulas: a bound, a call count or a floor computed from printed parameters.

A formula is written with the letters a, b, c, ... for its values in order: `a + b * (b - 1) / 2`. It is parsed, never
run as code. An interval that occurs twice is treated as two independent values, which can only widen the result.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from common.claims.interval import Interval, short
from common.claims.published import Cell
from common.claims.verdict import Outcome, agreement, check, order, statement

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def evaluate(expression: str, values: Sequence[Interval]) -> Interval:
    """Interval of an arithmetic expression in a, b, c, ... (+ - * / and numbers).

    Raises ValueError for anything else, naming the expression and the letter or operation at fault.
    """
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError as error:
        raise ValueError(f"formula {expression!r} is not arithmetic: {error.msg}") from error
    if len(values) > len(LETTERS):
        raise ValueError(f"formula {expression!r} has {len(values)} values; at most {len(LETTERS)} have a letter")
    unused = [LETTERS[i] for i in range(len(values)) if not _uses(tree, LETTERS[i])]
    if unused:
        raise ValueError(f"formula {expression!r} does not use {', '.join(unused)}: drop the value or use its letter")
    return _node(tree.body, expression, dict(zip(LETTERS, values, strict=False)))


def _uses(tree: ast.AST, letter: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == letter for node in ast.walk(tree))


def _node(node: ast.expr, expression: str, values: dict[str, Interval]) -> Interval:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return Interval.exact(float(node.value))
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise ValueError(f"formula {expression!r}: {node.id} has no value; values: {', '.join(values) or 'none'}")
        return values[node.id]
    if isinstance(node, ast.BinOp):
        left, right = _node(node.left, expression, values), _node(node.right, expression, values)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / right
    raise ValueError(f"formula {expression!r}: only + - * / of letters and numbers, not {type(node).__name__}")


@check
def formula(expression: str, values: Sequence[Interval], printed: Interval) -> Outcome:
    """A printed formula at the printed parameters gives the printed result."""
    return agreement(evaluate(expression, values), printed, "The printed formula at the printed parameters")


@check
def formula_bound(
    expression: str, values: Sequence[Interval], bound: Interval, side: Literal["at most", "at least"] = "at most"
) -> Outcome:
    """What follows from printed parameters keeps a printed bound (equality counts)."""
    result = evaluate(expression, values)
    higher, lower = (bound, result) if side == "at most" else (result, bound)
    found = order(higher, lower, "bound", strict=False)
    word = {"consistent": "is", "rounding": "is only within rounding"}.get(found.verdict, "is not")
    sentence = f"The printed parameters give {short(result.point)}, which {word} {side} {short(bound.point)}."
    return Outcome(found.verdict, str(result), f"{side} {short(bound.point)}", sentence, found.hardness)


@check
def can_fall_below(threshold: Interval, floor: Sequence[Interval], expression: str = "a") -> Outcome:
    """A rule that acts below a threshold can act: the quantity's floor, from printed definitions, is lower."""
    lowest = evaluate(expression, floor)
    return statement(
        lowest.low < threshold.high,
        f"floor {lowest}",
        f"threshold {short(threshold.point)}",
        f"The quantity can be as low as {short(lowest.point)}, below the threshold {short(threshold.point)}.",
        f"By the printed definitions the quantity is never below {short(lowest.point)}, so a rule for values below "
        f"{short(threshold.point)} can never act.",
    )


@check
def uncapped(wording: Cell, cap: Cell) -> Outcome:
    """A loop the text calls unbounded has no printed cap. Wording, so at worst soft."""
    return statement(
        cap.blank,
        "no cap printed" if cap.blank else f"cap {cap.value}",
        wording.value,
        "No cap is printed.",
        f"The text says {wording.value!r}, while {cap.place} caps it at {cap.value}.",
        hardness="soft",
    )
