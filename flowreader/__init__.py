"""FlowReader: evidence assembly as min-cost flow on a multimodal graph.

Formulas by file: `scoring` (eq. 3-4, r, phi, psi, h, a), `anchors` (MMR, sinks), `network` (eq. 5-6, sigma,
min cut), `decomposition` (paths), `replicator` (eq. 7-10), `evolution` (eq. 13-14), `gate`, `refinement` (appendix C).
Start at `construction.build_with_model` and `pipeline.answer_question`. README.md lists every decision.
"""
