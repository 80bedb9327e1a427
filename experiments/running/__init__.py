"""One run and many: what a run stands on, the runners of both methods, the recording loop and its replay."""
