"""`python -m flowreader`: see `flowreader.cli`."""

from common.stopping import ended_from_outside

if __name__ == "__main__":
    with ended_from_outside():
        from flowreader.cli import main

        raise SystemExit(main())
