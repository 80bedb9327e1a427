"""Modules shared by both methods: documents, retrieval, graph, model client, traces, statistics."""

import csv

csv.field_size_limit(10_000_000)  # of a cell, in characters, for the whole process: abstracts stand in cells
