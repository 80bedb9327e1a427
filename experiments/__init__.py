"""Scripts, configurations, published numbers and traces behind every table and figure."""
