"""`python -m data.synthetic render docs/synthetic.md` or `python -m data.synthetic demo demo.xlsx`."""

from __future__ import annotations

import sys
from pathlib import Path

from data.synthetic.demo import demo_workbook
from data.synthetic.render import write_samples

COMMANDS = {"render": write_samples, "demo": demo_workbook}


def main(arguments: list[str]) -> None:
    """Run one command on one path."""
    if len(arguments) != 2 or arguments[0] not in COMMANDS:
        raise SystemExit(f"usage: python -m data.synthetic {{{','.join(COMMANDS)}}} PATH")
    COMMANDS[arguments[0]](Path(arguments[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
