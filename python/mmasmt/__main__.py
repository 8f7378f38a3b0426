"""The program: `python -m mmasmt`, or `mmasmt` where scripts are installed."""

import sys

from . import _native


def main() -> None:
    """Runs the program with the arguments of this process, and ends with its exit status."""
    sys.exit(_native.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
