"""`python -m knowforge`: see `knowforge.cli`."""

from common.stopping import ended_from_outside

if __name__ == "__main__":
    with ended_from_outside():
        from knowforge.cli import main

        raise SystemExit(main())
