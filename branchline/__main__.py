"""`python -m branchline` is the command line."""

import sys

from branchline.cli import main

sys.exit(main())
