"""`python -m frontdesk` is the same as `frontdesk`."""

import sys

from frontdesk.cli import main

if __name__ == "__main__":
    sys.exit(main())
