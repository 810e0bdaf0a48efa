# Calls of the project's own modules, of which nothing is known here.
from . import helpers
from .gpu import setup
import elsewhere

setup()
helpers.prepare()
elsewhere.run()
