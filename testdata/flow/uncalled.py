# What nothing calls has a trace of its own; what only that calls has none.
from os import putenv as mark


def callee():
    mark("CALLEE", "")


def caller():
    callee()
    mark("CALLER", "")


def calls_itself():
    mark("SELF", "")
    calls_itself()


def ping():
    mark("PING", "")
    pong()


def pong():
    mark("PONG", "")
    ping()


def before():
    mark("BEFORE", "")
    called_by_module()


def called_by_module():
    mark("CALLED", "")


def quiet():
    pass


class Trainer:
    def train(self):
        self.step()

    def step(self):
        mark("STEP", "")


called_by_module()
