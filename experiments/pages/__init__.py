"""Evidence pages of real documents: how pages are ranked, the traces of ranks, and recall over them."""
