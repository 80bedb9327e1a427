"""FlowReader: evidence assembly as min-cost flow on a multimodal graph.

Formulas by file: `analysis` (eq. 11), `graph` (eq. 12-13), `evolution` (eq. 14), `scoring` (eq. 3-4, r, phi, psi, h,
a), `anchors` (MMR, sinks), `network` (eq. 5-6, sigma, min cut), `decomposition` (paths), `replicator` (eq. 7-10),
`gate`, `refinement` (appendix C).
Start at `construction.build_with_model` and `pipeline.answer_question`. README.md lists every decision.
"""
