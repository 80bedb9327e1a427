"""One script per figure that draws on both papers."""
