"""Runs the C compiler of PyPI's ziglang. As Go's CC it also compiles go-nvml:

    CC="python editors/python/zigcc.py -target x86_64-linux-gnu.2.17" go build ./cmd/tfmem-nvml

A program with go-nvml calls functions of the NVIDIA driver's library that it loads when it runs.
So go-nvml passes --unresolved-symbols to the linker, which zig refuses. Without that flag the
linker leaves functions undefined that are weak.
"""

import os
import subprocess
import sys

import ziglang

# All functions in nvml.h are declared with DECLDIR, which is __declspec(dllimport) on Windows.
WEAK = ["-D_WINDOWS", "-D__declspec(x)=__attribute__((weak))"]

arguments = []
for argument in sys.argv[1:]:
    if argument == "-DNVML_NO_UNVERSIONED_FUNC_DEFS=1":  # go-nvml sets it for its own files
        arguments += [argument, *WEAK]
    elif argument.startswith("-Wl,--unresolved-symbols="):
        # By zig's default the loader would look all functions up at the start, and find none.
        arguments.append("-Wl,-z,lazy")
    else:
        arguments.append(argument)
command = [os.path.join(os.path.dirname(ziglang.__file__), "zig"), "cc", *arguments]
if os.name == "posix":
    os.execv(command[0], command)
sys.exit(subprocess.call(command))
