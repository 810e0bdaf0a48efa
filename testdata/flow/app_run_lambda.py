import functools
from absl import app
from os import putenv as mark


def run(mode, argv):
    mark("RUN", "")


app.run(lambda argv: run("train", argv))
app.run(functools.partial(run, "test"))
