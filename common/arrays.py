"""The two array types of scores and of places, and scores scaled to 0..1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def min_max(values: Floats) -> Floats:
    """Scaled to 0..1; all equal gives zeros."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    return (values - low) / (high - low) if high > low else np.zeros(len(values))
