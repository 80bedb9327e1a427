"""KnowForge: role-specialised tool agents over a knowledge-point index.

The six jobs of the paper's figure 1, one module each: `construction`, `agents.locator`, `judge`,
`pool`, `agents.deep_reader`, `answer`. `pipeline` chains them. README.md lists every decision.
"""
