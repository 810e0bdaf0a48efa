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
    try:
        if os.name != "nt":
            os.execv(command[0], command)
        sys.exit(subprocess.run(command).returncode)
    except KeyboardInterrupt:
        sys.exit(2)
    except OSError as err:
        sys.exit(f"tfmem: {command[0]} does not run here ({err.strerror}). Install it again for this machine, with pip install --force-reinstall and what it was installed from")


if __name__ == "__main__":
    main()
