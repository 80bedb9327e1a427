"""One script per table or figure of the KnowForge paper."""
