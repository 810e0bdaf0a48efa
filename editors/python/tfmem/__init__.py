"""tfmem says before a TensorFlow program runs what GPU memory it needs.

The program is the command `tfmem`; this package finds it.
"""

import os
import shutil
import sys
import sysconfig

__all__ = ["find"]


def find():
    """The path of the program that was installed with this package.

    It lies where pip puts the commands of a package: of this environment, of the user, or
    of a --target. Raises FileNotFoundError where it is not there.
    """
    name = "tfmem.exe" if os.name == "nt" else "tfmem"
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [sysconfig.get_path("scripts")]
    if sys.version_info >= (3, 10):
        folders.append(sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user")))
    else:
        folders.append(sysconfig.get_path("scripts", scheme="nt_user" if os.name == "nt" else "posix_user"))
    folders.append(os.path.join(os.path.dirname(package), "bin"))
    # In a build by pip or a tool's environment the package lies in lib/pythonX.Y/site-packages.
    folders.append(os.path.join(os.path.dirname(package), "..", "..", "..", "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return os.path.normpath(path)
    on_path = shutil.which("tfmem")
    if on_path:
        return on_path
    raise FileNotFoundError(f"the program {name} is not in {', '.join(folders)}: install tfmem again, with pip install --force-reinstall tfmem")


def load_ipython_extension(ipython):
    """%load_ext tfmem."""
    from tfmem.magics import Magics

    ipython.register_magics(Magics)
