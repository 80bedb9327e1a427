"""`python -m flowreader`: see `flowreader.cli`."""

from flowreader.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
