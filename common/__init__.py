"""Modules shared by both methods: documents, retrieval, graph, model client, traces, statistics."""
