# What is handed to a constructor or a function, and kept or called there, is what all calls
# of it hand over.
from functools import partial
from os import putenv as mark


class Stepper:
    def __init__(self):
        self.other_step = self.step

    def step(self):
        mark("STEP", "")

    def __call__(self):
        mark("CALLED", "")


class Logger:
    def step(self):
        mark("LOGGED", "")


class Trainer:
    def __init__(self, stepper, hook=None, *, named):
        self.stepper = stepper
        self.hook = hook
        self.named = named

    def run(self):
        for _ in range(2):
            self.stepper.step()
            self.stepper.other_step()
            self.hook()
            self.named.step()
            self.stepper.missing()
            self.stepper()


class Nested(Trainer):
    def __init__(self, inner):
        super().__init__(inner, hooked, named=Logger())


class Outer:
    def __init__(self, trainer):
        self.trainer = trainer

    def run(self):
        self.trainer.stepper.step()


def hooked():
    mark("HOOK", "")


def loop(step, times, logger=Logger()):
    for _ in range(times):
        step()
        logger.step()


def again(step):
    again(step)
    step()


def either(stepper):
    stepper.step()


def starred(stepper):
    stepper.step()


def rebinds(stepper):
    stepper = stepper or Stepper()
    stepper.step()


stepper = Stepper()
Nested(stepper)
Trainer(stepper, hooked, named=Logger()).run()
Outer(Trainer(stepper, hooked, named=Logger())).run()
loop(hooked, 2)
loop(partial(hooked), 2)
again(hooked)
either(Stepper())
either(Logger())
starred(*[stepper])
rebinds(stepper)
