"""`python -m knowforge`: see `knowforge.cli`."""

from common.stopping import ctrl_c_told

if __name__ == "__main__":
    with ctrl_c_told():
        from knowforge.cli import main

        raise SystemExit(main())
