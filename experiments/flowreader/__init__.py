"""One script per table or figure of the FlowReader paper."""
