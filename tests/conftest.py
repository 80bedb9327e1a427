"""Settings of every test: property tests have no deadline, a busy machine must not fail them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repository", deadline=None, print_blob=True)
settings.load_profile("repository")
