"""The check functions, one module per kind; every module in this folder is imported, so a new file is a new kind."""

from __future__ import annotations

import importlib
import pkgutil

for module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{module.name}")
