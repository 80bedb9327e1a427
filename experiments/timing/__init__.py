"""Rounds of retrieval timed stage by stage, on the recorded and on a grown corpus; made-up loads for `bench`."""
