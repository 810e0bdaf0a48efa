"""python -m tfmem is the command tfmem."""

import os
import subprocess
import sys

from tfmem import find


def main():
    try:
        command = [find(), *sys.argv[1:]]
    except FileNotFoundError as err:
        sys.exit(f"tfmem: {err}")
    if os.name == "nt":
        try:
            sys.exit(subprocess.run(command).returncode)
        except KeyboardInterrupt:
            sys.exit(2)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
