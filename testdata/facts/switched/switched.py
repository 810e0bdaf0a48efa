# Whether the program as it is does not run a call of print: a constant, an argument or a default rules it out.
import sys

USE_GPU = True
MODE = "train"
LIMIT = None

if not USE_GPU:
    print(1)  # switched: off
else:
    print(2)  # switched: maybe

if MODE == "test":
    print(3)  # switched: off
elif MODE != "train":
    print(4)  # switched: off

if LIMIT is not None and USE_GPU:
    print(5)  # switched: off

if sys.argv:
    print(6)  # switched: maybe
elif MODE == sys.argv[0]:
    print(7)  # switched: maybe


def train(save=False, path=None):
    if save:
        print(8)  # switched: off
    if path is None:
        print(9)  # switched: maybe
    else:
        print(10)  # switched: off


train()


def show(grid):
    if grid:
        print(11)  # switched: maybe


show(True)
show(sys.argv)


class Trainer:
    def __init__(self, profile=False):
        self.profile = profile

    def run(self):
        if self.profile:
            print(12)  # switched: off


Trainer().run()
