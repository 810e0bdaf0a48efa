# What belongs to the program itself keeps the name it was imported under.
import helpers.gpu
import helpers.data as hd
from . import models
from . import utils as u
from .data import load
from ..shared.gpu import setup
from ... import far
from helpers import build as make
from tensorflow_models import official

models.build()  # name: .models.build
u.f()  # name: .utils.f
load()  # name: .data.load
setup()  # name: ..shared.gpu.setup
far.f()  # name: ...far.f
make()  # name: helpers.build
helpers.gpu.setup()  # name: helpers.gpu.setup
hd.load()  # name: helpers.data.load
official.f()  # name: tensorflow_models.official.f
